//===- SplitKernels.cpp - A module for each kernel ------------------------===//
// A binary says for all of its kernels what they need of a device. So each has
// one of its own, with copies of the functions and the tables that it uses.

#include "chi/Target/SPIRV/Steps.h"

namespace chi::target::spv {
#define GEN_PASS_DEF_SPLITKERNELSPASS
#include "chi/Target/SPIRV/Passes.h.inc"
} // namespace chi::target::spv

using namespace mlir;
using namespace chi;

/// What a kernel uses of its module, and what that uses.
static llvm::SetVector<Operation *> usedBy(Operation *kernel) {
  auto kernels = kernel->getParentOfType<mlir::gpu::GPUModuleOp>();
  llvm::SetVector<Operation *> found;
  found.insert(kernel);
  for (size_t at = 0; at < found.size(); ++at) // grows as it goes
    if (auto uses = SymbolTable::getSymbolUses(found[at]))
      for (const SymbolTable::SymbolUse &use : *uses)
        if (Operation *symbol = SymbolTable::lookupSymbolIn(
                kernels, use.getSymbolRef().getRootReference()))
          found.insert(symbol);
  return found;
}

static void moveOut(mlir::gpu::GPUFuncOp kernel) {
  auto kernels = kernel->getParentOfType<mlir::gpu::GPUModuleOp>();
  llvm::SetVector<Operation *> used = usedBy(kernel);
  OpBuilder b(kernels);
  auto own = mlir::gpu::GPUModuleOp::create(
      b, kernels.getLoc(), (kernels.getName() + "." + kernel.getName()).str());
  b.setInsertionPointToEnd(own.getBody());
  for (Operation &op : *kernels.getBody())
    if (&op != kernel && used.contains(&op))
      b.clone(op);
  kernel->moveBefore(own.getBody(), own.getBody()->end());
}

namespace {
struct SplitKernelsPass
    : chi::target::spv::impl::SplitKernelsPassBase<SplitKernelsPass> {
  void runOnOperation() override {
    for (auto kernels : llvm::make_early_inc_range(
             getOperation().getOps<mlir::gpu::GPUModuleOp>())) {
      auto all = llvm::to_vector(kernels.getOps<mlir::gpu::GPUFuncOp>());
      if (all.size() < 2)
        continue;
      for (mlir::gpu::GPUFuncOp kernel : all)
        moveOut(kernel);
      kernels.erase();
    }
  }
};
} // namespace
