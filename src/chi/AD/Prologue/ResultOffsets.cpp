//===- ResultOffsets.cpp - Where results of atomics are -------------------===//
#include "chi/AD/Prologue/ResultOffsets.h"

#include "chi/AD/Plan/Plan.h"
#include "chi/Analysis/Ranges.h"

using namespace mlir;
using namespace chi;
using namespace chi::ad::prologue;
using namespace chi::ad::activity;
using namespace chi::ad::plan;

static std::optional<TripCount> tripCountOf(Value variable,
                                            std::optional<int64_t> from,
                                            std::optional<int64_t> to,
                                            std::optional<int64_t> step) {
  if (!from || !to || !step || *step <= 0)
    return std::nullopt;
  int64_t most = *to > *from ? llvm::divideCeilSigned(*to - *from, *step) : 1;
  return TripCount{variable, *from, *step, most};
}

/// A counted loop that may be left: `while k < n and …`, which adds to k.
static std::optional<TripCount> tripCountOfWhile(scf::WhileOp loop,
                                                 Value condition) {
  if (auto both = condition.getDefiningOp<arith::AndIOp>()) {
    auto tripCount = tripCountOfWhile(loop, both.getLhs());
    return tripCount ? tripCount : tripCountOfWhile(loop, both.getRhs());
  }
  auto less = condition.getDefiningOp<arith::CmpIOp>();
  if (!less || less.getPredicate() != arith::CmpIPredicate::slt)
    return std::nullopt;
  auto carried = dyn_cast<BlockArgument>(less.getLhs());
  if (!carried || carried.getOwner() != loop.getBeforeBody())
    return std::nullopt;
  for (auto [passed, inside] :
       llvm::zip(loop.getConditionOp().getArgs(), loop.getAfterArguments())) {
    Value next = loop.getYieldOp().getOperand(carried.getArgNumber());
    auto added = next.getDefiningOp<arith::AddIOp>();
    if (passed == carried && added && added.getLhs() == inside)
      return tripCountOf(
          inside, analysis::constantOf(loop.getInits()[carried.getArgNumber()]),
          analysis::constantOf(less.getRhs()),
          analysis::constantOf(added.getRhs()));
  }
  return std::nullopt;
}

std::optional<TripCount> TripCount::of(Operation *op) {
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return tripCountOfWhile(loop, loop.getConditionOp().getCondition());
  auto loop = cast<scf::ForOp>(op);
  if (loop.getUnsignedCmp())
    return std::nullopt;
  return tripCountOf(loop.getInductionVar(),
                     analysis::constantOf(loop.getLowerBound()),
                     analysis::constantOf(loop.getUpperBound()),
                     analysis::constantOf(loop.getStep()));
}

Value ResultOffsets::iteration() {
  if (task.getRank() == 0)
    return constant(0);
  return ir::IterationOp::create(b, loc, b.getI64Type());
}

/// The number of the loop's iteration, from 0.
Value ResultOffsets::numberOf(const TripCount &tripCount) {
  Type type = tripCount.variable.getType(), i64 = b.getI64Type();
  Value from =
      arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, tripCount.from));
  Value number = arith::SubIOp::create(b, loc, tripCount.variable, from);
  if (type != i64)
    number = arith::ExtUIOp::create(b, loc, i64, number);
  return tripCount.step == 1
             ? number
             : arith::DivUIOp::create(b, loc, number, constant(tripCount.step))
                   .getResult();
}

/// Computed from the iteration numbers of the loops around it.
Value ResultOffsets::bounded(ir::AtomicOp atomic) {
  SmallVector<TripCount> loops;
  for (Operation *loop = loopAround(atomic.getOperation()); loop;
       loop = loopAround(loop))
    loops.push_back(*TripCount::of(loop));
  Value offset = iteration();
  for (const TripCount &tripCount : llvm::reverse(loops)) {
    offset = arith::MulIOp::create(b, loc, offset, constant(tripCount.most));
    offset = arith::AddIOp::create(b, loc, offset, numberOf(tripCount));
  }
  return offset;
}

Value ResultOffsets::startOf(Value iteration, const KeptResult &result) {
  return ir::LoadOp::create(b, loc, b.getI64Type(),
                            task.getCaptured()[result.starts], iteration,
                            Value(), 0, /*inbounds=*/true);
}

void ResultOffsets::check(arith::CmpIPredicate how, Value offset, Value end) {
  Value isRight = arith::CmpIOp::create(b, loc, how, offset, end);
  ir::CheckOp::create(
      b, loc, ir::CheckKindAttr::get(b.getContext(), ir::CheckKind::assert),
      isRight, ValueRange(), b.getStringAttr(""), b.getI64IntegerAttr(0),
      b.getStrArrayAttr(
          {"this loop races: the number of executions of its atomic operation "
           "depends on what other iterations write"}),
      IntegerAttr());
}

/// In their order.
Value ResultOffsets::counted(ir::AtomicOp atomic, const KeptResult &result) {
  b.setInsertionPointToStart(&task.getBody().front());
  Type i64 = b.getI64Type();
  Value zero = constant(0), one = constant(1), here = iteration();
  counter = ir::LocalOp::create(
      b, loc, ir::LocalType::get(b.getContext(), {1}, i64), "");
  ir::SetOp::create(b, loc, zero, counter, zero);
  Value start = startOf(here, result), end;
  auto offset = [&] {
    Value now = ir::GetOp::create(b, loc, i64, counter, zero);
    return std::pair(now,
                     arith::AddIOp::create(b, loc, start, now).getResult());
  };
  if (isRecorder) {
    end = startOf(arith::AddIOp::create(b, loc, here, one), result);
    b.setInsertionPoint(task.getBody().front().getTerminator());
    check(arith::CmpIPredicate::eq, offset().second, end);
  }
  b.setInsertionPoint(atomic);
  auto [now, at] = offset();
  ir::SetOp::create(b, loc, arith::AddIOp::create(b, loc, now, one), counter,
                    zero);
  if (isRecorder)
    check(arith::CmpIPredicate::slt, at, end);
  return at;
}

Value ResultOffsets::of(ir::AtomicOp atomic, const KeptResult &result) {
  loc = atomic.getLoc();
  b.setInsertionPoint(atomic);
  counter = {};
  return result.isCounted() ? counted(atomic, result) : bounded(atomic);
}
