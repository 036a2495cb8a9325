//===- EstimateCost.cpp - Time of one iteration of each task --------------===//
#include "chi/Transforms/Passes.h"

#include "chi/Analysis/Cost.h"

namespace chi::transforms {
#define GEN_PASS_DEF_ESTIMATECOSTPASS
#include "chi/Transforms/Passes.h.inc"
} // namespace chi::transforms

using namespace mlir;
using namespace chi;

namespace {
struct EstimateCostPass
    : transforms::impl::EstimateCostPassBase<EstimateCostPass> {
  void runOnOperation() override {
    analysis::Ranges ranges(getOperation());
    for (auto task : getOperation().getOps<ir::TaskOp>())
      task.setCost(analysis::costOf(task, ranges));
  }
};
} // namespace
