//===- Flow.cpp - Tangents through branches and loops ---------------------===//
#include "chi/AD/Forward/TangentBuilder.h"

#include "chi/AD/Rules/Rules.h"

using namespace mlir;
using namespace chi;
using namespace chi::ad::forward;
using namespace chi::ad::rules;

/// The numbers at which a value of one of the lists is active.
SmallVector<unsigned> TangentBuilder::activeOf(ValueRange some,
                                               ValueRange others) const {
  SmallVector<unsigned> numbers;
  for (auto [number, pair] : llvm::enumerate(llvm::zip(some, others)))
    if (activity.isActive(std::get<0>(pair)) ||
        activity.isActive(std::get<1>(pair)))
      numbers.push_back(number);
  return numbers;
}

/// Appends the tangents of the values of `of` at `numbers`.
void TangentBuilder::addTangents(ArrayRef<unsigned> numbers, ValueRange of,
                                 SmallVectorImpl<Value> &values) {
  for (unsigned number : numbers)
    values.push_back(tangentOrZero(of[number]));
}

/// The values of `of` at `numbers` have these tangents.
void TangentBuilder::setTangents(ArrayRef<unsigned> numbers, ValueRange of,
                                 ValueRange values) {
  for (auto [number, value] : llvm::zip_equal(numbers, values))
    tangents[of[number]] = value;
}

static void addTypes(ArrayRef<unsigned> numbers, SmallVectorImpl<Type> &types) {
  for (unsigned number : numbers)
    types.push_back(adjointType(types[number]));
}

void TangentBuilder::visitBranch(scf::IfOp branch) {
  SmallVector<unsigned> active =
      activeOf(branch.getResults(), branch.getResults());
  SmallVector<Type> types(branch.getResultTypes());
  addTypes(active, types);
  bool hasElse = branch.elseBlock();
  auto made =
      scf::IfOp::create(b, loc, types, map.lookup(branch.getCondition()),
                        /*addThenBlock=*/true, hasElse);
  made->setDiscardableAttrs(branch->getDiscardableAttrDictionary());
  auto visitSide = [&](Block *from, Block *to) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(to);
    visit(*from);
    loc = from->getTerminator()->getLoc();
    ValueRange yielded = from->getTerminator()->getOperands();
    SmallVector<Value> results = mapped(yielded);
    addTangents(active, yielded, results);
    scf::YieldOp::create(b, loc, results);
  };
  visitSide(branch.thenBlock(), made.thenBlock());
  if (hasElse)
    visitSide(branch.elseBlock(), made.elseBlock());
  unsigned count = branch.getNumResults();
  map.map(branch.getResults(), made.getResults().take_front(count));
  setTangents(active, branch.getResults(), made.getResults().drop_front(count));
}

void TangentBuilder::visitFor(scf::ForOp loop) {
  SmallVector<unsigned> active =
      activeOf(loop.getRegionIterArgs(), loop.getResults());
  SmallVector<Value> inits = mapped(loop.getInitArgs());
  addTangents(active, loop.getInitArgs(), inits);
  auto made = scf::ForOp::create(b, loc, map.lookup(loop.getLowerBound()),
                                 map.lookup(loop.getUpperBound()),
                                 map.lookup(loop.getStep()), inits, nullptr,
                                 loop.getUnsignedCmp());
  made->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  unsigned count = loop.getNumResults();
  ValueRange carried = made.getRegionIterArgs();
  map.map(loop.getInductionVar(), made.getInductionVar());
  map.map(loop.getRegionIterArgs(), carried.take_front(count));
  setTangents(active, loop.getRegionIterArgs(), carried.drop_front(count));
  {
    OpBuilder::InsertionGuard guard(b);
    if (!made.getBody()->empty())
      made.getBody()->back().erase();
    b.setInsertionPointToEnd(made.getBody());
    visit(*loop.getBody());
    loc = loop.getBody()->getTerminator()->getLoc();
    SmallVector<Value> yielded = mapped(loop.getYieldedValues());
    addTangents(active, loop.getYieldedValues(), yielded);
    scf::YieldOp::create(b, loc, yielded);
  }
  map.map(loop.getResults(), made.getResults().take_front(count));
  setTangents(active, loop.getResults(), made.getResults().drop_front(count));
}

void TangentBuilder::visitWhile(scf::WhileOp loop) {
  SmallVector<unsigned> carried =
      activeOf(loop.getBeforeArguments(), loop.getBeforeArguments());
  SmallVector<unsigned> passed =
      activeOf(loop.getAfterArguments(), loop.getResults());
  SmallVector<Value> inits = mapped(loop.getInits());
  addTangents(carried, loop.getInits(), inits);
  SmallVector<Type> before(loop.getInits().getTypes()),
      after(loop.getResultTypes());
  addTypes(carried, before), addTypes(passed, after);
  auto made = scf::WhileOp::create(b, loc, after, inits);
  made->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  auto enter = [&](Region &region, ArrayRef<Type> types, Block &from,
                   ArrayRef<unsigned> active) {
    SmallVector<Location> locs(types.size(), loop.getLoc());
    Block *block = b.createBlock(&region, {}, types, locs);
    unsigned count = from.getNumArguments();
    ValueRange arguments = block->getArguments();
    map.map(from.getArguments(), arguments.take_front(count));
    setTangents(active, from.getArguments(), arguments.drop_front(count));
    visit(from);
    loc = from.getTerminator()->getLoc();
  };
  {
    OpBuilder::InsertionGuard guard(b);
    enter(made.getBefore(), before, *loop.getBeforeBody(), carried);
    scf::ConditionOp condition = loop.getConditionOp();
    SmallVector<Value> values = mapped(condition.getArgs());
    addTangents(passed, condition.getArgs(), values);
    scf::ConditionOp::create(b, loc, map.lookup(condition.getCondition()),
                             values);
    enter(made.getAfter(), after, *loop.getAfterBody(), passed);
    ValueRange yielded = loop.getYieldOp().getOperands();
    values = mapped(yielded);
    addTangents(carried, yielded, values);
    scf::YieldOp::create(b, loc, values);
  }
  unsigned count = loop.getNumResults();
  map.map(loop.getResults(), made.getResults().take_front(count));
  setTangents(passed, loop.getResults(), made.getResults().drop_front(count));
}
