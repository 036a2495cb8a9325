//===- Workspace.cpp - What a tape makes for the tasks of a prologue ------===//
#include "chi/AD/Prologue/Workspace.h"

using namespace mlir;
using namespace chi;
using namespace chi::ad::prologue;

unsigned chi::ad::prologue::addCaptured(ir::TaskOp task, ir::FieldType type) {
  unsigned number = task.getNumCaptured();
  task.getBody().front().insertArgument(number, type, task.getLoc());
  ir::FactsAttr facts = task.getFactsAttr();
  if (!facts)
    return number;
  SmallVector<ir::KnownAttr> inputs(facts.getInputs());
  inputs.push_back(ir::KnownAttr::none(task.getContext()));
  SmallVector<int64_t> noalias(facts.getNoalias());
  noalias.push_back(number);
  task.setFactsAttr(ir::FactsAttr::get(task.getContext(), facts.getFrom(),
                                       facts.getTo(), inputs, noalias,
                                       facts.getCells()));
  return number;
}

unsigned Workspace::add(ir::FieldType type, ArrayRef<int64_t> workspace) {
  llvm::append_range(words, workspace);
  return addCaptured(task, type);
}
