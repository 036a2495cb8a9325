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
      !storeBuffers.empty() || shape.schedule.peel ||
      !shape.reductions.empty() ||
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
    Value zero = variable(emit, 1, emit.index(0));
    LogicalResult both =
        emitVersions(emit, *checks, {zero, extent[1]}, iterationAt, unchecked,
                     [&] { keepPlain(one()); });
    return failure(failed(both) || failed(result));
  };
  return emitLongRows(emit, begin, end, isShort, row);
}
