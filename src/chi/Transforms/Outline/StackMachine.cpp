//===- StackMachine.cpp - A loop in place of recursive functions ----------===//
#include "chi/Transforms/Outline/StackMachine.h"
#include "chi/Transforms/Outline/SlotBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace chi::ir;
using namespace chi::outline;

/// No state: the machine has returned.
static constexpr int64_t kDone = -1;

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

Value StackMachine::number(int64_t value) {
  return makeInt(*b, loc, b->getI64Type(), value);
}

Value StackMachine::at(Value base, Value offset) {
  return arith::AddIOp::create(*b, loc, base, offset);
}

Value StackMachine::load(Type type, Value index) {
  Type stack = Frames::stackType(type);
  Value value =
      GetOp::create(*b, loc, stack, stacks.lookup(stack), ValueRange(index));
  return type == stack ? value : arith::TruncIOp::create(*b, loc, type, value);
}

void StackMachine::store(Value value, Value index) {
  Type stack = Frames::stackType(value.getType());
  if (value.getType() != stack)
    value = arith::ExtUIOp::create(*b, loc, stack, value);
  SetOp::create(*b, loc, value, stacks.lookup(stack), ValueRange(index));
}

void StackMachine::setState(Value state) { setSlot(*b, loc, next, state); }

/// What a value of the functions is in the state that is written.
Value StackMachine::valueOf(Value value) {
  if (Value mapped = known.lookupOrNull(value))
    return mapped;
  Value made;
  if (Value field = fields.lookup(value)) {
    made = field;
  } else if (Frames::isRemade(value)) {
    made = b->clone(*value.getDefiningOp())->getResult(0);
  } else {
    auto place = frames.placeOf(value);
    assert(place && "a value without a place");
    made = load(value.getType(), at(first, number(*place)));
  }
  known.map(value, made);
  return made;
}

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

/// Finds for each parameter that is a field the one of the machine: each call
/// on the cycle has to pass on what its function was given.
bool StackMachine::findFields(func::FuncOp entry, func::FuncOp machine) {
  for (auto [own, ours] :
       llvm::zip(entry.getArguments(), machine.getArguments()))
    if (isa<FieldType>(own.getType()))
      fields[own] = ours;
  bool changed = true, isGood = true;
  while (std::exchange(changed, false) && isGood)
    for (const State &state : states.all()) {
      if (state.end != State::Call)
        continue;
      auto call = cast<func::CallOp>(state.last);
      auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
          call, call.getCalleeAttr());
      for (auto [given, parameter] :
           llvm::zip(call.getOperands(), callee.getArguments())) {
        if (!isa<FieldType>(given.getType()))
          continue;
        Value ours = fields.lookup(given), theirs = fields.lookup(parameter);
        if (ours && !theirs) {
          fields[parameter] = ours;
          changed = true;
        }
        isGood &= !ours || !theirs || ours == theirs;
        isGood &= isa<BlockArgument>(given);
      }
    }
  return isGood;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

void StackMachine::makeMemory() {
  for (Type type : frames.stackTypes()) {
    auto local = LocalType::get(b->getContext(), {ShapedType::kDynamic}, type);
    stacks[type] = ScratchOp::create(*b, loc, local);
  }
  next = makeSlot(*b, loc, b->getI32Type(), "");
  base = makeSlot(*b, loc, b->getI64Type(), "");
  for (Operation *each : cycle)
    for (Type type : cast<func::FuncOp>(each).getResultTypes())
      results[each].push_back(makeSlot(*b, loc, type, ""));
}

/// Makes a frame of a call at `place`, and its first state the next one.
void StackMachine::enter(Operation *function, ValueRange args, Value place,
                         Value returnsTo) {
  Value end = at(place, number(frames.sizeOf(function)));
  for (Type type : frames.stackTypes())
    ReserveOp::create(*b, loc, stacks.lookup(type), end);
  store(returnsTo, at(place, number(frames.returnPlace(function))));
  for (auto [given, parameter] :
       llvm::zip(args, cast<func::FuncOp>(function).getArguments()))
    if (auto offset = frames.placeOf(parameter))
      store(given, at(place, number(*offset)));
  for (Value array : frames.arraysOf(function)) { // they begin as zeros
    auto type = cast<LocalType>(array.getType());
    Value zero = makeZero(*b, loc, type.getScalar());
    Value begin = at(place, number(*frames.placeOf(array)));
    auto loop = scf::ForOp::create(*b, loc, number(0),
                                   number(type.getNumElements()), number(1));
    OpBuilder::InsertionGuard guard(*b);
    b->setInsertionPointToStart(loop.getBody());
    store(zero, at(begin, loop.getInductionVar()));
  }
  setSlot(*b, loc, base, place);
  setState(makeInt(*b, loc, b->getI32Type(), states.entryOf(function)));
}

void StackMachine::endCall(const State &state) {
  auto call = cast<func::CallOp>(state.last);
  Operation *callee =
      SymbolTable::lookupNearestSymbolFrom(call, call.getCalleeAttr());
  SmallVector<Value> args;
  for (Value operand : call.getOperands())
    args.push_back(isa<FieldType>(operand.getType()) ? Value()
                                                     : valueOf(operand));
  Value returnsTo = makeInt(*b, loc, b->getI32Type(), state.steps[0].target);
  enter(callee, args, at(first, number(frames.sizeOf(state.function))),
        returnsTo);
}

/// Behind a call: its frame is gone, its results are there.
void StackMachine::resume(func::CallOp call, const State &state) {
  Value size = number(frames.sizeOf(state.function));
  first = arith::SubIOp::create(*b, loc, first, size);
  setSlot(*b, loc, base, first);
  Operation *callee =
      SymbolTable::lookupNearestSymbolFrom(call, call.getCalleeAttr());
  for (auto [result, slot] :
       llvm::zip(call.getResults(), results.lookup(callee)))
    known.map(result, getSlot(*b, loc, slot));
  keepResults(call.getResults());
}

void StackMachine::endReturn(const State &state) {
  func::FuncOp function = state.function;
  for (auto [value, slot] : llvm::zip(state.last->getOperands(),
                                      results.lookup(function.getOperation())))
    setSlot(*b, loc, slot, valueOf(value));
  Value place = number(frames.returnPlace(state.function));
  setState(load(b->getI32Type(), at(first, place)));
}

//===----------------------------------------------------------------------===//
// States
//===----------------------------------------------------------------------===//

/// The index of an element of an array in its stack.
Value StackMachine::offsetIn(Value array, ValueRange indices) {
  auto type = cast<LocalType>(array.getType());
  Value offset = number(0);
  for (auto [extent, index] : llvm::zip(type.getShape(), indices)) {
    Value wide = index.getType().isInteger(64)
                     ? index
                     : arith::ExtSIOp::create(*b, loc, b->getI64Type(), index);
    offset = at(arith::MulIOp::create(*b, loc, offset, number(extent)), wide);
  }
  return at(at(first, number(*frames.placeOf(array))), offset);
}

/// An access of a variable becomes one of its frame. Its operands are mapped.
void StackMachine::rewriteAccess(Operation *op) {
  OpBuilder::InsertionGuard guard(*b);
  b->setInsertionPoint(op);
  if (auto get = dyn_cast<GetOp>(op)) {
    if (!frames.placeOf(get.getSlot()))
      return;
    get.getResult().replaceAllUsesWith(
        load(get.getType(), offsetIn(get.getSlot(), get.getIndices())));
    get.erase();
  } else if (auto set = dyn_cast<SetOp>(op)) {
    if (!frames.placeOf(set.getSlot()))
      return;
    store(set.getValue(), offsetIn(set.getSlot(), set.getIndices()));
    set.erase();
  }
}

/// Makes each value that an operation reads from outside of it known.
void StackMachine::mapOperands(Operation *op) {
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands()) {
      Operation *owner = operand.getParentBlock()->getParentOp();
      bool isInside = op->isAncestor(owner);
      if (!isInside && !isa<LocalType>(operand.getType()))
        valueOf(operand);
    }
  });
}

void StackMachine::keepResults(ValueRange values) {
  for (Value value : values)
    if (auto place = frames.placeOf(value))
      store(known.lookup(value), at(first, number(*place)));
}

void StackMachine::cloneInto(Operation *op) {
  if (isa<LocalOp>(op))
    return;
  loc = op->getLoc();
  mapOperands(op);
  if (auto get = dyn_cast<GetOp>(op); get && frames.placeOf(get.getSlot())) {
    SmallVector<Value> indices;
    for (Value index : get.getIndices())
      indices.push_back(valueOf(index));
    known.map(get.getResult(),
              load(get.getType(), offsetIn(get.getSlot(), indices)));
    return keepResults(get->getResults());
  }
  Operation *copy = b->clone(*op, known);
  SmallVector<Operation *> accesses;
  copy->walk([&](Operation *inner) {
    if (isa<GetOp, SetOp>(inner))
      accesses.push_back(inner);
  });
  bool isSet = isa<SetOp>(copy);
  for (Operation *access : accesses)
    rewriteAccess(access);
  if (!isSet)
    keepResults(op->getResults());
}

/// Moves values to the values of another state, all at once.
void StackMachine::go(const Step &step) {
  SmallVector<std::pair<Value, Value>> moves;
  for (auto [to, from] : step.moves)
    moves.push_back({to, valueOf(from)});
  for (auto [to, from] : moves)
    if (auto place = frames.placeOf(to))
      store(from, at(first, number(*place)));
  setState(makeInt(*b, loc, b->getI32Type(), step.target));
}

void StackMachine::endHead(const State &state) {
  Value condition;
  if (state.end == State::ForHead) {
    auto loop = cast<scf::ForOp>(state.last);
    auto less = loop.getUnsignedCmp() ? arith::CmpIPredicate::ult
                                      : arith::CmpIPredicate::slt;
    condition =
        arith::CmpIOp::create(*b, loc, less, valueOf(loop.getInductionVar()),
                              valueOf(loop.getUpperBound()));
  } else {
    condition = valueOf(state.condition);
  }
  // What both sides read is read before them.
  for (const Step &step : state.steps)
    for (auto [to, from] : step.moves)
      valueOf(from);
  auto choice = scf::IfOp::create(*b, loc, condition, /*withElse=*/true);
  for (auto [step, block] :
       llvm::zip(state.steps,
                 ArrayRef<Block *>{choice.thenBlock(), choice.elseBlock()})) {
    OpBuilder::InsertionGuard guard(*b);
    b->setInsertionPointToStart(block);
    go(step);
  }
}

void StackMachine::endNext(const State &state) {
  auto loop = cast<scf::ForOp>(state.last);
  Value index = arith::AddIOp::create(*b, loc, valueOf(loop.getInductionVar()),
                                      valueOf(loop.getStep()));
  go(state.steps[0]);
  store(index, at(first, number(*frames.placeOf(loop.getInductionVar()))));
}

void StackMachine::endState(const State &state) {
  if (state.last)
    loc = state.last->getLoc();
  switch (state.end) {
  case State::Jump:
    return go(state.steps[0]);
  case State::Choose:
  case State::ForHead:
    return endHead(state);
  case State::ForNext:
    return endNext(state);
  case State::Call:
    return endCall(state);
  case State::Return:
    return endReturn(state);
  }
}

void StackMachine::writeState(unsigned number) {
  const State &state = states.all()[number];
  func::FuncOp function = state.function;
  loc = state.ops.empty() ? function.getLoc() : state.ops.front()->getLoc();
  Value current = getSlot(*b, loc, next);
  Value isThis =
      arith::CmpIOp::create(*b, loc, arith::CmpIPredicate::eq, current,
                            makeInt(*b, loc, b->getI32Type(), number));
  auto only = scf::IfOp::create(*b, loc, isThis, /*withElse=*/false);
  OpBuilder::InsertionGuard guard(*b);
  b->setInsertionPointToStart(only.thenBlock());
  known.clear();
  first = getSlot(*b, loc, base);
  if (func::CallOp call = state.resumed)
    resume(call, state);
  for (Operation *op : state.ops)
    cloneInto(op);
  endState(state);
}

func::FuncOp StackMachine::write(func::FuncOp entry) {
  OpBuilder outer(entry);
  loc = entry.getLoc();
  auto machine = func::FuncOp::create(
      outer, loc, (entry.getName() + ".stack").str(), entry.getFunctionType());
  machine.setPrivate();
  b.emplace(OpBuilder::atBlockEnd(machine.addEntryBlock()));
  if (!findFields(entry, machine)) {
    machine.erase();
    return nullptr;
  }
  makeMemory();
  enter(entry, machine.getArguments(), number(0),
        makeInt(*b, loc, b->getI32Type(), kDone));
  Value none = makeInt(*b, loc, b->getI32Type(), kDone);
  auto loop = scf::WhileOp::create(*b, loc, TypeRange(), ValueRange());
  b->createBlock(&loop.getBefore());
  Value isRunning = arith::CmpIOp::create(*b, loc, arith::CmpIPredicate::ne,
                                          getSlot(*b, loc, next), none);
  scf::ConditionOp::create(*b, loc, isRunning, ValueRange());
  b->createBlock(&loop.getAfter());
  for (unsigned k = 0; k < states.all().size(); ++k)
    writeState(k);
  loc = entry.getLoc();
  scf::YieldOp::create(*b, loc, ValueRange());
  b->setInsertionPointAfter(loop);
  SmallVector<Value> values;
  for (Value slot : results.lookup(entry.getOperation()))
    values.push_back(getSlot(*b, loc, slot));
  func::ReturnOp::create(*b, loc, values);
  return machine;
}
