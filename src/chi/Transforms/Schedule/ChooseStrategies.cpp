//===- ChooseStrategies.cpp - How each accumulation is carried out --------===//
#include "chi/Dialect/Chi/MemoryOrder.h"
#include "chi/Dialect/Chi/Schedule.h"
#include "chi/Support/Optimisations.h"
#include "chi/Transforms/Facts/OwnElements.h"
#include "chi/Transforms/Schedule/Passes.h"

namespace chi::schedule {
#define GEN_PASS_DEF_CHOOSESTRATEGIESPASS
#include "chi/Transforms/Schedule/Passes.h.inc"
} // namespace chi::schedule

using namespace mlir;
using namespace chi;
using namespace chi::analysis;
using namespace chi::schedule;
using namespace chi::facts;

/// In strict tasks the sums that are reductions are those that chi-order-sums
/// found, which the interpreter knows: what passes find out since changes no
/// bits.
static SmallVector<bool> chooseReductions(AccessMaps &maps,
                                          ArrayRef<const Access *> accesses,
                                          bool isStrict) {
  if (!isStrict)
    return findDeterministic(maps, accesses);
  return llvm::map_to_vector(accesses, [](const Access *access) {
    auto accum = dyn_cast<ir::AccumOp>(access->op.getOperation());
    return accum && accum.getStrategy() == ir::AccumStrategy::deterministic;
  });
}

static void mark(Operation *op, StringRef attribute) {
  op->getParentOfType<ir::TaskOp>()->setAttr(attribute,
                                             UnitAttr::get(op->getContext()));
}

/// One worker has the elements for itself.
static ir::AccumStrategy ordered(ir::AccumOp accum) {
  mark(accum, ir::kOrderedAttr);
  return ir::AccumStrategy::plain;
}

/// Threads must not determine the order of what iterations do to one element.
/// Two arguments may be one field, so that sums in own elements count, too.
static void markDeterministic(Operation *access, bool isOwn,
                              bool isPrivatized) {
  auto accum = dyn_cast<ir::AccumOp>(access);
  bool isRounded = accum && needsOrder(accum);
  if (isRounded)
    mark(access, ir::kFixedPartsAttr);
  bool hasOrder = isa<ir::AtomicOp>(access) || (isRounded && !isPrivatized);
  if (hasOrder && !isOwn)
    mark(access, ir::kOrderedAttr);
}

/// Decides for the accumulations of one field in one task. They are decided
/// together, since private copies serve all of them or none.
static void chooseForField(AccessMaps &maps, ArrayRef<const Access *> accesses,
                           OptimisationSet off, bool isStrict,
                           bool isDeterministicMode) {
  SmallVector<bool> own(accesses.size());
  if (!off.has(Optimisation::PlainUpdates))
    own = findOwn(maps, accesses);
  SmallVector<bool> reductions = chooseReductions(maps, accesses, isStrict);
  // Copies are merged as a whole into memory without gaps.
  bool isPrivatized = areOneAccumulation(accesses) &&
                      !off.has(Optimisation::Privatization) &&
                      !ir::isStrided(accesses.front()->op.getField().getType());
  for (auto [access, isOwn, isDeterministic] :
       llvm::zip_equal(accesses, own, reductions)) {
    if (isDeterministicMode && !isDeterministic)
      markDeterministic(access->op, isOwn, isPrivatized);
    auto accum = dyn_cast<ir::AccumOp>(access->op.getOperation());
    if (!accum)
      continue;
    ir::AccumStrategy strategy = ir::AccumStrategy::atomic;
    if (isDeterministic && (isStrict || !isOwn))
      strategy = ir::AccumStrategy::deterministic;
    else if (isOwn)
      strategy = ir::AccumStrategy::plain;
    else if (isStrict && needsOrder(accum))
      strategy = ordered(accum);
    else if (isPrivatized)
      strategy = ir::AccumStrategy::privatized;
    if (strategy != ir::AccumStrategy::deterministic)
      accum.removeReductionAttr();
    accum.setStrategy(strategy);
  }
}

namespace {
struct ChooseStrategiesPass
    : schedule::impl::ChooseStrategiesPassBase<ChooseStrategiesPass> {
  using ChooseStrategiesPassBase::ChooseStrategiesPassBase;

  void runOnOperation() override {
    Ranges ranges(getOperation());
    getOperation().walk([](ir::AccumOp accum) {
      if (!isInLoop(accum))
        setPlain(accum);
    });
    for (auto task : getOperation().getOps<ir::TaskOp>())
      choose(task, ranges);
  }

  /// Outside of parallel loops there is one worker.
  static bool isInLoop(ir::AccumOp accum) {
    auto task = accum->getParentOfType<ir::TaskOp>();
    return task && task.getRank() != 0;
  }

  static void setPlain(ir::AccumOp accum) {
    accum.removeReductionAttr();
    accum.setStrategy(ir::AccumStrategy::plain);
  }

  void choose(ir::TaskOp task, Ranges &ranges) {
    bool accumulates = task.walk([](Operation *op) {
                             return isa<ir::AccumOp, ir::AtomicOp>(op)
                                        ? WalkResult::interrupt()
                                        : WalkResult::advance();
                           })
                           .wasInterrupted();
    if (task.getRank() == 0 || !accumulates)
      return;
    OptimisationSet off = OptimisationSet::of(without);
    bool isStrict = off.has(Optimisation::FastMath) || task.getStrict();
    task->removeAttr(ir::kOrderedAttr);
    task->removeAttr(ir::kFixedPartsAttr);
    AccessMaps maps(task, ranges);
    if (maps.isSingle()) {
      task.walk([&](ir::AccumOp accum) {
        if (!isStrict ||
            accum.getStrategy() != ir::AccumStrategy::deterministic)
          setPlain(accum);
      });
      return;
    }
    for (auto &[field, accesses] : accessesByField(maps))
      chooseForField(maps, accesses, off, isStrict, deterministic);
  }
};
} // namespace
