//===- RangesDomain.cpp - Task domains from their launches ----------------===//
#include "chi/Analysis/Ranges.h"

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
    if (auto launch = dyn_cast<ir::LaunchOp>(op)) {
      launches[launch.getTaskAttr().getAttr()].push_back(launch);
    } else if (auto dim = dyn_cast<ir::DimOp>(op)) {
      narrow({fieldBelowCasts(dim.getField()),
              static_cast<int>(dim.getAxis())},
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

std::optional<Linear> Ranges::translate(const Linear &sum, ir::TaskOp task,
                                        ir::LaunchOp launch) {
  Linear result(sum.getConstant());
  for (const Linear::Term &term : sum.getTerms()) {
    std::optional<Linear> inside;
    for (auto [k, input] : llvm::enumerate(launch.getInputs())) {
      Value captured = task.getBody().getArgument(k);
      if (term.symbol.isExtent()) {
        if (fieldBelowCasts(input) == term.symbol.value)
          inside = extentOf(captured, term.symbol.axis);
      } else if (peel(input) == peel(term.symbol.value)) {
        inside = Linear(Symbol{captured});
      }
      if (inside)
        break;
    }
    std::optional<Linear> next;
    if (inside)
      next = result.plus(*inside, term.factor);
    if (!next)
      return std::nullopt;
    result = *next;
  }
  return result;
}

/// What holds at all launches so far.
static void keepIfEqual(std::optional<Linear> &known,
                        const std::optional<Linear> &next, bool isFirst) {
  if (isFirst)
    known = next;
  else if (known != next)
    known.reset();
}

void Ranges::joinLaunch(TaskDomain &domain, ir::TaskOp task,
                        ir::LaunchOp launch, bool isFirst) {
  const Scope *scope = scopeAt(launch);
  if (launch.getInputs().size() != domain.captured.size())
    return;
  for (auto [k, input] : llvm::enumerate(launch.getInputs())) {
    if (!widthOf(input.getType()))
      continue;
    Interval value = interval(input, scope);
    domain.captured[k] = isFirst ? value : domain.captured[k].join(value);
    auto alias = translate(linear(input, scope), task, launch);
    // That an argument equals itself is no news.
    Value captured = task.getBody().getArgument(k);
    if (alias && alias->factorOf({captured}) != 0)
      alias.reset();
    keepIfEqual(domain.aliases[k], alias, isFirst);
  }
  if (task.getOver())
    return;
  for (auto [axis, from, to] :
       llvm::enumerate(launch.getFrom(), launch.getTo())) {
    TaskDomain::Axis &known = domain.axes[axis];
    Interval first = interval(from, scope), end = interval(to, scope);
    Interval values = first;
    if (end.hi > first.lo)
      values.hi = end.hi - 1;
    else
      values = Interval::point(first.lo);
    known.values = isFirst ? values : known.values.join(values);
    keepIfEqual(known.from, translate(linear(from, scope), task, launch),
                isFirst);
    keepIfEqual(known.to, translate(linear(to, scope), task, launch), isFirst);
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
  bool isFirst = true;
  for (ir::LaunchOp launch : launches[task.getSymNameAttr()]) {
    joinLaunch(domain, task, launch, isFirst);
    isFirst = false;
  }
  domain.isLaunched = !isFirst;
  return domains[task] = std::move(domain);
}
