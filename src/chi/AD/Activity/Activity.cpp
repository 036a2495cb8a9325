//===- Activity.cpp - Which values carry derivatives ----------------------===//
#include "chi/AD/Activity/Activity.h"
#include "chi/AD/Rules/Floats.h"

#include "chi/AD/Rules/Rules.h"
#include "chi/Analysis/Ranges.h"
#include "mlir/IR/Iterators.h"

using namespace mlir;
using namespace chi;
using namespace chi::ad::activity;
using namespace chi::ad::rules;

bool Activity::isPassive(Value field) const {
  auto argument = cast<BlockArgument>(analysis::fieldBelowCasts(field));
  return argument.getArgNumber() < passive.size() &&
         passive.test(argument.getArgNumber());
}

Activity::Activity(ir::TaskOp task, const BitVector &passive)
    : passive(passive) {
  do {
    isChanging = false;
    task->walk<WalkOrder::PreOrder>([&](Operation *op) { visitForward(op); });
  } while (isChanging);
  do {
    isChanging = false;
    task->walk<WalkOrder::PreOrder, ReverseIterator>(
        [&](Operation *op) { visitBackward(op); });
  } while (isChanging);
}

void Activity::flowForward(Value from, Value to) {
  if (varied.contains(from) && isFloat(to.getType()))
    isChanging |= varied.insert(to).second;
}

void Activity::flowBackward(Value from, Value to) {
  if (useful.contains(to))
    isChanging |= useful.insert(from).second;
}

/// Values that structured control flow passes on.
void Activity::visitFlows(Operation *op,
                          function_ref<void(Value, Value)> flow) {
  auto all = [&](ValueRange from, ValueRange to) {
    for (auto [source, target] : llvm::zip(from, to))
      flow(source, target);
  };
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    all(branch.thenYield().getOperands(), op->getResults());
    if (branch.elseBlock())
      all(branch.elseYield().getOperands(), op->getResults());
  } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
    ValueRange yielded = loop.getYieldedValues();
    all(loop.getInitArgs(), loop.getRegionIterArgs());
    all(yielded, loop.getRegionIterArgs());
    all(loop.getInitArgs(), op->getResults());
    all(yielded, op->getResults());
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    ValueRange passed = loop.getConditionOp().getArgs();
    all(loop.getInits(), loop.getBeforeArguments());
    all(loop.getYieldOp().getOperands(), loop.getBeforeArguments());
    all(passed, loop.getAfterArguments());
    all(passed, op->getResults());
  }
}

void Activity::visitForward(Operation *op) {
  if (auto load = dyn_cast<ir::LoadOp>(op)) {
    if (isFloat(load.getType()) && !isPassive(load.getField()))
      isChanging |= varied.insert(load.getResult()).second;
  } else if (auto get = dyn_cast<ir::GetOp>(op)) {
    flowForward(get.getSlot(), get.getResult());
  } else if (auto set = dyn_cast<ir::SetOp>(op)) {
    // A slot is no float itself.
    if (varied.contains(set.getValue()))
      isChanging |= varied.insert(set.getSlot()).second;
  } else if (op->getNumRegions() != 0) {
    visitFlows(op, [&](Value from, Value to) { flowForward(from, to); });
  } else if (isDifferentiable(op)) {
    for (Value operand : op->getOperands())
      for (Value result : op->getResults())
        flowForward(operand, result);
  }
}

void Activity::visitBackward(Operation *op) {
  auto use = [&](Value value) {
    if (isFloat(value.getType()))
      isChanging |= useful.insert(value).second;
  };
  if (auto store = dyn_cast<ir::StoreOp>(op)) {
    if (!isPassive(store.getField()))
      use(store.getValue());
  } else if (auto accum = dyn_cast<ir::AccumOp>(op)) {
    if (!isPassive(accum.getField()))
      use(accum.getValue());
  } else if (auto get = dyn_cast<ir::GetOp>(op)) {
    flowBackward(get.getSlot(), get.getResult());
  } else if (auto set = dyn_cast<ir::SetOp>(op)) {
    if (isFloat(set.getValue().getType()))
      flowBackward(set.getValue(), set.getSlot());
  } else if (op->getNumRegions() != 0) {
    visitFlows(op, [&](Value from, Value to) { flowBackward(from, to); });
  } else if (isDifferentiable(op)) {
    for (Value operand : op->getOperands())
      for (Value result : op->getResults())
        if (isFloat(operand.getType()))
          flowBackward(operand, result);
  }
}

bool Activity::isActive(Operation *op) const {
  return op
      ->walk([&](Operation *inner) {
        bool isOne =
            accessesFloat(inner) && !isa<ir::LoadOp>(inner) &&
            !isPassive(cast<ir::FieldAccessOpInterface>(inner).getField());
        auto set = dyn_cast<ir::SetOp>(inner);
        isOne |= set && isActive(set.getSlot());
        for (Value result : inner->getResults())
          isOne |= isActive(result);
        return isOne ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}
