//===- TaskBuilder.cpp - Make a task of some code -------------------------===//

#include "chi/Transforms/Outline/TaskBuilder.h"

using namespace mlir;
using namespace chi::ir;
using namespace chi::outline;

Value chi::outline::stripCasts(Value field) {
  while (auto cast = field.getDefiningOp<CastFieldOp>())
    field = cast.getField();
  return field;
}

TaskBuilder::TaskBuilder(OpBuilder &builder, Location loc, StringRef name,
                         Region *region) {
  OperationState state(loc, TaskOp::getOperationName());
  auto &properties = state.getOrAddProperties<TaskOp::Properties>();
  properties.sym_name = builder.getStringAttr(name);
  properties.rank =
      builder.getI64IntegerAttr(region ? region->getNumArguments() : 0);
  Region *body = state.addRegion();
  if (region)
    body->takeBody(*region);
  else
    body->emplaceBlock();
  state.addRegion(); // the wide body: chi-lanes makes it
  task = cast<TaskOp>(builder.create(state));
}

unsigned TaskBuilder::argumentFor(Value value) {
  Value &replacement = replacements[value];
  if (!replacement) {
    replacement =
        body().insertArgument(captured.size(), value.getType(), value.getLoc());
    captured.push_back(value);
  }
  return cast<BlockArgument>(replacement).getArgNumber();
}

/// Makes a pure op of the outside again at the begin of the body.
Value TaskBuilder::cloneInside(Operation *op,
                               llvm::function_ref<bool(Operation *)> isRemade) {
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(inside(operand, isRemade));
  OpBuilder builder = OpBuilder::atBlockBegin(&body());
  if (lastClone)
    builder.setInsertionPointAfter(lastClone);
  lastClone = builder.clone(*op);
  lastClone->setOperands(operands);
  return lastClone->getResult(0);
}

/// The counterpart in the task of `value` from outside.
Value TaskBuilder::inside(Value value,
                          llvm::function_ref<bool(Operation *)> isRemade) {
  if (Value known = replacements.lookup(value))
    return known;
  Operation *producer = value.getDefiningOp();
  if (producer &&
      (producer->hasTrait<OpTrait::ConstantLike>() ||
       isa<DimOp, CastFieldOp, StrOp>(producer) || isRemade(producer)))
    return replacements[value] = cloneInside(producer, isRemade);
  return body().getArgument(argumentFor(value));
}

LogicalResult
TaskBuilder::capture(llvm::function_ref<bool(Operation *)> isRemade) {
  SmallVector<OpOperand *> uses;
  task.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands())
      if (!task.getBody().isAncestor(operand.get().getParentRegion()))
        uses.push_back(&operand);
  });
  for (OpOperand *use : uses) {
    if (isa<LocalType>(use->get().getType()))
      return use->getOwner()->emitError(
          "a parallel loop changes a variable of the kernel around it");
    use->set(inside(use->get(), isRemade));
  }
  return success();
}
