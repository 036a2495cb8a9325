//===- HoistChecks.cpp - Checks of a loop before the loop -----------------===//
#include "chi/Transforms/Checks/CheckMoves.h"

#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

using namespace mlir;
using namespace chi;
using namespace chi::analysis;
using namespace chi::checks;

namespace {
/// Moves the checks of one loop.
class Hoister {
public:
  Hoister(scf::ForOp loop, Ranges &ranges)
      : loop(loop), ranges(ranges), builder(loop) {}

  unsigned run() {
    if (loop.getUnsignedCmp())
      return 0;
    SmallVector<ir::CheckOp> checks(loop.getBody()->getOps<ir::CheckOp>());
    if (checks.empty() || stopsChecks(loop))
      return 0;
    // All conditions are tested before any change.
    runsAlways = isNeverEmpty();
    SmallVector<Sum> sums;
    SmallVector<ir::CheckOp> invariant;
    for (ir::CheckOp check : checks) {
      if (llvm::all_of(check->getOperands(), [&](Value value) {
            return loop.isDefinedOutsideOfLoop(value);
          }))
        invariant.push_back(check);
      else if (auto sum = sumOf(check))
        sums.push_back(*sum);
    }
    for (ir::CheckOp check : invariant)
      moveInvariant(check);
    for (Sum &sum : sums)
      moveSum(sum);
    return invariant.size() + sums.size();
  }

private:
  /// The index of a check: `linear` modulo 2^32, over the loop's variable and
  /// values from outside.
  struct Sum {
    ir::CheckOp check;
    BoundsCheck bounds;
    Value index; // below casts, 32 bits
    Linear linear;
  };

  bool isNeverEmpty() {
    Linear lower = ranges.linearAt(loop.getLowerBound(), loop);
    Linear upper = ranges.linearAt(loop.getUpperBound(), loop);
    auto tripCount = upper.plus(lower, -1);
    if (tripCount)
      tripCount = tripCount->plusConstant(-1);
    return tripCount && ranges.provesNonNegative(*tripCount, loop);
  }

  /// Takes apart sums and products by constants. Wrapping does not matter:
  /// they are a ring modulo 2^32, too.
  std::optional<Linear> expand(Value value, unsigned nesting = 0) {
    if (auto constant = constantOf(value))
      return Linear(*constant);
    Operation *op = value.getDefiningOp();
    bool isOutside = loop.isDefinedOutsideOfLoop(value);
    if (op && !isOutside && nesting < 8) {
      auto part = [&](unsigned number) {
        return expand(op->getOperand(number), nesting + 1);
      };
      if (isa<arith::AddIOp, arith::SubIOp>(op)) {
        auto a = part(0), b = part(1);
        if (!a || !b)
          return std::nullopt;
        return a->plus(*b, isa<arith::AddIOp>(op) ? 1 : -1);
      }
      if (isa<arith::MulIOp>(op)) {
        auto a = part(0), b = part(1);
        if (!a || !b || (!a->isConstant() && !b->isConstant()))
          return std::nullopt;
        return a->isConstant() ? b->times(a->getConstant())
                               : a->times(b->getConstant());
      }
    }
    if (value == loop.getInductionVar() || isOutside)
      return Linear(Symbol{value});
    return std::nullopt;
  }

  std::optional<Sum> sumOf(ir::CheckOp check) {
    auto bounds = boundsOf(check);
    if (!bounds || !loop.isDefinedOutsideOfLoop(bounds->extent))
      return std::nullopt;
    auto step = constantOf(loop.getStep());
    Value index = peel(bounds->index);
    if (!step || *step <= 0 || !index.getType().isInteger(32) ||
        loop.isDefinedOutsideOfLoop(index))
      return std::nullopt;
    auto sum = expand(index);
    if (!sum || sum->factorOf({loop.getInductionVar()}) == 0)
      return std::nullopt;
    // The true sum must not be so far outside that it comes round to a legal
    // index: that would be an error that the program does not make.
    Wide lo = sum->getConstant(), hi = lo;
    for (const Linear::Term &term : sum->getTerms()) {
      if (std::abs(term.factor) > (1 << 20))
        return std::nullopt;
      Interval range =
          ranges.intervalAt(term.symbol.value, loop.getBody()->getTerminator());
      Wide a = Wide(term.factor) * range.lo, b = Wide(term.factor) * range.hi;
      lo += std::min(a, b);
      hi += std::max(a, b);
    }
    Wide wrap = Wide(1) << 32;
    if (lo < -(wrap / 2) || hi >= wrap)
      return std::nullopt;
    return Sum{check, *bounds, index, *sum};
  }

  Value constant(Location loc, int64_t value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI64IntegerAttr(value));
  }
  Value wide(Location loc, Value value) {
    if (value.getType().isInteger(64))
      return value;
    return arith::ExtSIOp::create(builder, loc, builder.getI64Type(), value);
  }

  /// The sum in 64 bits with `variable` (of 64 bits) for the loop's own; it
  /// cannot wrap there. Without a variable: the part from outside.
  Value compute(Location loc, const Linear &sum, Value variable) {
    auto exact = arith::IntegerOverflowFlags::nsw;
    Value result = constant(loc, sum.getConstant());
    for (const Linear::Term &term : sum.getTerms()) {
      bool isVariable = term.symbol.value == loop.getInductionVar();
      if (isVariable && !variable)
        continue;
      Value part = isVariable ? variable : wide(loc, term.symbol.value);
      if (term.factor != 1)
        part = arith::MulIOp::create(builder, loc, part,
                                     constant(loc, term.factor), exact);
      result = arith::AddIOp::create(builder, loc, result, part, exact);
    }
    return result;
  }

  /// `ok`, or the loop does not run.
  Value orEmpty(Location loc, Value ok) {
    if (runsAlways)
      return ok;
    Value isEmpty =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge,
                              loop.getLowerBound(), loop.getUpperBound());
    return arith::OrIOp::create(builder, loc, isEmpty, ok);
  }

  void moveInvariant(ir::CheckOp check) {
    builder.setInsertionPoint(loop);
    check.getOkMutable().assign(orEmpty(check.getLoc(), check.getOk()));
    check->moveBefore(loop);
  }

  /// The loop's variable in its last iteration.
  Value lastIteration(Location loc) {
    auto exact = arith::IntegerOverflowFlags::nsw;
    Value from = wide(loc, loop.getLowerBound());
    Value end = arith::SubIOp::create(
        builder, loc, wide(loc, loop.getUpperBound()), constant(loc, 1), exact);
    int64_t step = *constantOf(loop.getStep());
    if (step == 1)
      return end;
    Value by = constant(loc, step);
    Value tripCount = arith::DivSIOp::create(
        builder, loc, arith::SubIOp::create(builder, loc, end, from, exact),
        by);
    return arith::AddIOp::create(
        builder, loc, from,
        arith::MulIOp::create(builder, loc, tripCount, by, exact), exact);
  }

  void moveSum(Sum &sum) {
    Location loc = sum.check.getLoc();
    builder.setInsertionPoint(loop);
    auto less = [&](Value index, Value extent) -> Value {
      return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                   index, extent);
    };
    Value extent = wide(loc, sum.bounds.extent);
    // A number below the limit is the same in 32 bits.
    Value limit = extent;
    if (!constantOf(sum.bounds.extent) ||
        *constantOf(sum.bounds.extent) > INT32_MAX)
      limit = arith::MinSIOp::create(builder, loc, extent,
                                     constant(loc, int64_t(1) << 31));
    Value first = compute(loc, sum.linear, wide(loc, loop.getLowerBound()));
    Value last = compute(loc, sum.linear, lastIteration(loc));
    Value firstOk = less(first, limit);
    Value ok = arith::AndIOp::create(builder, loc, firstOk, less(last, limit));
    // The index that the loop would have failed with, where it goes by one.
    int64_t pace = sum.linear.factorOf({loop.getInductionVar()}) *
                   *constantOf(loop.getStep());
    Value atEnd = pace == 1 ? extent : pace == -1 ? constant(loc, -1) : last;
    Value reported =
        arith::SelectOp::create(builder, loc, firstOk, atEnd, first);
    ok = orEmpty(loc, ok);
    auto hoisted = cast<ir::CheckOp>(builder.clone(*sum.check));
    hoisted.getOkMutable().assign(ok);
    hoisted.getValuesMutable().assign(ValueRange{reported, extent});
    replaceIndex(sum);
    eraseCheck(sum.check);
  }

  /// Lets the accesses of the loop see the index as an exact sum, so that
  /// neighbouring iterations are seen to touch neighbouring elements.
  void replaceIndex(Sum &sum) {
    Location loc = sum.check.getLoc();
    Value outer = compute(loc, sum.linear, Value());
    builder.setInsertionPoint(sum.check);
    auto exact = arith::IntegerOverflowFlags::nsw;
    Value part = wide(loc, loop.getInductionVar());
    int64_t factor = sum.linear.factorOf({loop.getInductionVar()});
    if (factor != 1)
      part = arith::MulIOp::create(builder, loc, part, constant(loc, factor),
                                   exact);
    Value index = arith::AddIOp::create(builder, loc, outer, part, exact);
    Block *body = loop.getBody();
    sum.index.replaceUsesWithIf(index, [&](OpOperand &use) {
      auto access = dyn_cast<ir::FieldAccessOpInterface>(use.getOwner());
      Operation *above = body->findAncestorOpInBlock(*use.getOwner());
      return access && llvm::is_contained(access.getIndices(), use.get()) &&
             isIndexOperand(access, use) && above &&
             sum.check->isBeforeInBlock(above);
    });
  }

  /// Except the value that is stored, and a run-time component.
  static bool isIndexOperand(ir::FieldAccessOpInterface access,
                             OpOperand &use) {
    unsigned first = access.getIndices().getBeginOperandIndex();
    unsigned number = use.getOperandNumber();
    return number >= first && number < first + access.getIndices().size();
  }

  scf::ForOp loop;
  Ranges &ranges;
  OpBuilder builder;
  bool runsAlways = false;
};
} // namespace

unsigned checks::hoistChecks(scf::ForOp loop, Ranges &ranges) {
  return Hoister(loop, ranges).run();
}
