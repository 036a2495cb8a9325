//===- CheckedRows.cpp - Rows whose checks are made before them -----------===//
// docs/design/0072-checked-rows.md

#include "chi/Conversion/ChiToLoops/TaskLowering.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv;
using arith::CmpIPredicate;

/// `unchecked` where all checks of the row hold, else `plain`.
LogicalResult TaskLowering::emitVersions(Emitter &emit,
                                         ArrayRef<analysis::RowCheck> checks,
                                         Row row, IterationAt iterationAt,
                                         function_ref<void()> unchecked,
                                         function_ref<void()> plain) {
  FailureOr<Value> holds =
      rowHolds(emit, checks, iterationAt(row.first), row.count);
  if (failed(holds))
    return failure();
  auto starts = std::exchange(rowStarts, {});
  emit.when(
      *holds,
      [&] {
        rowStarts = std::move(starts);
        rowFirst = row.first;
        unchecked();
        rowStarts.clear();
      },
      plain);
  return success();
}

/// Do all checks of all iterations of a row of `count` iterations (index)
/// hold? Records the indices of its first iteration.
FailureOr<Value> TaskLowering::rowHolds(Emitter &emit,
                                        ArrayRef<analysis::RowCheck> checks,
                                        const Iteration &first, Value count) {
  ir::TaskOp task = shape.task;
  IRMapping mapping = code.captured();
  for (auto [variable, value] :
       llvm::zip(task.getIndexVariables(), first.indices))
    mapping.map(variable, value);
  SmallVector<Value> asked, values;
  for (const analysis::RowCheck &check : checks)
    asked.append({check.index, check.limit});
  if (failed(code.computeAt(asked, mapping, values)))
    return failure();
  Value holds = emit.constant(builder.getI1Type(), 1);
  auto require = [&](CmpIPredicate predicate, Value a, Value b) {
    holds = arith::AndIOp::create(builder, emit.loc, holds,
                                  emit.compare(predicate, a, b));
  };
  for (auto [number, check] : llvm::enumerate(checks)) {
    Value start = values[2 * number], limit = values[2 * number + 1];
    rowStarts.push_back({check, start});
    if (check.stride == 1) {
      // start <= limit - length, so that no index up to the last one wraps.
      Value length = emit.cast(count, limit.getType());
      Value last = arith::SubIOp::create(builder, emit.loc, limit, length);
      require(CmpIPredicate::ule, length, limit);
      require(CmpIPredicate::ule, start, last);
      continue;
    }
    require(CmpIPredicate::ult, start, limit);
    if (check.stride != 0)
      require(CmpIPredicate::ult, lastIndex(emit, check, start, count),
              emit.cast(limit, builder.getI64Type()));
  }
  return holds;
}

/// The index of the last iteration, from a first one that is in bounds. In 64
/// bits it is exact.
Value TaskLowering::lastIndex(Emitter &emit, const analysis::RowCheck &check,
                              Value start, Value count) {
  Type wide = builder.getI64Type();
  Value steps = emit.sub(emit.cast(count, wide), emit.i64(1));
  return emit.add(emit.cast(start, wide),
                  emit.mul(steps, emit.i64(check.stride)));
}

/// The index of an iteration, as a sum that does not wrap, in a row of which
/// all checks hold.
Value TaskLowering::indexInRow(Operation *at, const analysis::RowCheck &check,
                               Value start, Value variable) {
  if (check.stride == 0)
    return start;
  auto exact =
      arith::IntegerOverflowFlags::nsw | arith::IntegerOverflowFlags::nuw;
  Location loc = at->getLoc();
  // A row may begin below zero.
  Value offset = builder.createOrFold<arith::SubIOp>(
      loc, variable, rowFirst, arith::IntegerOverflowFlags::nsw);
  if (int64_t by = std::abs(check.stride); by != 1)
    offset = arith::MulIOp::create(
        builder, loc, offset,
        Emitter(builder, at).constant(offset.getType(), by), exact);
  if (check.stride < 0)
    return arith::SubIOp::create(builder, loc, start, offset, exact);
  return arith::AddIOp::create(builder, loc, start, offset, exact);
}

/// In a row of which all checks hold: they go, and indices are sums that do not
/// wrap.
void TaskLowering::dropRowChecks(const IRMapping &clones,
                                 const Iteration &iteration) {
  OpBuilder::InsertionGuard guard(builder);
  for (auto &[check, start] : rowStarts) {
    Value ok = clones.lookupOrDefault(check.check.getOk());
    for (Operation *user : llvm::make_early_inc_range(ok.getUsers()))
      if (isa<ir::CheckOp>(user))
        user->erase();
    if (!clones.contains(check.index) || isa<BlockArgument>(check.index))
      continue;
    Operation *index = clones.lookup(check.index).getDefiningOp();
    builder.setInsertionPoint(index);
    index->getResult(0).replaceAllUsesWith(
        indexInRow(index, check, start, iteration.indices.back()));
  }
}
