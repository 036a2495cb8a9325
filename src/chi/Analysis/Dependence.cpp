//===- Dependence.cpp - Which index variables a value depends on ----------===//
#include "chi/Analysis/Dependence.h"

#include "chi/Analysis/Ranges.h"

using namespace mlir;
using namespace chi;
using namespace chi::analysis;

Dependence::Dependence(ir::TaskOp task) : task(task) {
  task.walk([&](ir::FieldAccessOpInterface access) {
    Value field = fieldBelowCasts(access.getField());
    if (access.isWrite() && !llvm::is_contained(written, field))
      written.push_back(field);
  });
}

std::optional<AxisMask> Dependence::axesOf(Value value) {
  // Local arrays may be set from each other: round and round until all that
  // was met is known. Masks only grow, so that comes soon.
  if (!done.contains(value)) {
    do {
      isNew = false;
      followed.clear();
      visit(value);
    } while (isNew && !wasTooDeep);
    done.insert(followed.begin(), followed.end());
  }
  if (wasTooDeep)
    return std::nullopt;
  return axes.lookup(value);
}

AxisMask Dependence::visit(Value value) {
  if (done.contains(value) || followed.contains(value))
    return axes.lookup(value);
  // Beyond the depth limit all answers are nothing: the cache is incomplete.
  wasTooDeep |= nesting > 100;
  if (wasTooDeep)
    return 0;
  ++nesting;
  followed.insert(value);
  AxisMask mask = 0;
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    Operation *parent = arg.getOwner()->getParentOp();
    unsigned captured = task.getNumCaptured();
    if (parent != task)
      mask = visitOp(parent);
    else if (arg.getArgNumber() >= captured)
      mask = AxisMask(1) << (arg.getArgNumber() - captured);
  } else {
    mask = visitOp(value.getDefiningOp());
  }
  --nesting;
  isNew |= axes.lookup(value) != mask;
  return axes[value] = mask;
}

/// The dependences of an op with all of its regions.
AxisMask Dependence::visitOp(Operation *op) {
  AxisMask mask = 0;
  op->walk([&](Operation *each) {
    if (isa<ir::RandomOp, ir::IterationOp, ir::AtomicOp>(each))
      mask = kAllAxes;
    if (auto load = dyn_cast<ir::LoadOp>(each);
        load && llvm::is_contained(written, fieldBelowCasts(load.getField())))
      mask = kAllAxes;
    // A local array depends on all values ever stored to it.
    if (auto get = dyn_cast<ir::GetOp>(each))
      for (Operation *user : get.getSlot().getUsers())
        if (auto put = dyn_cast<ir::SetOp>(user))
          for (Value operand : put->getOperands())
            if (operand != put.getSlot())
              mask |= visit(operand);
    for (Value operand : each->getOperands()) {
      // This walk visits the definitions inside.
      Operation *definer = operand.getParentBlock()->getParentOp();
      if (mask != kAllAxes && !op->isAncestor(definer))
        mask |= visit(operand);
    }
  });
  return mask;
}
