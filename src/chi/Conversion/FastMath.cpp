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
  // It rounds once. With `contract` LLVM makes it a product and a sum where the
  // processor has no such operation.
  if (isa<math::FmaOp>(op))
    return flags & arith::FastMathFlags::nsz;
  return isRoundedToWhole(op) ? flags & ~arith::FastMathFlags::arcp : flags;
}

namespace {
/// Products of an adjoint that have two quotients by the same divisor as
/// factors, which keep their order: the square of the divisor may overflow or
/// vanish where the quotients do not. The adjoint of atan2 is g * (x / r) / r,
/// which is 0 for x = 0 and a small r, and g * x / (r * r) is NaN; that of a /
/// r has -(g / r) * (a / r).
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
    if (!isa<arith::MulFOp, arith::DivFOp, arith::NegFOp, arith::SelectOp>(op))
      return;
    bool isTwice = gather(op);
    if (!isTwice && !llvm::any_of(op->getOperands(), isProduct))
      return;
    ordered.insert(op);
    products.insert(op->getResult(0));
  }
  bool contains(Operation *op) const { return ordered.contains(op); }

private:
  using Divisors = SmallVector<Value, 4>;

  /// Finds the divisors of a product's quotients. Is one there twice? What lies
  /// between the two quotients is added then.
  bool gather(Operation *op) {
    constexpr size_t most = 8;
    Divisors &all = divisors[op->getResult(0)];
    bool isTwice = false;
    auto add = [&](Value divisor) {
      if (!llvm::is_contained(all, divisor)) {
        if (all.size() < most)
          all.push_back(divisor);
      } else if (isa<arith::MulFOp, arith::DivFOp>(op)) {
        isTwice = true;
        addFactors(op, divisor);
      }
    };
    for (Value factor : factorsOf(op))
      for (Value divisor : divisors.lookup(factor))
        add(divisor);
    if (isa<arith::DivFOp>(op))
      add(op->getOperand(1));
    return isTwice;
  }

  static OperandRange factorsOf(Operation *op) {
    bool isFirst = isa<arith::DivFOp>(op);
    return isFirst ? op->getOperands().take_front(1) : op->getOperands();
  }

  /// Adds the operations from a product down to its quotients by `divisor`.
  void addFactors(Operation *product, Value divisor) {
    for (Value factor : factorsOf(product)) {
      Operation *op = factor.getDefiningOp();
      if (!op || !llvm::is_contained(divisors.lookup(factor), divisor))
        continue;
      if (isa<arith::DivFOp>(op) && op->getOperand(1) == divisor)
        continue;
      if (ordered.insert(op).second)
        addFactors(op, divisor);
    }
  }

  DenseSet<Operation *> ordered;
  DenseSet<Value> products;
  /// Of each product: the divisors of the quotients among its factors.
  DenseMap<Value, Divisors> divisors;
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
