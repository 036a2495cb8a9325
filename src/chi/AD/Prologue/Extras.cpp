//===- Extras.cpp - What a tape makes for the tasks of a chain ------------===//
#include "chi/AD/Prologue/Extras.h"

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
  SmallVector<int64_t> distinct(facts.getDistinct());
  distinct.push_back(number);
  task.setFactsAttr(ir::FactsAttr::get(task.getContext(), facts.getFrom(),
                                       facts.getTo(), inputs, distinct,
                                       facts.getCells()));
  return number;
}

unsigned Extras::add(ir::FieldType type, ArrayRef<int64_t> extra) {
  llvm::append_range(words, extra);
  return addCaptured(task, type);
}
