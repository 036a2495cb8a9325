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

/// Elements that are too few to matter, at the ends of an axis.
static constexpr int64_t kFewElements = 16;

/// What an axis may have as its length: a difference of its ends each. The
/// least of them is the length.
using Lengths = SmallVector<Linear, 2>;

static Lengths lengthsOf(ArrayRef<Linear> from, ArrayRef<Linear> to) {
  Lengths all;
  for (const Linear &end : to)
    for (const Linear &begin : from)
      if (auto length = end.plus(begin, -1))
        all.push_back(*length);
  return all;
}

/// The least constant among them; nothing if there is none.
static std::optional<int64_t> knownAmong(ArrayRef<Linear> lengths) {
  std::optional<int64_t> least;
  for (const Linear &length : lengths)
    if (length.isConstant() && (!least || length.getConstant() < *least))
      least = length.getConstant();
  return least;
}

/// How many iterations axes of known lengths have, up to `kMinIterations`.
static int64_t countOf(ArrayRef<int64_t> lengths) {
  int64_t count = 1;
  for (int64_t length : lengths) {
    count *= std::clamp<int64_t>(length, 0, kMinIterations);
    count = std::min(count, kMinIterations);
  }
  return count;
}

namespace {
/// Compares the iterations of a space with those of its task. Lengths that are
/// not known are as long as themselves, and else long in the task and short in
/// the space.
class SizeComparison {
public:
  SizeComparison(const Nest &nest, const GatherSpace &space, Ranges &ranges,
                 Operation *start);

  bool hasEnough();

private:
  void cancel(const Lengths &length);

  Ranges &ranges;
  Operation *start;
  SmallVector<Lengths> now, before;
  SmallVector<int64_t> known; ///< lengths of the space
  unsigned numCanceled = 0;   ///< axes of lengths that are not known
};
} // namespace

SizeComparison::SizeComparison(const Nest &nest, const GatherSpace &space,
                               Ranges &ranges, Operation *start)
    : ranges(ranges), start(start) {
  for (const GatherSpace::Axis &axis : space.axes) {
    const Nest::Variable *kept = nest.find(axis.symbol);
    now.push_back(kept ? lengthsOf(kept->from, kept->to)
                       : lengthsOf(axis.from, axis.to));
    if (auto length = knownAmong(now.back()))
      known.push_back(*length);
  }
  for (const Nest::Variable &variable : nest.variables)
    if (variable.axis)
      before.push_back(lengthsOf(variable.from, variable.to));
}

/// An axis of the task that is as long, except for a few iterations, is there
/// in both.
void SizeComparison::cancel(const Lengths &lengths) {
  auto isAsLong = [&](const Linear &mine, const Linear &its) {
    if (mine.isConstant() || its.isConstant())
      return mine == its;
    auto difference = mine.plus(its, -1);
    difference =
        difference ? difference->plusConstant(kFewElements) : std::nullopt;
    return difference && ranges.provesNonNegative(*difference, start);
  };
  auto same = llvm::find_if(before, [&](const Lengths &its) {
    return llvm::any_of(lengths, [&](const Linear &mine) {
      return llvm::any_of(
          its, [&](const Linear &length) { return isAsLong(mine, length); });
    });
  });
  if (same == before.end())
    return;
  auto length = knownAmong(*same);
  before.erase(same);
  if (!length)
    ++numCanceled;
  else if (auto its = llvm::find(known, *length); its != known.end())
    known.erase(its);
}

/// Are half as many iterations left as the task has, or enough? Where launches
/// decide, the axes that are left have to be more than those that are not.
bool SizeComparison::hasEnough() {
  if (countOf(known) >= kMinIterations)
    return true;
  for (const Lengths &lengths : now)
    cancel(lengths);
  SmallVector<int64_t> left;
  for (const Lengths &lengths : before)
    if (auto length = knownAmong(lengths))
      left.push_back(*length);
  size_t numUnknown = before.size() - left.size();
  if (numUnknown || numCanceled > left.size())
    return numCanceled > before.size();
  return countOf(known) * 2 >= countOf(left);
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
  Gatherer(ir::TaskOp task, Ranges &ranges, bool knownEndsOnly)
      : task(task), ranges(ranges), knownEndsOnly(knownEndsOnly) {}

  /// Returns whether there is a task that was not there before.
  bool run();

private:
  void findGroups();
  bool gatherGroup(const GatherGroup &group);

  ir::TaskOp task;
  Ranges &ranges;
  bool knownEndsOnly;
  std::deque<Nest> nests;
  std::deque<GatherSpace> spaces;
  SmallVector<GatherGroup> groups;
  SmallVector<ir::TaskOp> made;
};

struct ScatterToGatherPass
    : nest::impl::ScatterToGatherPassBase<ScatterToGatherPass> {
  using ScatterToGatherPassBase::ScatterToGatherPassBase;

  void runOnOperation() override {
    std::optional<Ranges> ranges;
    for (auto task :
         llvm::make_early_inc_range(getOperation().getOps<ir::TaskOp>())) {
      // What has an adjoint or a tangent is launched over the axes of it, too.
      if (!task.getNumPrimal() || ir::adjointOf(task) || ir::tangentOf(task) ||
          task.getRank() == 0 || task.getStrict() || !task.getFactsAttr() ||
          ir::prologueOf(task) || !ir::workspaceOf(task).empty() ||
          !isPlain(task))
        continue;
      if (!ranges)
        ranges.emplace(getOperation());
      if (Gatherer(task, *ranges, knownEndsOnly).run())
        ranges.reset();
    }
  }
};
} // namespace

static Operation *loopOf(ir::AccumOp accum) {
  return accum->getParentOfType<scf::ForOp>();
}

/// Kernels for devices are launched over the domain of the primal: they take no
/// other ends than constants and those of the domain.
static bool hasKnownEnds(const Nest &nest, const GatherSpace &space) {
  auto isConstant = [](ArrayRef<Linear> sums) {
    return sums.size() == 1 && sums.front().isConstant();
  };
  return llvm::all_of(llvm::enumerate(space.axes), [&](auto each) {
    auto &[number, axis] = each;
    if (!axis.kept)
      return isConstant(axis.from) && isConstant(axis.to);
    const Nest::Variable *kept = nest.find(axis.symbol);
    bool isOfDomain = *axis.kept == number ||
                      (isConstant(kept->from) && isConstant(kept->to));
    return isOfDomain && axis.from.empty() && axis.to.empty();
  });
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
    Operation *start = &task.getBody().front().front();
    if (!isShared || space->axes.empty() ||
        (knownEndsOnly && !hasKnownEnds(nests.back(), *space)) ||
        !SizeComparison(nests.back(), *space, ranges, start).hasEnough()) {
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
