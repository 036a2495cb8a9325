//===- Plan.cpp - What the reverse sweep needs of the primal --------------===//
#include "chi/AD/Plan/Plan.h"
#include "chi/AD/Rules/Floats.h"

#include "chi/AD/Plan/PlainWhile.h"
#include "chi/AD/Rules/Rules.h"
#include "chi/Analysis/Ranges.h"
#include "chi/Dialect/Chi/Accumulations.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace chi;
using namespace chi::ad::plan;
using namespace chi::ad::rules;
using namespace chi::ad::activity;

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

Operation *chi::ad::plan::loopAround(Operation *op) {
  for (Operation *parent = op->getParentOp(); !isa<ir::TaskOp>(parent);
       parent = parent->getParentOp())
    if (isa<scf::ForOp, scf::WhileOp>(parent))
      return parent;
  return nullptr;
}

Operation *chi::ad::plan::loopAround(Value value) {
  if (Operation *op = value.getDefiningOp())
    return loopAround(op);
  Operation *owner = value.getParentBlock()->getParentOp();
  return isa<ir::TaskOp>(owner) ? nullptr : owner;
}

bool chi::ad::plan::decides(Operation *op) {
  return op->getNumRegions() == 0 &&
         llvm::any_of(op->getOperandTypes(), isFloat) &&
         llvm::any_of(op->getResultTypes(),
                      [](Type type) { return isa<IntegerType>(type); });
}

bool chi::ad::plan::isSharedUpdate(Operation *op) {
  auto accum = dyn_cast<ir::AccumOp>(op);
  return accum && accessesFloat(op) &&
         ir::adjointOf(accum.getKind()) != ir::AccumAdjoint::read;
}

//===----------------------------------------------------------------------===//
// Writes of the same iteration
//===----------------------------------------------------------------------===//

/// False if the write follows the load and no loop contains both.
bool chi::ad::plan::mayComeBefore(Operation *write, Operation *load) {
  if (Operation *loop = loopAround(load))
    for (; loop; loop = loopAround(loop))
      if (loop->isProperAncestor(write))
        return true;
  for (Operation *above = load; !isa<ir::TaskOp>(above);
       above = above->getParentOp())
    if (Operation *beside = above->getBlock()->findAncestorOpInBlock(*write))
      return beside != above && beside->isBeforeInBlock(above);
  return true;
}

bool chi::ad::plan::areDisjoint(ir::FieldAccessOpInterface a,
                                ir::FieldAccessOpInterface b) {
  if (!a.getDynamicComponent() && !b.getDynamicComponent() &&
      a.getComponent() != b.getComponent())
    return true;
  return llvm::any_of(llvm::zip(a.getIndices(), b.getIndices()), [](auto pair) {
    auto left = analysis::constantOf(std::get<0>(pair));
    auto right = analysis::constantOf(std::get<1>(pair));
    return left && right && *left != *right;
  });
}

bool Plan::mayLoadOwnWrite(ir::LoadOp load) const {
  Value field = analysis::fieldBelowCasts(load.getField());
  auto task = load->getParentOfType<ir::TaskOp>();
  return task
      .walk([&](ir::FieldAccessOpInterface other) {
        bool isSeen =
            other.isWrite() &&
            analysis::fieldBelowCasts(other.getField()) == field &&
            mayComeBefore(other, load) &&
            !areDisjoint(other,
                         cast<ir::FieldAccessOpInterface>(load.getOperation()));
        return isSeen ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

void Plan::findRerun(ir::TaskOp task) {
  task.walk([&](ir::LoadOp load) {
    if (mayLoadOwnWrite(load))
      rerun.insert(analysis::fieldBelowCasts(load.getField()));
  });
}

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

Plan::Plan(ir::TaskOp task, const Activity &activity) : activity(activity) {
  findRerun(task);
  task.walk([&](Operation *op) {
    if (op != task && activity.isActive(op))
      needRule(op);
  });
}

/// The operands that the derivative of `op` reads: the rule is run once, and
/// its output is discarded.
void Plan::needRule(Operation *op) {
  if (isSharedUpdate(op))
    need(cast<ir::AccumOp>(op).getValue());
  if (isa<ir::FieldAccessOpInterface>(op) || isa<ir::GetOp, ir::SetOp>(op))
    return needOperands(op);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return need(branch.getCondition());
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return needBounds(loop);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return need(iterationsOf(loop));
  if (hasCustomAdjoint(op)) {
    for (Value value : op->getOperands())
      need(value);
    for (Value value : op->getResults())
      need(value);
  }
  if (!hasDerivative(op))
    return;
  Block draft;
  OpBuilder builder(op->getContext());
  builder.setInsertionPointToEnd(&draft);
  auto adjoint = arith::ConstantOp::create(
      builder, op->getLoc(),
      builder.getFloatAttr(adjointType(op->getResult(0).getType()), 1));
  RuleBuilder(
      builder, op, adjoint, /*isDiscarded=*/false,
      [&](Value value) {
        need(value);
        return value;
      },
      [&](Value value) { return activity.isActive(value); },
      [](Value, Value) {})
      .emit();
  draft.dropAllDefinedValueUses();
}

void Plan::needBounds(scf::ForOp loop) {
  need(loop.getLowerBound());
  need(loop.getUpperBound());
  need(loop.getStep());
}

/// The place of an access.
void Plan::needOperands(Operation *op) {
  for (Value operand : op->getOperands())
    if (isa<IntegerType>(operand.getType()))
      need(operand);
}

void Plan::keep(Value value, Operation *loop) {
  sources[value] = Source::Keep;
  kept[loop].push_back(value);
}

void Plan::escape(Value value) {
  sources[value] = Source::Direct;
  for (Operation *parent = value.getParentBlock()->getParentOp();
       !isa<ir::TaskOp>(parent); parent = parent->getParentOp())
    escapes[parent].push_back(value);
}

bool Plan::canRecompute(Operation *op) const {
  if (op->getNumRegions() != 0 || decides(op))
    return false;
  if (auto load = dyn_cast<ir::LoadOp>(op))
    return !rerun.contains(analysis::fieldBelowCasts(load.getField()));
  return isPure(op) && !isa<ir::LocalOp, ir::ScratchOp>(op);
}

void Plan::need(Value value) {
  if (isa<ir::FieldType, ir::LocalType>(value.getType()) ||
      !sources.try_emplace(value, Source::Direct).second)
    return;
  Operation *op = value.getDefiningOp(), *loop = loopAround(value);
  if (!op) {
    auto counting = dyn_cast_or_null<scf::ForOp>(loop);
    if (counting && counting.getInductionVar() == value) {
      sources[value] = Source::Recompute;
      needBounds(counting);
    } else if (loop) {
      keep(value, loop);
    }
    return;
  }
  if (!loop && isa<ir::TaskOp>(op->getParentOp()))
    return;
  if (canRecompute(op)) {
    sources[value] = Source::Recompute;
    for (Value operand : op->getOperands())
      need(operand);
  } else if (loop) {
    keep(value, loop);
  } else {
    escape(value);
  }
}

ArrayRef<Value> Plan::escapesOf(scf::IfOp branch) const {
  auto found = escapes.find(branch);
  return found == escapes.end() ? ArrayRef<Value>() : found->second;
}

ArrayRef<Value> Plan::keptBy(Operation *loop) const {
  auto found = kept.find(loop);
  return found == kept.end() ? ArrayRef<Value>() : found->second;
}

bool Plan::isDropped(Operation *op) const {
  if (isSharedUpdate(op))
    return true; // no load of the iteration sees it
  if (auto access = dyn_cast<ir::FieldAccessOpInterface>(op))
    return access.isWrite() &&
           !isRerun(analysis::fieldBelowCasts(access.getField()));
  if (auto check = dyn_cast<ir::CheckOp>(op))
    return !isChecked(check);
  return isa<ir::PrintOp>(op);
}

bool Plan::isChecked(ir::CheckOp check) const {
  // Follows the condition back to a decision.
  SmallVector<Value> open{check.getOk()};
  DenseSet<Value> seen;
  while (!open.empty()) {
    Value value = open.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    Operation *op = value.getDefiningOp();
    if (!op) {
      auto loop = dyn_cast_or_null<scf::ForOp>(loopAround(value));
      if (loop && loop.getInductionVar() == value)
        open.append({loop.getLowerBound(), loop.getUpperBound()});
      else if (loopAround(value))
        return true; // a loop carries it
      continue;
    }
    if (decides(op) || op->getNumRegions() != 0 ||
        isa<ir::GetOp, ir::AtomicOp>(op))
      return true;
    llvm::append_range(open, op->getOperands());
  }
  return false;
}
