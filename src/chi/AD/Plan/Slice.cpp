//===- Slice.cpp - What something in a task depends on --------------------===//
#include "chi/AD/Plan/Slice.h"

#include "chi/AD/Plan/Plan.h"
#include "chi/Analysis/Ranges.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace chi;
using namespace chi::ad::plan;
using namespace chi::ad::activity;

void Slice::need(Value value) {
  if (values.insert(value))
    open.push_back(value);
}

void Slice::add(Operation *op) {
  addOp(op);
  while (!open.empty())
    follow(open.pop_back_val());
}

/// For an operation with regions: the conditions that decide which of them run.
void Slice::addControl(Operation *op) {
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return need(branch.getCondition());
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return need(loop.getConditionOp().getCondition());
  auto loop = cast<scf::ForOp>(op);
  need(loop.getLowerBound());
  need(loop.getUpperBound());
  need(loop.getStep());
}

void Slice::addOp(Operation *op) {
  if (isa<ir::TaskOp>(op) || !ops.insert(op).second)
    return;
  addOp(op->getParentOp());
  if (op->getNumRegions() != 0)
    return addControl(op);
  for (Value operand : op->getOperands())
    need(operand);
  if (auto load = dyn_cast<ir::LoadOp>(op))
    addWritesBefore(load);
  auto get = dyn_cast<ir::GetOp>(op);
  if (!get)
    return;
  for (Operation *user : get.getSlot().getUsers())
    if (isa<ir::SetOp>(user))
      addOp(user);
}

/// Only this iteration writes what it loads.
void Slice::addWritesBefore(ir::LoadOp load) {
  Value field = analysis::fieldBelowCasts(load.getField());
  auto access = cast<ir::FieldAccessOpInterface>(*load);
  task.walk([&](ir::FieldAccessOpInterface other) {
    if (other.isWrite() &&
        analysis::fieldBelowCasts(other.getField()) == field &&
        mayComeBefore(other, load) && !areDisjoint(other, access))
      addOp(other);
  });
}

void Slice::followResult(OpResult result) {
  Operation *op = result.getOwner();
  unsigned number = result.getResultNumber();
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    need(branch.thenYield().getOperand(number));
    need(branch.elseYield().getOperand(number));
  } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
    need(loop.getRegionIterArg(number));
    need(loop.getInitArgs()[number]);
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    need(loop.getConditionOp().getArgs()[number]);
  }
}

void Slice::followArgument(BlockArgument argument) {
  Operation *op = argument.getOwner()->getParentOp();
  unsigned number = argument.getArgNumber();
  addOp(op);
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    if (number == 0)
      return; // a number between the bounds
    need(loop.getInitArgs()[number - 1]);
    need(loop.getYieldedValues()[number - 1]);
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    bool isBefore = argument.getOwner() == loop.getBeforeBody();
    if (!isBefore)
      return need(loop.getConditionOp().getArgs()[number]);
    need(loop.getInits()[number]);
    need(loop.getYieldOp().getOperand(number));
  }
}

void Slice::follow(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return followArgument(argument);
  addOp(value.getDefiningOp());
  followResult(cast<OpResult>(value));
}

bool Slice::dependsOn(function_ref<bool(Operation *)> isSuch) const {
  return llvm::any_of(values, [&](Value value) {
    Operation *op = value.getDefiningOp();
    return op && isSuch(op);
  });
}

void Slice::eraseOthers() const {
  SmallVector<Operation *> all;
  ir::TaskOp(task).getBody().walk<WalkOrder::PreOrder>(
      [&](Operation *op) { all.push_back(op); });
  // A user of a value follows its definition, or receives it through a loop.
  for (Operation *op : llvm::reverse(all)) {
    if (ops.contains(op) || op->hasTrait<OpTrait::IsTerminator>())
      continue;
    OpBuilder b(op);
    for (Value result : op->getResults())
      if (!result.use_empty())
        result.replaceAllUsesWith(arith::ConstantOp::create(
            b, op->getLoc(), b.getZeroAttr(result.getType())));
    op->erase();
  }
}
