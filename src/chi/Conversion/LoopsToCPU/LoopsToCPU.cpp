//===- LoopsToCPU.cpp - The last step to the LLVM dialect -----------------===//

#include "chi/Conversion/LoopsToCPU/LoopsToCPU.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Transforms/DialectConversion.h"

namespace chi::conv {
#define GEN_PASS_DEF_LOOPSTOCPUPASS
#include "chi/Conversion/Passes.h.inc"
} // namespace chi::conv

using namespace mlir;
using namespace chi;
using namespace chi::conv;

LogicalResult chi::conv::convertToLLVM(ModuleOp module) {
  MLIRContext *context = module.getContext();
  LowerToLLVMOptions options(context);
  options.overrideIndexBitwidth(64);
  LLVMTypeConverter types(context, options);
  RewritePatternSet patterns(context);
  arith::populateCeilFloorDivExpandOpsPatterns(patterns);
  arith::populateArithToLLVMConversionPatterns(types, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(types, patterns);
  populateFuncToLLVMConversionPatterns(types, patterns);
  populateMathToLLVMConversionPatterns(types, patterns);
  populateMathToLibmConversionPatterns(patterns, /*benefit=*/0);
  ub::populateUBToLLVMConversionPatterns(types, patterns);
  populateVectorToLLVMConversionPatterns(types, patterns);
  addSaturatingCasts(types, patterns);
  addSignedZeros(types, patterns);
  addSmallCasts(types, patterns);
  addOverflowFlags(types, patterns);
  LLVMConversionTarget target(*context);
  target.addLegalOp<ModuleOp>();
  return applyFullConversion(module, target, std::move(patterns));
}

/// LLVM's attributes of a function, from Chi's attributes on it.
struct FunctionTraits {
  bool isBody = false, isCold = false, isPrivate = false;
  /// Part of a kernel's code that runs, not of what launches it.
  bool isOfTask = false;
};

static void setTraits(LLVM::LLVMFuncOp function, FunctionTraits traits) {
  Builder b(function.getContext());
  for (StringRef name : {StringRef(ir::kBodyAttr), StringRef(ir::kColdAttr),
                         StringRef(ir::kKernelAttr), StringRef(ir::kAxesAttr),
                         StringRef(ir::kHostAttr), StringRef(ir::kControlAttr)})
    function->removeAttr(name);
  if (traits.isPrivate && !function.isExternal())
    function.setLinkage(LLVM::Linkage::Internal);
  else
    function.setVisibility_(LLVM::Visibility::Hidden);
  SmallVector<Attribute> flags{b.getStringAttr("nounwind")};
  // An inlined body would lose the alias facts of its arguments.
  if (traits.isBody)
    flags.push_back(b.getStringAttr("noinline"));
  // Launches call it on a slow path only: it is not optimised. LLVM would take
  // a tenth longer for a small kernel.
  if (traits.isCold && !traits.isBody && !traits.isOfTask)
    for (StringRef flag : {"cold", "noinline", "optnone"})
      flags.push_back(b.getStringAttr(flag));
  else if (traits.isCold)
    for (StringRef flag : {"cold", "minsize", "optsize"})
      flags.push_back(b.getStringAttr(flag));
  function.setPassthroughAttr(b.getArrayAttr(flags));
}

/// The annotations of an scf loop are on its branch, under the name of an
/// attribute of another dialect.
static void placeLoopAnnotations(ModuleOp module) {
  module.walk([](LLVM::BrOp branch) {
    constexpr llvm::StringLiteral name = "llvm.loop_annotation";
    if (auto said = branch->getAttrOfType<LLVM::LoopAnnotationAttr>(name)) {
      branch->removeAttr(name);
      branch.setLoopAnnotationAttr(said);
    }
  });
}

void chi::conv::reconcileCasts(ModuleOp module) {
  SmallVector<UnrealizedConversionCastOp> casts, left;
  module.walk([&](UnrealizedConversionCastOp op) { casts.push_back(op); });
  reconcileUnrealizedCasts(casts, &left);
}

namespace {
struct LoopsToCPUPass : chi::conv::impl::LoopsToCPUPassBase<LoopsToCPUPass> {
  void getDependentDialects(DialectRegistry &registry) const override {
    registerLoweringDialects(registry);
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    llvm::StringMap<FunctionTraits> traits;
    for (auto function : module.getOps<func::FuncOp>())
      traits[function.getSymName()] = {function->hasAttr(ir::kBodyAttr),
                                       function->hasAttr(ir::kColdAttr),
                                       function.isPrivate(),
                                       function->hasAttr(ir::kKernelAttr)};
    moveLargeLocals(module);
    lowerScratches(module);
    if (failed(lowerMemory(module)) || failed(convertToLLVM(module)))
      return signalPassFailure();
    for (auto function : module.getOps<LLVM::LLVMFuncOp>())
      if (auto known = traits.find(function.getSymName());
          known != traits.end())
        setTraits(function, known->second);
    placeLoopAnnotations(module);
    reconcileCasts(module);
  }
};
} // namespace
