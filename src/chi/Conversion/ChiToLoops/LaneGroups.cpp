//===- LaneGroups.cpp - Iterations that a wide body does at once ----------===//

#include "chi/Conversion/ChiToLoops/TaskLowering.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv;

/// Can the variable's type represent the lanes of a group after the last one?
/// Where that is not known, groups are counted from zero.
static bool staysBelowEnd(const TaskShape &shape, Type type, int64_t lanes) {
  auto from = shape.from.back(), extent = shape.extent.back();
  if (!from || !extent || *from < 0)
    return false;
  unsigned bits = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  auto end = llvm::checkedAdd(*from, *extent);
  end = end ? llvm::checkedAdd(*end, lanes) : end;
  return end && llvm::isIntN(bits, *end);
}

/// Groups of vectors, of which the last one may have fewer; `rest` executes the
/// iterations that fill no vector.
LogicalResult
TaskLowering::emitVectorGroups(Emitter &emit, Value low, Value high,
                               function_ref<Iteration(Value)> iterationAt,
                               function_ref<void(Value)> rest) {
  ir::TaskOp task = shape.task;
  int64_t lanes = *task.getLanes(), group = lanes * shape.vectors;
  BlockArgument present = task.getWide().getArguments().back();
  Value count =
      emit.max(emit.sub(emit.toIndex(high), emit.toIndex(low)), emit.index(0));
  Value whole =
      builder.createOrFold<arith::AndIOp>(emit.loc, count, emit.index(-lanes));
  auto at = [&](Value offset) -> Value {
    return arith::AddIOp::create(builder, emit.loc, low,
                                 emit.cast(offset, low.getType()),
                                 arith::IntegerOverflowFlags::nsw);
  };
  std::optional<int64_t> row = shape.extent.back();
  bool isKnown = row && shape.hasWholeRows();
  LogicalResult result = success();
  {
    auto loop = scf::ForOp::create(builder, emit.loc, emit.index(0), whole,
                                   emit.index(group));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(loop.getBody()->getTerminator());
    Value offset = loop.getInductionVar();
    Value left = emit.divide(emit.sub(whole, offset), emit.index(lanes));
    Value all = emit.index(shape.vectors);
    bool isFull = isKnown && *row / lanes % shape.vectors == 0;
    code.bind(present, emit.toI64(isFull ? all : emit.min(left, all)));
    result = emitIteration(iterationAt(at(offset)), Form::Wide);
  }
  if (!isKnown || *row % lanes != 0)
    rest(at(whole));
  return result;
}

/// Lane groups, each by `group` if there is one; `rest` executes the iterations
/// from a place on. Where iterations may be repeated there is no rest: the last
/// group ends where the row ends.
LogicalResult
TaskLowering::emitLaneGroups(Emitter &emit, Value low, Value high,
                             function_ref<Iteration(Value)> iterationAt,
                             function_ref<void(Value)> rest,
                             function_ref<LogicalResult(Iteration)> group) {
  ir::TaskOp task = shape.task;
  if (shape.vectors > 1)
    return emitVectorGroups(emit, low, high, iterationAt, rest);
  int64_t lanes = *task.getLanes();
  Type type = low.getType();
  bool isFar = staysBelowEnd(shape, type, lanes);
  Value begin = isFar ? low : emit.index(0);
  Value end = isFar ? high : emit.sub(emit.toIndex(high), emit.toIndex(low));
  Value size = emit.constant(begin.getType(), lanes);
  LogicalResult result = success();
  auto variableAt = [&](Value offset) -> Value {
    if (isFar)
      return offset;
    return arith::AddIOp::create(builder, emit.loc, low,
                                 emit.cast(offset, type),
                                 arith::IntegerOverflowFlags::nsw);
  };
  auto groups = [&](Value to, bool reachesOver) {
    auto loop = scf::ForOp::create(builder, emit.loc, begin, to, size);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(loop.getBody()->getTerminator());
    Value offset = loop.getInductionVar();
    if (reachesOver)
      offset = emit.min(offset, emit.sub(end, size));
    Iteration first = iterationAt(variableAt(offset));
    result = group ? group(first) : emitIteration(first, Form::Wide);
  };
  std::optional<int64_t> row = shape.extent.back();
  if (!shape.hasWholeRows())
    row = std::nullopt;
  if (row && *row % lanes == 0) {
    groups(end, false);
    return result;
  }
  Value count =
      emit.max(emit.sub(end, begin), emit.constant(begin.getType(), 0));
  if (!shape.schedule.overlapLast) {
    Value whole = builder.createOrFold<arith::AndIOp>(
        emit.loc, count, emit.constant(begin.getType(), -lanes));
    Value middle = emit.add(begin, whole);
    groups(middle, false);
    rest(variableAt(middle));
    return result;
  }
  if (row && *row > lanes) {
    groups(end, true);
    return result;
  }
  emit.when(
      emit.compare(arith::CmpIPredicate::sge, count, size),
      [&] { groups(end, true); }, [&] { rest(low); });
  return result;
}

/// Where iterations may be repeated, the last group ends where the rows end:
/// otherwise the remaining rows were executed one by one, across the values
/// that the groups share.
Value TaskLowering::laneGroupStart(Emitter &emit, Value row, Value end) {
  bool isWhole = shape.extent[shape.rowsAxis] &&
                 *shape.extent[shape.rowsAxis] % shape.rows == 0;
  if (isWhole || !shape.schedule.overlapLast)
    return row;
  return emit.min(row, emit.sub(end, emit.index(shape.rows)));
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
    if (failed(emitLaneGroups(emit, low, high, iterationAt, [&](Value column) {
          alone(row, emit.add(row, emit.index(shape.rows)), column);
        })))
      result = failure();
  };
  emit.loop(
      emit.divide(firstRow, run), emit.divide(runs, run), [&](Value number) {
        Value start = emit.mul(number, run), offset = number;
        for (unsigned other = inner; other-- > 0;) {
          if (other == axis)
            continue;
          outer[other] =
              variable(emit, other, emit.remainder(offset, extent[other]));
          offset = emit.divide(offset, extent[other]);
        }
        Value from = emit.max(emit.sub(firstRow, start), emit.index(0));
        Value to = emit.min(emit.sub(lastRow, start), run);
        Value size = emit.index(shape.rows);
        auto groups = [&](Value end) {
          if (!packBuffers.empty()) {
            if (failed(emitPanels(emit, from, end, outer, alone)))
              result = failure();
            return;
          }
          auto loop = scf::ForOp::create(builder, emit.loc, from, end, size);
          OpBuilder::InsertionGuard guard(builder);
          builder.setInsertionPoint(loop.getBody()->getTerminator());
          group(laneGroupStart(emit, loop.getInductionVar(), end));
        };
        Value count = emit.sub(to, from);
        if (isWhole)
          return groups(to);
        if (shape.schedule.overlapLast)
          return emit.when(
              emit.compare(arith::CmpIPredicate::sge, count, size),
              [&] { groups(to); }, [&] { alone(from, to, low); });
        Value middle = emit.add(from, emit.mul(emit.divide(count, size), size));
        groups(middle);
        alone(middle, to, low);
      });
  return result;
}
