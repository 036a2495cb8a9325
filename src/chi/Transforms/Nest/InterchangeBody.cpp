//===- InterchangeBody.cpp - An iteration that goes over an axis ----------===//
// The body is written twice, in lockstep: unchanged, for additions to elements
// that other axes index, and with the folded axis and its partner exchanged,
// for additions to elements that the folded axis indexes. Common operations are
// written once (Numbering). An accumulation becomes a sum in a slot, which
// promoteSlots makes a value that the loop carries.
#include "chi/Transforms/Nest/Interchange.h"

#include "chi/Dialect/Chi/AdjointTasks.h"
#include "chi/Transforms/Nest/Numbering.h"
#include "chi/Transforms/Nest/SumFactors.h"
#include "chi/Transforms/Outline/Promote.h"
#include "chi/Transforms/Outline/SlotBuilder.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace chi;
using namespace chi::analysis;
using namespace chi::nest;
using namespace chi::outline;

bool nest::isMoved(const AxisFold &fold, AxisMask axes) {
  return axes & (AxisMask(1) << fold.folded);
}

namespace {
/// The two forms of the body.
using Forms = ArrayRef<unsigned>;

class BodyFolder {
public:
  BodyFolder(ir::TaskOp task, const AxisFold &fold, const TaskDomain &domain,
             const DenseMap<Operation *, AxisMask> &axesOf)
      : task(task), fold(fold), domain(domain), axesOf(axesOf),
        b(task.getContext()), loc(task.getLoc()) {}

  ir::TaskOp run();

private:
  void makeTask();
  Value boundOf(const Linear &sum);
  void makeLoop();
  void bind(Value value, Value made) {
    forms[0][value] = forms[1][value] = {made};
  }
  Signed at(unsigned form, Value value) { return forms[form].lookup(value); }
  void writeBlock(Block &block, Forms which);
  void writeIf(scf::IfOp op, Forms which);
  void writeIf(scf::IfOp op, Value condition, Forms which);
  using Yields = SmallVector<Signed>;
  Yields writeSide(Block &side, Block *made, Forms which);
  void contribute(ir::AccumOp accum, unsigned form);
  void addSums();

  ir::TaskOp task, made;
  const AxisFold &fold;
  const TaskDomain &domain;
  const DenseMap<Operation *, AxisMask> &axesOf;
  OpBuilder b;
  Location loc;
  Value from, to; ///< of the folded axis
  scf::ForOp loop;
  std::optional<Numbering> numbering;
  DenseMap<Value, Signed> forms[2];
  std::vector<FoldedSum> sums;
  bool isKnownBefore = true; ///< each element, before the loop
};
} // namespace

//===----------------------------------------------------------------------===//
// The task
//===----------------------------------------------------------------------===//

template <typename T>
static SmallVector<T> without(ArrayRef<T> all, size_t one) {
  SmallVector<T> rest(all);
  rest.erase(rest.begin() + one);
  return rest;
}

/// All but the body, with an axis less.
void BodyFolder::makeTask() {
  b.setInsertionPointAfter(task);
  made = cast<ir::TaskOp>(b.insert(task->cloneWithoutRegions()));
  Block *body = b.createBlock(&made.getBody());
  for (Value captured : task.getCaptured())
    bind(captured, body->addArgument(captured.getType(), captured.getLoc()));
  SmallVector<int64_t> kept;
  for (auto [axis, index] : llvm::enumerate(task.getIndexVariables())) {
    if (axis == fold.folded)
      continue;
    bind(index, body->addArgument(index.getType(), index.getLoc()));
    kept.push_back(axis);
  }
  made.setRank(kept.size());
  made.removeOverAttr();
  ir::changeAdjoint(made, [&](ir::Adjoint &adjoint) {
    adjoint.domainAxes = b.getDenseI64ArrayAttr(kept);
  });
  if (ArrayAttr names = task.getAxesAttr())
    made.setAxesAttr(b.getArrayAttr(without(names.getValue(), fold.folded)));
  if (ir::FactsAttr facts = task.getFactsAttr())
    made.setFactsAttr(ir::FactsAttr::get(
        b.getContext(), without(facts.getFrom(), fold.folded),
        without(facts.getTo(), fold.folded), facts.getInputs(),
        facts.getNoalias(), facts.getCells()));
  b.setInsertionPointToEnd(body);
}

/// A bound of the folded axis, in the type of its variable.
Value BodyFolder::boundOf(const Linear &sum) {
  Type type = task.getIndexVariables()[fold.folded].getType();
  Value result = makeInt(b, loc, type, sum.getConstant());
  for (const Linear::Term &term : sum.getTerms()) {
    Value value = at(0, term.symbol.value).value;
    if (term.symbol.isExtent())
      value = ir::DimOp::create(b, loc, type, value, term.symbol.axis);
    value = arith::MulIOp::create(b, loc, value,
                                  makeInt(b, loc, type, term.factor));
    result = arith::AddIOp::create(b, loc, result, value);
  }
  return result;
}

void BodyFolder::makeLoop() {
  const TaskDomain::Axis &axis = domain.axes[fold.folded];
  Value index = task.getIndexVariables()[fold.folded];
  from = boundOf(*axis.from), to = boundOf(*axis.to);
  loop =
      scf::ForOp::create(b, loc, from, to, makeInt(b, loc, index.getType(), 1));
  numbering.emplace(b, loop, fold.isNeverEmpty);
  Value variable = loop.getInductionVar();
  bind(index, variable);
  if (!fold.partner)
    return;
  Value other = task.getIndexVariables()[*fold.partner];
  forms[1][index] = forms[0][other];
  forms[1][other] = {variable};
}

ir::TaskOp BodyFolder::run() {
  makeTask();
  makeLoop();
  auto end = ir::NextOp::create(b, loc);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(loop.getBody()->getTerminator());
    SmallVector<unsigned> which{0};
    if (fold.partner)
      which.push_back(1);
    writeBlock(task.getBody().front(), which);
  }
  if (!isKnownBefore)
    return made.erase(), nullptr;
  b.setInsertionPoint(end);
  addSums();
  promoteSlots(made);
  eraseDeadValues(made);
  return made;
}

//===----------------------------------------------------------------------===//
// The body
//===----------------------------------------------------------------------===//

void BodyFolder::writeBlock(Block &block, Forms which) {
  for (Operation &op : block.without_terminator()) {
    loc = op.getLoc();
    auto accum = dyn_cast<ir::AccumOp>(op);
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      writeIf(branch, which);
      continue;
    }
    for (unsigned form : which) {
      if (accum) {
        if (isMoved(fold, axesOf.lookup(accum)) == (form == 1))
          contribute(accum, form);
        continue;
      }
      SmallVector<Signed> operands;
      for (Value operand : op.getOperands())
        operands.push_back(at(form, operand));
      forms[form][op.getResult(0)] = numbering->write(&op, operands);
    }
  }
}

/// Both forms share a branch where they share its condition.
void BodyFolder::writeIf(scf::IfOp op, Forms which) {
  SmallVector<Value> conditions;
  for (unsigned form : which)
    conditions.push_back(at(form, op.getCondition()).value);
  if (which.size() == 2 && conditions[0] != conditions[1]) {
    writeIf(op, conditions[0], which.take_front());
    return writeIf(op, conditions[1], which.drop_front());
  }
  writeIf(op, conditions[0], which);
}

/// The values of a side, form by form.
BodyFolder::Yields BodyFolder::writeSide(Block &side, Block *made,
                                         Forms which) {
  b.setInsertionPointToEnd(made);
  writeBlock(side, which);
  Yields yields;
  for (unsigned form : which)
    for (Value value : side.getTerminator()->getOperands())
      yields.push_back(at(form, value));
  return yields;
}

void BodyFolder::writeIf(scf::IfOp op, Value condition, Forms which) {
  bool hasElse = op.elseBlock() != nullptr;
  auto draft =
      scf::IfOp::create(b, op.getLoc(), TypeRange(), condition, true, hasElse);
  OpBuilder::InsertPoint behind = b.saveInsertionPoint();
  Yields taken = writeSide(*op.thenBlock(), draft.thenBlock(), which), other;
  if (hasElse)
    other = writeSide(*op.elseBlock(), draft.elseBlock(), which);
  // The sign of a result is that of both sides.
  SmallVector<bool> signs(taken.size());
  for (auto [k, value] : llvm::enumerate(taken)) {
    if (value.isNegated == other[k].isNegated || isZero(other[k].value)) {
      signs[k] = value.isNegated;
    } else if (isZero(value.value)) {
      signs[k] = other[k].isNegated;
    } else {
      b.setInsertionPointToEnd(draft.thenBlock());
      value = {numbering->plain(value)};
      b.setInsertionPointToEnd(draft.elseBlock());
      other[k] = {numbering->plain(other[k])};
    }
  }
  SmallVector<std::pair<Value, Value>> unique;
  SmallVector<unsigned> numbers;
  for (auto [value, otherwise] : llvm::zip(taken, other)) {
    std::pair pair(value.value, otherwise.value);
    numbers.push_back(llvm::find(unique, pair) - unique.begin());
    if (numbers.back() == unique.size())
      unique.push_back(pair);
  }
  SmallVector<Type> types;
  SmallVector<Value> yielded[2];
  for (auto [value, otherwise] : unique) {
    types.push_back(value.getType());
    yielded[0].push_back(value), yielded[1].push_back(otherwise);
  }
  b.restoreInsertionPoint(behind);
  auto branch =
      scf::IfOp::create(b, op.getLoc(), types, condition, true, hasElse);
  for (auto [k, region] : llvm::enumerate(draft->getRegions())) {
    if (region.empty())
      continue;
    branch->getRegion(k).takeBody(region);
    OpBuilder inside = OpBuilder::atBlockEnd(&branch->getRegion(k).front());
    scf::YieldOp::create(inside, op.getLoc(), yielded[k]);
  }
  draft.erase();
  unsigned next = 0;
  for (unsigned form : which)
    for (Value result : op.getResults()) {
      forms[form][result] = {branch.getResult(numbers[next]), signs[next]};
      ++next;
    }
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// An addition to an element, which becomes one to a sum.
void BodyFolder::contribute(ir::AccumOp accum, unsigned form) {
  IRMapping elements;
  SmallVector<Value> element;
  for (Value operand : accum->getOperands().drop_front()) {
    Value value = at(form, operand).value;
    isKnownBefore &= numbering->isOutside(value);
    elements.map(operand, value);
    element.push_back(value);
  }
  auto known = llvm::find_if(sums, [&](FoldedSum &sum) {
    return sum.element == element &&
           sum.accum.getComponent() == accum.getComponent();
  });
  if (known == sums.end()) {
    sums.push_back({accum, element, elements, {}});
    known = std::prev(sums.end());
  }
  known->add(b.getInsertionBlock(), at(form, accum.getValue()));
}

/// Writes the sums, and the operations on them after the loop.
void BodyFolder::addSums() {
  OpBuilder::InsertPoint end = b.saveInsertionPoint();
  if (!fold.isNeverEmpty) {
    Value isAny =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, from, to);
    auto branch = scf::IfOp::create(b, loc, isAny, /*withElseRegion=*/false);
    end =
        OpBuilder::InsertPoint(branch.thenBlock(), branch.thenBlock()->begin());
  }
  for (FoldedSum &sum : sums) {
    b.setInsertionPoint(loop);
    Value slot =
        makeSlot(b, sum.accum.getLoc(), sum.accum.getValue().getType(), "");
    Product common = takeOutFactors(sum, *numbering, b);
    for (const Contribution &each : sum.contributions) {
      b.setInsertionPoint(each.block->getTerminator());
      Value old = getSlot(b, sum.accum.getLoc(), slot);
      setSlot(b, sum.accum.getLoc(), slot, each.addTo(b, old));
    }
    b.restoreInsertionPoint(end);
    Value total = common.times(b, getSlot(b, sum.accum.getLoc(), slot));
    sum.mapping.map(sum.accum.getValue(), total);
    b.clone(*sum.accum, sum.mapping);
    end = b.saveInsertionPoint();
  }
}

ir::TaskOp nest::foldAxis(ir::TaskOp task, const AxisFold &fold,
                          const TaskDomain &domain,
                          const DenseMap<Operation *, AxisMask> &axesOf) {
  return BodyFolder(task, fold, domain, axesOf).run();
}
