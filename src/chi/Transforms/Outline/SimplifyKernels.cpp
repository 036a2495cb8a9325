//===- SimplifyKernels.cpp - Canonicalise all but host functions ----------===//

#include "chi/Transforms/Outline/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace chi::outline {
#define GEN_PASS_DEF_SIMPLIFYKERNELSPASS
#include "chi/Transforms/Outline/Passes.h.inc"
} // namespace chi::outline

using namespace mlir;
using namespace chi;

namespace {
struct SimplifyKernelsPass
    : outline::impl::SimplifyKernelsPassBase<SimplifyKernelsPass> {
  void runOnOperation() override {
    OpPassManager passes;
    passes.addPass(createCanonicalizerPass());
    passes.addPass(createCSEPass());
    for (Operation &op : *getOperation().getBody())
      if (isa<func::FuncOp, ir::KernelOp, ir::TaskOp>(op) &&
          !op.hasAttr(ir::kHostAttr) && failed(runPipeline(passes, &op)))
        return signalPassFailure();
  }
};
} // namespace
