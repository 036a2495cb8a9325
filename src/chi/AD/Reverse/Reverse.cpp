//===- Reverse.cpp - The reverse sweep of an adjoint ----------------------===//
#include "chi/AD/Plan/PlainWhile.h"
#include "chi/AD/Reverse/AdjointBuilder.h"
#include "chi/AD/Rules/Floats.h"
#include "chi/AD/Rules/Rules.h"
#include "chi/Analysis/Ranges.h"
#include "chi/Dialect/Chi/DiscardableAttrs.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace chi;
using namespace chi::ad::reverse;
using namespace chi::ad::rules;
using namespace chi::ad::activity;
using namespace chi::ad::plan;
using namespace chi::ad::prologue;

//===----------------------------------------------------------------------===//
// Adjoints of values
//===----------------------------------------------------------------------===//

void AdjointBuilder::add(Value value, Value contribution) {
  if (!contribution || !activity.isActive(value))
    return;
  Value &sum = adjoints[value];
  sum = sum ? arith::AddFOp::create(b, loc, sum, contribution).getResult()
            : contribution;
}

Value AdjointBuilder::adjointOrZero(Value value) {
  Value sum = adjoints.lookup(value);
  return sum ? sum : zero(adjointType(value.getType()));
}

/// The adjoint of a value that is computed once; null for zero.
Value AdjointBuilder::take(Value value) { return adjoints.lookup(value); }

/// Active values from outside of `op` that its regions use.
SmallVector<Value> AdjointBuilder::freeValues(Operation *op) {
  llvm::SetVector<Value> values;
  for (Region &region : op->getRegions())
    region.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (activity.isActive(operand) && isFloat(operand.getType()) &&
            !op->isAncestor(operand.getParentBlock()->getParentOp()))
          values.insert(operand);
    });
  return values.takeVector();
}

//===----------------------------------------------------------------------===//
// Values of the primal
//===----------------------------------------------------------------------===//

/// Takes from the tape those of `values` that are there.
void AdjointBuilder::restore(ValueRange values) {
  for (Value value : values)
    if (auto record = recordOf(value))
      map.map(value, ir::GetOp::create(b, value.getLoc(), value.getType(),
                                       record->first, record->second));
}

/// Where the reverse of `block` begins: recomputes the values that it needs.
void AdjointBuilder::enter(Block &block) {
  for (Operation &op : block.without_terminator()) {
    restore(op.getResults());
    auto isRecomputed = [&](Value value) {
      return plan.isNeeded(value) && plan.sourceOf(value) == Source::Recompute;
    };
    if (llvm::any_of(op.getResults(), isRecomputed))
      b.clone(op, map);
    auto local = dyn_cast<ir::LocalOp>(op);
    if (!local || !activity.isActive(local.getSlot()))
      continue;
    ir::LocalType type = local.getSlot().getType();
    adjointArrays[local.getSlot()] =
        ir::LocalOp::create(b, op.getLoc(),
                            ir::LocalType::get(b.getContext(), type.getShape(),
                                               adjointType(type.getScalar())),
                            local.getName());
  }
}

void AdjointBuilder::reverse(Block &block) {
  for (Operation &op : llvm::reverse(block.without_terminator()))
    if (activity.isActive(&op))
      reverse(&op);
}

void AdjointBuilder::reverse(Operation *op) {
  loc = op->getLoc();
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return reverseBranch(branch);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return reverseFor(loop);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return reverseWhile(loop);
  if (auto access = dyn_cast<ir::FieldAccessOpInterface>(op))
    return reverseAccess(access);
  if (isa<ir::GetOp, ir::SetOp>(op))
    return reverseArray(op);
  if (hasCustomAdjoint(op))
    return reverseCall(op);
  Value adjoint = op->getNumResults() == 1 ? take(op->getResult(0)) : Value();
  if (adjoint && hasDerivative(op))
    RuleBuilder(
        b, op, adjoint, discards.isDiscarded(op->getResult(0)),
        [&](Value value) { return primalOf(value); },
        [&](Value value) { return activity.isActive(value); },
        [&](Value value, Value more) { add(value, more); })
        .emit();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Value AdjointBuilder::adjointField(Value field) {
  return companionOf(b, task, field, adjointFields);
}

/// The adjoint of a load adds, that of a store takes and clears the element's
/// adjoint, that of an addition reads it.
void AdjointBuilder::reverseAccess(ir::FieldAccessOpInterface access) {
  Value field = adjointField(access.getField());
  Element element(access, [&](Value index) { return primalOf(index); });
  if (auto load = dyn_cast<ir::LoadOp>(access.getOperation())) {
    if (Value adjoint = take(load.getResult()))
      element.accumulate(b, ir::AccumKind::add, adjoint, field);
    return;
  }
  if (isSharedUpdate(access))
    return reverseProduct(cast<ir::AccumOp>(access.getOperation()), element);
  Value adjoint = element.load(b, field);
  if (auto store = dyn_cast<ir::StoreOp>(access.getOperation())) {
    element.store(b, zero(adjoint.getType()), field);
    return add(store.getValue(), adjoint);
  }
  add(cast<ir::AccumOp>(access.getOperation()).getValue(), adjoint);
}

/// For `x *= c` by several iterations: the adjoint of `x` is multiplied by each
/// factor, and each factor gets the product of all others and the old `x`,
/// times the adjoint. No division by a zero factor occurs.
void AdjointBuilder::reverseProduct(ir::AccumOp accum, const Element &element) {
  const SharedUpdate &update = updates.of(accum);
  auto field = [&](unsigned number) {
    return primalOf(primal.getCaptured()[number]);
  };
  Value adjoint = element.load(b, field(update.adjoint));
  Type type = adjoint.getType();
  Value factor = convertFloat(b, loc, primalOf(accum.getValue()), type);
  Value old = convertFloat(b, loc, element.load(b, field(update.field)), type);
  Value product = element.load(b, field(update.total));
  Value zeros = element.load(b, field(update.which));
  auto select = [&](Value condition, Value x, Value y) -> Value {
    return arith::SelectOp::create(b, loc, condition, x, y);
  };
  auto isZero = [&](Value value) -> Value {
    return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, value,
                                 zero(type));
  };
  auto areZero = [&](int64_t count) -> Value {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, zeros,
                                 constant(b.getI64Type(), count));
  };
  Value one = arith::ConstantOp::create(b, loc, b.getFloatAttr(type, 1));
  Value isNone = isZero(factor), isDead = isZero(adjoint);
  Value quotient =
      arith::DivFOp::create(b, loc, product, select(isNone, one, factor));
  Value hasOthers = select(isNone, areZero(1), areZero(0));
  Value others = select(hasOthers, quotient, zero(type));
  Value share = arith::MulFOp::create(b, loc, adjoint, old);
  share = arith::MulFOp::create(b, loc, share, others);
  add(accum.getValue(), select(isDead, zero(type), share));
  element.accumulate(b, ir::AccumKind::mul, select(isDead, one, factor),
                     adjointField(accum.getField()));
}

void AdjointBuilder::reverseArray(Operation *op) {
  auto get = dyn_cast<ir::GetOp>(op);
  auto set = dyn_cast<ir::SetOp>(op);
  Value slot = get ? get.getSlot() : set.getSlot();
  Value array = adjointArrays.lookup(slot);
  Value adjoint = get ? take(get.getResult()) : Value();
  if (!array || (get && !adjoint))
    return;
  SmallVector<Value> indices;
  for (Value index : get ? get.getIndices() : set.getIndices())
    indices.push_back(primalOf(index));
  Type scalar = cast<ir::LocalType>(array.getType()).getScalar();
  Value old = ir::GetOp::create(b, loc, scalar, array, indices);
  Value next = get ? arith::AddFOp::create(b, loc, old, adjoint).getResult()
                   : zero(scalar);
  ir::SetOp::create(b, loc, next, array, indices);
  if (set)
    add(set.getValue(), old);
}

/// Are the adjoints of all results zero? Null where no later operation may
/// discard one of the results: the program's adjoint then decides how it treats
/// zeros.
Value AdjointBuilder::isUnused(Operation *call) {
  Value areAll;
  for (Value result : call->getResults()) {
    if (!isFloat(result.getType()))
      continue;
    if (!discards.isDiscarded(result))
      return {};
    Value sum = adjointOrZero(result);
    Value is = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, sum,
                                     zero(sum.getType()));
    areAll = areAll ? arith::AndIOp::create(b, loc, areAll, is) : is;
  }
  return areAll;
}

/// Calls the adjoint that the program defines, with the function's arguments,
/// its results and their adjoints.
void AdjointBuilder::reverseCall(Operation *call) {
  SmallVector<Value> inputs;
  SmallVector<Type> types;
  SmallVector<Value> targets;
  for (Value operand : call->getOperands()) {
    inputs.push_back(primalOf(operand));
    if (isFloat(operand.getType())) {
      targets.push_back(operand);
      types.push_back(operand.getType());
    }
  }
  for (Value result : call->getResults())
    inputs.push_back(primalOf(result));
  for (Value result : call->getResults())
    if (isFloat(result.getType()))
      inputs.push_back(
          convertFloat(b, loc, adjointOrZero(result), result.getType()));
  Value isNothing = isUnused(call);
  auto adjoint = func::CallOp::create(
      b, loc, call->getAttrOfType<FlatSymbolRefAttr>(ir::kCustomAdjointAttr),
      types, inputs);
  for (auto [target, value] : llvm::zip(targets, adjoint.getResults())) {
    Value more = convertFloat(b, loc, value, adjointType(target.getType()));
    if (isNothing) {
      auto guard = arith::SelectOp::create(b, loc, isNothing,
                                           zero(more.getType()), more);
      guard->setAttr(ir::kGuardAttr, b.getUnitAttr());
      more = guard;
    }
    add(target, more);
  }
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

void AdjointBuilder::reverseSide(Block *side, ValueRange results,
                                 ArrayRef<Value> free, ArrayRef<Value> before) {
  for (auto [value, sum] : llvm::zip(free, before))
    adjoints[value] = sum;
  if (side) {
    Operation *yield = side->getTerminator();
    for (auto [value, result] : llvm::zip(yield->getOperands(), results))
      add(value, take(result));
    enter(*side);
    reverse(*side);
  }
  SmallVector<Value> sums;
  for (Value value : free)
    sums.push_back(adjointOrZero(value));
  scf::YieldOp::create(b, loc, sums);
}

void AdjointBuilder::reverseBranch(scf::IfOp branch) {
  SmallVector<Value> free = freeValues(branch), before;
  SmallVector<Type> types;
  for (Value value : free) {
    before.push_back(adjoints.lookup(value));
    types.push_back(adjointType(value.getType()));
  }
  bool hasElse = branch.elseBlock() || !types.empty();
  auto made = scf::IfOp::create(b, loc, types, primalOf(branch.getCondition()),
                                /*addThenBlock=*/true, hasElse);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(made.thenBlock());
    reverseSide(branch.thenBlock(), branch.getResults(), free, before);
    loc = branch.getLoc();
    if (hasElse) {
      b.setInsertionPointToStart(made.elseBlock());
      reverseSide(branch.elseBlock(), branch.getResults(), free, before);
    }
  }
  loc = branch.getLoc();
  for (auto [value, sum] : llvm::zip(free, made.getResults()))
    adjoints[value] = sum;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// One iteration: `adjointsIn` are the adjoints of the yielded values of
/// `active`, then those of `free` so far; returns the adjoints of the
/// iteration's arguments, and of `free`.
void AdjointBuilder::reverseBody(Block &body, ValueRange carried,
                                 ValueRange yielded, ValueRange adjointsIn,
                                 ArrayRef<unsigned> active,
                                 ArrayRef<Value> free) {
  for (auto [value, sum] :
       llvm::zip(free, adjointsIn.drop_front(active.size())))
    adjoints[value] = sum;
  restore(carried);
  for (auto [number, sum] : llvm::zip(active, adjointsIn))
    add(yielded[number], sum);
  enter(body);
  reverse(body);
  SmallVector<Value> sums;
  for (unsigned number : active)
    sums.push_back(adjointOrZero(carried[number]));
  for (Value value : free)
    sums.push_back(adjointOrZero(value));
  scf::YieldOp::create(b, loc, sums);
}

/// A loop from `from` to `to`; `begin` is called with its variable at the
/// beginning of the body.
void AdjointBuilder::reverseLoop(Operation *loop, ValueRange inits, Block &body,
                                 ValueRange carried, ValueRange yielded,
                                 Value from, Value to, Value step,
                                 bool isUnsigned,
                                 function_ref<void(Value)> begin) {
  SmallVector<Value> free = freeValues(loop), start;
  // A value that an iteration does not read but passes on to the code after the
  // loop is active, too.
  SmallVector<unsigned> active;
  for (auto [number, result] : llvm::enumerate(loop->getResults()))
    if (activity.isActive(carried[number]) || activity.isActive(result)) {
      active.push_back(number);
      start.push_back(adjointOrZero(result));
    }
  for (Value value : free)
    start.push_back(adjointOrZero(value));
  Location where = loop->getLoc();
  auto made =
      scf::ForOp::create(b, where, from, to, step, start, nullptr, isUnsigned);
  {
    OpBuilder::InsertionGuard guard(b);
    if (!made.getBody()->empty())
      made.getBody()->back().erase();
    b.setInsertionPointToEnd(made.getBody());
    begin(made.getInductionVar());
    reverseBody(body, carried, yielded, made.getRegionIterArgs(), active, free);
  }
  loc = where;
  for (auto [value, sum] :
       llvm::zip(free, made.getResults().drop_front(active.size())))
    adjoints[value] = sum;
  for (auto [number, sum] : llvm::zip(active, made.getResults()))
    add(inits[number], sum);
}

void AdjointBuilder::reverseFor(scf::ForOp loop) {
  auto tape = tapes.find(loop);
  bool keeps = tape != tapes.end();
  if (keeps && tape->second.counter) {
    tape->second.base = arith::SubIOp::create(
        b, loc, recordsSoFar(tape->second), numIterations(loop));
    setRecords(tape->second, tape->second.base);
  }
  Value from = primalOf(loop.getLowerBound()),
        to = primalOf(loop.getUpperBound()), step = primalOf(loop.getStep());
  // Backwards, modulo the width of the variable: last - (q - from).
  Value one = constant(from.getType(), 1);
  Value last = arith::SubIOp::create(b, loc, to, one);
  if (Value n; !matchPattern(step, m_One())) {
    n = arith::SubIOp::create(b, loc, last, from);
    n = arith::RemUIOp::create(b, loc, n, step);
    last = arith::SubIOp::create(b, loc, last, n);
  }
  Value sum = arith::AddIOp::create(b, loc, last, from);
  reverseLoop(loop, loop.getInitArgs(), *loop.getBody(),
              loop.getRegionIterArgs(), loop.getYieldedValues(), from, to, step,
              loop.getUnsignedCmp(), [&](Value variable) {
                Value backwards = arith::SubIOp::create(b, loc, sum, variable);
                map.map(loop.getInductionVar(), backwards);
                if (keeps)
                  setOffset(tape->second, iterationOf(loop, backwards));
              });
}

void AdjointBuilder::reverseWhile(scf::WhileOp loop) {
  auto tape = tapes.find(loop);
  bool keeps = tape != tapes.end();
  Value count = primalOf(iterationsOf(loop));
  if (keeps && tape->second.counter) {
    tape->second.base =
        arith::SubIOp::create(b, loc, recordsSoFar(tape->second), count);
    setRecords(tape->second, tape->second.base);
  }
  Type i64 = b.getI64Type();
  Value last = arith::SubIOp::create(b, loc, count, constant(i64, 1));
  reverseLoop(loop, loop.getInits(), *loop.getAfterBody(),
              loop.getAfterArguments(), loop.getYieldOp().getOperands(),
              constant(i64, 0), count, constant(i64, 1), false,
              [&](Value variable) {
                Value backwards = arith::SubIOp::create(b, loc, last, variable);
                if (keeps)
                  setOffset(tape->second, backwards);
              });
}
