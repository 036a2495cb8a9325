//===- RecordedTasks.cpp - Tasks that a tape may record -------------------===//
#include "chi/Analysis/RecordedTasks.h"

#include "chi/Dialect/Chi/DiscardableAttrs.h"

using namespace mlir;
using namespace chi;
using namespace chi::analysis;

RecordedTasks::RecordedTasks(ModuleOp module) : module(module) {
  module.walk([&](ir::RtOp call) {
    StringRef function = call.getFunction();
    if (function == "chirt_tape_begin" || function == "chirt_kernel_begin")
      addOpened(call);
  });
}

static bool isEnd(Operation &op) {
  auto call = dyn_cast<ir::RtOp>(op);
  return call && (call.getFunction() == "chirt_tape_end" ||
                  call.getFunction() == "chirt_kernel_end");
}

/// The operations that follow `begin` in its block, up to the end. An inner
/// tape ends first: what follows it belongs to the outer one.
void RecordedTasks::addOpened(ir::RtOp begin) {
  int64_t open = 0;
  for (Operation *op = begin; op; op = op->getNextNode()) {
    auto call = dyn_cast<ir::RtOp>(op);
    if (call && (call.getFunction() == "chirt_tape_begin" ||
                 call.getFunction() == "chirt_kernel_begin"))
      ++open;
    if (isEnd(*op) && --open == 0)
      return;
    addUsesIn(op);
  }
}

void RecordedTasks::addUsesIn(Operation *op) {
  op->walk([&](Operation *inner) {
    if (inner->hasAttr(ir::kOneEntryAttr))
      return;
    if (auto call = dyn_cast<func::CallOp>(inner))
      addFunction(call.getCalleeAttr().getAttr());
    else if (auto call = dyn_cast<ir::CallOp>(inner))
      addFunction(call.getCalleeAttr().getAttr());
    else if (auto launch = dyn_cast<ir::LaunchOp>(inner))
      symbols.insert(launch.getTaskAttr().getAttr());
  });
}

void RecordedTasks::addFunction(StringAttr name) {
  if (!symbols.insert(name).second)
    return;
  if (auto function = module.lookupSymbol<func::FuncOp>(name))
    addUsesIn(function);
}
