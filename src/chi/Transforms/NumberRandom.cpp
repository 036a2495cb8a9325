//===- NumberRandom.cpp - Give each random draw its number ----------------===//
// A counter in a slot, promoted: its value is a constant in straight code and
// carried round the loops that draw. The control function counts launches in
// the same way.
//===----------------------------------------------------------------------===//

#include "chi/Transforms/Passes.h"
#include "chi/Transforms/Promote.h"
#include "chi/Transforms/SlotBuilder.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace chi::transforms {
#define GEN_PASS_DEF_NUMBERRANDOMPASS
#include "chi/Transforms/Passes.h.inc"
} // namespace chi::transforms

using namespace mlir;
using namespace chi::ir;
using namespace chi::transforms;

/// Returns the value of `counter` where the builder stands, and adds one.
static Value countUp(OpBuilder &builder, Location loc, Value counter) {
  Value now = getSlot(builder, loc, counter);
  Value one = makeInt(builder, loc, now.getType(), 1);
  Value next = arith::AddIOp::create(builder, loc, now, one);
  setSlot(builder, loc, counter, next);
  return now;
}

static Value makeCounter(Block &body, Location loc) {
  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  Type i32 = builder.getI32Type();
  Value counter = makeSlot(builder, loc, i32, "draws");
  setSlot(builder, loc, counter, makeInt(builder, loc, i32, 0));
  return counter;
}

static SmallVector<RandomOp> drawsWithoutNumber(Operation *root) {
  SmallVector<RandomOp> draws;
  root->walk([&](RandomOp draw) {
    if (!draw.getDraw())
      draws.push_back(draw);
  });
  return draws;
}

/// Numbers the draws of `task`, the `number`-th of its kernel, and gives it
/// the argument `pass`. Returns false if it draws nothing.
static bool numberTask(TaskOp task, int64_t number) {
  SmallVector<RandomOp> draws = drawsWithoutNumber(task);
  if (draws.empty())
    return false;
  Block &body = task.getBody().front();
  Value counter = makeCounter(body, task.getLoc());
  for (RandomOp draw : draws) {
    OpBuilder builder(draw);
    draw.getDrawMutable().assign(countUp(builder, draw.getLoc(), counter));
    draw.setLoop(number);
  }
  promoteSlots(task);
  body.insertArgument(task.getNumCaptured(),
                      IntegerType::get(task.getContext(), 32), task.getLoc());
  task->setAttr(kDrawsAttr, UnitAttr::get(task.getContext()));
  return true;
}

namespace {
struct NumberRandomPass
    : chi::transforms::impl::NumberRandomPassBase<NumberRandomPass> {
  /// Returns true if a task of the kernel draws.
  bool numberKernel(func::FuncOp control, SymbolTable &symbols) {
    DenseMap<Operation *, int64_t> numbers;
    DenseMap<Operation *, Value> passes; // counter of a task that draws
    SmallVector<LaunchOp> launches;
    control.walk<WalkOrder::PreOrder>(
        [&](LaunchOp launch) { launches.push_back(launch); });
    for (LaunchOp launch : launches) {
      auto task = symbols.lookup<TaskOp>(launch.getTask());
      auto [entry, isNew] = numbers.try_emplace(task, numbers.size());
      if (isNew && numberTask(task, entry->second))
        passes[task] = makeCounter(control.front(), control.getLoc());
      auto counter = passes.find(task);
      if (counter == passes.end())
        continue;
      OpBuilder builder(launch);
      launch.getInputsMutable().append(
          countUp(builder, launch.getLoc(), counter->second));
    }
    if (passes.empty())
      return false;
    promoteSlots(control);
    control->setAttr(kDrawsAttr, UnitAttr::get(&getContext()));
    return true;
  }

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    bool changed = false;
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (function.isExternal())
        continue;
      if (function->hasAttr(kControlAttr))
        changed |= numberKernel(function, symbols);
      else if (!drawsWithoutNumber(function).empty())
        function->setAttr(kDrawsAttr, UnitAttr::get(&getContext()));
    }
    if (!changed)
      return;
    OpPassManager passes(ModuleOp::getOperationName());
    passes.addPass(createCanonicalizerPass());
    if (failed(runPipeline(passes, getOperation())))
      signalPassFailure();
  }
};
} // namespace
