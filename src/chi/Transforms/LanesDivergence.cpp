//===- LanesDivergence.cpp - What differs between lanes -------------------===//
#include "chi/Transforms/Lanes.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace chi;
using namespace chi::transforms;

Divergence::Divergence(ir::TaskOp task) {
  varying.insert(task.getIndexVariables().back());
  // Grows until nothing changes: what a loop carries may vary by its body.
  do {
    changed = false;
    task.getBody().walk<WalkOrder::PreOrder>(
        [&](Operation *op) { visit(op); });
  } while (changed);
  findUnits(task);
}

void Divergence::visit(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](scf::IfOp op) { visitIf(op); })
      .Case([&](scf::WhileOp op) { visitWhile(op); })
      .Case([&](scf::ForOp op) { visitFor(op); })
      .Default([&](Operation *op) { visitLeaf(op); });
}

void Divergence::visitLeaf(Operation *op) {
  // Iterations of a task without races find the same value at one place.
  if (llvm::any_of(op->getOperands(),
                   [&](Value operand) { return isVarying(operand); }))
    for (Value result : op->getResults())
      vary(result);
}

void Divergence::visitIf(scf::IfOp op) {
  if (isVarying(op.getCondition())) {
    diverge(op);
    for (Value result : op.getResults())
      vary(result);
    return;
  }
  for (auto [number, result] : llvm::enumerate(op.getResults()))
    if (isVarying(op.thenYield().getOperand(number)) ||
        isVarying(op.elseYield().getOperand(number)))
      vary(result);
}

void Divergence::visitWhile(scf::WhileOp op) {
  auto yield = op.getYieldOp();
  for (auto [number, argument] : llvm::enumerate(op.getBeforeArguments()))
    if (isVarying(op.getInits()[number]) ||
        isVarying(yield.getOperand(number)))
      vary(argument);
  auto condition = op.getConditionOp();
  if (isVarying(condition.getCondition()))
    diverge(op);
  for (auto [number, value] : llvm::enumerate(condition.getArgs())) {
    if (isVarying(value))
      vary(op.getAfterArguments()[number]);
    // Lanes that left at different turns took different values along.
    if (isVarying(value) || isDivergent(op))
      vary(op.getResult(number));
  }
}

void Divergence::visitFor(scf::ForOp op) {
  bool start = isVarying(op.getLowerBound()) || isVarying(op.getStep());
  if (start)
    vary(op.getInductionVar());
  if (start || isVarying(op.getUpperBound()))
    diverge(op);
  auto yield = cast<scf::YieldOp>(op.getBody()->getTerminator());
  for (auto [number, argument] : llvm::enumerate(op.getRegionIterArgs())) {
    if (isVarying(op.getInitArgs()[number]) ||
        isVarying(yield.getOperand(number)))
      vary(argument);
    if (isVarying(argument) || isDivergent(op))
      vary(op.getResult(number));
  }
}

/// The index itself and sums with what is uniform, in one width: a wider sum
/// could be torn where the narrow one wraps.
void Divergence::findUnits(ir::TaskOp task) {
  Value index = task.getIndexVariables().back();
  unit.insert(index);
  task.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<arith::ExtSIOp>(op) && op->getOperand(0) == index)
      unit.insert(op->getResult(0));
    if (!isa<arith::AddIOp, arith::SubIOp>(op))
      return;
    Value left = op->getOperand(0), right = op->getOperand(1);
    if ((isUnit(left) && !isVarying(right)) ||
        (isa<arith::AddIOp>(op) && isUnit(right) && !isVarying(left)))
      unit.insert(op->getResult(0));
  });
}
