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
/// Quotients of an adjoint by the same divisor twice, which keep their order:
/// the square of the divisor may overflow or vanish where the quotients do not.
/// The adjoint of atan2 is g * (x / r) / r, which is 0 for x = 0 and a small r,
/// and g * x / (r * r) is NaN.
class OrderedQuotients {
public:
  /// Adds the operation if it is one, or belongs to one: a factor between the
  /// two quotients, a product of which they are a factor, a sum of two of
  /// these, from which LLVM would factor out the divisor. Called in the order
  /// of the operations.
  void visit(Operation *op) {
    auto isProduct = [&](Value value) { return products.contains(value); };
    if (isa<arith::AddFOp, arith::SubFOp>(op)) {
      if (llvm::all_of(op->getOperands(), isProduct))
        ordered.insert(op);
      return;
    }
    auto quotient = dyn_cast<arith::DivFOp>(op);
    bool isTwice = quotient && findInner(quotient.getLhs(), quotient, 0);
    bool isFactor =
        isa<arith::MulFOp, arith::DivFOp, arith::NegFOp, arith::SelectOp>(op) &&
        llvm::any_of(op->getOperands(), isProduct);
    if (!isTwice && !isFactor)
      return;
    ordered.insert(op);
    products.insert(op->getResult(0));
  }
  bool contains(Operation *op) const { return ordered.contains(op); }

private:
  /// Looks for the other quotient among the factors of `dividend`, and adds
  /// what lies between.
  bool findInner(Value dividend, arith::DivFOp quotient, int depth) {
    constexpr int most = 8;
    Operation *factor = dividend.getDefiningOp();
    if (!factor || depth == most)
      return false;
    if (auto inner = dyn_cast<arith::DivFOp>(factor);
        inner && inner.getRhs() == quotient.getRhs())
      return true;
    if (!isa<arith::MulFOp, arith::NegFOp, arith::DivFOp>(factor))
      return false;
    unsigned factors =
        isa<arith::DivFOp>(factor) ? 1 : factor->getNumOperands();
    for (Value operand : factor->getOperands().take_front(factors))
      if (findInner(operand, quotient, depth + 1)) {
        ordered.insert(factor);
        return true;
      }
    return false;
  }

  DenseSet<Operation *> ordered;
  DenseSet<Value> products;
};

struct FastMathPass : chi::conv::impl::FastMathPassBase<FastMathPass> {
  void runOnOperation() override {
    for (auto task : getOperation().getOps<ir::TaskOp>()) {
      if (task.getStrict())
        continue;
      OrderedQuotients ordered;
      if (isAdjoint(task))
        task.walk<WalkOrder::PreOrder>([&](Operation *op) {
          if (op->getNumResults() == 1)
            ordered.visit(op);
        });
      task.walk([&](arith::ArithFastMathInterface op) {
        arith::FastMathFlags flags = flagsFor(op);
        // A division by a value that stays the same still becomes a product.
        if (ordered.contains(op))
          flags = flags & ~arith::FastMathFlags::reassoc;
        op->setAttr(op.getFastMathAttrName(),
                    arith::FastMathFlagsAttr::get(&getContext(), flags));
      });
    }
  }

private:
  static bool isAdjoint(ir::TaskOp task) {
    return task.getNumPrimal().has_value();
  }
};
} // namespace
