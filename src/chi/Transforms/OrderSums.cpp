//===- OrderSums.cpp - Sums whose order the language says -----------------===//
// What all iterations add to one scalar is summed in a tree of fixed shape
// [Par.4]: the same bits for any number of threads. The interpreter, which sees
// no choice that is made for speed, has to know these.
#include "chi/Transforms/OwnElements.h"
#include "chi/Transforms/Passes.h"

namespace chi::transforms {
#define GEN_PASS_DEF_ORDERSUMSPASS
#include "chi/Transforms/Passes.h.inc"
} // namespace chi::transforms

using namespace mlir;
using namespace chi;
using namespace chi::analysis;
using namespace chi::transforms;

static bool addsToScalars(ir::TaskOp task) {
  return task
      .walk([](ir::AccumOp accum) {
        return accum.getIndices().empty() ? WalkResult::interrupt()
                                          : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {
struct OrderSumsPass : transforms::impl::OrderSumsPassBase<OrderSumsPass> {
  void runOnOperation() override {
    Ranges ranges(getOperation());
    for (auto task : getOperation().getOps<ir::TaskOp>()) {
      if (task.getRank() == 0 || !addsToScalars(task))
        continue;
      AccessMaps maps(task, ranges);
      if (maps.isSingle())
        continue; // one worker, one after the other
      for (auto &[field, accesses] : accessesByField(maps))
        if (areOneScalar(accesses) && areOneAccumulation(accesses))
          for (const Access *access : accesses)
            cast<ir::AccumOp>(access->op.getOperation())
                .setStrategy(ir::AccumStrategy::tree);
    }
  }
};
} // namespace
