//===- LanesControl.cpp - Branches and loops of W iterations --------------===//
#include "chi/Transforms/Vectorize/LanesWidener.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace chi;
using namespace chi::vectorize;

/// The terminator's values, in the types of `like`.
SmallVector<Value> Widener::yielded(Operation *terminator, unsigned skip,
                                    ValueRange like) {
  SmallVector<Value> values;
  for (auto [old, as] :
       llvm::zip(terminator->getOperands().drop_front(skip), like))
    values.push_back(isVarying(as) ? vector(old) : wide(old));
  return values;
}

scf::IfOp
vectorize::rebuildIf(OpBuilder &b, scf::IfOp op, TypeRange types,
                     Value condition,
                     llvm::function_ref<SmallVector<Value>(Block &)> fill) {
  auto branch = scf::IfOp::create(b, op.getLoc(), types, condition,
                                  !op.getElseRegion().empty());
  for (auto [side, now] : llvm::zip(op->getRegions(), branch->getRegions())) {
    if (side.empty())
      continue;
    OpBuilder::InsertionGuard guard(b);
    now.front().clear();
    b.setInsertionPointToEnd(&now.front());
    scf::YieldOp::create(b, op.getLoc(), fill(side.front()));
  }
  return branch;
}

void Widener::visitIf(scf::IfOp op) {
  if (divergence.isDivergent(op))
    return visitDivergentIf(op);
  SmallVector<Type> types;
  for (Value result : op.getResults())
    types.push_back(typeOf(result));
  auto branch =
      rebuildIf(b, op, types, wide(op.getCondition()), [&](Block &side) {
        visit(side);
        return yielded(side.getTerminator(), 0, op.getResults());
      });
  for (auto [old, now] : llvm::zip(op.getResults(), branch.getResults()))
    bind(old, now);
}

/// One side under its mask; its results as vectors.
SmallVector<Value> Widener::visitSide(Region &side, Value sideMask,
                                      scf::IfOp op) {
  if (side.empty())
    return {};
  llvm::SaveAndRestore<Value> restore(mask, sideMask);
  Operation *terminator = side.front().getTerminator();
  if (isCheap(side)) {
    visit(side.front());
    return yielded(terminator, 0, op.getResults());
  }
  SmallVector<Type> types;
  for (Value result : op.getResults())
    types.push_back(typeOf(result));
  auto branch = scf::IfOp::create(b, loc, types, any(sideMask),
                                  /*withElseRegion=*/!types.empty());
  OpBuilder::InsertionGuard guard(b);
  branch.getThenRegion().front().clear();
  b.setInsertionPointToEnd(&branch.getThenRegion().front());
  visit(side.front());
  scf::YieldOp::create(b, loc, yielded(terminator, 0, op.getResults()));
  if (types.empty())
    return {};
  branch.getElseRegion().front().clear();
  b.setInsertionPointToEnd(&branch.getElseRegion().front());
  SmallVector<Value> zeros;
  for (Type type : types)
    zeros.push_back(constant(type, 0));
  scf::YieldOp::create(b, loc, zeros);
  return SmallVector<Value>(branch.getResults());
}

void Widener::visitDivergentIf(scf::IfOp op) {
  Value condition = vector(op.getCondition());
  SmallVector<Value> then =
      visitSide(op.getThenRegion(), both(mask, condition), op);
  SmallVector<Value> otherwise;
  if (!op.getElseRegion().empty())
    otherwise = visitSide(op.getElseRegion(), without(mask, condition), op);
  for (auto [number, result] : llvm::enumerate(op.getResults()))
    vectors[result] = arith::SelectOp::create(b, loc, condition, then[number],
                                              otherwise[number]);
}

void Widener::visitFor(scf::ForOp op) {
  SmallVector<Value> inits;
  for (auto [init, argument] :
       llvm::zip(op.getInitArgs(), op.getRegionIterArgs()))
    inits.push_back(isVarying(argument) ? vector(init) : wide(init));
  auto loop =
      scf::ForOp::create(b, loc, wide(op.getLowerBound()),
                         wide(op.getUpperBound()), wide(op.getStep()), inits);
  scalars.map(op.getInductionVar(), loop.getInductionVar());
  {
    OpBuilder::InsertionGuard guard(b);
    loop.getBody()->clear();
    b.setInsertionPointToEnd(loop.getBody());
    scf::YieldOp::create(b, loc, visitIteration(op, loop.getRegionIterArgs()));
  }
  for (auto [old, now] : llvm::zip(op.getResults(), loop.getResults()))
    bind(old, now);
}

/// One iteration of a counted loop; returns the values that it carries.
SmallVector<Value> Widener::visitIteration(scf::ForOp op, ValueRange carried) {
  for (auto [old, now] : llvm::zip(op.getRegionIterArgs(), carried))
    bind(old, now);
  visit(*op.getBody());
  return yielded(op.getBody()->getTerminator(), 0, op.getRegionIterArgs());
}

/// The same for an operation that rises with its one operand that varies; null
/// for others.
Value Widener::boundOfOperand(Value old, bool isLeast) {
  Operation *op = old.getDefiningOp();
  if (!isa_and_nonnull<arith::ExtSIOp, arith::AddIOp, arith::MinSIOp,
                       arith::MaxSIOp>(op) ||
      llvm::count_if(op->getOperands(),
                     [&](Value each) { return isVarying(each); }) != 1)
    return nullptr;
  auto sum = dyn_cast<arith::AddIOp>(op);
  if (sum && !bitEnumContainsAll(sum.getOverflowFlags(),
                                 arith::IntegerOverflowFlags::nsw))
    return nullptr;
  IRMapping operands;
  for (Value each : op->getOperands())
    operands.map(each, bound(each, isLeast));
  return b.clone(*op, operands)->getResult(0);
}

/// The least of a value over the lanes, or the greatest.
Value Widener::bound(Value old, bool isLeast) {
  if (!isVarying(old))
    return wide(old);
  if (int step = divergence.stepOf(old)) {
    Value first = firsts.lookup(old);
    if ((step > 0) == isLeast)
      return first;
    Value far = constant(first.getType(), step * (lanes - 1));
    return arith::AddIOp::create(b, loc, first, far);
  }
  if (Value known = boundOfOperand(old, isLeast))
    return known;
  auto kind =
      isLeast ? vector::CombiningKind::MINSI : vector::CombiningKind::MAXSI;
  return vector::ReductionOp::create(b, loc, kind, vector(old));
}

/// Iterations [from, to) of a loop of non-uniform bounds. `entered`: some lanes
/// may not have begun yet, `left`: some may be done; where neither is, no mask
/// is needed.
SmallVector<Value> Widener::visitIterations(scf::ForOp op, Value from, Value to,
                                            bool entered, bool left,
                                            ValueRange inits) {
  auto loop = scf::ForOp::create(b, loc, from, to, wide(op.getStep()), inits);
  Value number = loop.getInductionVar();
  scalars.map(op.getInductionVar(), number);
  llvm::SaveAndRestore<Value> restore(mask);
  OpBuilder::InsertionGuard guard(b);
  loop.getBody()->clear();
  b.setInsertionPointToEnd(loop.getBody());
  auto compare = [&](arith::CmpIPredicate how, Value bound) {
    Value is =
        arith::CmpIOp::create(b, loc, how, spread(number), vector(bound));
    mask = both(mask, is);
  };
  if (entered)
    compare(arith::CmpIPredicate::sge, op.getLowerBound());
  if (left)
    compare(arith::CmpIPredicate::slt, op.getUpperBound());
  // Between lanes that are done and lanes that wait there may be none: then
  // nothing may be touched.
  scf::IfOp some;
  if (entered && left) {
    some = scf::IfOp::create(b, loc, inits.getTypes(), any(mask),
                             /*withElseRegion=*/!inits.empty());
    b.setInsertionPointToEnd(loop.getBody());
    scf::YieldOp::create(b, loc, some.getResults());
    some.getThenRegion().front().clear();
    b.setInsertionPointToEnd(&some.getThenRegion().front());
  }
  SmallVector<Value> next;
  for (auto [now, old] : llvm::zip(visitIteration(op, loop.getRegionIterArgs()),
                                   loop.getRegionIterArgs()))
    next.push_back(mask ? arith::SelectOp::create(b, loc, mask, now, old)
                        : now);
  scf::YieldOp::create(b, loc, next);
  if (some && !inits.empty()) {
    some.getElseRegion().front().clear();
    b.setInsertionPointToEnd(&some.getElseRegion().front());
    scf::YieldOp::create(b, loc, loop.getRegionIterArgs());
  }
  return SmallVector<Value>(loop.getResults());
}

/// Lanes that count from near places to near places count together: first
/// while some wait for their start, then all, without masks, then while some
/// are done.
void Widener::visitNonUniform(scf::ForOp op) {
  assert(!mask && "all lanes come to a loop of non-uniform bounds");
  bool waits = isVarying(op.getLowerBound());
  bool leaves = isVarying(op.getUpperBound());
  SmallVector<Value> carried;
  for (Value init : op.getInitArgs())
    carried.push_back(vector(init));
  Value low = bound(op.getLowerBound(), true);
  Value high = bound(op.getUpperBound(), false);
  Value all = low, done = high;
  if (waits) {
    all =
        arith::MinSIOp::create(b, loc, bound(op.getLowerBound(), false), high);
    carried = visitIterations(op, low, all, true, leaves, carried);
  }
  if (leaves)
    done = arith::MaxSIOp::create(b, loc, all, bound(op.getUpperBound(), true));
  carried = visitIterations(op, all, done, false, false, carried);
  if (leaves)
    carried = visitIterations(op, done, high, false, true, carried);
  for (auto [old, now] : llvm::zip(op.getResults(), carried))
    bind(old, now);
}

void Widener::visitWhile(scf::WhileOp op) {
  SmallVector<Value> inits;
  SmallVector<Type> types, before;
  for (auto [init, argument] :
       llvm::zip(op.getInits(), op.getBeforeArguments())) {
    inits.push_back(isVarying(argument) ? vector(init) : wide(init));
    before.push_back(typeOf(argument));
  }
  for (Value argument : op.getAfterArguments())
    types.push_back(typeOf(argument));
  auto loop = scf::WhileOp::create(b, loc, types, inits);
  {
    OpBuilder::InsertionGuard guard(b);
    Block *first = b.createBlock(&loop.getBefore(), {}, before,
                                 SmallVector<Location>(before.size(), loc));
    for (auto [old, now] :
         llvm::zip(op.getBeforeArguments(), first->getArguments()))
      bind(old, now);
    visit(*op.getBeforeBody());
    auto condition = op.getConditionOp();
    scf::ConditionOp::create(b, loc, wide(condition.getCondition()),
                             yielded(condition, 1, op.getAfterArguments()));
    Block *second = b.createBlock(&loop.getAfter(), {}, types,
                                  SmallVector<Location>(types.size(), loc));
    for (auto [old, now] :
         llvm::zip(op.getAfterArguments(), second->getArguments()))
      bind(old, now);
    visit(*op.getAfterBody());
    scf::YieldOp::create(b, loc,
                         yielded(op.getYieldOp(), 0, op.getBeforeArguments()));
  }
  for (auto [old, now] : llvm::zip(op.getResults(), loop.getResults()))
    bind(old, now);
}

/// while (any lane lives): carried besides the source's values are the live
/// lanes, and for each result what the lanes took along when they left.
void Widener::visitDivergentWhile(scf::WhileOp op) {
  SmallVector<Value> inits{live()}, used;
  for (auto [init, argument] :
       llvm::zip(op.getInits(), op.getBeforeArguments()))
    inits.push_back(isVarying(argument) ? vector(init) : wide(init));
  for (Value result : op.getResults())
    if (!result.use_empty()) {
      used.push_back(result);
      inits.push_back(constant(lanesOf(result.getType()), 0));
    }
  size_t numBefore = op.getInits().size(), numAfter = op.getNumResults();
  SmallVector<Type> before = llvm::to_vector(ValueRange(inits).getTypes());
  SmallVector<Type> after{inits[0].getType()};
  for (Value argument : op.getAfterArguments())
    after.push_back(typeOf(argument));
  for (Value result : used)
    after.push_back(lanesOf(result.getType()));
  auto loop = scf::WhileOp::create(b, loc, after, inits);
  {
    OpBuilder::InsertionGuard guard(b);
    llvm::SaveAndRestore<Value> restore(mask);
    Block *first = b.createBlock(&loop.getBefore(), {}, before,
                                 SmallVector<Location>(before.size(), loc));
    mask = first->getArgument(0);
    for (auto [old, now] : llvm::zip(op.getBeforeArguments(),
                                     first->getArguments().slice(1, numBefore)))
      bind(old, now);
    visit(*op.getBeforeBody());
    auto condition = op.getConditionOp();
    Value staying = both(mask, vector(condition.getCondition()));
    SmallVector<Value> taken{staying};
    llvm::append_range(taken, yielded(condition, 1, op.getAfterArguments()));
    for (auto [result, old] :
         llvm::zip(used, first->getArguments().drop_front(1 + numBefore))) {
      unsigned number = cast<OpResult>(result).getResultNumber();
      taken.push_back(arith::SelectOp::create(
          b, loc, mask, vector(condition.getArgs()[number]), old));
    }
    scf::ConditionOp::create(b, loc, any(staying), taken);
    Block *second = b.createBlock(&loop.getAfter(), {}, after,
                                  SmallVector<Location>(after.size(), loc));
    mask = second->getArgument(0);
    for (auto [old, now] : llvm::zip(op.getAfterArguments(),
                                     second->getArguments().slice(1, numAfter)))
      bind(old, now);
    visit(*op.getAfterBody());
    SmallVector<Value> next{second->getArgument(0)};
    llvm::append_range(next,
                       yielded(op.getYieldOp(), 0, op.getBeforeArguments()));
    llvm::append_range(next, second->getArguments().drop_front(1 + numAfter));
    scf::YieldOp::create(b, loc, next);
  }
  for (auto [result, now] :
       llvm::zip(used, loop.getResults().drop_front(1 + numAfter)))
    vectors[result] = now;
}
