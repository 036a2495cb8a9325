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

/// Does a quotient become a whole number? Of a product with the reciprocal it
/// may be the one below: 49 * (1 / 49) is less than 1.
static bool isRoundedToWhole(Operation *op) {
  return isa<arith::DivFOp>(op) &&
         llvm::any_of(op->getUsers(), [](Operation *user) {
           return isa<math::FloorOp, math::CeilOp, math::TruncOp, math::RoundOp,
                      math::RoundEvenOp, ir::ToIntOp>(user);
         });
}

static arith::FastMathFlags flagsFor(Operation *op) {
  auto flags = fastFlagsFor(op->getResult(0).getType());
  return isRoundedToWhole(op) ? flags & ~arith::FastMathFlags::arcp : flags;
}

namespace {
struct FastMathPass : chi::conv::impl::FastMathPassBase<FastMathPass> {
  void runOnOperation() override {
    for (auto task : getOperation().getOps<ir::TaskOp>()) {
      if (task.getStrict())
        continue;
      task.walk([&](arith::ArithFastMathInterface op) {
        op->setAttr(op.getFastMathAttrName(),
                    arith::FastMathFlagsAttr::get(&getContext(), flagsFor(op)));
      });
    }
  }
};
} // namespace
