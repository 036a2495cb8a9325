//===- ShortRows.cpp - Rows of a length that the launch knows -------------===//
// docs/design/0024-short-rows.md

#include "chi/Conversion/ChiToLoops/TaskLowering.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv;

/// Operations of an iteration of which there may be several copies.
static constexpr size_t kMaxShort = 64;
/// Lengths of rows that have code of their own.
static constexpr int64_t kShortRows[] = {1, 4, 8, 16};

/// The captured integer that the innermost axis counts up to, from zero, where
/// more code for short rows is cheap, and LLVM's to widen.
std::optional<unsigned> TaskLowering::lengthOfRows() {
  ir::TaskOp task = shape.task;
  ir::FactsAttr facts = task.getFactsAttr();
  if (!facts || shape.rank() != 2 || mayAlias || !task.getWide().empty() ||
      !storeBuffers.empty() || shape.schedule.peel || !shape.trees.empty() ||
      task.getBody().front().getOperations().size() > kMaxShort ||
      llvm::any_of(task.getBody().front(),
                   [](Operation &op) { return op.getNumRegions() != 0; }))
    return std::nullopt;
  ir::KnownAttr end = facts.getTo().back();
  ArrayRef<ir::LinearTerm> terms = end.getTerms();
  if (facts.getFrom().back().getValue() != 0 || !end.getIsSum() ||
      end.getConstant() != 0 || terms.size() != 1 || terms[0].factor != 1 ||
      terms[0].axis >= 0)
    return std::nullopt;
  return terms[0].argument;
}

/// The length of rows is known to the code: where it is one, all rows are one
/// row along the other axis.
LogicalResult TaskLowering::emitRowsOf(Emitter &emit, int64_t length,
                                       Value begin, Value end) {
  if (length != 1)
    return emitCheckedRows(emit, begin, end, length);
  Value column = variable(emit, 1, emit.index(0));
  LogicalResult result = success();
  emit.loop(variable(emit, 0, begin), variable(emit, 0, end), [&](Value i) {
    Iteration iteration{{i, column}};
    if (countsIterations())
      iteration.number = emit.sub(emit.toIndex(i), from[0]);
    if (failed(emitIteration(iteration)))
      result = failure();
  });
  return result;
}

/// A row costs more than a few of its iterations, and LLVM makes vectors of it
/// from some 20 on. Short rows of `y[q + stride * p]`, `q` below the stride,
/// have code of their own, in which the stride is a number.
LogicalResult TaskLowering::emitRows(Emitter &emit, Value begin, Value end) {
  std::optional<unsigned> argument = lengthOfRows();
  if (!argument)
    return emitLongRows(emit, begin, end);
  ir::TaskOp task = shape.task;
  BlockArgument captured = task.getCaptured()[*argument];
  Value known = code.captured().lookup(captured), length = extent[1];
  LogicalResult result = success();
  auto keep = [&](LogicalResult part) {
    if (failed(part))
      result = failure();
  };
  std::function<void(ArrayRef<int64_t>)> emitFrom =
      [&](ArrayRef<int64_t> lengths) {
        if (lengths.empty())
          return keep(emitCheckedRows(emit, begin, end, std::nullopt));
        int64_t number = lengths.front();
        auto ofNumber = [&] {
          extent[1] = emit.index(number);
          code.bind(captured, emit.constant(known.getType(), number));
          keep(emitRowsOf(emit, number, begin, end));
          extent[1] = length;
          code.bind(captured, known);
        };
        emit.when(
            emit.compare(arith::CmpIPredicate::eq, length, emit.index(number)),
            ofNumber, [&] { emitFrom(lengths.drop_front()); });
      };
  emitFrom(kShortRows);
  return result;
}

//===----------------------------------------------------------------------===//
// Checks of a row
//===----------------------------------------------------------------------===//

/// An exit from the middle of a loop leaves LLVM's vectoriser a scalar rest,
/// which is all of a short row. So a row is looked at as a whole, and one of
/// which an iteration fails is taken one by one.
LogicalResult TaskLowering::emitCheckedRows(Emitter &emit, Value begin,
                                            Value end,
                                            std::optional<int64_t> length) {
  auto checks = analysis::findRowChecks(shape.task);
  bool isShort = length.has_value();
  if (!checks || !distributed.empty())
    return emitLongRows(emit, begin, end, isShort);
  LogicalResult result = success();
  auto row = [&](Value low, Value high,
                 function_ref<Iteration(Value)> iterationAt) {
    auto one = [&] {
      return emitOneByOne(emit, low, high, iterationAt, result);
    };
    auto unchecked = [&] {
      scf::ForOp loop = one();
      if (isShort)
        unrollVectorised(loop);
    };
    if (checks->empty())
      return unchecked(), result;
    Iteration first = iterationAt(variable(emit, 1, emit.index(0)));
    FailureOr<Value> holds = rowHolds(emit, *checks, first);
    if (failed(holds))
      return LogicalResult(failure());
    auto starts = std::exchange(rowStarts, {});
    emit.when(
        *holds,
        [&] {
          rowStarts = std::move(starts);
          unchecked();
          rowStarts.clear();
        },
        [&] { keepPlain(one()); });
    return result;
  };
  return emitLongRows(emit, begin, end, isShort, row);
}

/// Do all checks of all iterations of a row hold? Records the indices of its
/// first iteration.
FailureOr<Value> TaskLowering::rowHolds(Emitter &emit,
                                        ArrayRef<analysis::RowCheck> checks,
                                        const Iteration &first) {
  using arith::CmpIPredicate;
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
    if (!check.counts) {
      require(CmpIPredicate::ult, start, limit);
      continue;
    }
    // start <= limit - length, so that no index up to the last one wraps.
    Value length = emit.cast(extent[1], limit.getType());
    Value last = arith::SubIOp::create(builder, emit.loc, limit, length);
    require(CmpIPredicate::ule, length, limit);
    require(CmpIPredicate::ule, start, last);
  }
  return holds;
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
    Value value = start;
    if (check.counts)
      value = arith::AddIOp::create(
          builder, index->getLoc(), start, iteration.indices.back(),
          arith::IntegerOverflowFlags::nsw | arith::IntegerOverflowFlags::nuw);
    index->getResult(0).replaceAllUsesWith(value);
  }
}
