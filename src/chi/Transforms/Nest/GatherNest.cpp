//===- GatherNest.cpp - Loops as linear inequalities ----------------------===//
#include "chi/Transforms/Nest/GatherSpace.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace chi;
using namespace chi::analysis;
using namespace chi::nest;

const Nest::Variable *Nest::find(Value value) const {
  auto found = llvm::find_if(
      variables, [&](const Variable &each) { return each.value == value; });
  return found == variables.end() ? nullptr : &*found;
}

static bool isUniform(const Symbol &symbol, ir::TaskOp task) {
  return llvm::is_contained(task.getCaptured(), symbol.value);
}

/// Are all terms variables that are known, or captured?
static bool isSumOf(const Nest &nest, const Linear &sum, ir::TaskOp task) {
  return llvm::all_of(sum.getTerms(), [&](const Linear::Term &term) {
    return isUniform(term.symbol, task) ||
           (!term.symbol.isExtent() && nest.find(term.symbol.value));
  });
}

/// The sums that a bound is the greatest of (`Choice`: arith.maxsi), or the
/// least of.
template <typename Choice>
static LogicalResult splitBound(Value bound, Operation *at, const Nest &nest,
                                Ranges &ranges, SmallVectorImpl<Linear> &all) {
  if (auto choice = bound.getDefiningOp<Choice>())
    return success(
        succeeded(splitBound<Choice>(choice.getLhs(), at, nest, ranges, all)) &&
        succeeded(splitBound<Choice>(choice.getRhs(), at, nest, ranges, all)));
  Linear sum = ranges.linearAt(bound, at);
  if (!isSumOf(nest, sum, at->getParentOfType<ir::TaskOp>()))
    return failure();
  all.push_back(sum);
  return success();
}

/// The interval of a loop's variable, without the conditions around the loop.
static Interval valuesOf(const Nest &nest, const Nest::Variable &variable,
                         scf::ForOp loop, Ranges &ranges) {
  Operation *start =
      &loop->getParentOfType<ir::TaskOp>().getBody().front().front();
  auto of = [&](const Symbol &symbol) {
    const Nest::Variable *outer =
        symbol.isExtent() ? nullptr : nest.find(symbol.value);
    return outer ? outer->values : ranges.intervalAt(symbol, start);
  };
  int64_t from = rangeOf(variable.from.front(), of).lo;
  int64_t to = rangeOf(variable.to.front(), of).hi;
  return {from, std::max(from, to)};
}

static LogicalResult addLoop(Nest &nest, scf::ForOp loop, Ranges &ranges) {
  Nest::Variable made;
  made.value = loop.getInductionVar();
  if (loop.getUnsignedCmp() || !matchPattern(loop.getStep(), m_One()) ||
      failed(splitBound<arith::MaxSIOp>(loop.getLowerBound(), loop, nest,
                                        ranges, made.from)) ||
      failed(splitBound<arith::MinSIOp>(loop.getUpperBound(), loop, nest,
                                        ranges, made.to)))
    return failure();
  made.values = valuesOf(nest, made, loop, ranges);
  auto dependsOnNone = [&](const Linear &sum) {
    return llvm::none_of(sum.getTerms(), [&](const Linear::Term &term) {
      return nest.find(term.symbol.value);
    });
  };
  made.isRectangle = llvm::all_of(made.from, dependsOnNone) &&
                     llvm::all_of(made.to, dependsOnNone);
  nest.variables.push_back(std::move(made));
  return success();
}

std::optional<Nest> nest::findNest(ir::TaskOp task, Operation *point,
                                   Ranges &ranges) {
  Nest nest;
  for (auto [number, axis] : llvm::enumerate(ranges.domainOf(task).axes)) {
    Nest::Variable made{task.getIndexVariables()[number],
                        axis.values,
                        unsigned(number),
                        {},
                        {},
                        true};
    if (axis.from)
      made.from.push_back(*axis.from);
    if (axis.to)
      made.to.push_back(*axis.to);
    nest.variables.push_back(std::move(made));
  }
  SmallVector<scf::ForOp> loops;
  for (Operation *op = point->getParentOp(); op != task; op = op->getParentOp())
    if (auto loop = dyn_cast<scf::ForOp>(op))
      loops.push_back(loop);
    else if (!isa<scf::IfOp>(op))
      return std::nullopt;
  for (scf::ForOp loop : llvm::reverse(loops))
    if (failed(addLoop(nest, loop, ranges)))
      return std::nullopt;
  return nest;
}

std::optional<Linear> nest::linearIn(const Nest &nest, Value value,
                                     Operation *at, Ranges &ranges) {
  if (widthOf(value.getType()) <= 1)
    return std::nullopt;
  Linear sum = ranges.linearAt(value, at);
  if (!isSumOf(nest, sum, at->getParentOfType<ir::TaskOp>()))
    return std::nullopt;
  return sum;
}

std::optional<Linear> nest::linearIndexIn(const Nest &nest, Value index,
                                          Operation *at, Ranges &ranges) {
  if (auto sum = linearIn(nest, index, at, ranges))
    return sum;
  auto add = index.getDefiningOp<arith::AddIOp>();
  if (!add || ranges.intervalAt(add.getLhs(), at).lo < 0 ||
      ranges.intervalAt(add.getRhs(), at).lo < 0)
    return std::nullopt;
  auto left = linearIn(nest, add.getLhs(), at, ranges);
  auto right = linearIn(nest, add.getRhs(), at, ranges);
  return left && right ? left->plus(*right) : std::nullopt;
}

Interval nest::rangeOf(const Linear &sum,
                       llvm::function_ref<Interval(const Symbol &)> valuesOf) {
  Wide lo = sum.getConstant(), hi = lo;
  for (const Linear::Term &term : sum.getTerms()) {
    Interval values = valuesOf(term.symbol);
    Wide a = Wide(term.factor) * values.lo, b = Wide(term.factor) * values.hi;
    if (__builtin_add_overflow(lo, std::min(a, b), &lo) ||
        __builtin_add_overflow(hi, std::max(a, b), &hi))
      return Interval();
  }
  return Interval::wrapping(lo, hi, 64);
}
