//===- GatherBounds.cpp - Bounds that others imply ------------------------===//
#include "chi/Transforms/Nest/ScatterToGather.h"
#include "chi/Transforms/Outline/Promote.h"
#include "chi/Transforms/Outline/SlotBuilder.h"

using namespace mlir;
using namespace chi;
using namespace chi::analysis;
using namespace chi::nest;
using namespace chi::outline;

/// The one that a choice always takes, or null.
static Value chosenOf(Operation *choice, Ranges &ranges) {
  bool isGreatest = isa<arith::MaxSIOp>(choice);
  Value left = choice->getOperand(0), right = choice->getOperand(1);
  Linear a = ranges.linearAt(left, choice), b = ranges.linearAt(right, choice);
  auto difference = a.plus(b, -1);
  if (!difference)
    return {};
  if (ranges.provesNonNegative(*difference, choice))
    return isGreatest ? left : right;
  auto other = difference->times(-1);
  if (other && ranges.provesNonNegative(*other, choice))
    return isGreatest ? right : left;
  return {};
}

void nest::dropNeedlessBounds(ir::TaskOp task) {
  Ranges ranges(task->getParentOfType<ModuleOp>());
  DenseMap<Operation *, Value> known;
  SmallVector<Operation *> all;
  task.getBody().walk([&](Operation *op) {
    if (isa<arith::MaxSIOp, arith::MinSIOp>(op)) {
      if (Value value = chosenOf(op, ranges))
        known[op] = value, all.push_back(op);
    } else if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
      if (!ranges.provesTrue(compare, op))
        return;
      OpBuilder b(op);
      known[op] = makeBool(b, op->getLoc(), true), all.push_back(op);
    }
  });
  for (Operation *op : all)
    op->getResult(0).replaceAllUsesWith(known[op]);
  eraseDeadValues(task);
}
