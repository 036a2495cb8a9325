//===- Groups.cpp - Iterations that a wide body does at once --------------===//

#include "chi/Conversion/ChiToLoops/TaskLowering.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv;

/// Groups of lanes; `rest` does what is left from a place on. Where iterations
/// may be done twice there is no rest: the last group ends where the row ends.
LogicalResult
TaskLowering::emitGroupsOfLanes(Emitter &emit, Value low, Value high,
                                function_ref<Iteration(Value)> iterationAt,
                                function_ref<void(Value)> rest) {
  ir::TaskOp task = shape.task;
  int64_t lanes = *task.getLanes();
  Type type = low.getType();
  Value size = emit.index(lanes);
  Value count =
      emit.max(emit.sub(emit.toIndex(high), emit.toIndex(low)), emit.index(0));
  LogicalResult result = success();
  // Counted from zero: behind the last group there may be no number left in
  // the type of the variable.
  auto variableAt = [&](Value place) -> Value {
    return arith::AddIOp::create(builder, emit.loc, low,
                                 emit.cast(place, type),
                                 arith::IntegerOverflowFlags::nsw);
  };
  auto groups = [&](Value to, bool reachesOver) {
    auto loop =
        scf::ForOp::create(builder, emit.loc, emit.index(0), to, size);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(loop.getBody()->getTerminator());
    Value place = loop.getInductionVar();
    if (reachesOver)
      place = emit.min(place, emit.sub(count, size));
    result = emitIteration(iterationAt(variableAt(place)), Form::Wide);
  };
  std::optional<int64_t> row = shape.extent.back();
  if (!shape.wholeRows)
    row = std::nullopt;
  if (row && *row % lanes == 0) {
    groups(count, false);
    return result;
  }
  if (!shape.mayRepeat) {
    Value whole = builder.createOrFold<arith::AndIOp>(emit.loc, count,
                                                      emit.index(-lanes));
    groups(whole, false);
    rest(variableAt(whole));
    return result;
  }
  if (row && *row > lanes) {
    groups(count, true);
    return result;
  }
  emit.when(
      emit.compare(arith::CmpIPredicate::sge, count, size),
      [&] { groups(count, true); }, [&] { rest(low); });
  return result;
}

/// Rows are numbered so that those along the axis of the groups follow each
/// other; a run is all of them, of one place on the other axes.
LogicalResult TaskLowering::emitRowGroups(Emitter &emit, Value begin,
                                          Value end) {
  unsigned inner = shape.rank() - 1, axis = shape.rowsAxis;
  Value length = extent[inner], run = extent[axis];
  Value firstRow = emit.divide(begin, length);
  Value lastRow =
      emit.divide(emit.add(end, emit.sub(length, emit.index(1))), length);
  Value runs = emit.add(lastRow, emit.sub(run, emit.index(1)));
  Value low = variable(emit, inner, emit.index(0));
  Value high = variable(emit, inner, length);
  // Parts are cut between groups.
  bool isWhole = shape.extent[axis] && *shape.extent[axis] % shape.rows == 0;
  LogicalResult result = success();
  SmallVector<Value> outer(inner);
  auto iterationAt = [&](Value last) {
    Iteration iteration{outer, nullptr, nullptr};
    iteration.indices.push_back(last);
    return iteration;
  };
  auto alone = [&](Value from, Value to, Value column) {
    keepPlain(emit.loop(from, to, [&](Value row) {
      outer[axis] = variable(emit, axis, row);
      emitOneByOne(emit, column, high, iterationAt, result);
    }));
  };
  auto group = [&](Value row) {
    outer[axis] = variable(emit, axis, row);
    if (failed(
            emitGroupsOfLanes(emit, low, high, iterationAt, [&](Value column) {
              alone(row, emit.add(row, emit.index(shape.rows)), column);
            })))
      result = failure();
  };
  emit.loop(
      emit.divide(firstRow, run), emit.divide(runs, run), [&](Value number) {
        Value start = emit.mul(number, run), place = number;
        for (unsigned other = inner; other-- > 0;) {
          if (other == axis)
            continue;
          outer[other] =
              variable(emit, other, emit.remainder(place, extent[other]));
          place = emit.divide(place, extent[other]);
        }
        Value from = emit.max(emit.sub(firstRow, start), emit.index(0));
        Value to = emit.min(emit.sub(lastRow, start), run);
        Value size = emit.index(shape.rows), middle = to;
        if (!isWhole) {
          Value count = emit.divide(emit.sub(to, from), size);
          middle = emit.add(from, emit.mul(count, size));
        }
        auto loop = scf::ForOp::create(builder, emit.loc, from, middle, size);
        {
          OpBuilder::InsertionGuard guard(builder);
          builder.setInsertionPoint(loop.getBody()->getTerminator());
          group(loop.getInductionVar());
        }
        if (!isWhole)
          alone(middle, to, low);
      });
  return result;
}
