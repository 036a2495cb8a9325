//===- LanesSkewRows.cpp - Vectors of neighbours of a skewed sum ----------===//
// Note [Skewed sums] of LanesSkew.h. A loop of rows with skewed turns becomes
// two: the turns in which all rows run, without conditions, and stairs, in
// which rows begin or are done one after the other.
#include "chi/Transforms/Vectorize/RowJammer.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace chi;
using namespace chi::vectorize;

static constexpr auto kNoWrap = arith::IntegerOverflowFlags::nsw;

Value RowJammer::number(Type type, int64_t value) {
  return arith::ConstantOp::create(b, task.getLoc(),
                                   b.getIntegerAttr(type, value));
}

/// value + times * by, in the type of the value; `by`: an i64, or null.
Value RowJammer::shifted(Value value, Value by, int64_t times) {
  if (!by || times == 0)
    return value;
  Location loc = task.getLoc();
  Type type = value.getType();
  if (type.getIntOrFloatBitWidth() < 64)
    by = arith::TruncIOp::create(b, loc, type, by);
  Value product = arith::MulIOp::create(b, loc, by, number(type, times));
  return arith::AddIOp::create(b, loc, value, product);
}

/// The value for a row that exists.
Value RowJammer::present(int64_t row, Value value, int64_t otherwise) {
  if (row == 0)
    return value;
  Location loc = task.getLoc();
  Value exists = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt, count,
                                       number(count.getType(), row));
  return arith::SelectOp::create(b, loc, exists, value,
                                 number(value.getType(), otherwise));
}

//===----------------------------------------------------------------------===//
// Begins and ends
//===----------------------------------------------------------------------===//

void RowJammer::findTurns(Turns &turns) {
  Location loc = task.getLoc();
  Type wide = b.getI64Type();
  int64_t last = int64_t(maps.size()) - 1, span = distance * last;
  auto widened = [&](Value bound) -> Value {
    Value first = maps.front().lookupOrDefault(bound);
    return arith::ExtSIOp::create(b, loc, wide, first);
  };
  turns.low = turns.begin = widened(turns.loop.getLowerBound());
  turns.high = turns.end = widened(turns.loop.getUpperBound());
  auto moved = [&](Value bound, int64_t by) -> Value {
    return arith::AddIOp::create(b, loc, bound, number(wide, by), kNoWrap);
  };
  bool isLater = turns.sum.direction() > 0;
  if (isLater != turns.sum.shiftsBegin())
    turns.leader = arith::SubIOp::create(b, loc, count, number(wide, 1));
  if (turns.sum.shiftsBegin()) {
    if (isLater)
      turns.end = moved(turns.high, -span);
    turns.end = arith::MinSIOp::create(
        b, loc, turns.end, present(last, number(wide, INT64_MAX), INT64_MIN));
    turns.stairs[0] = arith::MaxSIOp::create(b, loc, turns.low, turns.end);
    turns.stairs[1] = shifted(turns.high, turns.leader, distance);
    return;
  }
  if (!isLater)
    turns.begin = moved(turns.low, span);
  turns.begin = arith::MaxSIOp::create(
      b, loc, turns.begin, present(last, number(wide, INT64_MIN), INT64_MAX));
  turns.stairs[0] = shifted(turns.low, turns.leader, -distance);
  turns.stairs[1] = arith::MinSIOp::create(b, loc, turns.begin, turns.high);
}

/// A row runs in the stairs before its end if the begins of rows shift, and
/// from it on otherwise; one that does not exist never.
void RowJammer::findEnds(Turns &turns) {
  bool isBefore = turns.sum.shiftsBegin();
  Value bound = isBefore ? turns.high : turns.low;
  for (int64_t row = 0; row < int64_t(maps.size()); ++row) {
    int64_t shift = -turns.sum.direction() * distance * row;
    Value own = arith::AddIOp::create(b, task.getLoc(), bound,
                                      number(bound.getType(), shift), kNoWrap);
    turns.ends.push_back(present(row, own, isBefore ? INT64_MIN : INT64_MAX));
  }
}

/// Maps the variable of the source's loop to a turn, `by` later, of one row.
/// Returns the turn in 64 bits.
Value RowJammer::mapTurn(const Turns &turns, IRMapping &map, Value turn,
                         Value by) {
  Location loc = task.getLoc();
  Value own = arith::AddIOp::create(b, loc, turn, by, kNoWrap);
  Value variable = scf::ForOp(turns.loop).getInductionVar();
  map.map(variable,
          arith::TruncIOp::create(b, loc, variable.getType(), own, kNoWrap));
  return own;
}

static void mapResults(Operation &op, const IRMapping &from, IRMapping &to) {
  for (Value result : op.getResults())
    to.map(result, from.lookup(result));
}

/// Clones an operation of the loop. LLVM forgets that the variable is a turn
/// cut off, so that addresses take the turn itself.
void RowJammer::cloneTurn(const Turns &turns, Operation &op, IRMapping &map,
                          Value own) {
  Value variable = scf::ForOp(turns.loop).getInductionVar();
  Operation *clone = b.clone(op, map);
  for (auto [number, operand] : llvm::enumerate(op.getOperands()))
    if (isa<ir::LoadOp>(op) && operand == variable)
      clone->setOperand(number, own);
  if (isa<arith::ExtSIOp>(op) && op.getOperand(0) == variable &&
      clone->getResult(0).getType() == own.getType()) {
    map.map(op.getResult(0), own);
    clone->erase();
  }
}

//===----------------------------------------------------------------------===//
// Turns
//===----------------------------------------------------------------------===//

SmallVector<Value> RowJammer::emitTurns(
    Value from, Value to, ValueRange carried,
    llvm::function_ref<SmallVector<Value>(Value, ValueRange)> body) {
  Location loc = task.getLoc();
  auto loop =
      scf::ForOp::create(b, loc, from, to, number(from.getType(), 1), carried);
  OpBuilder::InsertionGuard guard(b);
  loop.getBody()->clear();
  b.setInsertionPointToEnd(loop.getBody());
  scf::YieldOp::create(b, loc,
                       body(loop.getInductionVar(), loop.getRegionIterArgs()));
  return SmallVector<Value>(loop.getResults());
}

/// A turn of all rows.
SmallVector<Value> RowJammer::emitTogether(const Turns &turns, Value turn,
                                           ValueRange carried) {
  scf::ForOp loop = turns.loop;
  SmallVector<Value> own;
  for (auto [row, map] : llvm::enumerate(maps)) {
    int64_t shift = turns.sum.direction() * distance * int64_t(row);
    own.push_back(mapTurn(turns, map, turn, number(turn.getType(), shift)));
  }
  bind(loop.getRegionIterArgs(), carried);
  for (Operation &op : loop.getBody()->without_terminator()) {
    bool differs = turns.sum.differs(&op);
    for (auto [row, map] : llvm::enumerate(maps))
      if (differs || row == 0)
        cloneTurn(turns, op, map, own[row]);
      else
        mapResults(op, maps.front(), map);
  }
  return copiesOf(loop.getBody()->getTerminator()->getOperands(),
                  loop.getRegionIterArgs());
}

/// Maps what an operation takes from outside of the loop to the leader's value.
void RowJammer::mapLeader(const Turns &turns, Operation &op,
                          IRMapping &leader) {
  scf::ForOp loop = turns.loop;
  for (Value operand : op.getOperands()) {
    if (!loop.isDefinedOutsideOfLoop(operand) ||
        !divergence.isVarying(operand) || leader.contains(operand))
      continue;
    Value first = maps.front().lookupOrDefault(operand);
    auto slopes = turns.sum.slopesOf(operand);
    leader.map(operand, shifted(first, turns.leader, slopes->first * distance));
  }
}

/// What rows share in a turn of the stairs, with the values of a row that runs.
void RowJammer::emitShared(const Turns &turns, Value turn) {
  scf::ForOp loop = turns.loop;
  IRMapping leader;
  Value by = number(turn.getType(), 0);
  by = shifted(by, turns.leader, turns.sum.direction() * distance);
  Value own = mapTurn(turns, leader, turn, by);
  for (Operation &op : loop.getBody()->without_terminator()) {
    bool isShared = !turns.sum.differs(&op);
    if (!isShared &&
        (op.getNumResults() != 1 || !turns.sum.slopesOf(op.getResult(0))))
      continue;
    mapLeader(turns, op, leader);
    for (Value operand : op.getOperands())
      if (!leader.contains(operand))
        leader.map(operand, maps.front().lookupOrDefault(operand));
    cloneTurn(turns, op, leader, own);
    for (IRMapping &map : maps)
      if (isShared)
        mapResults(op, leader, map);
  }
}

/// A turn of one row, if it runs.
void RowJammer::emitRow(const Turns &turns, int64_t row, Value turn,
                        MutableArrayRef<Value> next) {
  Location loc = task.getLoc();
  scf::ForOp loop = turns.loop;
  IRMapping &map = maps[row];
  SmallVector<Value> carried;
  for (Value argument : loop.getRegionIterArgs())
    carried.push_back(map.lookup(argument));
  auto predicate = turns.sum.shiftsBegin() ? arith::CmpIPredicate::slt
                                           : arith::CmpIPredicate::sge;
  Value runs = arith::CmpIOp::create(b, loc, predicate, turn, turns.ends[row]);
  auto branch = scf::IfOp::create(b, loc, ValueRange(carried).getTypes(), runs,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(branch.elseBlock());
  scf::YieldOp::create(b, loc, carried);
  b.setInsertionPointToEnd(branch.thenBlock());
  int64_t shift = turns.sum.direction() * distance * row;
  Value own = mapTurn(turns, map, turn, number(turn.getType(), shift));
  for (Operation &op : loop.getBody()->without_terminator())
    if (turns.sum.differs(&op))
      cloneTurn(turns, op, map, own);
  SmallVector<Value> now;
  for (Value value : loop.getBody()->getTerminator()->getOperands())
    now.push_back(map.lookupOrDefault(value));
  scf::YieldOp::create(b, loc, now);
  for (auto [number, result] : llvm::enumerate(branch.getResults()))
    next[number * maps.size() + row] = result;
}

SmallVector<Value> RowJammer::emitStairs(const Turns &turns, Value turn,
                                         ValueRange carried) {
  scf::ForOp loop = turns.loop;
  bind(loop.getRegionIterArgs(), carried);
  emitShared(turns, turn);
  SmallVector<Value> next(carried.size());
  for (int64_t row = 0; row < int64_t(maps.size()); ++row)
    emitRow(turns, row, turn, next);
  return next;
}

void RowJammer::visitSkewed(scf::ForOp op, const SkewedSum &sum) {
  Turns turns{op, sum};
  findTurns(turns);
  findEnds(turns);
  SmallVector<Value> carried =
      copiesOf(op.getInitArgs(), op.getRegionIterArgs());
  auto together = [&] {
    carried = emitTurns(turns.begin, turns.end, carried,
                        [&](Value turn, ValueRange now) {
                          return emitTogether(turns, turn, now);
                        });
  };
  if (sum.shiftsBegin())
    together();
  carried = emitTurns(
      turns.stairs[0], turns.stairs[1], carried,
      [&](Value turn, ValueRange now) { return emitStairs(turns, turn, now); });
  if (!sum.shiftsBegin())
    together();
  bind(op.getResults(), carried);
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

void RowJammer::cloneIfPresent(Operation &op, int64_t row) {
  Location loc = op.getLoc();
  Value exists = present(row, number(b.getI1Type(), 1), 0);
  auto branch = scf::IfOp::create(b, loc, op.getResultTypes(), exists,
                                  /*withElseRegion=*/op.getNumResults() > 0);
  OpBuilder::InsertionGuard guard(b);
  if (op.getNumResults() > 0) {
    b.setInsertionPointToEnd(branch.elseBlock());
    SmallVector<Value> zeros;
    for (Type type : op.getResultTypes())
      zeros.push_back(arith::ConstantOp::create(b, loc, b.getZeroAttr(type)));
    scf::YieldOp::create(b, loc, zeros);
  }
  b.setInsertionPointToStart(branch.thenBlock());
  Operation *clone = b.clone(op, maps[row]);
  if (op.getNumResults() > 0)
    scf::YieldOp::create(b, loc, clone->getResults());
  maps[row].map(op.getResults(), branch.getResults());
}

void RowJammer::runSkewed(int64_t lanes) {
  distance = lanes;
  task.getBody().walk([&](scf::ForOp loop) {
    if (auto sum = SkewedSum::of(task, loop, divergence))
      skewed.try_emplace(loop, *sum);
  });
  Block &old = task.getBody().front();
  Value variable = task.getIndexVariables().back();
  Block *fresh = createBody();
  count = fresh->insertArgument(task.getNumCaptured(), b.getI64Type(),
                                task.getLoc());
  Value first = fresh->getArguments().back();
  for (auto [row, map] : llvm::enumerate(maps)) {
    // Without flags: the row may not exist.
    Value ahead = number(first.getType(), int64_t(row) * lanes);
    map.map(variable, arith::AddIOp::create(b, task.getLoc(), first, ahead));
  }
  finish(old);
}

void vectorize::jamVectors(ir::TaskOp task, int64_t rows, int64_t lanes) {
  RowJammer(task, task.getRank() - 1, rows).runSkewed(lanes);
}
