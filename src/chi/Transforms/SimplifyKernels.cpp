//===- SimplifyKernels.cpp - Canonicalise all but host functions ----------===//

#include "chi/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace chi::transforms {
#define GEN_PASS_DEF_SIMPLIFYKERNELSPASS
#include "chi/Transforms/Passes.h.inc"
} // namespace chi::transforms

using namespace mlir;
using namespace chi;

namespace {
struct SimplifyKernelsPass
    : transforms::impl::SimplifyKernelsPassBase<SimplifyKernelsPass> {
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
