//===- Discards.cpp - Adjoints that are zero by a choice ------------------===//
#include "chi/AD/Plan/Discards.h"
#include "chi/AD/Rules/Floats.h"

#include "chi/AD/Plan/Plan.h"
#include "chi/AD/Rules/Rules.h"
#include "chi/Analysis/Ranges.h"
#include "chi/Dialect/Chi/Accumulations.h"
#include "mlir/IR/Iterators.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace chi;
using namespace chi::ad::plan;
using namespace chi::ad::rules;
using namespace chi::ad::activity;

Discards::Discards(ir::TaskOp task, const Activity &activity,
                   const BitVector &fields)
    : task(task), activity(activity), fields(fields) {
  findOverwritten();
  do {
    isChanging = false;
    task->walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) {
      for (Value result : op->getResults())
        visit(result);
      for (Region &region : op->getRegions())
        for (Value argument : region.getArguments())
          visit(argument);
    });
  } while (isChanging);
}

void Discards::findOverwritten() {
  llvm::MapVector<Value, SmallVector<ir::FieldAccessOpInterface>> writes;
  task.walk([&](ir::FieldAccessOpInterface access) {
    if (access.isWrite() && accessesFloat(access))
      writes[analysis::fieldBelowCasts(access.getField())].push_back(access);
  });
  for (auto &[field, all] : writes)
    for (ir::FieldAccessOpInterface write : all)
      if (llvm::any_of(all, [&](ir::FieldAccessOpInterface other) {
            return other != write && isa<ir::StoreOp>(other.getOperation()) &&
                   mayComeBefore(write, other) && !areDisjoint(write, other);
          }))
        overwritten.insert(write);
}

static bool isSameElement(ir::LoadOp load, ir::FieldAccessOpInterface write) {
  auto read = cast<ir::FieldAccessOpInterface>(load.getOperation());
  return read.getField() == write.getField() &&
         read.getComponent() == write.getComponent() &&
         read.getDynamicComponent() == write.getDynamicComponent() &&
         llvm::equal(read.getIndices(), write.getIndices());
}

/// A loop may have no iteration.
static bool mayBeEmpty(Operation *loop) {
  auto counted = dyn_cast<scf::ForOp>(loop);
  if (!counted)
    return true;
  auto from = analysis::constantOf(counted.getLowerBound());
  auto to = analysis::constantOf(counted.getUpperBound());
  return !from || !to || *from >= *to;
}

/// May the operation, or one within it, replace the element?
static bool mayReplace(Operation *op, ir::FieldAccessOpInterface write) {
  return op
      ->walk([&](ir::StoreOp store) {
        auto other = cast<ir::FieldAccessOpInterface>(store.getOperation());
        bool isFree = analysis::fieldBelowCasts(other.getField()) !=
                          analysis::fieldBelowCasts(write.getField()) ||
                      areDisjoint(write, other);
        return isFree ? WalkResult::advance() : WalkResult::interrupt();
      })
      .wasInterrupted();
}

/// What becomes first of the element that `write` has written, where control
/// flow enters `op`: it is surely read by a load whose value is not discarded,
/// or it may be replaced, or neither.
Discards::Fate Discards::fateIn(Operation *op,
                                ir::FieldAccessOpInterface write) const {
  auto load = dyn_cast<ir::LoadOp>(op);
  if (load && isSameElement(load, write) && !isNothing(load.getResult()))
    return Fate::Read;
  auto fateOf = [&](Region &region) {
    return region.empty() ? Fate::Unknown
                          : fateFrom(&region.front().front(), write);
  };
  Fate inside = Fate::Unknown;
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    inside = fateOf(branch.getThenRegion());
    if (fateOf(branch.getElseRegion()) != inside)
      inside = Fate::Unknown;
  } else if (auto loop = dyn_cast<scf::ForOp>(op); loop && !mayBeEmpty(loop)) {
    inside = fateOf(loop.getRegion());
  }
  if (inside == Fate::Read)
    return inside;
  return mayReplace(op, write) ? Fate::Replaced : Fate::Unknown;
}

/// The same from an operation to the end of its block.
Discards::Fate Discards::fateFrom(Operation *op,
                                  ir::FieldAccessOpInterface write) const {
  Fate fate = Fate::Unknown;
  for (; op && fate == Fate::Unknown; op = op->getNextNode())
    fate = fateIn(op, write);
  return fate;
}

/// Does a load of the same element, whose value is not discarded, follow the
/// write before any other write may replace it? Forwarding would use the
/// written value in its place, so both must have the same derivative.
bool Discards::isReadBack(ir::FieldAccessOpInterface write) const {
  Fate fate = Fate::Unknown;
  // After a branch control goes on with what follows it.
  for (Operation *op = write; fate == Fate::Unknown && op;
       op = dyn_cast<scf::IfOp>(op->getParentOp()))
    fate = fateFrom(op->getNextNode(), write);
  return fate == Fate::Read;
}

void Discards::visit(Value value) {
  if (!activity.isActive(value) || found.contains(value))
    return;
  Uses uses;
  for (OpOperand &use : value.getUses())
    uses.push_back(&use);
  // An element of an array need not be read.
  bool isIt = isa<ir::LocalType>(value.getType()) ||
              isDiscardedBy(uses, value.getParentBlock());
  if (isIt)
    isChanging |= found.insert(value).second;
}

/// Does an index depend on a value that the iteration loads?
static bool isScattered(ir::FieldAccessOpInterface access) {
  SmallVector<Value> open(access.getIndices());
  DenseSet<Value> seen;
  while (!open.empty()) {
    Value value = open.pop_back_val();
    Operation *op = value.getDefiningOp();
    if (!op || !seen.insert(value).second)
      continue;
    if (op->getNumRegions() != 0 || isa<ir::LoadOp, ir::GetOp>(op))
      return true;
    llvm::append_range(open, op->getOperands());
  }
  return false;
}

/// May the adjoint in the field be zero because other tasks discard the values
/// that they read?
bool Discards::isDiscardedElement(ir::FieldAccessOpInterface access) const {
  auto argument =
      cast<BlockArgument>(analysis::fieldBelowCasts(access.getField()));
  bool isIt = argument.getArgNumber() < fields.size() &&
              fields.test(argument.getArgNumber());
  return isIt &&
         !(isa<ir::AccumOp>(access.getOperation()) && isScattered(access));
}

/// May all uses in the block, or deeper, be discarded?
bool Discards::isDiscardedBy(const Uses &uses, Block *block) const {
  llvm::MapVector<Operation *, Uses> above;
  for (OpOperand *use : uses)
    above[block->findAncestorOpInBlock(*use->getOwner())].push_back(use);
  return llvm::all_of(above, [&](const auto &each) {
    return isDiscardedBy(each.first, each.second);
  });
}

bool Discards::isDiscardedBy(Operation *op, const Uses &uses) const {
  Uses own;
  llvm::SmallMapVector<Block *, Uses, 2> deeper;
  for (OpOperand *use : uses) {
    if (use->getOwner() == op) {
      own.push_back(use);
      continue;
    }
    Region *region = use->getOwner()->getParentRegion();
    while (region->getParentOp() != op)
      region = region->getParentOp()->getParentRegion();
    deeper[&region->front()].push_back(use);
  }
  for (OpOperand *use : own)
    if (!isDiscardedBy(*use))
      return false;
  if (deeper.empty())
    return true;
  // A side discards the values that it does not use.
  bool isBranch = isa<scf::IfOp>(op);
  if (isBranch ? deeper.size() < 2 : mayBeEmpty(op))
    return true;
  return llvm::any_of(deeper, [&](const auto &each) {
    return isDiscardedBy(each.second, each.first);
  });
}

/// The adjoint of a value is zero if nothing differentiable uses it.
bool Discards::isNothing(Value value) const {
  return !activity.isActive(value) || isDiscarded(value);
}

/// A value that a region yields. Only the last iteration of a loop yields the
/// result, and only the others the value that is carried on.
bool Discards::isDiscardedByYield(Operation *parent, unsigned number) const {
  Value result = parent->getResult(number);
  if (isa<scf::IfOp>(parent))
    return isNothing(result);
  Value carried = isa<scf::ForOp>(parent)
                      ? cast<scf::ForOp>(parent).getRegionIterArg(number)
                      : cast<scf::WhileOp>(parent).getAfterArguments()[number];
  return isNothing(result) || isNothing(carried);
}

/// A value that a counted loop begins with: the result only of an empty one.
bool Discards::isDiscardedByInit(scf::ForOp loop, unsigned number) const {
  return isNothing(loop.getRegionIterArg(number)) ||
         (mayBeEmpty(loop) && isNothing(loop.getResult(number)));
}

bool Discards::isDiscardedBy(OpOperand &use) const {
  Operation *op = use.getOwner();
  unsigned number = use.getOperandNumber();
  if (isa<scf::YieldOp>(op))
    return isDiscardedByYield(op->getParentOp(), number);
  if (isa<scf::ConditionOp>(op))
    return number == 0 || isDiscardedByYield(op->getParentOp(), number - 1);
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    unsigned first = loop.getNumControlOperands();
    return number < first || isDiscardedByInit(loop, number - first);
  }
  if (isa<scf::WhileOp>(op))
    return isDiscardedByYield(op, number);
  if (auto access = dyn_cast<ir::FieldAccessOpInterface>(op)) {
    auto accum = dyn_cast<ir::AccumOp>(op);
    if (accum && ir::adjointOf(accum.getKind()) == ir::AccumAdjoint::winner)
      return true;
    return (isDiscardedElement(access) || overwritten.contains(op)) &&
           !isReadBack(access);
  }
  if (auto set = dyn_cast<ir::SetOp>(op))
    return isDiscarded(set.getSlot());
  // No derivative flows through other operations, or through inactive values.
  return !isDifferentiable(op) || discardsOperands(op) ||
         hasCustomAdjoint(op) ||
         llvm::all_of(op->getResults(), [&](Value result) {
           return !activity.isActive(result) || isDiscarded(result);
         });
}

/// May control flow around the operation in its task skip it?
static bool mayBeLeftOut(Operation *op) {
  for (Operation *around = op->getParentOp(); !isa<ir::TaskOp>(around);
       around = around->getParentOp())
    if (isa<scf::IfOp>(around) || mayBeEmpty(around))
      return true;
  return false;
}

BitVector Discards::discardedFields() {
  BitVector result(task.getNumCaptured()), reached(task.getNumCaptured());
  BitVector unused(task.getNumCaptured());
  task.walk([&](ir::LoadOp load) {
    auto field =
        cast<BlockArgument>(analysis::fieldBelowCasts(load.getField()));
    if (!accessesFloat(load))
      return;
    bool isActive = activity.isActive(load.getResult());
    bool isIt = mayBeLeftOut(load) || isDiscarded(load.getResult());
    BitVector &known = !isActive ? unused : isIt ? result : reached;
    known.set(field.getArgNumber());
  });
  // For example, elements at a boundary overwrite the value that an earlier
  // task stored.
  task.walk([&](ir::StoreOp store) {
    if (accessesFloat(store) && mayBeLeftOut(store))
      result.set(
          cast<BlockArgument>(analysis::fieldBelowCasts(store.getField()))
              .getArgNumber());
  });
  // Values that only conditions read.
  unused.reset(reached);
  return result |= unused;
}
