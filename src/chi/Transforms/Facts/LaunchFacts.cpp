//===- LaunchFacts.cpp - What holds at every launch of a task -------------===//
#include "chi/Transforms/Facts/Passes.h"

#include "chi/Analysis/Ranges.h"
#include "chi/Dialect/Chi/AdjointTasks.h"
#include "llvm/ADT/MapVector.h"

namespace chi::facts {
#define GEN_PASS_DEF_LAUNCHFACTSPASS
#include "chi/Transforms/Facts/Passes.h.inc"
} // namespace chi::facts

using namespace mlir;
using namespace chi;
using namespace chi::analysis;

namespace {
using Launches = ArrayRef<ir::LaunchOp>;

/// The known properties of an integer at the launches so far.
struct Known {
  Interval range;
  std::optional<SmallVector<ir::LinearTerm>> terms; ///< of a sum
  int64_t constant = 0;

  void join(const Known &other) {
    range = range.join(other.range);
    if (terms != other.terms || constant != other.constant)
      terms.reset();
  }
};

/// Finds the common facts of all launches of one task.
class FactFinder {
public:
  FactFinder(ir::TaskOp task, Launches launches, Ranges &ranges)
      : task(task), launches(launches), ranges(ranges) {}

  ir::FactsAttr find();

private:
  Known at(ir::LaunchOp launch, Value value, std::optional<unsigned> self);
  std::optional<ir::LinearTerm> termOf(const Linear::Term &term,
                                       ir::LaunchOp launch);
  ir::KnownAttr attrOf(const Known &known, Type type, ir::KnownAttr before);
  SmallVector<ir::KnownAttr>
  bounds(ArrayRef<ir::KnownAttr> before,
         function_ref<OperandRange(ir::LaunchOp)> operandsOf);
  SmallVector<ir::KnownAttr> inputs(ArrayRef<ir::KnownAttr> before);
  bool isAlways(unsigned captured,
                function_ref<bool(ir::LaunchOp, Value)> holds);

  ir::TaskOp task;
  Launches launches;
  Ranges &ranges;
};
} // namespace

/// The captured value, or extent of one, that a symbol of the launching code
/// is.
std::optional<ir::LinearTerm> FactFinder::termOf(const Linear::Term &term,
                                                 ir::LaunchOp launch) {
  const Symbol &symbol = term.symbol;
  for (auto [k, input] : llvm::enumerate(launch.getInputs())) {
    if (symbol.isExtent() ? fieldBelowCasts(input) == symbol.value
                          : peel(input) == peel(symbol.value))
      return ir::LinearTerm{term.factor, static_cast<int32_t>(k),
                            symbol.isExtent() ? symbol.axis : -1};
  }
  return std::nullopt;
}

Known FactFinder::at(ir::LaunchOp launch, Value value,
                     std::optional<unsigned> self) {
  Linear sum = ranges.linearAt(value, launch);
  Known known{ranges.intervalAt(value, launch), {}, sum.getConstant()};
  SmallVector<ir::LinearTerm> terms;
  for (const Linear::Term &term : sum.getTerms()) {
    auto inside = termOf(term, launch);
    if (!inside)
      return known;
    // That an argument equals itself is no news.
    if (inside->axis < 0 && self == static_cast<unsigned>(inside->argument))
      return known;
    auto type =
        dyn_cast<ir::FieldType>(task.getCaptured()[inside->argument].getType());
    if (!type || type.isDynamicDim(inside->axis)) {
      terms.push_back(*inside);
      continue;
    }
    int64_t extent = type.getShape()[inside->axis], product;
    if (llvm::MulOverflow(extent, term.factor, product) ||
        llvm::AddOverflow(known.constant, product, known.constant))
      return known;
  }
  known.terms = std::move(terms);
  return known;
}

/// Facts from `before`, from launches that are erased, are kept where these
/// launches give none.
ir::KnownAttr FactFinder::attrOf(const Known &known, Type type,
                                 ir::KnownAttr before) {
  Interval range = known.range;
  if (range == Interval::full(widthOf(type)))
    range = {INT64_MIN, INT64_MAX};
  bool isSum = known.terms.has_value();
  auto attr = ir::KnownAttr::get(
      task.getContext(), range.lo, range.hi, isSum, isSum ? known.constant : 0,
      isSum ? ArrayRef(*known.terms) : ArrayRef<ir::LinearTerm>());
  if (before && !attr.hasRange() && !attr.getIsSum())
    return before;
  return attr;
}

SmallVector<ir::KnownAttr>
FactFinder::bounds(ArrayRef<ir::KnownAttr> before,
                   function_ref<OperandRange(ir::LaunchOp)> operandsOf) {
  SmallVector<ir::KnownAttr> result;
  for (auto [axis, index] : llvm::enumerate(task.getIndexVariables())) {
    std::optional<Known> all;
    for (ir::LaunchOp launch : launches) {
      Known one = at(launch, operandsOf(launch)[axis], std::nullopt);
      all ? all->join(one) : void(all = one);
    }
    result.push_back(attrOf(*all, index.getType(),
                            before.empty() ? ir::KnownAttr() : before[axis]));
  }
  return result;
}

SmallVector<ir::KnownAttr> FactFinder::inputs(ArrayRef<ir::KnownAttr> before) {
  SmallVector<ir::KnownAttr> result;
  for (auto [number, captured] : llvm::enumerate(task.getCaptured())) {
    if (!widthOf(captured.getType())) {
      result.push_back(ir::KnownAttr::none(task.getContext()));
      continue;
    }
    std::optional<Known> all;
    for (ir::LaunchOp launch : launches) {
      Known one = at(launch, launch.getInputs()[number], number);
      all ? all->join(one) : void(all = one);
    }
    result.push_back(attrOf(*all, captured.getType(),
                            before.empty() ? ir::KnownAttr() : before[number]));
  }
  return result;
}

bool FactFinder::isAlways(unsigned captured,
                          function_ref<bool(ir::LaunchOp, Value)> holds) {
  return isa<ir::FieldType>(task.getCaptured()[captured].getType()) &&
         llvm::all_of(launches, [&](ir::LaunchOp launch) {
           return holds(launch, fieldBelowCasts(launch.getInputs()[captured]));
         });
}

/// The variable whose own field a launch passes, if it is one.
static ir::GlobalOp noaliasGlobalOf(ir::LaunchOp launch, Value field) {
  auto load = field.getDefiningOp<ir::GlobalLoadOp>();
  if (!load)
    return nullptr;
  auto global = SymbolTable::lookupNearestSymbolFrom<ir::GlobalOp>(
      launch, load.getGlobalAttr());
  return global && global.getNoalias() ? global : nullptr;
}

ir::FactsAttr FactFinder::find() {
  ir::FactsAttr before = task.getFactsAttr();
  SmallVector<int64_t> noalias, cells;
  for (unsigned k = 0; k < task.getNumCaptured(); ++k) {
    // A cell is a variable of the control function and no other field.
    if (isAlways(k, [](ir::LaunchOp, Value field) {
          return field.getDefiningOp<ir::CellOp>() != nullptr;
        }))
      cells.push_back(k);
    auto isOwn = [&](ir::LaunchOp launch, Value field) {
      ir::GlobalOp global = noaliasGlobalOf(launch, field);
      return global && llvm::none_of(noalias, [&](int64_t other) {
               return noaliasGlobalOf(
                          launch, fieldBelowCasts(launch.getInputs()[other])) ==
                      global;
             });
    };
    if (isAlways(k, isOwn))
      noalias.push_back(k);
  }
  auto from = bounds(before ? before.getFrom() : ArrayRef<ir::KnownAttr>(),
                     [](ir::LaunchOp launch) { return launch.getFrom(); });
  auto to = bounds(before ? before.getTo() : ArrayRef<ir::KnownAttr>(),
                   [](ir::LaunchOp launch) { return launch.getTo(); });
  return ir::FactsAttr::get(
      task.getContext(), from, to,
      inputs(before ? before.getInputs() : ArrayRef<ir::KnownAttr>()), noalias,
      cells);
}

namespace {
struct LaunchFactsPass : facts::impl::LaunchFactsPassBase<LaunchFactsPass> {
  void runOnOperation() override {
    llvm::MapVector<StringAttr, SmallVector<ir::LaunchOp, 1>> launches;
    getOperation().walk([&](ir::LaunchOp launch) {
      launches[launch.getTaskAttr().getAttr()].push_back(launch);
    });
    Ranges ranges(getOperation());
    for (auto task : getOperation().getOps<ir::TaskOp>())
      if (auto known = launches.find(task.getSymNameAttr());
          known != launches.end())
        task.setFactsAttr(FactFinder(task, known->second, ranges).find());
    for (auto task : getOperation().getOps<ir::TaskOp>()) {
      FlatSymbolRefAttr name = ir::tangentOf(task);
      auto tangent =
          name ? getOperation().lookupSymbol<ir::TaskOp>(name) : ir::TaskOp();
      if (tangent && ir::workspaceOf(tangent).empty())
        tangent.setFactsAttr(ir::factsWithTangents(task));
    }
  }
};
} // namespace
