//===- GatherBody.cpp - A task over the elements of a sum -----------------===//
// The iterations of a space become loops around the operations that the sum's
// terms depend on. Integers that are linear in the nest's variables are
// rewritten as sums of the new variables.
#include "chi/Transforms/Nest/ScatterToGather.h"

#include "chi/Dialect/Chi/AdjointTasks.h"
#include "chi/Transforms/Outline/Promote.h"
#include "chi/Transforms/Outline/SlotBuilder.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

using namespace mlir;
using namespace chi;
using namespace chi::analysis;
using namespace chi::nest;
using namespace chi::outline;

namespace {
class GatherWriter {
public:
  GatherWriter(const GatherGroup &group, const Slice &slice, Ranges &ranges)
      : group(group), nest(*group.nest), space(*group.space), slice(slice),
        ranges(ranges), first(group.accums.front()),
        task(first->getParentOfType<ir::TaskOp>()), b(task.getContext()),
        loc(first.getLoc()) {}

  ir::TaskOp run(StringRef name);

private:
  void makeTask(StringRef name);
  ir::KnownAttr endOf(ArrayRef<Linear> sums, bool isGreatest,
                      ir::KnownAttr before, Type type);
  ArrayAttr boundsOf(ArrayRef<Linear> sums, ir::KnownAttr before);
  void addBounds();
  void addFacts(ArrayRef<int64_t> domainAxes);
  bool fitsInto(const Linear &sum, Type type);
  Value write(const Linear &sum, Type type);
  Type boundType(const GatherSpace::Loop &loop);
  template <typename Choice>
  Value writeBound(ArrayRef<Linear> bounds, Type type);
  void enterGuards();
  void enterLoop(const GatherSpace::Loop &loop);
  Value inside(Value value, Operation *at);
  Value insideIndex(Value index, Operation *at);
  void clone(Operation &op);
  bool isOnPath(Operation &op);
  void writeBlock(Block &block);

  const GatherGroup &group;
  const Nest &nest;
  const GatherSpace &space;
  const Slice &slice;
  Ranges &ranges;
  ir::AccumOp first;
  ir::TaskOp task, made;
  OpBuilder b;
  Location loc;
  DenseMap<Value, Value> symbols; ///< the space's symbols in `made`
  IRMapping values;
  DenseMap<Operation *, Value> sums; ///< a slot for each accumulation
};
} // namespace

//===----------------------------------------------------------------------===//
// The task
//===----------------------------------------------------------------------===//

/// A sum of captured values as a fact.
static ir::KnownAttr knownOf(const Linear &sum, ir::TaskOp task) {
  SmallVector<ir::LinearTerm> terms;
  for (const Linear::Term &term : sum.getTerms())
    terms.push_back(
        {term.factor,
         int32_t(cast<BlockArgument>(term.symbol.value).getArgNumber()),
         int32_t(term.symbol.axis)});
  bool isConstant = terms.empty();
  return ir::KnownAttr::get(task.getContext(),
                            isConstant ? sum.getConstant() : INT64_MIN,
                            isConstant ? sum.getConstant() : INT64_MAX, true,
                            sum.getConstant(), terms);
}

/// Sums that an axis begins at the greatest of, or ends at the least of, as a
/// fact: their number if there is one of them, else its range. `before`: what
/// is known of the domain that the axis is kept of.
ir::KnownAttr GatherWriter::endOf(ArrayRef<Linear> sums, bool isGreatest,
                                  ir::KnownAttr before, Type type) {
  if (sums.empty())
    return before;
  if (sums.size() == 1 && !before)
    return knownOf(sums.front(), task);
  Interval known = Interval::full(widthOf(type));
  if (before)
    known = known.meet({before.getLeast(), before.getGreatest()});
  for (const Linear &sum : sums) {
    Interval range = rangeOf(sum, [&](const Symbol &symbol) {
      return ranges.intervalAt(symbol, &task.getBody().front().front());
    });
    known = isGreatest ? Interval{std::max(known.lo, range.lo), known.hi}
                       : Interval{known.lo, std::min(known.hi, range.hi)};
  }
  if (known.lo > known.hi) // the axis is always empty
    return ir::KnownAttr::none(b.getContext());
  return ir::KnownAttr::get(b.getContext(), known.lo, known.hi, false, 0, {});
}

/// The same sums as bounds, which the entry of the task computes.
ArrayAttr GatherWriter::boundsOf(ArrayRef<Linear> sums, ir::KnownAttr before) {
  SmallVector<Attribute> all;
  for (const Linear &sum : sums)
    all.push_back(knownOf(sum, task));
  // That of the domain stays known.
  if (!all.empty() && before && before.getIsSum())
    all.push_back(before);
  return b.getArrayAttr(all);
}

void GatherWriter::addBounds() {
  ir::FactsAttr facts = task.getFactsAttr();
  SmallVector<Attribute> all;
  bool isBounded = false;
  for (const GatherSpace::Axis &axis : space.axes) {
    bool isSingle = !axis.kept && axis.from.size() == 1 && axis.to.size() == 1;
    isBounded |= !isSingle && (!axis.from.empty() || !axis.to.empty());
    auto boundsOf = [&](ArrayRef<Linear> sums, ArrayRef<ir::KnownAttr> ends) {
      return isSingle ? b.getArrayAttr({})
                      : this->boundsOf(sums, axis.kept ? ends[*axis.kept]
                                                       : ir::KnownAttr());
    };
    all.push_back(boundsOf(axis.from, facts.getFrom()));
    all.push_back(boundsOf(axis.to, facts.getTo()));
  }
  if (isBounded)
    made->setAttr(ir::kAxisBoundsAttr, b.getArrayAttr(all));
}

void GatherWriter::addFacts(ArrayRef<int64_t> domainAxes) {
  ir::FactsAttr facts = task.getFactsAttr();
  SmallVector<ir::KnownAttr> from, to;
  SmallVector<Attribute> names;
  ArrayAttr known = task.getAxesAttr();
  for (const GatherSpace::Axis &axis : space.axes) {
    from.push_back(
        endOf(axis.from, /*isGreatest=*/true,
              axis.kept ? facts.getFrom()[*axis.kept] : ir::KnownAttr(),
              axis.symbol.getType()));
    to.push_back(endOf(axis.to, /*isGreatest=*/false,
                       axis.kept ? facts.getTo()[*axis.kept] : ir::KnownAttr(),
                       axis.symbol.getType()));
    StringAttr field = first.getFieldNameAttr();
    std::string name = ((field ? field.getValue() : StringRef("element")) +
                        "." + Twine(axis.position))
                           .str();
    names.push_back(axis.kept && known ? known[*axis.kept]
                                       : b.getStringAttr(name));
  }
  made.setFactsAttr(ir::FactsAttr::get(b.getContext(), from, to,
                                       facts.getInputs(), facts.getNoalias(),
                                       facts.getCells()));
  made.setAxesAttr(b.getArrayAttr(names));
  ir::changeAdjoint(made, [&](ir::Adjoint &adjoint) {
    adjoint.domainAxes = b.getDenseI64ArrayAttr(domainAxes);
  });
  addBounds();
}

void GatherWriter::makeTask(StringRef name) {
  b.setInsertionPoint(task);
  made = cast<ir::TaskOp>(b.insert(task->cloneWithoutRegions()));
  made.setSymName(name);
  made.removeOverAttr();
  // The adjoint's own.
  ir::changeAdjoint(made, [](ir::Adjoint &adjoint) {
    adjoint.variant = nullptr;
    adjoint.passive = nullptr;
  });
  Block *body = b.createBlock(&made.getBody());
  for (Value captured : task.getCaptured()) {
    Value now = body->addArgument(captured.getType(), captured.getLoc());
    symbols[captured] = now;
    values.map(captured, now);
  }
  SmallVector<int64_t> domainAxes;
  for (const GatherSpace::Axis &axis : space.axes) {
    symbols[axis.symbol] =
        body->addArgument(axis.symbol.getType(), axis.symbol.getLoc());
    domainAxes.push_back(axis.kept ? ir::domainAxisOf(task, *axis.kept)
                                   : ir::kComputedAxis);
  }
  made.setRank(space.axes.size());
  addFacts(domainAxes);
  b.setInsertionPointToEnd(body);
}

//===----------------------------------------------------------------------===//
// Sums of symbols
//===----------------------------------------------------------------------===//

bool GatherWriter::fitsInto(const Linear &sum, Type type) {
  Interval range = rangeOf(sum, [&](const Symbol &symbol) {
    for (const GatherSpace::Axis &axis : space.axes)
      if (axis.symbol == symbol.value && !symbol.isExtent())
        return axis.values;
    if (const Nest::Variable *variable = nest.find(symbol.value))
      return variable->values;
    return ranges.intervalAt(symbol, &task.getBody().front().front());
  });
  return fits(range.lo, range.hi, widthOf(type));
}

/// Right if the sum fits into the type, whatever its parts do.
Value GatherWriter::write(const Linear &sum, Type type) {
  Value result;
  auto add = [&](Value value, int64_t factor) {
    if (factor != 1 && (factor != -1 || !result))
      value =
          arith::MulIOp::create(b, loc, value, makeInt(b, loc, type, factor));
    if (!result)
      result = value;
    else if (factor == -1)
      result = arith::SubIOp::create(b, loc, result, value);
    else
      result = arith::AddIOp::create(b, loc, result, value);
  };
  if (sum.getConstant() != 0 || sum.isConstant())
    result = makeInt(b, loc, type, sum.getConstant());
  for (const Linear::Term &term : sum.getTerms()) {
    Value value = symbols.lookup(term.symbol.value);
    if (term.symbol.isExtent())
      value = ir::DimOp::create(b, loc, type, value, term.symbol.axis);
    if (widthOf(value.getType()) < widthOf(type))
      value = arith::ExtSIOp::create(b, loc, type, value);
    else if (widthOf(value.getType()) > widthOf(type))
      value = arith::TruncIOp::create(b, loc, type, value);
    add(value, term.factor);
  }
  return result;
}

/// The type that the bounds of a loop are computed in: that of its variable
/// unless they could wrap.
Type GatherWriter::boundType(const GatherSpace::Loop &loop) {
  Type type = loop.variable->value.getType();
  auto fit = [&](const Linear &sum) { return fitsInto(sum, type); };
  return llvm::all_of(loop.from, fit) && llvm::all_of(loop.to, fit)
             ? type
             : b.getI64Type();
}

template <typename Choice>
Value GatherWriter::writeBound(ArrayRef<Linear> bounds, Type type) {
  Value result;
  for (const Linear &bound : bounds) {
    Value value = write(bound, type);
    result = result ? Choice::create(b, loc, result, value) : value;
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

void GatherWriter::enterGuards() {
  Value all;
  for (const Linear &guard : space.guards) {
    Type type = fitsInto(guard, b.getI32Type()) ? Type(b.getI32Type())
                                                : Type(b.getI64Type());
    Value holds =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge,
                              write(guard, type), makeInt(b, loc, type, 0));
    all = all ? arith::AndIOp::create(b, loc, all, holds) : holds;
  }
  if (!all)
    return;
  auto branch = scf::IfOp::create(b, loc, all, /*withElseRegion=*/false);
  b.setInsertionPoint(branch.thenYield());
}

void GatherWriter::enterLoop(const GatherSpace::Loop &loop) {
  Type type = boundType(loop);
  auto made = scf::ForOp::create(
      b, loc, writeBound<arith::MaxSIOp>(loop.from, type),
      writeBound<arith::MinSIOp>(loop.to, type), makeInt(b, loc, type, 1));
  symbols[loop.variable->value] = made.getInductionVar();
  b.setInsertionPoint(made.getBody()->getTerminator());
}

ir::TaskOp GatherWriter::run(StringRef name) {
  makeTask(name);
  auto end = ir::NextOp::create(b, loc);
  b.setInsertionPoint(end);
  enterGuards();
  for (ir::AccumOp accum : group.accums) {
    Type type = accum.getValue().getType();
    sums[accum] = makeSlot(b, accum.getLoc(), type, "");
    setSlot(b, accum.getLoc(), sums[accum], makeZero(b, accum.getLoc(), type));
  }
  OpBuilder::InsertPoint before = b.saveInsertionPoint();
  for (const GatherSpace::Loop &loop : space.loops)
    enterLoop(loop);
  writeBlock(task.getBody().front());
  b.restoreInsertionPoint(before);
  for (ir::AccumOp accum : group.accums) {
    IRMapping element;
    element.map(accum.getValue(), getSlot(b, accum.getLoc(), sums[accum]));
    element.map(accum.getField(), inside(accum.getField(), accum));
    for (Value index : accum.getIndices())
      if (!element.contains(index))
        element.map(index, insideIndex(index, accum));
    b.clone(*accum, element);
  }
  promoteSlots(made);
  made.getBody().walk(
      [](LoopLikeOpInterface loop) { moveLoopInvariantCode(loop); });
  eraseDeadValues(made);
  return made;
}

//===----------------------------------------------------------------------===//
// The body
//===----------------------------------------------------------------------===//

/// Does an operation hold an accumulation of the group?
bool GatherWriter::isOnPath(Operation &op) {
  return llvm::any_of(group.accums,
                      [&](ir::AccumOp accum) { return op.isAncestor(accum); });
}

/// A captured field, below the same casts.
static Value fieldOf(Value field, const IRMapping &values, OpBuilder &b) {
  if (values.contains(field))
    return values.lookup(field);
  Operation *cast = field.getDefiningOp();
  IRMapping below;
  below.map(cast->getOperand(0), fieldOf(cast->getOperand(0), values, b));
  return b.clone(*cast, below)->getResult(0);
}

/// The value at `at`, in an iteration of the new task. Facts that hold after a
/// condition are not used for the condition itself.
Value GatherWriter::inside(Value value, Operation *at) {
  if (isa<ir::FieldType>(value.getType()))
    return fieldOf(value, values, b);
  if (values.contains(value))
    return values.lookup(value);
  auto sum = linearIn(nest, value, at, ranges);
  auto now = sum ? space.rewrite(*sum) : std::nullopt;
  assert(now && "the slice has all that is not linear");
  return write(*now, value.getType());
}

/// The same of an index, in the type of the widest axis that it depends on.
Value GatherWriter::insideIndex(Value index, Operation *at) {
  auto sum = linearIndexIn(nest, index, at, ranges);
  auto now = sum ? space.rewrite(*sum) : std::nullopt;
  if (!now || values.contains(index))
    return inside(index, at);
  Type type = index.getType();
  for (const GatherSpace::Axis &axis : space.axes)
    if (now->factorOf(Symbol{axis.symbol}) != 0 &&
        widthOf(axis.symbol.getType()) > widthOf(type))
      type = axis.symbol.getType();
  return write(*now, type);
}

void GatherWriter::clone(Operation &op) {
  // Sums are written where they are wanted, and not known elsewhere.
  IRMapping here(values);
  if (auto access = dyn_cast<ir::FieldAccessOpInterface>(op))
    for (Value index : access.getIndices())
      if (!here.contains(index))
        here.map(index, insideIndex(index, &op));
  op.walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (!op.isAncestor(operand.getParentBlock()->getParentOp()) &&
          !here.contains(operand))
        here.map(operand, inside(operand, &op));
  });
  Operation *now = b.clone(op, here);
  values.map(op.getResults(), now->getResults());
}

void GatherWriter::writeBlock(Block &block) {
  for (Operation &op : block.without_terminator()) {
    loc = op.getLoc();
    if (auto slot = sums.find(&op); slot != sums.end()) {
      Value old = getSlot(b, loc, slot->second);
      Value term = inside(cast<ir::AccumOp>(op).getValue(), &op);
      setSlot(b, loc, slot->second, arith::AddFOp::create(b, loc, old, term));
      continue;
    }
    if (!isOnPath(op)) {
      if (slice.contains(&op))
        clone(op);
      continue;
    }
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      writeBlock(*loop.getBody());
      continue;
    }
    auto branch = cast<scf::IfOp>(op);
    auto made = scf::IfOp::create(b, loc, inside(branch.getCondition(), branch),
                                  branch.elseBlock() != nullptr);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(made.thenYield());
    writeBlock(*branch.thenBlock());
    if (!branch.elseBlock())
      continue;
    b.setInsertionPoint(made.elseYield());
    writeBlock(*branch.elseBlock());
  }
}

ir::TaskOp nest::gather(const GatherGroup &group, const Slice &slice,
                        Ranges &ranges, StringRef name) {
  return GatherWriter(group, slice, ranges).run(name);
}
