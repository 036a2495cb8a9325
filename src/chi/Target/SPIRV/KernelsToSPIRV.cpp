//===- KernelsToSPIRV.cpp - Kernels for Vulkan ----------------------------===//

#include "chi/Conversion/LoopsToCPU/LoopsToCPU.h"
#include "chi/Target/SPIRV/Steps.h"
#include "mlir/Conversion/ArithToSPIRV/ArithToSPIRV.h"
#include "mlir/Conversion/FuncToSPIRV/FuncToSPIRV.h"
#include "mlir/Conversion/GPUToSPIRV/GPUToSPIRV.h"
#include "mlir/Conversion/MathToSPIRV/MathToSPIRV.h"
#include "mlir/Conversion/MemRefToSPIRV/MemRefToSPIRV.h"
#include "mlir/Conversion/SCFToSPIRV/SCFToSPIRV.h"
#include "mlir/Conversion/UBToSPIRV/UBToSPIRV.h"
#include "mlir/Conversion/VectorToSPIRV/VectorToSPIRV.h"
#include "mlir/Dialect/SPIRV/IR/TargetAndABI.h"

namespace chi::target::spv {
#define GEN_PASS_DEF_KERNELSTOSPIRVPASS
#include "chi/Target/SPIRV/Passes.h.inc"
} // namespace chi::target::spv

using namespace mlir;
using namespace chi;
using namespace chi::conv::kernels;
using namespace chi::target::spv;

/// The features that kernels may use. The run time requests from the device
/// those that a kernel's module declares.
static spirv::TargetEnvAttr targetEnv(mlir::gpu::GPUModuleOp kernels) {
  MLIRContext *context = kernels.getContext();
  using C = spirv::Capability;
  using E = spirv::Extension;
  SmallVector<C> capabilities{C::Shader,
                              C::PhysicalStorageBufferAddresses,
                              C::Int64,
                              C::Float64,
                              C::Int16,
                              C::Int8,
                              C::Float16,
                              C::StorageBuffer8BitAccess,
                              C::StorageBuffer16BitAccess,
                              C::Int64Atomics};
  SmallVector<E> extensions{E::SPV_KHR_storage_buffer_storage_class,
                            E::SPV_KHR_physical_storage_buffer,
                            E::SPV_KHR_8bit_storage, E::SPV_KHR_16bit_storage};
  if (!kernels->hasAttr(kExchangeSumsAttr)) {
    capabilities.push_back(C::AtomicFloat32AddEXT);
    extensions.push_back(E::SPV_EXT_shader_atomic_float_add);
  }
  return spirv::TargetEnvAttr::get(
      spirv::VerCapExtAttr::get(spirv::Version::V_1_5, capabilities, extensions,
                                context),
      spirv::getDefaultResourceLimits(context), spirv::ClientAPI::Vulkan);
}

/// Fields are in the device's memory, local arrays in the function's, data that
/// the threads of a block share in the block's.
static std::optional<spirv::StorageClass> storageClass(Attribute space) {
  auto known = dyn_cast_or_null<mlir::gpu::AddressSpaceAttr>(space);
  if (!known)
    return spirv::StorageClass::PhysicalStorageBuffer;
  return known.getValue() == mlir::gpu::AddressSpace::Workgroup
             ? spirv::StorageClass::Workgroup
             : spirv::StorageClass::Function;
}

/// An array of constants is one of the function, filled where that begins.
static void fillTable(memref::GetGlobalOp op, memref::GlobalOp table) {
  auto function = op->getParentOfType<FunctionOpInterface>();
  auto b = OpBuilder::atBlockBegin(&function.getFunctionBody().front());
  Location loc = op.getLoc();
  Value local = memref::AllocaOp::create(b, loc, table.getType());
  auto content = cast<DenseElementsAttr>(*table.getInitialValue());
  for (auto [offset, value] : llvm::enumerate(content.getValues<TypedAttr>())) {
    Value number = arith::ConstantOp::create(b, loc, value);
    Value index = arith::ConstantIndexOp::create(b, loc, offset);
    memref::StoreOp::create(b, loc, number, local, index);
  }
  op.replaceAllUsesWith(local);
  op.erase();
}

static void fillTables(mlir::gpu::GPUModuleOp kernels) {
  SmallVector<memref::GetGlobalOp> uses;
  kernels.walk([&](memref::GetGlobalOp op) { uses.push_back(op); });
  for (memref::GetGlobalOp op : uses)
    fillTable(op, kernels.lookupSymbol<memref::GlobalOp>(op.getName()));
  for (auto table :
       llvm::make_early_inc_range(kernels.getOps<memref::GlobalOp>()))
    table.erase();
}

static void placeMemory(mlir::gpu::GPUModuleOp kernels) {
  auto own = mlir::gpu::AddressSpaceAttr::get(kernels.getContext(),
                                              mlir::gpu::AddressSpace::Private);
  kernels.walk([&](memref::AllocaOp local) {
    MemRefType type = local.getType();
    local.getResult().setType(MemRefType::get(
        type.getShape(), type.getElementType(), type.getLayout(), own));
  });
  spirv::MemorySpaceToStorageClassConverter spaces(storageClass);
  spirv::convertMemRefTypesAndAttrs(kernels, spaces);
}

static LogicalResult convertAll(mlir::gpu::GPUModuleOp kernels,
                                spirv::TargetEnvAttr env,
                                SPIRVTypeConverter &types) {
  std::unique_ptr<ConversionTarget> target = SPIRVConversionTarget::get(env);
  target->addLegalOp<UnrealizedConversionCastOp>();
  RewritePatternSet patterns(kernels.getContext());
  ScfToSPIRVContext scf;
  populateGPUToSPIRVPatterns(types, patterns);
  populateSCFToSPIRVPatterns(types, scf, patterns);
  arith::populateArithToSPIRVPatterns(types, patterns);
  populateMathToSPIRVPatterns(types, patterns);
  populateMemRefToSPIRVPatterns(types, patterns);
  populateFuncToSPIRVPatterns(types, patterns);
  populateVectorToSPIRVPatterns(types, patterns);
  ub::populateUBToSPIRVConversionPatterns(types, patterns);
  populateBuiltinFuncToSPIRVPatterns(types, patterns);
  addFloatPatterns(types, patterns);
  addLoopPattern(types, patterns);
  addPairPatterns(types, patterns);
  FrozenRewritePatternSet frozen(std::move(patterns));
  SmallVector<Operation *> roots{kernels};
  return applyFullConversion(roots, *target, frozen);
}

static LogicalResult convert(mlir::gpu::GPUModuleOp kernels) {
  MLIRContext *context = kernels.getContext();
  if (failed(liftControlFlow(kernels)))
    return failure();
  spirv::TargetEnvAttr env = targetEnv(kernels);
  kernels->setAttr(spirv::getTargetEnvAttrName(), env);
  fillTables(kernels);
  placeMemory(kernels);
  SPIRVConversionOptions options;
  options.use64bitIndex = !areSmall(kernels);
  // An element of 16 bits would be one of 32, silently.
  options.emulateLT32BitScalarTypes = false;
  options.emulateUnsupportedFloatTypes = false;
  SPIRVTypeConverter types(env, options);
  lowerAtomics(kernels, types);
  expandForSPIRV(kernels);
  for (auto kernel :
       llvm::make_early_inc_range(kernels.getOps<mlir::gpu::GPUFuncOp>())) {
    kernel->setAttr(spirv::getEntryPointABIAttrName(),
                    spirv::getEntryPointABIAttr(context, {kBlockSize, 1, 1}));
    if (failed(findEndedLoops(kernel)))
      return failure();
    lowerParameters(kernel, types);
  }
  return convertAll(kernels, env, types);
}

namespace {
struct KernelsToSPIRVPass
    : chi::target::spv::impl::KernelsToSPIRVPassBase<KernelsToSPIRVPass> {
  void getDependentDialects(DialectRegistry &registry) const override {
    registerDialects(registry);
  }
  void runOnOperation() override {
    for (auto kernels : llvm::make_early_inc_range(
             getOperation().getOps<mlir::gpu::GPUModuleOp>()))
      if (failed(convert(kernels)))
        return signalPassFailure();
    conv::reconcileCasts(getOperation());
    hideIndices(getOperation());
    hideZeros(getOperation());
    extendSigns(getOperation());
  }
};
} // namespace
