//===- Guards.cpp - What a resumed run skips ------------------------------===//
#include "chi/Transforms/Checkpoints/Guards.h"

#include "chi/Transforms/Outline/SlotBuilder.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace chi;
using namespace chi::checkpoints;
using arith::CmpIPredicate;
using outline::getSlot;
using outline::makeBool;
using outline::makeInt;
using outline::setSlot;

static Value loadWhere(OpBuilder &builder, Location loc) {
  return ir::GlobalLoadOp::create(builder, loc, builder.getI32Type(),
                                  kWhereName);
}

static Value compare(OpBuilder &builder, Location loc, CmpIPredicate how,
                     Value value, int32_t number) {
  Value other = makeInt(builder, loc, value.getType(), number);
  return arith::CmpIOp::create(builder, loc, how, value, other);
}

/// Whether the run is not on its way to a loop.
static Value isNormal(OpBuilder &builder, Location loc) {
  return compare(builder, loc, CmpIPredicate::eq, loadWhere(builder, loc), 0);
}

/// Whether it is on its way to one of these loops.
static Value isInside(OpBuilder &builder, Location loc, Numbers numbers) {
  Value where = loadWhere(builder, loc);
  return arith::AndIOp::create(
      builder, loc,
      compare(builder, loc, CmpIPredicate::sge, where, numbers.first),
      compare(builder, loc, CmpIPredicate::sle, where, numbers.last));
}

/// A conditional, whose region ends with chi.next.
static Block *makeIf(OpBuilder &builder, Location loc, Value condition) {
  auto op = ir::IfOp::create(builder, loc, condition);
  Block *block = &op.getThenRegion().emplaceBlock();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(block);
  ir::NextOp::create(builder, loc);
  return block;
}

Guards::Guards(func::FuncOp function, const Heads &heads)
    : function(function), heads(heads) {}

Value Guards::newSlot(Type type, StringRef name) {
  OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
  return outline::makeSlot(builder, function.getLoc(), type, name);
}

/// IRGen makes slots, and null for those of fields and strs, at the front.
Operation *Guards::beginning() {
  for (Operation &op : function.getBody().front()) {
    auto set = dyn_cast<ir::SetOp>(op);
    bool isFirst = isa<ir::LocalOp, ir::NullOp>(op) ||
                   (set && set.getValue().getDefiningOp<ir::NullOp>());
    if (!isFirst)
      return &op;
  }
  llvm_unreachable("a function ends with a return");
}

LogicalResult Guards::run() {
  guardBlock(function.getBody().front(), beginning());
  return spill();
}

/// Computes the same whether the run resumes or not: constants, and what
/// follows from them and from params. So a param that may change has its new
/// value.
bool Guards::isFree(Operation *op) const {
  auto load = dyn_cast<ir::GlobalLoadOp>(op);
  if (load) {
    auto global = SymbolTable::lookupNearestSymbolFrom<ir::GlobalOp>(
        op, load.getGlobalAttr());
    return global && global.getParam();
  }
  return op->getNumRegions() == 0 && isPure(op) &&
         llvm::none_of(op->getOperands(), [&](Value value) {
           return guarded.contains(value.getDefiningOp());
         });
}

void Guards::guardBlock(Block &block, Operation *first) {
  SmallVector<Operation *> ops;
  for (Operation *op = first; op; op = op->getNextNode())
    ops.push_back(op);
  if (llvm::none_of(
          ops, [&](Operation *op) { return !heads.numbersOf(op).empty(); }))
    return;
  SmallVector<Operation *> segment;
  for (Operation *op : ops) {
    bool isCarrier = !heads.numbersOf(op).empty();
    if (!isCarrier && !op->hasTrait<OpTrait::IsTerminator>()) {
      segment.push_back(op);
      continue;
    }
    guardSegment(segment, op);
    segment.clear();
    if (isCarrier)
      enter(op);
  }
}

void Guards::guardSegment(ArrayRef<Operation *> segment, Operation *before) {
  SmallVector<Operation *> moved;
  for (Operation *op : segment)
    if (!isFree(op)) {
      moved.push_back(op);
      guarded[op] = nullptr;
    }
  if (moved.empty())
    return;
  OpBuilder builder(before);
  Location loc = moved.front()->getLoc();
  Block *body = makeIf(builder, loc, isNormal(builder, loc));
  for (Operation *op : moved) {
    op->moveBefore(&body->back());
    guarded[op] = body;
  }
}

/// Puts a loop, a conditional or a call under a condition: it is skipped on the
/// way to a loop that stands elsewhere.
void Guards::enter(Operation *carrier) {
  Numbers numbers = heads.numbersOf(carrier);
  OpBuilder builder(carrier);
  Location loc = carrier->getLoc();
  Value run = arith::OrIOp::create(builder, loc, isNormal(builder, loc),
                                   isInside(builder, loc, numbers));
  Block *body = makeIf(builder, loc, run);
  carrier->moveBefore(&body->back());
  if (auto loop = dyn_cast<ir::ForOp>(carrier))
    return enterFor(loop, body->getParentOp(), numbers);
  if (auto loop = dyn_cast<ir::WhileOp>(carrier))
    return enterWhile(loop, numbers);
  for (Region &region : carrier->getRegions())
    for (Block &block : region)
      guardBlock(block, &block.front());
}

/// Of the variable of a loop, whose slot its iterations write first: that of
/// the position is of more use in a file than the value of the iteration
/// before.
static StringRef nameOf(ir::ForOp loop) {
  Block &body = loop.getBody().front();
  auto set = dyn_cast<ir::SetOp>(body.front());
  auto slot = set && set.getValue() == body.getArgument(0)
                  ? set.getSlot().getDefiningOp<ir::LocalOp>()
                  : ir::LocalOp();
  return slot && !slot.getName().empty() ? slot.getName() : "position";
}

void Guards::enterFor(ir::ForOp loop, Operation *wrapper, Numbers numbers) {
  Location loc = loop.getLoc();
  Block &body = loop.getBody().front();
  Value from = loop.getFrom();
  Value position = newSlot(from.getType(), nameOf(loop));
  guardBlock(body, &body.front());
  OpBuilder builder(loop);
  Value start =
      arith::SelectOp::create(builder, loc, isInside(builder, loc, numbers),
                              getSlot(builder, loc, position), from);
  loop.getFromMutable().assign(start);
  builder.setInsertionPointToStart(&body);
  setSlot(builder, loc, position, body.getArgument(0));
  makeHead(builder, loc, numbers.first);
}

/// The head is where the condition is computed: a run that resumes in the loop
/// computes it first, and one on its way to a loop inside takes it as true.
void Guards::enterWhile(ir::WhileOp loop, Numbers numbers) {
  Location loc = loop.getLoc();
  Block &before = loop.getBefore().front();
  Block &body = loop.getBody().front();
  guardBlock(body, &body.front());
  OpBuilder builder = OpBuilder::atBlockBegin(&before);
  if (numbers.last > numbers.first) {
    Value slot = newSlot(builder.getI1Type(), "condition");
    auto end = cast<ir::ConditionOp>(before.getTerminator());
    setSlot(builder, loc, slot, makeBool(builder, loc, true));
    Block *computed = makeIf(builder, loc, isNormal(builder, loc));
    Operation *guard = computed->getParentOp();
    while (guard->getNextNode() != end)
      guard->getNextNode()->moveBefore(&computed->back());
    builder.setInsertionPoint(&computed->back());
    setSlot(builder, loc, slot, end.getCondition());
    builder.setInsertionPoint(end);
    end.getConditionMutable().assign(getSlot(builder, loc, slot));
    builder.setInsertionPointToStart(&before);
  }
  makeHead(builder, loc, numbers.first);
}

/// A run that resumes here has arrived; else a checkpoint may be due.
void Guards::makeHead(OpBuilder &builder, Location loc, int32_t number) {
  Type i32 = builder.getI32Type();
  auto rt = [&](OpBuilder &b, StringRef name, TypeRange results) {
    return ir::RtOp::create(b, loc, results, b.getStringAttr(name),
                            ValueRange(), StringAttr());
  };
  Value where = loadWhere(builder, loc);
  Value isHere = compare(builder, loc, CmpIPredicate::eq, where, number);
  Value isFree = compare(builder, loc, CmpIPredicate::eq, where, 0);
  Block *arrived = makeIf(builder, loc, isHere);
  OpBuilder inside(&arrived->back());
  ir::GlobalStoreOp::create(inside, loc, makeInt(inside, loc, i32, 0),
                            kWhereName);
  rt(inside, "chirt_restored_end", {});
  Block *normal = makeIf(builder, loc, isFree);
  inside.setInsertionPoint(&normal->back());
  Value due = rt(inside, "chirt_checkpoint_due", i32).getResult(0);
  saves.push_back(
      {makeIf(inside, loc, compare(inside, loc, CmpIPredicate::ne, due, 0)),
       number, loc});
}

/// Whether an operation of the same function comes before `op` in all runs that
/// come to both.
static bool isBefore(Operation *first, Operation *op) {
  for (; !isa<func::FuncOp>(first); first = first->getParentOp())
    if (Operation *beside = first->getBlock()->findAncestorOpInBlock(*op))
      return first != beside && first->isBeforeInBlock(beside);
  return false;
}

/// Where nothing stores to a top-level variable behind a load of its handle,
/// that is loaded again where it is used; false of other operations. The memory
/// of an array is such a variable.
static bool loadAgain(Operation *op, ArrayRef<OpOperand *> uses) {
  auto load = dyn_cast<ir::GlobalLoadOp>(op);
  if (!load || !isa<ir::FieldType>(load.getType()))
    return false;
  bool isChanged = false;
  load->getParentOfType<func::FuncOp>().walk([&](ir::GlobalStoreOp store) {
    isChanged |= store.getGlobal() == load.getGlobal() && !isBefore(store, op);
  });
  if (isChanged)
    return false;
  for (OpOperand *use : uses)
    use->set(OpBuilder(use->getOwner()).clone(*op)->getResult(0));
  return true;
}

/// Values that are used where their definition may have been skipped.
LogicalResult Guards::spill() {
  for (auto &[op, body] : guarded)
    for (Value value : op->getResults()) {
      SmallVector<OpOperand *> uses;
      for (OpOperand &use : value.getUses())
        if (!body->findAncestorOpInBlock(*use.getOwner()))
          uses.push_back(&use);
      if (uses.empty())
        continue;
      if (loadAgain(op, uses))
        continue;
      if (isa<ir::HandleTypeInterface>(value.getType()))
        return op->emitOpError("is a handle that is used behind a loop");
      Value slot = newSlot(value.getType(), "kept");
      OpBuilder builder(op->getContext());
      builder.setInsertionPointAfter(op);
      setSlot(builder, op->getLoc(), slot, value);
      for (OpOperand *use : uses) {
        builder.setInsertionPoint(use->getOwner());
        use->set(getSlot(builder, op->getLoc(), slot));
      }
    }
  return success();
}
