//===- FastMath.cpp - Allow the rewriting of float arithmetic -------------===//

#include "chi/Conversion/Passes.h"
#include "chi/Conversion/ValueOps.h"

namespace chi::conv {
#define GEN_PASS_DEF_FASTMATHPASS
#include "chi/Conversion/Passes.h.inc"
} // namespace chi::conv

using namespace mlir;
using namespace chi;
using namespace chi::conv;

namespace {
struct FastMathPass : chi::conv::impl::FastMathPassBase<FastMathPass> {
  void runOnOperation() override {
    for (auto task : getOperation().getOps<ir::TaskOp>()) {
      if (task.getStrict())
        continue;
      task.walk([&](arith::ArithFastMathInterface op) {
        auto flags = fastFlagsFor(op->getResult(0).getType());
        op->setAttr(op.getFastMathAttrName(),
                    arith::FastMathFlagsAttr::get(&getContext(), flags));
      });
    }
  }
};
} // namespace
