//===- Interchange.cpp - Sums over pairs of iterations --------------------===//
// Note [Sums over pairs]: the adjoint of a sum over all pairs adds to an
// element of each of the two. In a loop over pairs, one of these elements is
// shared by all rows and the other by a whole row, and additions wait for each
// other. In a loop over the elements, with an inner loop over their partners,
// each sum is a value. Half of its terms come from pairs in reversed order; the
// two terms of one pair mostly share their expensive parts.
#include "chi/Transforms/Nest/Interchange.h"

#include "chi/Dialect/Chi/AdjointTasks.h"
#include "chi/Support/Optimisations.h"
#include "chi/Transforms/Nest/LastLaunches.h"
#include "chi/Transforms/Nest/Passes.h"
#include "chi/Transforms/Nest/Work.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace chi::nest {
#define GEN_PASS_DEF_INTERCHANGEPASS
#include "chi/Transforms/Nest/Passes.h.inc"
} // namespace chi::nest

using namespace mlir;
using namespace chi;
using namespace chi::analysis;
using namespace chi::nest;

//===----------------------------------------------------------------------===//
// Which operations may be moved
//===----------------------------------------------------------------------===//

/// Operations that are worth comparing each with each.
static constexpr unsigned kMaxOperations = 1000;

static bool isAddition(Operation *op) {
  auto accum = dyn_cast<ir::AccumOp>(op);
  return accum && accum.getKind() == ir::AccumKind::add &&
         isa<FloatType>(accum.getValue().getType()) && !accum.getRaceKindAttr();
}

/// Does an iteration of the task compute, load, and add to fields that it does
/// not load, and nothing else?
static bool onlyAdds(ir::TaskOp task) {
  DenseSet<Value> added;
  unsigned count = 0;
  task.getBody().walk([&](ir::AccumOp accum) {
    added.insert(fieldBelowCasts(accum.getField()));
  });
  return !task.getBody()
              .walk([&](Operation *op) {
                auto load = dyn_cast<ir::LoadOp>(op);
                bool isFit =
                    load ? !added.contains(fieldBelowCasts(load.getField())) &&
                               !load.getRaceKindAttr()
                         : isa<scf::IfOp, scf::YieldOp, ir::NextOp>(op) ||
                               isAddition(op) ||
                               (op->getNumResults() == 1 &&
                                op->getNumRegions() == 0 &&
                                isMemoryEffectFree(op) &&
                                !isa<ir::IterationOp, ir::RandomOp>(op));
                return isFit && ++count <= kMaxOperations
                           ? WalkResult::advance()
                           : WalkResult::interrupt();
              })
              .wasInterrupted();
}

//===----------------------------------------------------------------------===//
// Which axis
//===----------------------------------------------------------------------===//

namespace {
class FoldFinder {
public:
  FoldFinder(ir::TaskOp task, Ranges &ranges)
      : task(task), domain(ranges.domainOf(task)) {}

  /// The axes that the indices of each accumulation depend on. Fails where they
  /// depend on all axes.
  LogicalResult findAxes();
  std::optional<AxisFold> find();
  const DenseMap<Operation *, AxisMask> &getAxes() const { return axesOf; }

private:
  bool hasBounds(unsigned axis);
  bool haveSameBounds(unsigned a, unsigned b);
  std::optional<AxisFold> tryFold(AxisFold fold);

  ir::TaskOp task;
  const TaskDomain &domain;
  DenseMap<Operation *, AxisMask> axesOf;
};
} // namespace

static AxisMask bitOf(unsigned axis) { return AxisMask(1) << axis; }

LogicalResult FoldFinder::findAxes() {
  Dependence dependence(task);
  AxisMask all = bitOf(task.getRank()) - 1;
  return failure(
      task.getBody()
          .walk([&](ir::AccumOp accum) {
            AxisMask mask = 0;
            for (Value operand : accum->getOperands().drop_front(2)) {
              auto axes = dependence.axesOf(operand);
              mask |= axes.value_or(kAllAxes);
            }
            axesOf[accum] = mask;
            return (mask & all) == all || mask & ~all ? WalkResult::interrupt()
                                                      : WalkResult::advance();
          })
          .wasInterrupted() ||
      axesOf.empty());
}

/// Does the task itself know where the axis begins and ends?
bool FoldFinder::hasBounds(unsigned axis) {
  const TaskDomain::Axis &bounds = domain.axes[axis];
  Type type = task.getIndexVariables()[axis].getType();
  auto canWrite = [&](const std::optional<Linear> &sum) {
    return sum && llvm::all_of(sum->getTerms(), [&](const Linear::Term &term) {
             return term.symbol.isExtent() ||
                    term.symbol.value.getType() == type;
           });
  };
  return canWrite(bounds.from) && canWrite(bounds.to);
}

bool FoldFinder::haveSameBounds(unsigned a, unsigned b) {
  return hasBounds(a) && domain.axes[a].from == domain.axes[b].from &&
         domain.axes[a].to == domain.axes[b].to &&
         task.getIndexVariables()[a].getType() ==
             task.getIndexVariables()[b].getType();
}

/// Is there an element that only one iteration touches then, and none that
/// depends on both axes that are exchanged?
std::optional<AxisFold> FoldFinder::tryFold(AxisFold fold) {
  AxisMask all = bitOf(task.getRank()) - 1, kept = all & ~bitOf(fold.folded);
  bool hasOwn = false;
  for (auto [accum, axes] : axesOf) {
    AxisMask mask = axes;
    if (isMoved(fold, axes)) {
      if (!fold.partner || axes & bitOf(*fold.partner))
        return std::nullopt;
      mask = (axes & ~bitOf(fold.folded)) | bitOf(*fold.partner);
    }
    hasOwn |= mask == kept;
  }
  return hasOwn ? std::optional(fold) : std::nullopt;
}

/// Iterations that are left keep all threads and lanes busy.
static constexpr int64_t kMinIterations = 1024;

std::optional<AxisFold> FoldFinder::find() {
  for (unsigned folded = task.getRank(); folded-- > 0;) {
    for (unsigned partner = task.getRank(); partner-- > 0;)
      if (partner != folded && haveSameBounds(folded, partner))
        if (auto fold = tryFold({folded, partner, true}))
          return fold;
    int64_t iterations = 1;
    for (unsigned axis = 0; axis < task.getRank(); ++axis)
      if (axis != folded)
        iterations *= std::min<int64_t>(task.getKnownExtent(axis).value_or(0),
                                        kMinIterations);
    if (hasBounds(folded) && iterations >= kMinIterations)
      if (auto fold =
              tryFold({folded, std::nullopt, task.getKnownExtent(folded) > 0}))
        return fold;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Profit
//===----------------------------------------------------------------------===//

/// Operations of one pair.
static int64_t workOf(Region &body) {
  int64_t work = 0;
  body.walk([&](Operation *op) {
    work += isDear(op) ? kDear : op->getNumRegions() ? 0 : 1;
  });
  return work;
}

static unsigned branchesOf(Region &body) {
  unsigned count = 0;
  body.walk([&](scf::IfOp) { ++count; });
  return count;
}

/// Branches that differ for the two orders of a pair would be duplicated, and
/// one of them is mostly taken.
static bool pays(ir::TaskOp task, ir::TaskOp folded, unsigned numAdditions) {
  bool pays = false;
  folded.getBody().walk([&](scf::ForOp loop) {
    pays = workOf(loop.getRegion()) <=
               workOf(task.getBody()) + kShared * numAdditions &&
           branchesOf(loop.getRegion()) <= branchesOf(task.getBody());
  });
  return pays;
}

/// The additions after the loop are unconditional: where they were guarded,
/// their indices have to be inside without the guard.
static bool isInside(ir::TaskOp folded) {
  std::optional<Ranges> ranges;
  return !folded.getBody()
              .walk([&](ir::AccumOp accum) {
                if (!ranges)
                  ranges.emplace(folded->getParentOfType<ModuleOp>());
                ir::FieldType type = accum.getField().getType();
                for (auto [axis, index] : llvm::enumerate(accum.getIndices())) {
                  Linear linear = ranges->linearAt(index, accum);
                  Linear last =
                      type.isDynamicDim(axis)
                          ? Linear(Symbol{fieldBelowCasts(accum.getField()),
                                          int(axis)})
                          : Linear(type.getShape()[axis]);
                  auto room = last.plus(linear, -1);
                  room = room ? room->plusConstant(-1) : room;
                  if (!room || !ranges->provesNonNegative(linear, accum) ||
                      !ranges->provesNonNegative(*room, accum))
                    return WalkResult::interrupt();
                }
                return accum.getDynamic() ? WalkResult::interrupt()
                                          : WalkResult::advance();
              })
              .wasInterrupted();
}

namespace {
struct InterchangePass : nest::impl::InterchangePassBase<InterchangePass> {
  using InterchangePassBase::InterchangePassBase;

  void runOnOperation() override {
    std::optional<Ranges> ranges;
    std::optional<LastLaunches> last;
    bool joins = !OptimisationSet::of(without).has(Optimisation::FusedAdjoints);
    for (auto task :
         llvm::make_early_inc_range(getOperation().getOps<ir::TaskOp>())) {
      if (!isCandidate(task))
        continue;
      if (!ranges)
        ranges.emplace(getOperation());
      if (!last && joins)
        last.emplace(getOperation());
      if (ir::TaskOp folded = fold(task, *ranges)) {
        // The known ranges refer to operations that are erased.
        ranges.reset();
        if (last)
          join(task, *last);
        task.erase();
      }
    }
  }

  /// Adds the sums of the primal to the loop: next to the values of the adjoint
  /// they cost less than a pass of their own.
  void join(ir::TaskOp adjoint, LastLaunches &last) {
    ir::TaskOp primal = last.primalOf(adjoint);
    ir::TaskOp draft = primal ? joinPrimal(adjoint, primal) : nullptr;
    if (!draft)
      return;
    if (isCandidate(draft)) {
      Ranges ranges(getOperation());
      if (ir::TaskOp both = fold(draft, ranges))
        last.wait(primal, both);
    }
    draft.erase();
  }

  /// Only the descriptors of adjoint tasks launch them. What has an adjoint or
  /// a tangent is launched over the axes of it, too.
  static bool isCandidate(ir::TaskOp task) {
    return task.getNumPrimal() && !ir::adjointOf(task) &&
           !ir::tangentOf(task) && task.getRank() > 1 && !task.getStrict() &&
           !ir::prologueOf(task) && ir::workspaceOf(task).empty() &&
           onlyAdds(task);
  }

  /// Null: it stays as it is.
  static ir::TaskOp fold(ir::TaskOp task, Ranges &ranges) {
    FoldFinder finder(task, ranges);
    if (failed(finder.findAxes()))
      return nullptr;
    std::optional<AxisFold> fold = finder.find();
    if (!fold)
      return nullptr;
    const auto &axesOf = finder.getAxes();
    ir::TaskOp made = foldAxis(task, *fold, ranges.domainOf(task), axesOf);
    bool isGuarded = llvm::any_of(
        axesOf, [&](auto &each) { return each.first->getParentOp() != task; });
    if (made &&
        (!pays(task, made, axesOf.size()) || (isGuarded && !isInside(made)))) {
      made.erase();
      return nullptr;
    }
    return made;
  }
};
} // namespace
