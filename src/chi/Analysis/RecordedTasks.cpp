//===- RecordedTasks.cpp - Tasks that a tape may record -------------------===//
#include "chi/Analysis/RecordedTasks.h"

#include "chi/Dialect/Chi/AdjointTasks.h"
#include "chi/Dialect/Chi/DiscardableAttrs.h"

using namespace mlir;
using namespace chi;
using namespace chi::analysis;

RecordedTasks::RecordedTasks(ModuleOp module, Mode mode)
    : module(module), mode(mode) {
  auto tangents = module->getAttrOfType<StringAttr>(ir::kTangentsOfTapesAttr);
  alsoTapes = mode == Mode::Forward && tangents;
  opensTapes = alsoTapes && tangents.getValue() == ir::kSecondTangents;
  scanAll();
  // What an operator's record keeps is launched by `k.grad()`. Only in a tape
  // that is another launch to record.
  if (gradsInTapes) {
    countsRecords = true;
    scanAll();
  }
}

void RecordedTasks::scanAll() {
  for (Operation &op : *module.getBody())
    scan(&op, 0);
}

static bool calls(Operation *op, ArrayRef<StringRef> functions) {
  auto call = dyn_cast<ir::RtOp>(op);
  return call && llvm::is_contained(functions, call.getFunction());
}

bool RecordedTasks::isBegin(Operation *op) const {
  if (alsoTapes && calls(op, {"chirt_tape_begin"}))
    return true;
  return calls(
      op, {mode == Mode::Forward ? "chirt_forward_begin" : "chirt_tape_begin"});
}

bool RecordedTasks::isEnd(Operation *op) const {
  if (alsoTapes && calls(op, {"chirt_tape_end"}))
    return true;
  return calls(
      op, {mode == Mode::Forward ? "chirt_forward_end" : "chirt_tape_end"});
}

/// The regions of `op`, which `depth` tapes are around. A tape begins and ends
/// in one block; an end in a deeper one leaves the block early.
void RecordedTasks::scan(Operation *op, unsigned depth) {
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      unsigned open = 0, records = 0;
      for (Operation &inner : block) {
        if (isEnd(&inner) && open > 0)
          --open;
        if (records > 0 && calls(&inner, {"chirt_kernel_end"}))
          --records;
        unsigned around = depth + open;
        visit(&inner, countsRecords ? around + records
                                    : std::max(around, std::min(records, 1u)));
        if (isBegin(&inner))
          ++open;
        if ((mode == Mode::Reverse || alsoTapes) &&
            calls(&inner, {"chirt_kernel_begin"}))
          ++records;
      }
    }
}

void RecordedTasks::visit(Operation *op, unsigned depth) {
  scan(op, depth);
  // Forward mode differentiates what it does, whatever adjoint it has.
  bool isOne = mode == Mode::Reverse && op->hasAttr(ir::kOneEntryAttr);
  if (depth == 0 || isOne)
    return;
  if (auto call = dyn_cast<func::CallOp>(op))
    addFunction(call.getCalleeAttr().getAttr(), depth);
  else if (auto call = dyn_cast<ir::CallOp>(op))
    addFunction(call.getCalleeAttr().getAttr(), depth);
  else if (auto launch = dyn_cast<ir::LaunchOp>(op))
    addFunction(launch.getTaskAttr().getAttr(), depth);
  opensTapes |= calls(op, {"chirt_tape_begin"});
  gradsInTapes |= calls(op, {"chirt_kernel_grad"});
}

/// Or a task.
void RecordedTasks::addFunction(StringAttr name, unsigned depth) {
  depth = std::min(depth, kMostDepth);
  unsigned &known = depths[name];
  if (known >= depth)
    return;
  known = depth;
  if (auto function = module.lookupSymbol<func::FuncOp>(name))
    scan(function, depth);
}
