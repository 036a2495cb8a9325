//===- AddSumVariants.cpp - Kernels for devices without atomic sums -------===//
// Vulkan has atomic sums of f32 as an extension, which a device may lack, and a
// binary declares the requirements of all of its kernels. The device is known
// at run time only. So a module with such sums is lowered twice; the run time
// selects the binary that fits the device.

#include "chi/Target/SPIRV/Steps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace chi::target::spv {
#define GEN_PASS_DEF_ADDSUMVARIANTSPASS
#include "chi/Target/SPIRV/Passes.h.inc"
} // namespace chi::target::spv

using namespace mlir;
using namespace chi;
using namespace chi::target::spv;

static bool hasFloatSums(mlir::gpu::GPUModuleOp kernels) {
  auto stop = [](memref::AtomicRMWOp op) {
    return isFloatSum(op) ? WalkResult::interrupt() : WalkResult::advance();
  };
  return kernels.walk(stop).wasInterrupted();
}

static void addVariant(mlir::gpu::GPUModuleOp kernels) {
  OpBuilder b(kernels.getContext());
  b.setInsertionPointAfter(kernels);
  auto copy = cast<mlir::gpu::GPUModuleOp>(b.clone(*kernels));
  copy.setName((kernels.getName() + kSumVariantSuffix).str());
  copy->setAttr(kExchangeSumsAttr, b.getUnitAttr());
}

namespace {
struct AddSumVariantsPass
    : chi::target::spv::impl::AddSumVariantsPassBase<AddSumVariantsPass> {
  void runOnOperation() override {
    for (auto kernels : llvm::make_early_inc_range(
             getOperation().getOps<mlir::gpu::GPUModuleOp>()))
      if (hasFloatSums(kernels))
        addVariant(kernels);
  }
};
} // namespace
