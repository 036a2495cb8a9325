//===- RecordedTasks.cpp - Tasks that a tape may record -------------------===//
#include "chi/Analysis/RecordedTasks.h"

#include "chi/Dialect/Chi/DiscardableAttrs.h"

using namespace mlir;
using namespace chi;
using namespace chi::analysis;

RecordedTasks::RecordedTasks(ModuleOp module, Mode mode)
    : module(module), mode(mode) {
  module.walk([&](ir::RtOp call) {
    if (isBegin(call))
      addOpened(call);
  });
}

static bool calls(Operation *op, ArrayRef<StringRef> functions) {
  auto call = dyn_cast<ir::RtOp>(op);
  return call && llvm::is_contained(functions, call.getFunction());
}

bool RecordedTasks::isBegin(Operation *op) const {
  return mode == Mode::Forward
             ? calls(op, {"chirt_forward_begin"})
             : calls(op, {"chirt_tape_begin", "chirt_kernel_begin"});
}

bool RecordedTasks::isEnd(Operation *op) const {
  return mode == Mode::Forward
             ? calls(op, {"chirt_forward_end"})
             : calls(op, {"chirt_tape_end", "chirt_kernel_end"});
}

/// The operations that follow `begin` in its block, up to the end. An inner
/// tape ends first: what follows it belongs to the outer one.
void RecordedTasks::addOpened(ir::RtOp begin) {
  int64_t open = 0;
  for (Operation *op = begin; op; op = op->getNextNode()) {
    if (isBegin(op))
      ++open;
    if (isEnd(op) && --open == 0)
      return;
    addUsesIn(op);
  }
}

void RecordedTasks::addUsesIn(Operation *op) {
  op->walk([&](Operation *inner) {
    // Forward mode differentiates what it does, whatever adjoint it has.
    if (mode == Mode::Reverse && inner->hasAttr(ir::kOneEntryAttr))
      return;
    if (auto call = dyn_cast<func::CallOp>(inner))
      addFunction(call.getCalleeAttr().getAttr());
    else if (auto call = dyn_cast<ir::CallOp>(inner))
      addFunction(call.getCalleeAttr().getAttr());
    else if (auto launch = dyn_cast<ir::LaunchOp>(inner))
      symbols.insert(launch.getTaskAttr().getAttr());
    else
      opensTapes |= calls(inner, {"chirt_tape_begin"});
  });
}

void RecordedTasks::addFunction(StringAttr name) {
  if (!symbols.insert(name).second)
    return;
  if (auto function = module.lookupSymbol<func::FuncOp>(name))
    addUsesIn(function);
}
