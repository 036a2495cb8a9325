//===- VerifyStage.cpp - Did the passes leave what they promise? ----------===//
#include "chi/Pipeline/Postconditions.h"

namespace chi::pipeline {
#define GEN_PASS_DEF_VERIFYSTAGEPASS
#include "chi/Pipeline/Passes.h.inc"
} // namespace chi::pipeline

using namespace mlir;
using namespace chi;
using namespace chi::pipeline;

namespace {
struct VerifyStagePass
    : chi::pipeline::impl::VerifyStagePassBase<VerifyStagePass> {
  using VerifyStagePassBase::VerifyStagePassBase;

  void runOnOperation() override {
    std::string last = after;
    if (std::optional<Stage> reached = stageByName(stage))
      last = lastPassOf(*reached);
    if (failed(verifyPostconditions(getOperation(), last)))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
