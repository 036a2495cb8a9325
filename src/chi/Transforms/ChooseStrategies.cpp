//===- ChooseStrategies.cpp - How each accumulation is carried out --------===//
#include "chi/Support/Optimisations.h"
#include "chi/Transforms/OwnElements.h"
#include "chi/Transforms/Passes.h"

namespace chi::transforms {
#define GEN_PASS_DEF_CHOOSESTRATEGIESPASS
#include "chi/Transforms/Passes.h.inc"
} // namespace chi::transforms

using namespace mlir;
using namespace chi;
using namespace chi::analysis;
using namespace chi::transforms;

/// Decides for the accumulations of one field in one task. They are decided
/// together, since private copies serve all of them or none.
static void chooseForField(AccessMaps &maps, ArrayRef<const Access *> accesses,
                           OptimisationSet off) {
  SmallVector<bool> own(accesses.size());
  if (!off.has(Optimisation::PlainUpdates))
    own = findOwn(maps, accesses);
  SmallVector<ir::AccumOp> shared;
  for (auto [access, isOwn] : llvm::zip_equal(accesses, own))
    if (auto accum = dyn_cast<ir::AccumOp>(access->op.getOperation())) {
      if (isOwn)
        accum.setStrategy(ir::AccumStrategy::plain);
      else
        shared.push_back(accum);
    }
  if (shared.empty())
    return;
  ir::AccumStrategy strategy = ir::AccumStrategy::atomic;
  if (areOneAccumulation(accesses) && areOneScalar(accesses))
    strategy = ir::AccumStrategy::tree;
  else if (areOneAccumulation(accesses) &&
           !off.has(Optimisation::Privatization))
    strategy = ir::AccumStrategy::privatized;
  for (ir::AccumOp accum : shared)
    accum.setStrategy(strategy);
}

namespace {
struct ChooseStrategiesPass
    : transforms::impl::ChooseStrategiesPassBase<ChooseStrategiesPass> {
  using ChooseStrategiesPassBase::ChooseStrategiesPassBase;

  void runOnOperation() override {
    Ranges ranges(getOperation());
    // Outside of parallel loops there is one worker.
    getOperation().walk(
        [](ir::AccumOp accum) { accum.setStrategy(ir::AccumStrategy::plain); });
    for (auto task : getOperation().getOps<ir::TaskOp>())
      choose(task, ranges);
  }

  void choose(ir::TaskOp task, Ranges &ranges) {
    bool accumulates =
        task.walk([](ir::AccumOp) { return WalkResult::interrupt(); })
            .wasInterrupted();
    if (task.getRank() == 0 || !accumulates)
      return;
    AccessMaps maps(task, ranges);
    if (maps.isSingle())
      return;
    for (auto &[field, accesses] : accessesByField(maps))
      chooseForField(maps, accesses, OptimisationSet::of(without));
  }
};
} // namespace
