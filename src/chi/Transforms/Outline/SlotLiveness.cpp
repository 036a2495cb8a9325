//===- SlotLiveness.cpp - Which slots a structured op must carry ----------===//

#include "chi/Transforms/Outline/SlotLiveness.h"

using namespace mlir;
using namespace chi::ir;
using namespace chi::outline;

SlotLiveness::SlotLiveness(Operation *function) {
  Block &body = function->getRegion(0).front();
  collect(body, nullptr, false);
  llvm::erase_if(order, [&](LocalOp op) { return refused.contains(op); });
  for (auto [number, op] : llvm::enumerate(order))
    numbers[op] = number;
  if (order.empty())
    return;
  Bits live(order.size()), changed(order.size());
  transfer(body, live, &changed);
  live.reset();
  transfer(body, live, nullptr);
}

std::optional<unsigned> SlotLiveness::numberOf(Value slot) const {
  auto found = numbers.find(slot);
  if (found == numbers.end())
    return std::nullopt;
  return found->second;
}

ArrayRef<unsigned> SlotLiveness::carried(Operation *op) const {
  auto found = carriedSlots.find(op);
  if (found == carriedSlots.end())
    return {};
  return found->second;
}

/// Finds the slots. One that is set inside a parallel loop around which it
/// lives stays, and so does one used in an op whose flow is not known.
void SlotLiveness::collect(Block &block, Operation *parallel, bool isOpaque) {
  for (Operation &op : block) {
    if (auto local = dyn_cast<LocalOp>(op)) {
      // The run time may be handed the address of a local.
      bool isPlain = llvm::all_of(local->getUsers(), [](Operation *user) {
        return isa<GetOp, SetOp>(user);
      });
      if (isPlain && local.getSlot().getType().isScalar()) {
        order.push_back(local);
        owner[local] = parallel;
      }
      continue;
    }
    if (isa<GetOp, SetOp>(op)) {
      Value slot = op.getOperand(isa<SetOp>(op) ? 1 : 0);
      if (isOpaque || (isa<SetOp>(op) && owner.lookup(slot) != parallel))
        refused.insert(slot);
      continue;
    }
    bool isKnown = isa<scf::IfOp, scf::ForOp, scf::WhileOp, ParallelOp>(op);
    Operation *inner = isa<ParallelOp>(op) ? &op : parallel;
    for (Region &region : op.getRegions())
      for (Block &nested : region)
        collect(nested, inner, isOpaque || !isKnown);
  }
}

/// Goes through `block` backwards: `live` are the slots that are read after it,
/// and on return those that are read after its begin. The first visit gathers
/// facts (`changed`: the slots set inside); in the second, where it is null,
/// ops are recorded.
void SlotLiveness::transfer(Block &block, Bits &live, Bits *changed) {
  for (Operation &op : llvm::reverse(block))
    transferOp(&op, live, changed);
}

void SlotLiveness::transferOp(Operation *op, Bits &live, Bits *changed) {
  if (auto get = dyn_cast<GetOp>(op)) {
    if (auto number = numberOf(get.getSlot()))
      live.set(*number);
  } else if (auto set = dyn_cast<SetOp>(op)) {
    if (auto number = numberOf(set.getSlot())) {
      live.reset(*number);
      if (changed)
        changed->set(*number);
    }
  } else if (auto local = dyn_cast<LocalOp>(op)) {
    if (auto number = numberOf(local.getSlot()))
      live.reset(*number); // starts undefined, each time
  } else if (isa<scf::IfOp>(op)) {
    Bits inside(live.size()), after = live, sum(live.size());
    if (!changed)
      record(op, live);
    bool hasElse = !op->getRegion(1).empty();
    for (Region &region : op->getRegions()) {
      if (region.empty())
        continue;
      Bits branch = after;
      transfer(region.front(), branch, changed ? &inside : nullptr);
      sum |= branch;
    }
    live = sum;
    if (!hasElse)
      live |= after;
    if (changed) {
      *changed |= inside;
      written[op] = std::move(inside);
    }
  } else if (isa<scf::ForOp, scf::WhileOp>(op)) {
    transferLoop(op, live, changed);
  } else if (isa<ParallelOp>(op)) {
    Bits inside(live.size()), ignored(live.size());
    transfer(op->getRegion(0).front(), inside, changed ? &ignored : nullptr);
    live |= inside;
  }
}

void SlotLiveness::transferLoop(Operation *op, Bits &live, Bits *changed) {
  Bits inside(live.size());
  Bits *sets = changed ? &inside : nullptr;
  if (changed) {
    Bits head(live.size());
    for (Region &region : llvm::reverse(op->getRegions()))
      transfer(region.front(), head, sets);
    live |= head;
    *changed |= inside;
    read[op] = std::move(head);
    written[op] = std::move(inside);
    return;
  }
  // A while goes head, first region, then out or through the second region.
  Bits head = live;
  head |= read[op];
  Bits body = head;
  transfer(op->getRegions().back().front(), body, nullptr);
  Bits wanted = head;
  wanted |= body;
  record(op, wanted);
  if (isa<scf::WhileOp>(op)) {
    body |= live;
    transfer(op->getRegion(0).front(), body, nullptr);
  }
  live = head;
}

void SlotLiveness::record(Operation *op, const Bits &live) {
  Bits wanted = written[op];
  wanted &= live;
  SmallVector<unsigned> &list = carriedSlots[op];
  for (unsigned number : wanted.set_bits())
    list.push_back(number);
}
