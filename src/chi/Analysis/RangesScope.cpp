//===- RangesScope.cpp - Guards and checks on the way to an op ------------===//
#include "chi/Analysis/Ranges.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace chi;
using namespace chi::analysis;

unsigned chi::analysis::widthOf(Type type) {
  if (isa<IndexType>(type))
    return 64;
  auto integer = dyn_cast<IntegerType>(type);
  return integer && integer.getWidth() <= 64 ? integer.getWidth() : 0;
}

std::optional<int64_t> chi::analysis::constantOf(Value value) {
  llvm::APInt constant;
  if (!widthOf(value.getType()) ||
      !matchPattern(value, m_ConstantInt(&constant)))
    return std::nullopt;
  if (constant.getBitWidth() == 1)
    return constant.getZExtValue();
  return constant.getSExtValue();
}

Value chi::analysis::peel(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<arith::ExtSIOp, arith::IndexCastOp>(op))
      break;
    Value below = op->getOperand(0);
    unsigned from = widthOf(below.getType());
    // An i1 is 0 or 1 here but -1 once it is sign extended.
    if (from <= 1 || from > widthOf(value.getType()))
      break;
    value = below;
  }
  return value;
}

Value chi::analysis::fieldBelowCasts(Value field) {
  while (auto cast = field.getDefiningOp<ir::CastFieldOp>())
    field = cast.getField();
  return field;
}

const Scope *Ranges::scopeAt(Operation *op) {
  if (auto it = scopeBefore.find(op); it != scopeBefore.end())
    return it->second;
  Block *block = op->getBlock();
  if (!block)
    return nullptr;
  const Scope *scope = scopeOfBlock(block);
  for (Operation &each : *block) {
    scopeBefore[&each] = scope;
    // Operations after a check run only if it held.
    if (auto check = dyn_cast<ir::CheckOp>(each))
      scope = assume(scope, check.getOk(), true);
  }
  return scopeBefore.lookup(op);
}

const Scope *Ranges::scopeOfBlock(Block *block) {
  if (auto it = scopeOfStart.find(block); it != scopeOfStart.end())
    return it->second;
  Operation *parent = block->getParentOp();
  const Scope *scope = nullptr;
  bool isIsolated =
      !parent || parent->hasTrait<OpTrait::IsIsolatedFromAbove>();
  if (!isIsolated) {
    scope = scopeAt(parent);
    if (auto branch = dyn_cast<scf::IfOp>(parent)) {
      bool isThen = block->getParent() == &branch.getThenRegion();
      scope = assume(scope, branch.getCondition(), isThen);
    } else if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
      if (block->getParent() == &loop.getAfter())
        scope = assume(scope, loop.getConditionOp().getCondition(), true);
    } else if (auto loop = dyn_cast<scf::ForOp>(parent)) {
      if (!loop.getUnsignedCmp()) {
        Scope &inside = scopes.emplace_back();
        inside.parent = scope;
        addFact(inside, loop.getLowerBound(), loop.getUpperBound(), 1);
        scope = &inside;
      }
    }
  }
  scopeOfStart[block] = scope;
  return scope;
}

const Scope *Ranges::assume(const Scope *parent, Value condition, bool truth) {
  Scope &scope = scopes.emplace_back();
  scope.parent = parent;
  addCondition(scope, condition, truth, /*depth=*/0);
  if (scope.facts.empty() && scope.unequal.empty())
    return parent;
  return &scope;
}

/// If an i1 result of an scf.if is a short-circuit `and` or `or`, adds the
/// facts that follow from its being `truth`: the side that yields the other
/// constant was not taken.
static void splitShortCircuit(
    scf::IfOp branch, unsigned number, bool truth,
    llvm::function_ref<void(Value condition, bool truth)> add) {
  if (branch.getElseRegion().empty())
    return;
  Value onThen = branch.thenYield().getOperand(number);
  Value onElse = branch.elseYield().getOperand(number);
  auto thenConstant = constantOf(onThen), elseConstant = constantOf(onElse);
  if (elseConstant && bool(*elseConstant) != truth) {
    add(branch.getCondition(), true);
    add(onThen, truth);
  } else if (thenConstant && bool(*thenConstant) != truth) {
    add(branch.getCondition(), false);
    add(onElse, truth);
  }
}

void Ranges::addCondition(Scope &scope, Value condition, bool truth,
                          unsigned depth) {
  Operation *op = condition.getDefiningOp();
  if (!op || depth > 32)
    return;
  auto add = [&](Value part, bool partTruth) {
    addCondition(scope, part, partTruth, depth + 1);
  };
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return addComparison(scope, compare, truth);
  if (auto both = dyn_cast<arith::AndIOp>(op)) {
    if (truth)
      for (Value part : both->getOperands())
        add(part, true);
    return;
  }
  if (auto either = dyn_cast<arith::OrIOp>(op)) {
    if (!truth)
      for (Value part : either->getOperands())
        add(part, false);
    return;
  }
  if (auto negation = dyn_cast<arith::XOrIOp>(op)) {
    if (auto other = constantOf(negation.getRhs()))
      add(negation.getLhs(), truth != bool(*other));
    return;
  }
  if (auto choice = dyn_cast<arith::SelectOp>(op)) {
    auto ifTrue = constantOf(choice.getTrueValue());
    auto ifFalse = constantOf(choice.getFalseValue());
    if (ifFalse && bool(*ifFalse) != truth) {
      add(choice.getCondition(), true);
      add(choice.getTrueValue(), truth);
    } else if (ifTrue && bool(*ifTrue) != truth) {
      add(choice.getCondition(), false);
      add(choice.getFalseValue(), truth);
    }
    return;
  }
  if (auto branch = dyn_cast<scf::IfOp>(op))
    splitShortCircuit(branch, cast<OpResult>(condition).getResultNumber(),
                      truth, add);
}

void Ranges::addComparison(Scope &scope, arith::CmpIOp compare, bool truth) {
  using Predicate = arith::CmpIPredicate;
  Value a = compare.getLhs(), b = compare.getRhs();
  if (widthOf(a.getType()) <= 1)
    return;
  Predicate predicate = compare.getPredicate();
  if (!truth)
    predicate = arith::invertPredicate(predicate);
  // Only the form of a value shows that it is not negative: an interval could
  // rest on a guess about a loop, and facts are kept.
  auto unsignedLess = [&](Value small, Value large, int64_t gap) {
    auto constant = constantOf(large);
    if (constant ? *constant < 0 : !peel(large).getDefiningOp<ir::DimOp>())
      return;
    addFact(scope, Value(), small, 0);
    addFact(scope, small, large, gap);
  };
  switch (predicate) {
  case Predicate::slt: return addFact(scope, a, b, 1);
  case Predicate::sle: return addFact(scope, a, b, 0);
  case Predicate::sgt: return addFact(scope, b, a, 1);
  case Predicate::sge: return addFact(scope, b, a, 0);
  case Predicate::ult: return unsignedLess(a, b, 1);
  case Predicate::ule: return unsignedLess(a, b, 0);
  case Predicate::ugt: return unsignedLess(b, a, 1);
  case Predicate::uge: return unsignedLess(b, a, 0);
  case Predicate::eq:
    addFact(scope, a, b, 0);
    return addFact(scope, b, a, 0);
  case Predicate::ne:
    if (auto constant = constantOf(b))
      addUnequal(scope, a, *constant);
    else if (auto constant = constantOf(a))
      addUnequal(scope, b, *constant);
  }
}

void Ranges::addUnequal(Scope &scope, Value value, int64_t constant) {
  value = peel(value);
  mentioned.insert(value);
  scope.unequal.push_back({value, constant});
}

void Ranges::addFact(Scope &scope, Value small, Value large, int64_t gap) {
  // Constants move into the gap; if that overflows 64 bits there is no fact.
  if (small)
    if (auto constant = constantOf(small)) {
      if (llvm::AddOverflow(gap, *constant, gap))
        return;
      small = Value();
    }
  if (large)
    if (auto constant = constantOf(large)) {
      if (llvm::SubOverflow(gap, *constant, gap))
        return;
      large = Value();
    }
  if (!small && !large)
    return;
  for (Value *side : {&small, &large})
    if (*side) {
      *side = peel(*side);
      mentioned.insert(*side);
    }
  scope.facts.push_back({small, large, gap});
}
