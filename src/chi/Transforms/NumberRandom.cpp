//===- NumberRandom.cpp - Give each random draw its number ----------------===//
// A counter in a slot, which promotion makes a constant in straight code and a
// value that is carried round the loops that draw. The kernel counts how often
// it comes to a loop in the same way.
//===----------------------------------------------------------------------===//

#include "chi/Transforms/Passes.h"
#include "chi/Transforms/SlotBuilder.h"
#include "mlir/IR/Builders.h"

namespace chi::transforms {
#define GEN_PASS_DEF_NUMBERRANDOMPASS
#include "chi/Transforms/Passes.h.inc"
} // namespace chi::transforms

using namespace mlir;
using namespace chi::ir;
using namespace chi::transforms;

/// Stands for the number of a loop in draws that are in none.
static constexpr int64_t kBetweenLoops = -1;

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

/// The draws of a loop or of a whole kernel, counted by `counter`.
static void numberDraws(ArrayRef<RandomOp> draws, Value counter, int64_t loop,
                        Value pass) {
  for (RandomOp draw : draws) {
    OpBuilder builder(draw);
    draw.getDrawMutable().assign(countUp(builder, draw.getLoc(), counter));
    draw.setLoop(loop);
    if (pass)
      draw.getLaunchIndexMutable().assign(pass);
  }
}

/// Numbers the draws of a kernel, if it has any.
static void numberKernel(KernelOp kernel) {
  if (drawsWithoutNumber(kernel).empty())
    return;
  int64_t number = 0;
  kernel.walk<WalkOrder::PreOrder>([&](ParallelOp loop) {
    SmallVector<RandomOp> draws = drawsWithoutNumber(loop);
    if (!draws.empty()) {
      OpBuilder before(loop);
      Value passes = makeCounter(kernel.getBody().front(), loop.getLoc());
      Value pass = countUp(before, loop.getLoc(), passes);
      numberDraws(draws, makeCounter(loop.getBody().front(), loop.getLoc()),
                  number, pass);
    }
    ++number;
  });
  SmallVector<RandomOp> between = drawsWithoutNumber(kernel);
  if (!between.empty())
    numberDraws(between, makeCounter(kernel.getBody().front(), kernel.getLoc()),
                kBetweenLoops, Value());
  kernel->setAttr(kDrawsAttr, UnitAttr::get(kernel.getContext()));
}

namespace {
struct NumberRandomPass
    : chi::transforms::impl::NumberRandomPassBase<NumberRandomPass> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<KernelOp>())
      numberKernel(kernel);
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal() && !function->hasAttr(kControlAttr) &&
          !drawsWithoutNumber(function).empty())
        function->setAttr(kDrawsAttr, UnitAttr::get(&getContext()));
  }
};
} // namespace
