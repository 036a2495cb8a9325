//===- CheckedCasts.cpp - Casts that a bounds check has seen --------------===//
// A cast from a float saturates (chi.to_int): three
// comparisons and choices, all before the first address of a particle is
// known. The check of an index can compare the float itself; behind it, the
// machine's own conversion does.
#include "chi/Transforms/Checks/Passes.h"

#include "chi/Dialect/Chi/ChiDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace chi::checks {
#define GEN_PASS_DEF_CHECKEDCASTSPASS
#include "chi/Transforms/Checks/Passes.h.inc"
} // namespace chi::checks

using namespace mlir;
using namespace chi;

namespace {
/// A check that a cast is in [0, end).
struct CheckedCast {
  ir::CheckOp check;
  ir::ToIntOp cast;
  int64_t end;
};
} // namespace

static std::optional<CheckedCast> match(ir::CheckOp check) {
  // Numbers up to here are floats of 32 bits.
  constexpr int64_t kExact = 1 << 24;
  auto compare = check.getOk().getDefiningOp<arith::CmpIOp>();
  APInt end;
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::ult ||
      !matchPattern(compare.getRhs(), m_ConstantInt(&end)) ||
      !end.isStrictlyPositive() || end.sgt(kExact))
    return std::nullopt;
  auto cast = compare.getLhs().getDefiningOp<ir::ToIntOp>();
  if (!cast || cast->getBlock() != check->getBlock() || cast.getIsUnsigned() ||
      cast.getInrange())
    return std::nullopt;
  Type from = cast.getOperand().getType();
  if (!from.isF32() && !from.isF64())
    return std::nullopt;
  return CheckedCast{check, cast, end.getSExtValue()};
}

/// May the check take place right after the cast? What it reports comes along.
static bool mayMove(const CheckedCast &found) {
  Operation *cast = found.cast, *check = found.check;
  for (Operation *op = cast->getNextNode(); op != check; op = op->getNextNode())
    if (!op || isa<ir::CheckOp>(op) || op->getNumRegions() ||
        (!isMemoryEffectFree(op) && !hasSingleEffect<MemoryEffects::Read>(op)))
      return false;
  return true;
}

/// Moves the pure operations that compute the value after `point`.
static bool moveAfter(Value value, Operation *&point) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != point->getBlock() || !point->isBeforeInBlock(op))
    return true;
  if (!isPure(op))
    return false;
  for (Value operand : op->getOperands())
    if (!moveAfter(operand, point))
      return false;
  if (!point->isBeforeInBlock(op)) // came along with an operand
    return true;
  op->moveAfter(point);
  point = op;
  return true;
}

static void rewrite(const CheckedCast &found) {
  ir::CheckOp check = found.check;
  ir::ToIntOp cast = found.cast;
  if (!mayMove(found))
    return;
  Operation *point = cast;
  for (Value value : check->getOperands())
    if (!moveAfter(value, point))
      return;
  check->moveAfter(point);
  OpBuilder b(check);
  Location loc = cast.getLoc();
  Value x = cast.getOperand();
  auto bound = [&](double value) {
    return arith::ConstantOp::create(b, loc,
                                     b.getFloatAttr(x.getType(), value));
  };
  // Towards zero: what lies above -1 becomes 0, and so does NaN.
  Value above =
      arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UGT, x, bound(-1));
  Value below = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::ULT, x,
                                      bound(double(found.end)));
  check.getOkMutable().assign(arith::AndIOp::create(b, loc, above, below));
  b.setInsertionPointAfter(check);
  // One instruction, which is false for NaN.
  Value zero = bound(0);
  Value isPositive =
      arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGT, x, zero);
  Value number = arith::SelectOp::create(b, loc, isPositive, x, zero);
  auto inside = ir::ToIntOp::create(b, loc, cast.getType(), number,
                                    /*is_unsigned=*/false, /*inrange=*/true);
  cast.getResult().replaceUsesWithIf(inside, [&](OpOperand &use) {
    Operation *user = check->getBlock()->findAncestorOpInBlock(*use.getOwner());
    return user && inside->isBeforeInBlock(user);
  });
}

namespace {
struct CheckedCastsPass
    : chi::checks::impl::CheckedCastsPassBase<CheckedCastsPass> {
  using CheckedCastsPassBase::CheckedCastsPassBase;

  void runOnOperation() override {
    for (auto task : getOperation().getOps<ir::TaskOp>()) {
      SmallVector<CheckedCast> all;
      task.getBody().walk([&](ir::CheckOp check) {
        if (auto found = match(check))
          all.push_back(*found);
      });
      for (const CheckedCast &found : all)
        rewrite(found);
    }
  }
};
} // namespace
