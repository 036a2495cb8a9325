//===- ResultPlaces.cpp - Where results of atomics are --------------------===//
#include "chi/AD/ResultPlaces.h"

#include "chi/AD/Plan.h"
#include "chi/Analysis/Ranges.h"

using namespace mlir;
using namespace chi;
using namespace chi::ad;

std::optional<int64_t> chi::ad::tripsOf(scf::ForOp loop) {
  auto from = analysis::constantOf(loop.getLowerBound());
  auto to = analysis::constantOf(loop.getUpperBound());
  auto step = analysis::constantOf(loop.getStep());
  if (!from || !to || !step || loop.getUnsignedCmp())
    return std::nullopt;
  return *to > *from ? llvm::divideCeilSigned(*to - *from, *step) : 0;
}

Value ResultPlaces::iteration() {
  if (task.getRank() == 0)
    return constant(0);
  return ir::IterationOp::create(b, loc, b.getI64Type());
}

/// Of the loop's iteration, from 0.
Value ResultPlaces::numberOf(scf::ForOp loop) {
  Value number = arith::SubIOp::create(b, loc, loop.getInductionVar(),
                                       loop.getLowerBound());
  if (number.getType() != b.getI64Type())
    number = arith::ExtUIOp::create(b, loc, b.getI64Type(), number);
  int64_t step = *analysis::constantOf(loop.getStep());
  return step == 1 ? number
                   : arith::DivUIOp::create(b, loc, number, constant(step))
                         .getResult();
}

/// By the numbers of the iterations of the loops around it.
Value ResultPlaces::bounded(ir::AtomicOp atomic) {
  SmallVector<scf::ForOp> loops;
  for (Operation *loop = loopAround(atomic.getOperation()); loop;
       loop = loopAround(loop))
    loops.push_back(cast<scf::ForOp>(loop));
  Value place = iteration();
  for (scf::ForOp loop : llvm::reverse(loops)) {
    place = arith::MulIOp::create(
        b, loc, place, constant(std::max<int64_t>(*tripsOf(loop), 1)));
    place = arith::AddIOp::create(b, loc, place, numberOf(loop));
  }
  return place;
}

Value ResultPlaces::startOf(Value iteration, const KeptResult &result) {
  return ir::LoadOp::create(b, loc, b.getI64Type(),
                            task.getCaptured()[result.starts], iteration,
                            Value(), 0, /*inbounds=*/true);
}

void ResultPlaces::check(arith::CmpIPredicate how, Value place, Value end) {
  Value isRight = arith::CmpIOp::create(b, loc, how, place, end);
  ir::CheckOp::create(
      b, loc, ir::CheckKindAttr::get(b.getContext(), ir::CheckKind::assert),
      isRight, ValueRange(), b.getStringAttr(""), b.getI64IntegerAttr(0),
      b.getStrArrayAttr({"this loop races: how often its atomic operation runs "
                         "hangs on what other iterations write"}),
      IntegerAttr());
}

/// In their order.
Value ResultPlaces::counted(ir::AtomicOp atomic, const KeptResult &result) {
  b.setInsertionPointToStart(&task.getBody().front());
  Type i64 = b.getI64Type();
  Value zero = constant(0), one = constant(1), here = iteration();
  counter = ir::LocalOp::create(
      b, loc, ir::LocalType::get(b.getContext(), {1}, i64), "");
  ir::SetOp::create(b, loc, zero, counter, zero);
  Value start = startOf(here, result), end;
  auto place = [&] {
    Value now = ir::GetOp::create(b, loc, i64, counter, zero);
    return std::pair(now,
                     arith::AddIOp::create(b, loc, start, now).getResult());
  };
  if (isRecorder) {
    end = startOf(arith::AddIOp::create(b, loc, here, one), result);
    b.setInsertionPoint(task.getBody().front().getTerminator());
    check(arith::CmpIPredicate::eq, place().second, end);
  }
  b.setInsertionPoint(atomic);
  auto [now, at] = place();
  ir::SetOp::create(b, loc, arith::AddIOp::create(b, loc, now, one), counter,
                    zero);
  if (isRecorder)
    check(arith::CmpIPredicate::slt, at, end);
  return at;
}

Value ResultPlaces::of(ir::AtomicOp atomic, const KeptResult &result) {
  loc = atomic.getLoc();
  b.setInsertionPoint(atomic);
  counter = {};
  return result.isCounted() ? counted(atomic, result) : bounded(atomic);
}
