//===- TangentBuilder.cpp - The tangent task of one task ------------------===//
#include "chi/AD/Forward/TangentBuilder.h"

#include "chi/AD/Prologue/Element.h"
#include "chi/AD/Rules/Floats.h"
#include "chi/AD/Rules/Rules.h"
#include "chi/Dialect/Chi/AdjointTasks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace chi;
using namespace chi::ad::activity;
using namespace chi::ad::forward;
using namespace chi::ad::prologue;
using namespace chi::ad::rules;

TangentBuilder::TangentBuilder(ir::TaskOp primal, const SharedUpdates &updates,
                               const Activity &activity)
    : primal(primal), updates(updates), activity(activity),
      b(primal.getContext()), loc(primal.getLoc()) {}

ir::TaskOp TangentBuilder::build(StringRef name) {
  makeTask(name);
  visit(primal.getBody().front());
  b.clone(*primal.getBody().front().getTerminator(), map);
  return task;
}

void TangentBuilder::makeTask(StringRef name) {
  b.setInsertionPointAfter(primal);
  task = cast<ir::TaskOp>(b.insert(primal->cloneWithoutRegions()));
  Block *body = b.createBlock(&task.getBody());
  task.setSymName(name);
  for (Value captured : primal.getCaptured())
    map.map(captured, body->addArgument(captured.getType(), captured.getLoc()));
  unsigned numPrimal = updates.getNumPrimal();
  for (Value captured : primal.getCaptured().take_front(numPrimal)) {
    auto field = dyn_cast<ir::FieldType>(captured.getType());
    if (field && isFloat(field.getScalar()))
      fields[captured] = body->addArgument(
          withScalar(field, adjointType(field.getScalar())), captured.getLoc());
  }
  for (Value index : primal.getIndexVariables())
    map.map(index, body->addArgument(index.getType(), index.getLoc()));
  task.removeEffectsAttr();
  task.removeAdjointAttr();
  // Facts name arguments by number, and a workspace moves them.
  task.removeFactsAttr();
  if (!updates.empty())
    updates.link(task);
  else if (ir::FactsAttr facts = ir::factsWithTangents(primal))
    task.setFactsAttr(facts);
  b.setInsertionPointToEnd(body);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Value TangentBuilder::tangentOrZero(Value value) {
  if (Value tangent = tangentOf(value))
    return tangent;
  Type type = adjointType(value.getType());
  return arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
}

Value TangentBuilder::tangentField(Value field) {
  return companionOf(b, task, field, fields);
}

SmallVector<Value> TangentBuilder::mapped(ValueRange values) const {
  return llvm::map_to_vector(
      values, [&](Value value) { return map.lookupOrDefault(value); });
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

void TangentBuilder::visit(Block &block) {
  for (Operation &op : block.without_terminator()) {
    loc = op.getLoc();
    visit(&op);
  }
}

void TangentBuilder::visit(Operation *op) {
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return visitBranch(branch);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return visitFor(loop);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return visitWhile(loop);
  b.clone(*op, map);
  if (auto access = dyn_cast<ir::FieldAccessOpInterface>(op))
    visitAccess(access);
  else if (isa<ir::LocalOp, ir::ScratchOp, ir::ReserveOp>(op))
    visitLocal(op);
  else if (isa<ir::GetOp, ir::SetOp>(op))
    visitArray(op);
  else if (hasDerivative(op))
    visitResult(op);
}

void TangentBuilder::visitAccess(ir::FieldAccessOpInterface access) {
  Operation *op = access;
  bool isHandled = isa<ir::LoadOp, ir::StoreOp, ir::AccumOp>(op);
  if (!accessesFloat(op) || !isHandled)
    return;
  Element element(access, [&](Value index) { return map.lookup(index); });
  if (auto load = dyn_cast<ir::LoadOp>(op)) {
    if (activity.isActive(load.getResult()))
      tangents[load.getResult()] =
          element.load(b, tangentField(load.getField()));
    return;
  }
  if (auto store = dyn_cast<ir::StoreOp>(op)) {
    element.store(b, tangentOrZero(store.getValue()),
                  tangentField(store.getField()));
    return;
  }
  auto sum = cast<ir::AccumOp>(op);
  if (Value tangent = tangentOf(sum.getValue()))
    element.accumulate(b, ir::AccumKind::add, tangent,
                       tangentField(sum.getField()));
}

/// Memory of an iteration for which tangents need memory of their own.
void TangentBuilder::visitLocal(Operation *op) {
  if (auto reserve = dyn_cast<ir::ReserveOp>(op)) {
    if (Value memory = arrays.lookup(reserve.getSlot()))
      ir::ReserveOp::create(b, loc, memory, map.lookup(reserve.getSize()));
    return;
  }
  Value slot = op->getResult(0);
  if (!activity.isActive(slot))
    return;
  auto like = cast<ir::LocalType>(slot.getType());
  auto type = ir::LocalType::get(b.getContext(), like.getShape(),
                                 adjointType(like.getScalar()));
  if (auto local = dyn_cast<ir::LocalOp>(op))
    arrays[slot] = ir::LocalOp::create(b, loc, type, local.getName());
  else
    arrays[slot] = ir::ScratchOp::create(b, loc, type);
}

void TangentBuilder::visitArray(Operation *op) {
  auto get = dyn_cast<ir::GetOp>(op);
  auto set = dyn_cast<ir::SetOp>(op);
  Value array = arrays.lookup(get ? get.getSlot() : set.getSlot());
  if (!array)
    return;
  if (set) {
    ir::SetOp::create(b, loc, tangentOrZero(set.getValue()), array,
                      mapped(set.getIndices()));
  } else if (activity.isActive(get.getResult())) {
    Type scalar = cast<ir::LocalType>(array.getType()).getScalar();
    tangents[get.getResult()] =
        ir::GetOp::create(b, loc, scalar, array, mapped(get.getIndices()));
  }
}

void TangentBuilder::visitResult(Operation *op) {
  Value result = op->getResult(0);
  if (!activity.isActive(result))
    return;
  Value tangent;
  if (isa<arith::ExtFOp, arith::TruncFOp>(op)) {
    if (Value from = tangentOf(op->getOperand(0)))
      tangent = convertFloat(b, loc, from, adjointType(result.getType()));
  } else if (auto choice = dyn_cast<arith::SelectOp>(op)) {
    auto primalOf = [&](Value value) { return map.lookupOrDefault(value); };
    // Not at the place of a conditional expression: tangents of both sides are
    // computed, and may be infinite where the side is not taken.
    tangent = arith::SelectOp::create(b, primal.getLoc(),
                                      conditionOf(b, choice, primalOf),
                                      tangentOrZero(choice.getTrueValue()),
                                      tangentOrZero(choice.getFalseValue()));
  } else {
    tangent = tangentByRules(op);
  }
  if (tangent)
    tangents[result] = tangent;
}

/// A rule multiplies an adjoint by the partial derivative by each operand. With
/// the tangent of one operand in its place, it gives that operand's part of the
/// result's tangent.
Value TangentBuilder::tangentByRules(Operation *op) {
  Value sum;
  SmallPtrSet<void *, 4> seen;
  for (Value operand : op->getOperands()) {
    Value tangent = tangentOf(operand);
    Operation *last = &b.getInsertionBlock()->back();
    if (!tangent || !seen.insert(operand.getAsOpaquePointer()).second)
      continue;
    RuleBuilder(
        b, op, tangent, /*isDiscarded=*/false,
        [&](Value value) { return map.lookup(value); },
        [&](Value value) { return value == operand; },
        [&](Value, Value part) {
          sum =
              sum ? arith::AddFOp::create(b, loc, sum, part).getResult() : part;
        })
        .emit();
    // See visitResult.
    while ((last = last->getNextNode()))
      if (isa<arith::SelectOp>(last))
        last->setLoc(primal.getLoc());
  }
  return sum;
}
