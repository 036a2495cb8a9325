//===- WarnGradients.cpp - Gradients that are surely zero -----------------===//
#include "chi/AD/Activity/FieldGraph.h"
#include "chi/AD/Activity/Passes.h"

namespace chi::ad::activity {
#define GEN_PASS_DEF_WARNGRADIENTSPASS
#include "chi/AD/Activity/Passes.h.inc"
} // namespace chi::ad::activity

using namespace mlir;
using namespace chi;
using namespace chi::ad::activity;

/// The name of the variable that a field goes to.
static std::string nameOf(ir::RtOp made) {
  for (Operation *user : made->getResult(0).getUsers())
    if (auto store = dyn_cast<ir::GlobalStoreOp>(user))
      return ("`" + store.getGlobal() + "`").str();
  return "this field";
}

static void warnOfZeros(ModuleOp module) {
  FieldGraph graph(module);
  if (!graph.hasTapes() || graph.asksKernels())
    return;
  // The members of a field of a class are made in one place. The mark is for
  // those that have a gradient.
  llvm::DenseSet<Location> done;
  for (ir::RtOp made : graph.getMarked())
    if (graph.isWatched(made) || graph.leadsToLossByFloats(made))
      done.insert(made.getLoc());
  for (ir::RtOp made : graph.getMarked()) {
    if (!done.insert(made.getLoc()).second)
      continue;
    if (graph.leadsToLoss(made))
      emitWarning(made.getLoc(), "[W1013] ")
          << "the loss depends on " << nameOf(made)
          << " only through integers and conditions: its gradient is zero";
    else
      emitWarning(made.getLoc(), "[W1012] ")
          << "the gradient of " << nameOf(made)
          << " is zero: no recorded loop leads from it to the loss";
  }
}

namespace {
struct WarnGradientsPass
    : ad::activity::impl::WarnGradientsPassBase<WarnGradientsPass> {
  void runOnOperation() override {
    auto begins = getOperation().walk([](ir::RtOp call) {
      return call.getFunction() == "chirt_tape_begin" ? WalkResult::interrupt()
                                                      : WalkResult::advance();
    });
    if (begins.wasInterrupted())
      warnOfZeros(getOperation());
  }
};
} // namespace
