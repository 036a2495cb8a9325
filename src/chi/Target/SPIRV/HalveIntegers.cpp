//===- HalveIntegers.cpp - 64 bits as two numbers of 32 -------------------===//
// The code that Chi adds to a kernel has some integers of 64 bits: records,
// lines, seeds of random numbers. Devices without integers of 64 bits can
// compute them by halves, and others do so themselves. The program's own ones
// in fields and scalars stay, and so do all of a kernel in which halves do not
// suffice.

#include "chi/Dialect/Chi/KernelParams.h"
#include "chi/Target/SPIRV/Steps.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Arith/Transforms/WideIntEmulationConverter.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/ControlFlow/Transforms/StructuralTypeConversions.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/DialectConversion.h"

namespace chi::target::spv {
#define GEN_PASS_DEF_HALVEINTEGERSPASS
#include "chi/Target/SPIRV/Passes.h.inc"
} // namespace chi::target::spv

using namespace mlir;
using namespace chi;
using ir::KernelParam;

//===----------------------------------------------------------------------===//
// Where it can be done
//===----------------------------------------------------------------------===//

static bool isLong(Type type) {
  auto memory = dyn_cast<MemRefType>(type);
  return (memory ? memory.getElementType() : type).isInteger(64);
}

/// Operations of which there are patterns that give the same results.
static bool hasHalves(Operation *op) {
  return isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::AndIOp,
             arith::OrIOp, arith::XOrIOp, arith::CmpIOp, arith::ConstantOp,
             arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp,
             arith::IndexCastOp, arith::IndexCastUIOp, arith::MaxSIOp,
             arith::MaxUIOp, arith::MinSIOp, arith::MinUIOp, arith::SelectOp,
             arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp, memref::LoadOp,
             memref::StoreOp, scf::IfOp, scf::ForOp, scf::WhileOp, scf::YieldOp,
             scf::ConditionOp, cf::BranchOp, cf::CondBranchOp, func::CallOp,
             func::ReturnOp>(op);
}

static bool isLongIn(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), isLong) ||
         llvm::any_of(op->getResultTypes(), isLong);
}

/// Is it a number of the program?
static bool isOfProgram(KernelParam kind) {
  return kind == KernelParam::data || kind == KernelParam::scalar ||
         kind == KernelParam::partials;
}

static bool takesLong(mlir::gpu::GPUFuncOp kernel) {
  ir::KernelABIAttr abi = ir::kernelABIOf(kernel);
  for (auto [number, type] : llvm::enumerate(kernel.getArgumentTypes()))
    if (isLong(type) && abi && isOfProgram(abi.getParams()[number].kind))
      return true;
  return false;
}

bool chi::target::spv::areSmall(mlir::gpu::GPUModuleOp kernels) {
  return llvm::all_of(kernels.getOps<mlir::gpu::GPUFuncOp>(), [](auto kernel) {
    ir::KernelABIAttr abi = ir::kernelABIOf(kernel);
    return abi && (abi.getShortIndices() || abi.getSmallLaunches());
  });
}

static bool canBeHalved(mlir::gpu::GPUModuleOp kernels) {
  if (!target::spv::areSmall(kernels) ||
      llvm::any_of(kernels.getOps<mlir::gpu::GPUFuncOp>(), takesLong))
    return false;
  WalkResult walked = kernels.walk([](Operation *op) {
    return isLongIn(op) && !hasHalves(op) && !target::spv::isWide(op)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return !walked.wasInterrupted();
}

//===----------------------------------------------------------------------===//
// How
//===----------------------------------------------------------------------===//

static LogicalResult halve(mlir::gpu::GPUModuleOp kernels) {
  target::spv::expandWide(kernels);
  arith::WideIntEmulationConverter types(32);
  memref::populateMemRefWideIntEmulationConversions(types);
  ConversionTarget target(*kernels.getContext());
  target.markUnknownOpDynamicallyLegal([&](Operation *op) {
    if (auto function = dyn_cast<FunctionOpInterface>(op))
      return types.isSignatureLegal(
          cast<FunctionType>(function.getFunctionType()));
    return types.isLegal(op) &&
           llvm::all_of(op->getRegions(),
                        [&](Region &region) { return types.isLegal(&region); });
  });
  RewritePatternSet patterns(kernels.getContext());
  arith::populateArithWideIntEmulationPatterns(types, patterns);
  memref::populateMemRefWideIntEmulationPatterns(types, patterns);
  scf::populateSCFStructuralTypeConversions(types, patterns);
  cf::populateCFStructuralTypeConversions(types, patterns);
  populateFunctionOpInterfaceTypeConversionPattern<mlir::gpu::GPUFuncOp>(
      patterns, types);
  populateFunctionOpInterfaceTypeConversionPattern<func::FuncOp>(patterns,
                                                                 types);
  populateCallOpTypeConversionPattern(patterns, types);
  populateReturnOpTypeConversionPattern(patterns, types);
  return applyPartialConversion(kernels, target, std::move(patterns));
}

namespace {
struct HalveIntegersPass
    : chi::target::spv::impl::HalveIntegersPassBase<HalveIntegersPass> {
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<vector::VectorDialect>();
  }
  void runOnOperation() override {
    for (auto kernels : getOperation().getOps<mlir::gpu::GPUModuleOp>())
      if (canBeHalved(kernels) && failed(halve(kernels)))
        return signalPassFailure();
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Pairs in memory
//===----------------------------------------------------------------------===//

/// Where a pair lies, as the number of 64 bits would; null if it is none.
static Value pairAt(MemRefType type, Value base, Value index, Operation *op,
                    const SPIRVTypeConverter &types, OpBuilder &b) {
  return isa<VectorType>(type.getElementType())
             ? spirv::getElementPtr(types, type, base, index, op->getLoc(), b)
             : Value();
}

namespace {
constexpr int32_t kPairBytes = 8;

spirv::MemoryAccessAttr aligned(OpBuilder &b) {
  return spirv::MemoryAccessAttr::get(b.getContext(),
                                      spirv::MemoryAccess::Aligned);
}

template <typename Op> struct PairPattern : OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;

protected:
  /// The address of both halves; null where the operation is of something else.
  Value offsetOf(Op op, typename Op::Adaptor adaptor, OpBuilder &b) const {
    return pairAt(op.getMemRefType(), adaptor.getMemref(),
                  adaptor.getIndices()[0], op,
                  *this->template getTypeConverter<SPIRVTypeConverter>(), b);
  }
};

struct LoadPair : PairPattern<memref::LoadOp> {
  using PairPattern::PairPattern;
  LogicalResult
  matchAndRewrite(memref::LoadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value number = offsetOf(op, adaptor, rewriter);
    if (!number)
      return failure();
    rewriter.replaceOpWithNewOp<spirv::LoadOp>(
        op, number, aligned(rewriter), rewriter.getI32IntegerAttr(kPairBytes));
    return success();
  }
};

struct StorePair : PairPattern<memref::StoreOp> {
  using PairPattern::PairPattern;
  LogicalResult
  matchAndRewrite(memref::StoreOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value number = offsetOf(op, adaptor, rewriter);
    if (!number)
      return failure();
    rewriter.replaceOpWithNewOp<spirv::StoreOp>(
        op, number, adaptor.getValue(), aligned(rewriter),
        rewriter.getI32IntegerAttr(kPairBytes));
    return success();
  }
};
} // namespace

void chi::target::spv::addPairPatterns(const SPIRVTypeConverter &types,
                                       RewritePatternSet &patterns) {
  patterns.add<LoadPair, StorePair>(types, patterns.getContext(),
                                    PatternBenefit(2));
}
