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

/// Is a factor of the dividend a quotient by the same divisor?
static bool isDividedTwice(arith::DivFOp quotient) {
  SmallVector<Value> factors = {quotient.getLhs()};
  for (int seen = 0; !factors.empty() && seen < 16; ++seen) {
    Operation *factor = factors.pop_back_val().getDefiningOp();
    if (auto inner = dyn_cast_or_null<arith::DivFOp>(factor)) {
      if (inner.getRhs() == quotient.getRhs())
        return true;
      factors.push_back(inner.getLhs());
    } else if (isa_and_nonnull<arith::MulFOp, arith::NegFOp>(factor)) {
      llvm::append_range(factors, factor->getOperands());
    }
  }
  return false;
}

namespace {
/// Quotients of an adjoint by the same divisor twice, which keep their order,
/// the products of which they are factors, and the sums of two of these. The
/// square of the divisor may overflow or vanish where the quotients do not: the
/// adjoint of atan2 is x / r / r, which is 0 for x = 0 and a small r, and
/// x / (r * r) is NaN.
class OrderedQuotients {
public:
  /// Whether this operation is one. Called in the order of the operations.
  bool take(Operation *op) {
    auto isProduct = [&](Value value) { return products.contains(value); };
    // Else a common divisor is factored out, and divided by again.
    if (isa<arith::AddFOp, arith::SubFOp>(op))
      return llvm::all_of(op->getOperands(), isProduct);
    auto quotient = dyn_cast<arith::DivFOp>(op);
    bool isFactor =
        isa<arith::MulFOp, arith::DivFOp, arith::NegFOp, arith::SelectOp>(op) &&
        llvm::any_of(op->getOperands(), isProduct);
    if (!isFactor && !(quotient && isDividedTwice(quotient)))
      return false;
    products.insert(op->getResult(0));
    return true;
  }

private:
  DenseSet<Value> products;
};

struct FastMathPass : chi::conv::impl::FastMathPassBase<FastMathPass> {
  void runOnOperation() override {
    for (auto task : getOperation().getOps<ir::TaskOp>()) {
      if (task.getStrict())
        continue;
      bool isAdjoint = task.getNumPrimal().has_value();
      OrderedQuotients ordered;
      task.walk<WalkOrder::PreOrder>([&](Operation *op) {
        bool isOrdered =
            isAdjoint && op->getNumResults() == 1 && ordered.take(op);
        auto fast = dyn_cast<arith::ArithFastMathInterface>(op);
        if (!fast)
          return;
        arith::FastMathFlags flags = flagsFor(op);
        // A division by a value that stays the same still becomes a product.
        if (isOrdered)
          flags = flags & ~arith::FastMathFlags::reassoc;
        op->setAttr(fast.getFastMathAttrName(),
                    arith::FastMathFlagsAttr::get(&getContext(), flags));
      });
    }
  }
};
} // namespace
