//===- Structure.cpp - Control with exits becomes scf ---------------------===//
// Each exit sets flags; what follows an exit is guarded. Where one branch of
// an `if` always exits, the rest of the block moves into the other branch, so
// that the common early `continue` and `return` need no flag at all.
//===----------------------------------------------------------------------===//

#include "chi/Transforms/Outline/Passes.h"
#include "chi/Transforms/Outline/SlotBuilder.h"
#include "chi/Transforms/Outline/TripCount.h"
#include "mlir/IR/Builders.h"

namespace chi::outline {
#define GEN_PASS_DEF_STRUCTUREPASS
#include "chi/Transforms/Outline/Passes.h.inc"
} // namespace chi::outline

using namespace mlir;
using namespace chi::ir;
using namespace chi::outline;

namespace {
/// Which exits leave an op or a block, and whether its end is never reached.
struct Exits {
  bool next = false;   // continue: ends this iteration of the enclosing loop
  bool leave = false;  // break
  bool finish = false; // return
  bool always = false; // control never falls out of the end
  bool any() const { return next || leave || finish; }
  void add(const Exits &other) {
    next |= other.next;
    leave |= other.leave;
    finish |= other.finish;
  }
};

/// The flags that exits inside one function body, loop body or parallel body
/// set.
struct Scope {
  Scope *parent = nullptr; // null at a function and at a parallel loop
  Block *body = nullptr;
  Value skip; // i1 slot: the rest of this iteration is skipped; made on demand
  Value run;  // i1 slot of a loop with break or return: go on turning
};

class Structurer {
public:
  explicit Structurer(Operation *root) : root(root) {}
  void run();

private:
  Exits findExits(Block &block);
  Exits findExits(Operation *op);

  void structureBody(Block &block, Scope &scope);
  bool structureIf(IfOp op, Scope &scope);
  bool structureLoop(Operation *op, Scope &scope);
  Operation *structureFor(ForOp op, Scope &scope);
  Operation *structureBreakingFor(ForOp op, Scope &scope);
  void structureWhile(WhileOp op, Scope &scope);
  void structureParallel(ParallelOp op);
  void lowerExit(Operation *exit, Scope &scope);

  Value skipFlag(Scope &scope);
  void guardRest(Operation *op, Scope &scope);
  void makeResultSlots(Operation *function, ArrayRef<Type> types);

  Operation *root;
  DenseMap<Operation *, Exits> exits; // of chi.if and loops
  DenseMap<Block *, Exits> blockExits;
  SmallVector<Value> resultSlots;
  bool hasResultSlots = false;
};

/// Counter of a loop: from `first` to `last` by one, and the source's variable
/// as a function of it.
struct TripForm {
  Value first, last, one;
  Value from, step; // null step: the counter is the variable
};
} // namespace

//===----------------------------------------------------------------------===//
// Which exits there are
//===----------------------------------------------------------------------===//

Exits Structurer::findExits(Block &block) {
  Exits result;
  for (Operation &op : block) {
    Exits inner = findExits(&op);
    result.add(inner);
    result.always |= inner.always;
  }
  blockExits[&block] = result;
  return result;
}

Exits Structurer::findExits(Operation *op) {
  Exits result;
  if (isa<ContinueOp>(op))
    result.next = result.always = true;
  else if (isa<BreakOp>(op))
    result.leave = result.always = true;
  else if (isa<ReturnOp>(op))
    result.finish = result.always = true;
  if (op->getNumRegions() == 0)
    return result;

  bool all = isa<IfOp>(op);
  for (Region &region : op->getRegions()) {
    all &= !region.empty();
    for (Block &block : region) {
      Exits inner = findExits(block);
      result.add(inner);
      all &= inner.always;
    }
  }
  result.always = all;
  if (isa<ForOp, WhileOp, ParallelOp>(op))
    result.next = result.leave = false;
  if (isa<IfOp, ForOp, WhileOp>(op))
    exits[op] = result;
  return result;
}

//===----------------------------------------------------------------------===//
// Flags
//===----------------------------------------------------------------------===//

Value Structurer::skipFlag(Scope &scope) {
  if (!scope.skip) {
    OpBuilder builder = OpBuilder::atBlockBegin(scope.body);
    Location loc = scope.body->getParentOp()->getLoc();
    scope.skip = makeSlot(builder, loc, builder.getI1Type(), "skip");
    setSlot(builder, loc, scope.skip, makeBool(builder, loc, false));
  }
  return scope.skip;
}

/// Sets the flags of `exit` and erases it: the block has no terminator
/// afterwards.
void Structurer::lowerExit(Operation *exit, Scope &scope) {
  OpBuilder builder(exit);
  Location loc = exit->getLoc();
  auto set = [&](Value slot, bool value) {
    if (slot)
      setSlot(builder, loc, slot, makeBool(builder, loc, value));
  };
  if (auto leave = dyn_cast<ReturnOp>(exit)) {
    for (auto [slot, value] : llvm::zip_first(resultSlots, leave.getInputs()))
      setSlot(builder, loc, slot, value);
    for (Scope *s = &scope; s; s = s->parent) {
      set(s->skip, true);
      set(s->run, false);
    }
  } else if (isa<BreakOp>(exit)) {
    set(scope.skip, true);
    set(scope.run, false);
  } else if (isa<ContinueOp>(exit)) {
    set(scope.skip, true);
  }
  exit->erase();
}

/// Moves what follows `op` in its block, terminator included, to the end of
/// `to`, which has no terminator.
static void moveRest(Operation *op, Block *to) {
  Block *from = op->getBlock();
  to->getOperations().splice(to->end(), from->getOperations(),
                             std::next(op->getIterator()), from->end());
}

static void eraseRest(Operation *op) {
  Block *block = op->getBlock();
  while (&block->back() != op) {
    Operation *last = &block->back();
    last->dropAllUses();
    last->erase();
  }
}

static void endWithYield(Block &block, Location loc) {
  OpBuilder builder = OpBuilder::atBlockEnd(&block);
  scf::YieldOp::create(builder, loc);
}

/// Puts what follows `op` under `if not skip`, and structures it.
void Structurer::guardRest(Operation *op, Scope &scope) {
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  Location loc = op->getLoc();
  Block *block = op->getBlock();
  Operation *rest = op->getNextNode();
  Value skip = getSlot(builder, loc, scope.skip);
  Value go =
      arith::XOrIOp::create(builder, loc, skip, makeBool(builder, loc, true));
  auto guard = scf::IfOp::create(builder, loc, go, /*withElse=*/false);
  Block *inside = &guard.getThenRegion().front();
  inside->clear();
  inside->getOperations().splice(inside->end(), block->getOperations(),
                                 rest->getIterator(), block->end());
  structureBody(*inside, scope);
  endWithYield(*inside, loc);
}

//===----------------------------------------------------------------------===//
// Blocks and ifs
//===----------------------------------------------------------------------===//

/// Structures the operations of `block`. Its terminator is one of chi's and is
/// erased: the caller adds the right one.
void Structurer::structureBody(Block &block, Scope &scope) {
  for (Operation *op = &block.front(); op;) {
    Operation *next = op->getNextNode();
    if (isa<NextOp, BreakOp, ContinueOp, ReturnOp>(op)) {
      lowerExit(op, scope);
      return;
    }
    bool moved = false;
    if (auto branch = dyn_cast<IfOp>(op))
      moved = structureIf(branch, scope);
    else if (isa<ForOp, WhileOp>(op))
      moved = structureLoop(op, scope);
    else if (auto parallel = dyn_cast<ParallelOp>(op))
      structureParallel(parallel);
    else if (auto choice = dyn_cast<scf::IfOp>(op))
      // The sides of a conditional expression may loop, but never leave.
      for (Region &side : choice->getRegions())
        for (Block &inner : side)
          structureBody(inner, scope);
    if (moved)
      return;
    op = next;
  }
}

/// Returns true if what follows was moved (and structured), so that the block
/// ends here.
bool Structurer::structureIf(IfOp op, Scope &scope) {
  Exits inside = exits.lookup(op);
  Block *thenBlock = &op.getThenRegion().front();
  bool hasElse = !op.getElseRegion().empty();
  bool thenEnds = blockExits.lookup(thenBlock).always;
  bool elseEnds =
      hasElse && blockExits.lookup(&op.getElseRegion().front()).always;

  OpBuilder builder(op);
  auto made =
      scf::IfOp::create(builder, op.getLoc(), TypeRange(), op.getCondition(),
                        /*addThenBlock=*/false, /*addElseBlock=*/false);
  made->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  made.getThenRegion().takeBody(op.getThenRegion());
  if (hasElse)
    made.getElseRegion().takeBody(op.getElseRegion());
  else if (thenEnds)
    made.getElseRegion().emplaceBlock();
  op.erase();

  bool moved = false, guarded = false;
  if (thenEnds && elseEnds) {
    eraseRest(made);
    moved = true;
  } else if (thenEnds || elseEnds) {
    Block *other = thenEnds ? &made.getElseRegion().front()
                            : &made.getThenRegion().front();
    if (!other->empty())
      other->back().erase(); // its chi.next: it does not always exit
    moveRest(made, other);
    moved = true;
  } else if (inside.any()) {
    // Some path inside exits and some other does not.
    guarded = !isa<NextOp, ContinueOp>(made->getNextNode());
    if (guarded)
      skipFlag(scope);
  }
  for (Region *region : {&made.getThenRegion(), &made.getElseRegion()})
    if (!region->empty()) {
      structureBody(region->front(), scope);
      endWithYield(region->front(), made.getLoc());
    }
  if (guarded)
    guardRest(made, scope);
  return moved || guarded;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// The loop's counter. A step of one counts by the variable itself, which is
/// what LLVM likes best; else from 0 to the trip count, so that nothing
/// overflows at the upper end.
static TripForm tripForm(OpBuilder &builder, ForOp op) {
  Location loc = op.getLoc();
  Type type = op.getFrom().getType();
  Value one = makeInt(builder, loc, type, 1);
  std::optional<APInt> step = constantInt(op.getStep());
  if (step && step->isOne())
    return {op.getFrom(), op.getTo(), one, op.getFrom(), Value()};
  Value tripCount =
      tripCountOf(builder, loc, op.getFrom(), op.getTo(), op.getStep());
  return {makeInt(builder, loc, type, 0), tripCount, one, op.getFrom(),
          op.getStep()};
}

/// Makes the loop variable of `body` a function of its counter.
static void recomputeVariable(Block &body, Location loc, const TripForm &form) {
  if (!form.step)
    return;
  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  BlockArgument counter = body.getArgument(0);
  Value scaled = arith::MulIOp::create(builder, loc, counter, form.step);
  Value variable = arith::AddIOp::create(builder, loc, form.from, scaled);
  counter.replaceAllUsesExcept(variable, scaled.getDefiningOp());
}

static void callProgress(OpBuilder &builder, Location loc, StringRef name,
                         ValueRange inputs = {}) {
  RtOp::create(builder, loc, TypeRange(), builder.getStringAttr(name), inputs,
               StringAttr());
}

/// `chirt_progress_begin` with the number of iterations as an i64.
static void beginProgress(OpBuilder &builder, ForOp op, const TripForm &form) {
  Location loc = op.getLoc();
  Value tripCount = form.last;
  if (!form.step)
    tripCount = tripCountOf(builder, loc, op.getFrom(), op.getTo(), form.one);
  Type i64 = builder.getI64Type();
  if (tripCount.getType().getIntOrFloatBitWidth() < 64)
    tripCount = arith::ExtSIOp::create(builder, loc, i64, tripCount);
  callProgress(builder, loc, "chirt_progress_begin", tripCount);
}

/// Returns true if what follows was moved under a guard.
bool Structurer::structureLoop(Operation *op, Scope &scope) {
  bool returns = exits.lookup(op).finish;
  if (returns)
    skipFlag(scope);
  Operation *last = nullptr;
  if (auto loop = dyn_cast<ForOp>(op)) {
    Exits inside = blockExits.lookup(&loop.getBody().front());
    bool progress = loop.getProgress();
    Location loc = op->getLoc();
    last = inside.leave || inside.finish ? structureBreakingFor(loop, scope)
                                         : structureFor(loop, scope);
    if (progress) {
      OpBuilder builder(last->getContext());
      builder.setInsertionPointAfter(last);
      callProgress(builder, loc, "chirt_progress_end");
      last = last->getNextNode();
    }
  } else {
    Operation *after = op->getNextNode();
    structureWhile(cast<WhileOp>(op), scope);
    last = after->getPrevNode();
  }
  if (!returns || isa<NextOp, ContinueOp>(last->getNextNode()))
    return false;
  guardRest(last, scope);
  return true;
}

Operation *Structurer::structureFor(ForOp op, Scope &scope) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  TripForm form = tripForm(builder, op);
  if (op.getProgress())
    beginProgress(builder, op, form);
  auto made = scf::ForOp::create(builder, loc, form.first, form.last, form.one);
  made->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  bool progress = op.getProgress();
  made.getRegion().takeBody(op.getBody());
  op.erase();

  Block &body = made.getRegion().front();
  Scope inner{&scope, &body, {}, {}};
  structureBody(body, inner);
  recomputeVariable(body, loc, form);
  builder.setInsertionPointToEnd(&body);
  if (progress)
    callProgress(builder, loc, "chirt_progress_step");
  scf::YieldOp::create(builder, loc);
  return made;
}

/// A counted loop with break or return: it iterates while the counter is below
/// the end and the flag `run` is set.
Operation *Structurer::structureBreakingFor(ForOp op, Scope &scope) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  TripForm form = tripForm(builder, op);
  bool progress = op.getProgress();
  if (progress)
    beginProgress(builder, op, form);
  Value run = makeSlot(builder, loc, builder.getI1Type(), "run");
  setSlot(builder, loc, run, makeBool(builder, loc, true));
  Type type = form.first.getType();
  auto made = scf::WhileOp::create(builder, loc, TypeRange(type), form.first);
  made->setDiscardableAttrs(op->getDiscardableAttrDictionary());

  Block &before = made.getBefore().emplaceBlock();
  before.addArgument(type, loc);
  builder.setInsertionPointToStart(&before);
  Value inside = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                       before.getArgument(0), form.last);
  Value running = getSlot(builder, loc, run);
  Value go = arith::AndIOp::create(builder, loc, inside, running);
  scf::ConditionOp::create(builder, loc, go, before.getArguments());

  made.getAfter().takeBody(op.getBody());
  op.erase();
  Block &body = made.getAfter().front();
  Scope inner{&scope, &body, {}, run};
  structureBody(body, inner);
  builder.setInsertionPointToEnd(&body);
  if (progress)
    callProgress(builder, loc, "chirt_progress_step");
  // Below the end, so adding one cannot overflow.
  auto next = arith::AddIOp::create(builder, loc, body.getArgument(0), form.one,
                                    arith::IntegerOverflowFlags::nsw);
  scf::YieldOp::create(builder, loc, next.getResult());
  recomputeVariable(body, loc, form);
  next->setOperand(0, body.getArgument(0));
  return made;
}

/// Ends the region of a condition by scf.condition.
static void endCondition(Block &block) {
  auto condition = cast<ConditionOp>(block.getTerminator());
  OpBuilder builder(condition);
  scf::ConditionOp::create(builder, condition.getLoc(),
                           condition.getCondition(), ValueRange());
  condition.erase();
}

/// Puts the computation of the condition under `if run`: once the loop was
/// left, its condition is not evaluated again.
static void guardCondition(Block &block, Value run) {
  auto condition = cast<ConditionOp>(block.getTerminator());
  Location loc = condition.getLoc();
  OpBuilder builder = OpBuilder::atBlockBegin(&block);
  Value running = getSlot(builder, loc, run);
  auto guard = scf::IfOp::create(builder, loc, builder.getI1Type(), running,
                                 /*withElseRegion=*/true);
  Block *inside = &guard.getThenRegion().front();
  inside->getOperations().splice(inside->end(), block.getOperations(),
                                 std::next(guard->getIterator()),
                                 condition->getIterator());
  builder.setInsertionPointToEnd(inside);
  scf::YieldOp::create(builder, loc, condition.getCondition());
  builder.setInsertionPointToEnd(&guard.getElseRegion().front());
  scf::YieldOp::create(builder, loc, makeBool(builder, loc, false));
  condition.getConditionMutable().assign(guard.getResult(0));
}

void Structurer::structureWhile(WhileOp op, Scope &scope) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Exits inside = blockExits.lookup(&op.getBody().front());
  Value run;
  if (inside.leave || inside.finish) {
    run = makeSlot(builder, loc, builder.getI1Type(), "run");
    setSlot(builder, loc, run, makeBool(builder, loc, true));
  }
  auto made = scf::WhileOp::create(builder, loc, TypeRange(), ValueRange());
  made->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  made.getBefore().takeBody(op.getBefore());
  made.getAfter().takeBody(op.getBody());
  op.erase();

  Block &before = made.getBefore().front();
  Scope none{nullptr, &before, {}, {}};
  structureBody(before, none); // ifs of and, or; no exits
  if (run)
    guardCondition(before, run);
  endCondition(before);

  Block &body = made.getAfter().front();
  Scope inner{&scope, &body, {}, run};
  structureBody(body, inner);
  endWithYield(body, loc);
}

void Structurer::structureParallel(ParallelOp op) {
  Block &body = op.getBody().front();
  Scope scope{nullptr, &body, {}, {}};
  structureBody(body, scope);
  OpBuilder builder = OpBuilder::atBlockEnd(&body);
  NextOp::create(builder, op.getLoc());
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// Slots for returned values, unless the one return ends the body.
void Structurer::makeResultSlots(Operation *function, ArrayRef<Type> types) {
  Block &body = function->getRegion(0).front();
  bool nested = false;
  for (Operation &op : body)
    nested |= exits.lookup(&op).finish;
  hasResultSlots = nested;
  if (!nested)
    return;
  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  for (Type type : types)
    resultSlots.push_back(
        makeSlot(builder, function->getLoc(), type, "result"));
}

void Structurer::run() {
  auto function = cast<FunctionOpInterface>(root);
  Region &region = function.getFunctionBody();
  if (region.empty() || !region.hasOneBlock())
    return;
  Block &body = region.front();
  findExits(body);
  makeResultSlots(root, function.getResultTypes());

  // The values of a return at the very end need no slots.
  SmallVector<Value> results;
  Location end = body.getTerminator()->getLoc();
  bool isFunctionReturn = isa<func::ReturnOp>(body.getTerminator());
  if (isFunctionReturn) {
    OpBuilder builder(body.getTerminator());
    Operation *old = body.getTerminator();
    ReturnOp::create(builder, end, old->getOperands());
    old->erase();
  }
  if (!hasResultSlots)
    results = llvm::to_vector(body.getTerminator()->getOperands());
  Scope scope{nullptr, &body, {}, {}};
  structureBody(body, scope);

  OpBuilder builder = OpBuilder::atBlockEnd(&body);
  for (Value slot : resultSlots)
    results.push_back(getSlot(builder, end, slot));
  if (isa<KernelOp>(root))
    ReturnOp::create(builder, end, results);
  else
    func::ReturnOp::create(builder, end, results);
}

namespace {
struct StructurePass : chi::outline::impl::StructurePassBase<StructurePass> {
  void runOnOperation() override {
    for (Operation &op : *getOperation().getBody())
      if (isa<KernelOp, func::FuncOp>(op))
        Structurer(&op).run();
  }
};
} // namespace
