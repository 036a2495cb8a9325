//===- GatherSpace.cpp - Iterations by the element they add to ------------===//
#include "chi/Transforms/Nest/GatherSpace.h"

#include "chi/Dialect/Chi/MemoryOrder.h"

using namespace mlir;
using namespace chi;
using namespace chi::analysis;
using namespace chi::nest;

std::optional<Linear> GatherSpace::rewrite(Linear sum) const {
  std::optional<Linear> result = std::move(sum);
  for (const auto &[variable, by] : solved)
    if (result)
      result = result->substitute(Symbol{variable}, by);
  return result;
}

bool GatherSpace::isKept(Value variable) const {
  return llvm::any_of(
      axes, [&](const Axis &axis) { return axis.symbol == variable; });
}

bool GatherSpace::operator==(const GatherSpace &other) const {
  if (axes.size() != other.axes.size())
    return false;
  // The solutions are equal up to the names of placeholders.
  auto renamed = [&](const Linear &sum) {
    std::optional<Linear> result = sum;
    for (auto [mine, its] : llvm::zip(axes, other.axes))
      if (result)
        result =
            result->substitute(Symbol{its.symbol}, Linear(Symbol{mine.symbol}));
    return result;
  };
  for (auto [mine, its] : llvm::zip(axes, other.axes))
    if (mine.kept != its.kept || mine.from != its.from || mine.to != its.to)
      return false;
  return solved.size() == other.solved.size() &&
         llvm::all_of(llvm::zip(solved, other.solved), [&](auto pair) {
           auto &[mine, its] = pair;
           auto sum = renamed(its.second);
           return mine.first == its.first && sum && mine.second == *sum;
         });
}

namespace {
class SpaceFinder {
public:
  SpaceFinder(ir::AccumOp accum, const Nest &nest, Ranges &ranges)
      : accum(accum), task(accum->getParentOfType<ir::TaskOp>()), nest(nest),
        ranges(ranges), start(&task.getBody().front().front()) {
    space.placeholders = std::make_unique<Block>();
  }

  std::optional<GatherSpace> find();

private:
  bool keepAxes();
  bool solveIndices();
  const Nest::Variable *choose(const Linear &sum);
  bool addAxis(unsigned position, const Nest::Variable &variable);
  std::optional<Linear> extremeOf(Linear sum, bool isGreatest);
  bool isAtMost(const Linear &small, const Linear &large);
  Interval rangeAtStart(const Linear &sum);
  bool mayWrap(const Linear &sum);
  Linear extentAt(unsigned position);
  bool findEnds(GatherSpace::Axis &axis);
  bool clipKept(GatherSpace::Axis &axis, const Linear &index,
                unsigned position);
  bool clipAxes();
  bool addInequalities();
  bool addInequality(const Linear &sum);
  void sortAxes();

  ir::AccumOp accum;
  ir::TaskOp task;
  const Nest &nest;
  Ranges &ranges;
  Operation *start;
  std::vector<Linear> indices; ///< in the nest's variables
  GatherSpace space;
};
} // namespace

/// The only variable of a sum, if its factor is 1.
static const Nest::Variable *onlyVariable(const Nest &nest, const Linear &sum) {
  const Nest::Variable *only = nullptr;
  for (const Linear::Term &term : sum.getTerms()) {
    const Nest::Variable *variable = nest.find(term.symbol.value);
    if (!variable)
      continue;
    if (only || term.factor != 1)
      return nullptr;
    only = variable;
  }
  return only;
}

/// An axis that an index names by itself stays.
bool SpaceFinder::keepAxes() {
  for (auto [position, index] : llvm::enumerate(accum.getIndices())) {
    auto sum = linearIndexIn(nest, index, accum, ranges);
    if (!sum)
      return false;
    indices.push_back(std::move(*sum));
    const Nest::Variable *only = onlyVariable(nest, indices.back());
    if (only && only->axis && !space.isKept(only->value))
      space.axes.push_back(
          {only->value, only->axis, unsigned(position), {}, {}, only->values});
  }
  return true;
}

/// What the sum is solved for: axes rather than loops with the same bounds
/// everywhere, which stay loops of that kind, and these rather than other axes.
const Nest::Variable *SpaceFinder::choose(const Linear &sum) {
  const Nest::Variable *best = nullptr;
  bool isAxisBest = true;
  for (const Linear::Term &term : sum.getTerms())
    if (const Nest::Variable *variable = nest.find(term.symbol.value))
      isAxisBest &= variable->isRectangle || space.isKept(variable->value);
  for (const Nest::Variable &variable : nest.variables) {
    int64_t factor = sum.factorOf(Symbol{variable.value});
    if ((factor != 1 && factor != -1) || space.isKept(variable.value))
      continue;
    if (!best || variable.axis.has_value() == isAxisBest)
      best = &variable;
  }
  return best;
}

/// The greatest that a sum of the nest's variables can be, or the least, as a
/// sum of captured values.
std::optional<Linear> SpaceFinder::extremeOf(Linear sum, bool isGreatest) {
  std::optional<Linear> result = std::move(sum);
  for (const Nest::Variable &variable : llvm::reverse(nest.variables)) {
    int64_t factor = result->factorOf(Symbol{variable.value});
    if (factor == 0)
      continue;
    bool isHigh = (factor > 0) == isGreatest;
    ArrayRef<Linear> bounds = isHigh ? variable.to : variable.from;
    if (bounds.empty())
      return std::nullopt;
    auto bound = bounds.front().plusConstant(isHigh ? -1 : 0);
    result = bound ? result->substitute(Symbol{variable.value}, *bound)
                   : std::nullopt;
    if (!result)
      return std::nullopt;
  }
  return result;
}

/// Is `small` at most `large` at each launch?
bool SpaceFinder::isAtMost(const Linear &small, const Linear &large) {
  auto difference = large.plus(small, -1);
  return difference && ranges.provesNonNegative(*difference, start);
}

Interval SpaceFinder::rangeAtStart(const Linear &sum) {
  return rangeOf(sum, [&](const Symbol &symbol) {
    return ranges.intervalAt(symbol, start);
  });
}

/// May the sum, computed with 64 bits, be another number?
bool SpaceFinder::mayWrap(const Linear &sum) {
  return rangeAtStart(sum) == Interval::full(64);
}

/// The extent of the field that index `position` is inside of.
Linear SpaceFinder::extentAt(unsigned position) {
  ir::FieldType type = accum.getField().getType();
  if (!type.isDynamicDim(position))
    return Linear(type.getShape()[position]);
  return Linear(Symbol{fieldBelowCasts(accum.getField()), int(position)});
}

/// Where an axis of elements begins and ends: as near as is known, and inside
/// of the field. If the nearer one of two ends is known at launches only, both
/// are bounds. No element outside of them is added to: the primal has checked
/// its indices.
bool SpaceFinder::findEnds(GatherSpace::Axis &axis) {
  auto least = extremeOf(indices[axis.position], /*isGreatest=*/false);
  auto greatest = extremeOf(indices[axis.position], /*isGreatest=*/true);
  auto end = greatest ? greatest->plusConstant(1) : std::nullopt;
  if (!least || !end)
    return false;
  Linear extent = extentAt(axis.position);
  bool startsInside = isAtMost(Linear(0), *least);
  bool endsInside = isAtMost(*end, extent);
  if (startsInside || (!isAtMost(*least, Linear(0)) && !mayWrap(*least)))
    axis.from.push_back(*least);
  if (!startsInside)
    axis.from.push_back(Linear(0));
  if (endsInside || (!isAtMost(extent, *end) && !mayWrap(*end)))
    axis.to.push_back(*end);
  if (!endsInside)
    axis.to.push_back(extent);
  int64_t first = INT64_MIN, past = INT64_MAX;
  for (const Linear &from : axis.from)
    first = std::max(first, rangeAtStart(from).lo);
  for (const Linear &to : axis.to)
    past = std::min(past, rangeAtStart(to).hi);
  axis.values = {first, std::max(first, past)};
  return true;
}

/// Index `position`, in the symbols of the space, is the axis plus captured
/// values: where no iteration of the nest is, it may be outside of the field,
/// unless its bounds forbid that.
bool SpaceFinder::clipKept(GatherSpace::Axis &axis, const Linear &index,
                           unsigned position) {
  const Nest::Variable *kept = nest.find(axis.symbol);
  auto rest = index.substitute(Symbol{axis.symbol}, Linear(0));
  auto first = rest ? rest->times(-1) : std::nullopt;
  auto past = rest ? extentAt(position).plus(*rest, -1) : std::nullopt;
  if (!first || !past || mayWrap(*first) || mayWrap(*past))
    return false;
  auto isAfter = [&](const Linear &from) { return isAtMost(*first, from); };
  auto isBefore = [&](const Linear &to) { return isAtMost(to, *past); };
  if (llvm::none_of(kept->from, isAfter))
    axis.from.push_back(*first);
  if (llvm::none_of(kept->to, isBefore))
    axis.to.push_back(*past);
  return true;
}

/// A new iteration whose sum has no terms is none of the nest, and nothing has
/// checked its indices.
bool SpaceFinder::clipAxes() {
  for (auto [position, index] : llvm::enumerate(indices)) {
    auto sum = space.rewrite(index);
    if (!sum)
      return false;
    const Nest::Variable *only = onlyVariable(nest, *sum);
    bool isUniform = llvm::all_of(sum->getTerms(), [&](auto &term) {
      return (only && term.symbol.value == only->value) ||
             llvm::is_contained(task.getCaptured(), term.symbol.value);
    });
    for (GatherSpace::Axis &axis : space.axes)
      if (only && isUniform && axis.symbol == only->value &&
          !clipKept(axis, *sum, unsigned(position)))
        return false;
  }
  return true;
}

/// Solves index `position` for a variable of it.
bool SpaceFinder::addAxis(unsigned position, const Nest::Variable &variable) {
  Value index = accum.getIndices()[position];
  GatherSpace::Axis axis{{}, std::nullopt, position, {}, {}, Interval()};
  if (!findEnds(axis))
    return false;
  // All of the field may be more than indices can name.
  bool isNarrow =
      fits(axis.values.lo, axis.values.hi, widthOf(index.getType()));
  axis.symbol = space.placeholders->addArgument(
      isNarrow ? index.getType() : IntegerType::get(index.getContext(), 64),
      index.getLoc());
  // variable = factor * (symbol - what else the index is)
  auto sum = space.rewrite(indices[position]);
  int64_t factor = sum->factorOf(Symbol{variable.value});
  auto rest = sum->substitute(Symbol{variable.value}, Linear(0));
  auto by = rest ? Linear(Symbol{axis.symbol}).plus(*rest, -1) : std::nullopt;
  by = by ? by->times(factor) : by;
  if (!by)
    return false;
  for (auto &[other, is] : space.solved) {
    auto now = is.substitute(Symbol{variable.value}, *by);
    if (!now)
      return false;
    is = *now;
  }
  space.solved.push_back({variable.value, *by});
  space.axes.push_back(std::move(axis));
  return true;
}

bool SpaceFinder::solveIndices() {
  for (auto [position, index] : llvm::enumerate(indices)) {
    auto sum = space.rewrite(index);
    if (!sum)
      return false;
    bool dependsOnLeft = llvm::any_of(sum->getTerms(), [&](auto &term) {
      return nest.find(term.symbol.value) && !space.isKept(term.symbol.value);
    });
    if (!dependsOnLeft)
      continue;
    const Nest::Variable *variable = choose(*sum);
    if (!variable || !addAxis(position, *variable))
      return false;
  }
  return true;
}

/// `sum` is not negative: a bound of the innermost variable that it names.
bool SpaceFinder::addInequality(const Linear &sum) {
  auto now = space.rewrite(sum);
  if (!now)
    return false;
  for (GatherSpace::Loop &loop : llvm::reverse(space.loops)) {
    Symbol variable{loop.variable->value};
    int64_t factor = now->factorOf(variable);
    if (factor == 0)
      continue;
    auto rest = now->substitute(variable, Linear(0));
    auto bound = rest ? rest->times(-factor) : std::nullopt;
    if (bound && factor == -1)
      bound = bound->plusConstant(1);
    if (!bound || (factor != 1 && factor != -1))
      return false;
    auto &bounds = factor == 1 ? loop.from : loop.to;
    if (!llvm::is_contained(bounds, *bound))
      bounds.push_back(*bound);
    return true;
  }
  if (now->isConstant())
    return now->getConstant() >= 0;
  space.guards.push_back(*now);
  return true;
}

bool SpaceFinder::addInequalities() {
  for (const Nest::Variable &variable : nest.variables)
    if (!space.isKept(variable.value) &&
        llvm::none_of(space.solved,
                      [&](auto &each) { return each.first == variable.value; }))
      space.loops.push_back({&variable, {}, {}});
  for (const Nest::Variable &variable : nest.variables) {
    if (space.isKept(variable.value))
      continue;
    if (variable.from.empty() || variable.to.empty())
      return false;
    Linear self(Symbol{variable.value});
    for (const Linear &from : variable.from) {
      auto room = self.plus(from, -1);
      if (!room || !addInequality(*room))
        return false;
    }
    for (const Linear &to : variable.to) {
      auto room = to.plus(self, -1);
      room = room ? room->plusConstant(-1) : room;
      if (!room || !addInequality(*room))
        return false;
    }
  }
  return llvm::all_of(space.loops, [](const GatherSpace::Loop &loop) {
    return !loop.from.empty() && !loop.to.empty();
  });
}

/// As they lie in memory, neighbours last.
void SpaceFinder::sortAxes() {
  SmallVector<int64_t> order = ir::memoryOrder(accum.getField().getType());
  auto depth = [&](unsigned position) {
    return unsigned(llvm::find(order, position) - order.begin());
  };
  llvm::sort(space.axes, [&](auto &a, auto &b) {
    return depth(a.position) < depth(b.position);
  });
}

std::optional<GatherSpace> SpaceFinder::find() {
  if (!keepAxes() || !solveIndices() || !addInequalities() || !clipAxes())
    return std::nullopt;
  sortAxes();
  return std::move(space);
}

std::optional<GatherSpace>
nest::findGatherSpace(ir::AccumOp accum, const Nest &nest, Ranges &ranges) {
  return SpaceFinder(accum, nest, ranges).find();
}
