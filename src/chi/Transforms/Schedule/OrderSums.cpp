//===- OrderSums.cpp - Sums whose order the language says -----------------===//
// The terms that all iterations add to one address are summed in a tree of
// fixed shape [Num.5]: the same bits for any number of threads. The
// interpreter, which ignores choices that are made for speed, has to know these
// sums.
#include "chi/Dialect/Chi/Schedule.h"
#include "chi/Transforms/Facts/OwnElements.h"
#include "chi/Transforms/Schedule/Passes.h"

namespace chi::schedule {
#define GEN_PASS_DEF_ORDERSUMSPASS
#include "chi/Transforms/Schedule/Passes.h.inc"
} // namespace chi::schedule

using namespace mlir;
using namespace chi;
using namespace chi::analysis;
using namespace chi::schedule;
using namespace chi::facts;

/// The result of an earlier run is invalid: adjoints were added, or the
/// accumulation now adds to a copy that is read.
static bool dropReductions(ir::TaskOp task) {
  bool accumulates = false;
  task.walk([&](ir::AccumOp accum) {
    accumulates = true;
    if (accum.getStrategy() != ir::AccumStrategy::deterministic)
      return;
    accum.removeStrategyAttr();
    accum.removeReductionAttr();
  });
  return accumulates;
}

namespace {
struct OrderSumsPass : schedule::impl::OrderSumsPassBase<OrderSumsPass> {
  void runOnOperation() override {
    Ranges ranges(getOperation());
    for (auto task : getOperation().getOps<ir::TaskOp>())
      if (dropReductions(task) && task.getRank() != 0)
        markDeterministic(task, ranges);
  }

  void markDeterministic(ir::TaskOp task, Ranges &ranges) {
    AccessMaps maps(task, ranges);
    if (maps.isSingle())
      return; // one worker, one after the other
    for (auto &[field, accesses] : accessesByField(maps))
      for (auto [access, isDeterministic] :
           llvm::zip_equal(accesses, findDeterministic(maps, accesses)))
        if (isDeterministic)
          cast<ir::AccumOp>(access->op.getOperation())
              .setStrategy(ir::AccumStrategy::deterministic);
    ir::numberElementReductions(task);
  }
};
} // namespace
