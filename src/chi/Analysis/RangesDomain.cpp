//===- RangesDomain.cpp - The domain of a task, as the task says it -------===//
#include "chi/Analysis/Ranges.h"

#include "chi/Dialect/Chi/AdjointTasks.h"

using namespace mlir;
using namespace chi;
using namespace chi::analysis;

Ranges::Ranges(ModuleOp module) : module(module) {
  memos.emplace_back();
  auto narrow = [&](Symbol extent, Type type) {
    unsigned width = widthOf(type);
    auto [it, isNew] = extentWidths.try_emplace(extent, width);
    if (!isNew)
      it->second = std::min(it->second, width);
  };
  module.walk([&](Operation *op) {
    if (auto dim = dyn_cast<ir::DimOp>(op)) {
      narrow({fieldBelowCasts(dim.getField()), static_cast<int>(dim.getAxis())},
             dim.getType());
    } else if (auto task = dyn_cast<ir::TaskOp>(op)) {
      // A loop over a field counts in a type that holds its extents.
      if (auto over = task.getOver())
        for (auto [axis, index] : llvm::enumerate(task.getIndexVariables()))
          narrow({task.getBody().getArgument(*over), static_cast<int>(axis)},
                 index.getType());
    }
  });
}

int64_t Ranges::largestExtent(Symbol extent) {
  auto it = extentWidths.find(extent);
  return Interval::full(it == extentWidths.end() ? 64 : it->second).hi;
}

Interval Ranges::intervalOf(Symbol symbol, const Scope *scope) {
  if (!symbol.isExtent())
    return interval(symbol.value, scope);
  auto type = cast<ir::FieldType>(symbol.value.getType());
  if (symbol.axis < type.getRank() && !type.isDynamicDim(symbol.axis))
    return Interval::point(type.getShape()[symbol.axis]);
  return {0, largestExtent(symbol)};
}

/// The extent of an axis of a field as a sum.
static Linear extentOf(Value field, int axis) {
  auto type = cast<ir::FieldType>(field.getType());
  if (!type.isDynamicDim(axis))
    return Linear(type.getShape()[axis]);
  return Linear(Symbol{field, axis});
}

/// A sum of captured values as one of symbols.
static std::optional<Linear> sumOf(ir::KnownAttr known, ir::TaskOp task) {
  if (!known.getIsSum())
    return std::nullopt;
  std::optional<Linear> sum = Linear(known.getConstant());
  for (const ir::LinearTerm &term : known.getTerms()) {
    Value captured = task.getCaptured()[term.argument];
    Linear symbol = term.axis < 0 ? Linear(Symbol{captured})
                                  : extentOf(captured, term.axis);
    if (sum)
      sum = sum->plus(symbol, term.factor);
  }
  return sum;
}

static Interval rangeOf(ir::KnownAttr known, Type type) {
  Interval full = Interval::full(widthOf(type));
  return full.meet({known.getLeast(), known.getGreatest()});
}

static void addBounds(SmallVectorImpl<Linear> &all, ArrayRef<Attribute> bounds,
                      ir::TaskOp task) {
  for (Attribute bound : bounds)
    if (auto sum = sumOf(cast<ir::KnownAttr>(bound), task))
      all.push_back(*sum);
}

/// The arguments and the domain of every launch, as far as the task's facts
/// state them.
static void addFacts(TaskDomain &domain, ir::TaskOp task) {
  ir::FactsAttr facts = task.getFactsAttr();
  if (!facts)
    return;
  for (auto [number, known] : llvm::enumerate(facts.getInputs())) {
    Type type = task.getCaptured()[number].getType();
    if (!widthOf(type))
      continue;
    domain.captured[number] = rangeOf(known, type);
    domain.aliases[number] = sumOf(known, task);
  }
  if (task.getOver())
    return;
  for (auto [number, axis] : llvm::enumerate(domain.axes)) {
    Type type = task.getIndexVariables()[number].getType();
    Interval from = rangeOf(facts.getFrom()[number], type),
             to = rangeOf(facts.getTo()[number], type);
    axis.values = to.hi > from.lo ? Interval{from.lo, to.hi - 1}
                                  : Interval::point(from.lo);
    axis.from = sumOf(facts.getFrom()[number], task);
    axis.to = sumOf(facts.getTo()[number], task);
    addBounds(axis.moreFrom, ir::axisBoundsOf(task, number, false), task);
    addBounds(axis.moreTo, ir::axisBoundsOf(task, number, true), task);
  }
}

const TaskDomain &Ranges::domainOf(ir::TaskOp task) {
  if (auto it = domains.find(task); it != domains.end())
    return it->second;
  TaskDomain domain;
  for (Value captured : task.getCaptured())
    domain.captured.push_back(Interval::full(widthOf(captured.getType())));
  domain.aliases.resize(domain.captured.size());
  for (auto [k, index] : llvm::enumerate(task.getIndexVariables())) {
    TaskDomain::Axis &axis = domain.axes.emplace_back();
    axis.values = Interval::full(widthOf(index.getType()));
    if (auto over = task.getOver()) {
      Symbol extent{task.getBody().getArgument(*over), static_cast<int>(k)};
      // No memory holds more: of a longer axis another one is empty.
      constexpr int64_t kAddressSpace = int64_t(1) << 48;
      int64_t most = std::min(intervalOf(extent, nullptr).hi, kAddressSpace);
      axis.values = {0, std::max<int64_t>(most - 1, 0)};
      axis.from = Linear(0);
      axis.to = extentOf(extent.value, extent.axis);
    }
  }
  addFacts(domain, task);
  return domains[task] = std::move(domain);
}

/// For an array that stores constants only: one of them, or its initial zero.
Interval Ranges::heldBy(Value slot, unsigned width) {
  Interval full = Interval::full(width), known = Interval::point(0);
  auto type = cast<ir::LocalType>(slot.getType());
  if (type.isScalar() || type.isScratch())
    return full;
  Key key{slot, nullptr};
  if (auto it = memos.front().find(key); it != memos.front().end())
    return it->second;
  for (Operation *user : slot.getUsers()) {
    auto set = dyn_cast<ir::SetOp>(user);
    auto value = set ? constantOf(set.getValue()) : std::nullopt;
    if (value)
      known = known.join(Interval::point(*value));
    else if (set || !isa<ir::GetOp>(user))
      known = full;
  }
  return memos.front()[key] = known;
}
