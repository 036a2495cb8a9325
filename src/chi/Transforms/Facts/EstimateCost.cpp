//===- EstimateCost.cpp - Time of one iteration of each task --------------===//
#include "chi/Transforms/Facts/Passes.h"

#include "chi/Analysis/Cost.h"

namespace chi::facts {
#define GEN_PASS_DEF_ESTIMATECOSTPASS
#include "chi/Transforms/Facts/Passes.h.inc"
} // namespace chi::facts

using namespace mlir;
using namespace chi;

namespace {
struct EstimateCostPass : facts::impl::EstimateCostPassBase<EstimateCostPass> {
  void runOnOperation() override {
    analysis::Ranges ranges(getOperation());
    for (auto task : getOperation().getOps<ir::TaskOp>())
      task.setCost(analysis::costOf(task, ranges));
  }
};
} // namespace
