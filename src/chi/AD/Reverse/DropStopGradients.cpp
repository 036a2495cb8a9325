//===- DropStopGradients.cpp - Constants of differentiation ---------------===//
#include "chi/AD/Reverse/Passes.h"

#include "chi/Dialect/Chi/ChiDialect.h"
#include "chi/Dialect/Chi/DiscardableAttrs.h"

namespace chi::ad::reverse {
#define GEN_PASS_DEF_DROPSTOPGRADIENTSPASS
#include "chi/AD/Reverse/Passes.h.inc"
} // namespace chi::ad::reverse

using namespace mlir;
using namespace chi;

namespace {
struct DropStopGradientsPass
    : ad::reverse::impl::DropStopGradientsPassBase<DropStopGradientsPass> {
  void runOnOperation() override {
    getOperation().walk([](ir::StopGradientOp op) {
      op.replaceAllUsesWith(op.getOperand());
      op.erase();
    });
    getOperation().walk([](Operation *op) {
      op->removeDiscardableAttr(ir::kOldWinsAttr);
      op->removeDiscardableAttr(ir::kGuardAttr);
    });
  }
};
} // namespace
