//===- ScatterToGather.cpp - Sums of what loops scatter -------------------===//
// Note [Gathered sums]: a loop that reads elements in each iteration of a task
// has an adjoint that adds to as many. Other iterations add to the same
// elements, so that these additions go to private copies, and each of them
// loads and stores. If the indices are linear, the terms of each element are
// known: the iterations are reordered, first by the element. A task of its own,
// which runs before, has an iteration for each element, sums the terms in a
// value, and adds once.
#include "chi/Transforms/Nest/ScatterToGather.h"

#include "chi/Dialect/Chi/AdjointTasks.h"
#include "chi/Transforms/Nest/Passes.h"
#include "chi/Transforms/Nest/Work.h"
#include "chi/Transforms/Outline/Promote.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace chi::nest {
#define GEN_PASS_DEF_SCATTERTOGATHERPASS
#include "chi/Transforms/Nest/Passes.h.inc"
} // namespace chi::nest

using namespace mlir;
using namespace chi;
using namespace chi::analysis;
using namespace chi::nest;
using namespace chi::outline;

//===----------------------------------------------------------------------===//
// Which terms may be reordered
//===----------------------------------------------------------------------===//

/// Operations that are worth looking at.
static constexpr unsigned kMaxOperations = 1000;

/// Does the task only compute, and load, store and accumulate to fields that
/// the tape allocated for it? If it repeats the primal's writes, or may stop in
/// the middle, it stays unchanged.
static bool isPlain(ir::TaskOp task) {
  unsigned count = 0;
  return !task.getBody()
              .walk([&](Operation *op) {
                auto access = dyn_cast<ir::FieldAccessOpInterface>(op);
                auto field = access ? dyn_cast<BlockArgument>(
                                          fieldBelowCasts(access.getField()))
                                    : BlockArgument();
                bool isFit =
                    access
                        ? field && !access.getRaceKindAttr() &&
                              (isa<ir::LoadOp>(op) ||
                               (isa<ir::StoreOp, ir::AccumOp>(op) &&
                                field.getArgNumber() >= *task.getNumPrimal()))
                        : isa<scf::IfOp, scf::ForOp, scf::YieldOp, ir::NextOp>(
                              op) ||
                              isMemoryEffectFree(op);
                return isFit && ++count <= kMaxOperations
                           ? WalkResult::advance()
                           : WalkResult::interrupt();
              })
              .wasInterrupted();
}

/// Does it add, in a loop, to a field that is only added to?
static bool isScattered(ir::AccumOp accum) {
  auto task = accum->getParentOfType<ir::TaskOp>();
  Value field = fieldBelowCasts(accum.getField());
  if (!accum->getParentOfType<scf::ForOp>() ||
      !isa<FloatType>(accum.getValue().getType()) || accum.getDynamic())
    return false;
  return !task.getBody()
              .walk([&](ir::FieldAccessOpInterface access) {
                auto other = dyn_cast<ir::AccumOp>(access.getOperation());
                bool isFit = fieldBelowCasts(access.getField()) != field ||
                             (other && other.getKind() == ir::AccumKind::add);
                return isFit ? WalkResult::advance() : WalkResult::interrupt();
              })
              .wasInterrupted();
}

//===----------------------------------------------------------------------===//
// Profit
//===----------------------------------------------------------------------===//

/// Iterations that keep all threads and lanes busy.
static constexpr int64_t kMinIterations = 1024;

/// How many iterations axes have that are known, up to `kMinIterations`;
/// nothing if one of them is not.
static std::optional<int64_t> countOf(ArrayRef<Linear> lengths) {
  int64_t count = 1;
  for (const Linear &length : lengths) {
    if (!length.isConstant())
      return std::nullopt;
    count *= std::clamp<int64_t>(length.getConstant(), 0, kMinIterations);
    count = std::min(count, kMinIterations);
  }
  return count;
}

/// Are half as many iterations left as the task has, or enough? Lengths that
/// are not known are as long as themselves, and else long in the task and short
/// in the space.
static bool hasEnough(const Nest &nest, const GatherSpace &space) {
  SmallVector<Linear> now, before;
  auto add = [](SmallVectorImpl<Linear> &all, ArrayRef<Linear> from,
                ArrayRef<Linear> to) {
    if (!from.empty() && !to.empty())
      if (auto length = to.front().plus(from.front(), -1))
        all.push_back(*length);
  };
  for (const GatherSpace::Axis &axis : space.axes)
    if (const Nest::Variable *kept = nest.find(axis.symbol))
      add(now, kept->from, kept->to);
    else
      add(now, axis.from, axis.to);
  for (const Nest::Variable &variable : nest.variables)
    if (variable.axis)
      add(before, variable.from, variable.to);
  auto isKnown = [](const Linear &length) { return length.isConstant(); };
  SmallVector<Linear> known = llvm::filter_to_vector(now, isKnown);
  if (*countOf(known) >= kMinIterations)
    return true;
  for (const Linear &length : now)
    if (auto same = llvm::find(before, length); same != before.end()) {
      before.erase(same);
      if (auto its = llvm::find(known, length); its != known.end())
        known.erase(its);
    }
  auto left = countOf(before);
  return left && *countOf(known) * 2 >= *left;
}

static int64_t workOf(Region &body) {
  int64_t work = 0;
  body.walk([&](Operation *op) {
    bool isOfFloats =
        isa<ir::LoadOp>(op) ||
        llvm::any_of(op->getResultTypes(), llvm::IsaPred<FloatType>);
    work += isDear(op) ? kDear : isOfFloats && op->getNumRegions() == 0 ? 1 : 0;
  });
  return work;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
/// The sums of one task.
class Gatherer {
public:
  Gatherer(ir::TaskOp task, Ranges &ranges) : task(task), ranges(ranges) {}

  /// Returns whether there is a task that was not there before.
  bool run();

private:
  void findGroups();
  bool gatherGroup(const GatherGroup &group);

  ir::TaskOp task;
  Ranges &ranges;
  std::deque<Nest> nests;
  std::deque<GatherSpace> spaces;
  SmallVector<GatherGroup> groups;
  SmallVector<ir::TaskOp> made;
};

struct ScatterToGatherPass
    : nest::impl::ScatterToGatherPassBase<ScatterToGatherPass> {
  void runOnOperation() override {
    std::optional<Ranges> ranges;
    for (auto task :
         llvm::make_early_inc_range(getOperation().getOps<ir::TaskOp>())) {
      if (!task.getNumPrimal() || task.getRank() == 0 || task.getStrict() ||
          !task.getFactsAttr() || ir::prologueOf(task) ||
          !ir::workspaceOf(task).empty() || !isPlain(task))
        continue;
      if (!ranges)
        ranges.emplace(getOperation());
      if (Gatherer(task, *ranges).run())
        ranges.reset();
    }
  }
};
} // namespace

static Operation *loopOf(ir::AccumOp accum) {
  return accum->getParentOfType<scf::ForOp>();
}

void Gatherer::findGroups() {
  task.getBody().walk([&](ir::AccumOp accum) {
    if (!isScattered(accum))
      return;
    auto nest = findNest(task, accum, ranges);
    if (!nest)
      return;
    nests.push_back(std::move(*nest));
    auto space = findGatherSpace(accum, nests.back(), ranges);
    // If all axes occur in the indices, no other iteration touches the element.
    bool isShared =
        space && llvm::any_of(nests.back().variables, [&](auto &variable) {
          return variable.axis && !space->isKept(variable.value);
        });
    if (!isShared || space->axes.empty() || !hasEnough(nests.back(), *space)) {
      nests.pop_back();
      return;
    }
    for (GatherGroup &group : groups)
      if (loopOf(group.accums.front()) == loopOf(accum) &&
          *group.space == *space) {
        nests.pop_back();
        return group.accums.push_back(accum);
      }
    spaces.push_back(std::move(*space));
    groups.push_back({&nests.back(), &spaces.back(), {accum}});
  });
}

/// Are all elements inside of their fields, also without the conditions?
static bool isInside(ir::TaskOp task) {
  Ranges ranges(task->getParentOfType<ModuleOp>());
  auto isInside = [&](ir::AccumOp accum) {
    ir::FieldType type = accum.getField().getType();
    for (auto [axis, index] : llvm::enumerate(accum.getIndices())) {
      Linear position = ranges.linearAt(index, accum);
      Linear extent =
          type.isDynamicDim(axis)
              ? Linear(Symbol{fieldBelowCasts(accum.getField()), int(axis)})
              : Linear(type.getShape()[axis]);
      auto room = extent.plus(position, -1);
      room = room ? room->plusConstant(-1) : room;
      if (!room || !ranges.provesNonNegative(position, accum) ||
          !ranges.provesNonNegative(*room, accum))
        return false;
    }
    return true;
  };
  return !task.getBody()
              .walk([&](ir::AccumOp accum) {
                return isInside(accum) ? WalkResult::advance()
                                       : WalkResult::interrupt();
              })
              .wasInterrupted();
}

bool Gatherer::gatherGroup(const GatherGroup &group) {
  std::optional<Slice> slice = sliceOf(group, ranges);
  if (!slice)
    return false;
  std::string name = (task.getSymName() + ".sum" + Twine(made.size())).str();
  ir::TaskOp sum = gather(group, *slice, ranges, name);
  int64_t saved = kShared * int64_t(group.accums.size());
  if (workOf(sum.getBody()) > workOf(task.getBody()) + saved ||
      !isInside(sum)) {
    sum.erase();
    return false;
  }
  made.push_back(sum);
  return true;
}

bool Gatherer::run() {
  findGroups();
  SmallVector<ir::AccumOp> gathered;
  for (const GatherGroup &group : groups)
    if (gatherGroup(group))
      llvm::append_range(gathered, group.accums);
  for (ir::AccumOp accum : gathered)
    accum.erase();
  if (made.empty())
    return false;
  eraseDeadValues(task);
  // Each runs after the one before it, and the task after all.
  made.push_back(task);
  for (auto [before, behind] :
       llvm::zip(ArrayRef(made).drop_back(), ArrayRef(made).drop_front()))
    ir::changeAdjoint(behind, [&, before = before](ir::Adjoint &adjoint) {
      adjoint.prologue = ir::referenceTo(before);
    });
  for (ir::TaskOp sum : ArrayRef(made).drop_back())
    dropNeedlessBounds(sum);
  return true;
}
