//===- DropStopGradients.cpp - Constants of differentiation ---------------===//
#include "chi/Transforms/Passes.h"

#include "chi/Dialect/Chi/ChiDialect.h"
#include "chi/Dialect/Chi/OldWins.h"

namespace chi::transforms {
#define GEN_PASS_DEF_DROPSTOPGRADIENTSPASS
#include "chi/Transforms/Passes.h.inc"
} // namespace chi::transforms

using namespace mlir;
using namespace chi;

namespace {
struct DropStopGradientsPass
    : transforms::impl::DropStopGradientsPassBase<DropStopGradientsPass> {
  void runOnOperation() override {
    getOperation().walk([](ir::StopGradientOp op) {
      op.replaceAllUsesWith(op.getOperand());
      op.erase();
    });
    getOperation().walk([](Operation *op) {
      op->removeDiscardableAttr(ir::kOldWinsAttr);
    });
  }
};
} // namespace
