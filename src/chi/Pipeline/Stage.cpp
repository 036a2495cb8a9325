//===- Stage.cpp - Names of stages ----------------------------------------===//

#include "chi/Pipeline/Pipeline.h"

using namespace chi;
using namespace chi::pipeline;

namespace {
struct StageRecord {
  Stage stage;
  llvm::StringRef name;
  StageForm form;
};
} // namespace

static constexpr StageRecord kStages[] = {
#define CHI_STAGE(Name, Flag, Form, Text) {Stage::Name, Flag, StageForm::Form},
#include "chi/Pipeline/Stage.def"
};

std::optional<Stage> pipeline::stageByName(llvm::StringRef name) {
  for (const StageRecord &record : kStages)
    if (record.name == name)
      return record.stage;
  return std::nullopt;
}

llvm::StringRef pipeline::stageName(Stage stage) {
  return kStages[size_t(stage)].name;
}

StageForm pipeline::stageForm(Stage stage) {
  return kStages[size_t(stage)].form;
}

std::string pipeline::stageNames() {
  std::string names;
  for (const StageRecord &record : kStages) {
    if (!names.empty())
      names += ", ";
    names += record.name;
  }
  return names;
}
