//===- FloatFlow.cpp - Where floats go inside a task ----------------------===//
#include "chi/AD/Activity/FloatFlow.h"
#include "chi/AD/Rules/Floats.h"

#include "chi/Analysis/Ranges.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace chi;
using namespace chi::ad::activity;
using namespace chi::ad::rules;

namespace {
/// Follows floats from the loads of one field. If a loop or branch receives
/// one, all of its floats count.
class FloatFlow {
public:
  FloatFlow(ir::TaskOp task, BlockArgument from);
  /// Does one of them reach a store to the field?
  bool reaches(BlockArgument field) const { return stored.contains(field); }

private:
  void visit(Operation *op);
  void add(Value value) { isChanging |= tainted.insert(value).second; }
  bool hasTainted(Operation *op) const {
    return llvm::any_of(op->getOperands(),
                        [&](Value each) { return tainted.contains(each); });
  }

  BlockArgument from;
  llvm::DenseSet<Value> tainted, stored;
  bool isChanging = true;
};
} // namespace

FloatFlow::FloatFlow(ir::TaskOp task, BlockArgument from) : from(from) {
  while (std::exchange(isChanging, false))
    task.getBody().walk([&](Operation *op) { visit(op); });
}

void FloatFlow::visit(Operation *op) {
  if (auto access = dyn_cast<ir::FieldAccessOpInterface>(op)) {
    Value field = analysis::fieldBelowCasts(access.getField());
    if (field == from && op->getNumResults())
      add(op->getResult(0));
    if (access.isWrite() && hasTainted(op))
      stored.insert(field);
    return;
  }
  if (isa<ir::StopGradientOp>(op) || !hasTainted(op))
    return;
  // A value that leaves a region is a result of the operation, or is carried to
  // the next iteration.
  Operation *around =
      op->hasTrait<OpTrait::IsTerminator>() ? op->getParentOp() : op;
  for (Operation *each : {op, around}) {
    for (Value result : each->getResults())
      if (isFloat(result.getType()))
        add(result);
    if (isa<ir::TaskOp>(each))
      continue;
    for (Region &region : each->getRegions())
      for (Value argument : region.getArguments())
        if (isFloat(argument.getType()))
          add(argument);
  }
  if (auto set = dyn_cast<ir::SetOp>(op))
    if (tainted.contains(set.getValue()))
      add(set.getSlot());
}

static bool isField(Value value) { return isa<ir::FieldType>(value.getType()); }

SmallVector<FieldFlow> chi::ad::activity::findFlows(ir::TaskOp task) {
  llvm::SetVector<Value> read, written;
  bool calls = false;
  task.getBody().walk([&](Operation *op) {
    calls |= isa<func::CallOp>(op) && llvm::any_of(op->getOperands(), isField);
    auto access = dyn_cast<ir::FieldAccessOpInterface>(op);
    if (!access)
      return;
    Value field = analysis::fieldBelowCasts(access.getField());
    if (op->getNumResults())
      read.insert(field);
    if (access.isWrite())
      written.insert(field);
  });
  if (calls)
    for (Value argument : task.getCaptured())
      if (isField(argument))
        read.insert(argument), written.insert(argument);
  SmallVector<FieldFlow> flows;
  for (Value from : read) {
    auto argument = dyn_cast<BlockArgument>(from);
    std::optional<FloatFlow> flow;
    if (argument && !calls)
      flow.emplace(task, argument);
    for (Value to : written) {
      auto target = dyn_cast<BlockArgument>(to);
      flows.push_back({from, to, !flow || !target || flow->reaches(target)});
    }
  }
  return flows;
}
