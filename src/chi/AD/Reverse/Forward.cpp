//===- Forward.cpp - The forward sweep of an adjoint ----------------------===//
#include "chi/AD/Reverse/AdjointBuilder.h"
#include "chi/AD/Rules/Rules.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace chi;
using namespace chi::ad::reverse;
using namespace chi::ad::rules;
using namespace chi::ad::activity;
using namespace chi::ad::plan;
using namespace chi::ad::prologue;

static SmallVector<Value> mapped(IRMapping &map, ValueRange values) {
  SmallVector<Value> result;
  for (Value value : values)
    result.push_back(map.lookup(value));
  return result;
}

/// Puts on the tape those of `values` that belong there.
void AdjointBuilder::keep(ValueRange values) {
  for (Value value : values)
    if (auto record = recordOf(value))
      ir::SetOp::create(b, value.getLoc(), map.lookup(value), record->first,
                        record->second);
}

void AdjointBuilder::forward(Block &block) {
  for (Operation &op : block.without_terminator())
    forward(&op);
}

void AdjointBuilder::forward(Operation *op) {
  loc = op->getLoc();
  if (auto branch = dyn_cast<scf::IfOp>(op))
    forwardBranch(branch);
  else if (auto loop = dyn_cast<scf::ForOp>(op))
    forwardFor(loop);
  else if (auto loop = dyn_cast<scf::WhileOp>(op))
    forwardWhile(loop);
  else if (!plan.isDropped(op))
    b.clone(*op, map);
  else
    return;
  forwardScratch(op);
  keep(op->getResults());
}

/// The local tape of an adjoint task that is differentiated again: its adjoints
/// are zero where it is written.
void AdjointBuilder::forwardScratch(Operation *op) {
  if (auto scratch = dyn_cast<ir::ScratchOp>(op)) {
    ir::LocalType type = scratch.getSlot().getType();
    if (activity.isActive(scratch.getSlot()))
      adjointArrays[scratch.getSlot()] = ir::ScratchOp::create(
          b, loc,
          ir::LocalType::get(b.getContext(), type.getShape(),
                             adjointType(type.getScalar())));
  } else if (auto reserve = dyn_cast<ir::ReserveOp>(op)) {
    if (Value array = adjointArrays.lookup(reserve.getSlot()))
      ir::ReserveOp::create(b, loc, array, map.lookup(reserve.getSize()));
  } else if (auto set = dyn_cast<ir::SetOp>(op)) {
    Value array = adjointArrays.lookup(set.getSlot());
    if (array && set.getSlot().getDefiningOp<ir::ScratchOp>())
      ir::SetOp::create(b, loc,
                        zero(cast<ir::LocalType>(array.getType()).getScalar()),
                        array, mapped(map, set.getIndices()));
  }
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

/// One side: its values, then of those that have to come out its own.
void AdjointBuilder::forwardSide(scf::IfOp branch, Block *side) {
  SmallVector<Value> results;
  if (side) {
    forward(*side);
    for (Value value : side->getTerminator()->getOperands())
      results.push_back(map.lookupOrDefault(value));
  }
  for (Value value : plan.escapesOf(branch)) {
    bool isHere = side && side->findAncestorOpInBlock(*value.getDefiningOp());
    results.push_back(isHere ? map.lookup(value) : zero(value.getType()));
  }
  scf::YieldOp::create(b, branch.getLoc(), results);
}

void AdjointBuilder::forwardBranch(scf::IfOp branch) {
  SmallVector<Type> types(branch.getResultTypes());
  for (Value value : plan.escapesOf(branch))
    types.push_back(value.getType());
  bool hasElse = branch.elseBlock() || !types.empty();
  auto made = scf::IfOp::create(b, branch.getLoc(), types,
                                map.lookup(branch.getCondition()),
                                /*addThenBlock=*/true, hasElse);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(made.thenBlock());
  forwardSide(branch, branch.thenBlock());
  if (hasElse) {
    b.setInsertionPointToStart(made.elseBlock());
    forwardSide(branch, branch.elseBlock());
  }
  unsigned number = branch.getNumResults();
  map.map(branch.getResults(), made.getResults().take_front(number));
  for (Value value : plan.escapesOf(branch))
    map.map(value, made.getResult(number++));
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

static bool hasWrite(Operation &op) {
  return op
      .walk([](ir::FieldAccessOpInterface access) {
        return access.isWrite() ? WalkResult::interrupt()
                                : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Is the value available at `point`, or computed after it from available
/// values only?
static bool isKnownAt(Value value, Operation &point) {
  Operation *op = value.getDefiningOp();
  return !op || op->getBlock() != point.getBlock() ||
         op->isBeforeInBlock(&point) ||
         (isPure(op) && llvm::all_of(op->getOperands(), [&](Value operand) {
            return isKnownAt(operand, point);
          }));
}

/// Room for all records of a loop that runs once: before anything is written,
/// if their number is known there. A device's thread that finds too little
/// starts once more.
static void reserveEarly(OpBuilder &b, ir::ReserveOp op) {
  Block &block = *b.getInsertionBlock();
  auto write = llvm::find_if(block, hasWrite);
  IRRewriter rewriter(b.getContext());
  if (write != block.end() && write->isBeforeInBlock(op) &&
      isKnownAt(op.getSize(), *write) &&
      succeeded(moveOperationDependencies(rewriter, op, &*write)))
    op->moveBefore(&*write);
}

void AdjointBuilder::forwardFor(scf::ForOp loop) {
  auto tape = tapes.find(loop);
  bool keeps = tape != tapes.end();
  if (keeps) {
    Value end = numIterations(loop);
    if (tape->second.counter) {
      tape->second.base = recordsSoFar(tape->second);
      end = arith::AddIOp::create(b, loc, tape->second.base, end);
      setRecords(tape->second, end);
    }
    for (Value memory : tape->second.memory) {
      auto reserve = ir::ReserveOp::create(b, loc, memory, end);
      if (!tape->second.counter)
        reserveEarly(b, reserve);
    }
  }
  auto made = scf::ForOp::create(
      b, loop.getLoc(), map.lookup(loop.getLowerBound()),
      map.lookup(loop.getUpperBound()), map.lookup(loop.getStep()),
      mapped(map, loop.getInitArgs()), nullptr, loop.getUnsignedCmp());
  map.map(loop.getBody()->getArguments(), made.getBody()->getArguments());
  {
    OpBuilder::InsertionGuard guard(b);
    if (!made.getBody()->empty())
      made.getBody()->back().erase();
    b.setInsertionPointToEnd(made.getBody());
    if (keeps)
      setOffset(tape->second, iterationOf(loop, made.getInductionVar()));
    keep(loop.getRegionIterArgs());
    forward(*loop.getBody());
    scf::YieldOp::create(b, loop.getLoc(),
                         mapped(map, loop.getYieldedValues()));
  }
  map.map(loop.getResults(), made.getResults());
}

void AdjointBuilder::forwardWhile(scf::WhileOp loop) {
  auto tape = tapes.find(loop);
  bool keeps = tape != tapes.end();
  if (keeps && tape->second.counter)
    tape->second.base = recordsSoFar(tape->second);
  SmallVector<Type> types(loop.getResultTypes());
  SmallVector<Location> locs(types.size(), loop.getLoc());
  auto made = scf::WhileOp::create(b, loop.getLoc(), types,
                                   mapped(map, loop.getInits()));
  {
    OpBuilder::InsertionGuard guard(b);
    Block *before = b.createBlock(&made.getBefore(), {}, types, locs);
    map.map(loop.getBeforeArguments(), before->getArguments());
    forward(*loop.getBeforeBody());
    scf::ConditionOp::create(b, loop.getLoc(),
                             map.lookup(loop.getConditionOp().getCondition()),
                             before->getArguments());
    Block *after = b.createBlock(&made.getAfter(), {}, types, locs);
    map.map(loop.getAfterArguments(), after->getArguments());
    if (keeps) {
      setOffset(tape->second, after->getArguments().back());
      Value end = arith::AddIOp::create(b, loc, tape->second.position,
                                        constant(b.getI64Type(), 1));
      for (Value memory : tape->second.memory)
        ir::ReserveOp::create(b, loc, memory, end);
    }
    keep(loop.getAfterArguments());
    forward(*loop.getAfterBody());
    scf::YieldOp::create(b, loop.getLoc(),
                         mapped(map, loop.getYieldOp().getOperands()));
  }
  map.map(loop.getResults(), made.getResults());
  if (keeps && tape->second.counter)
    setRecords(tape->second, arith::AddIOp::create(b, loc, tape->second.base,
                                                   made.getResults().back()));
}
