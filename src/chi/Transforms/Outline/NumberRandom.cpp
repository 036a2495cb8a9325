//===- NumberRandom.cpp - Give each random draw its number ----------------===//
// A counter in a slot, which promotion makes a constant in straight code and a
// value that is carried round the loops that draw. The kernel counts how often
// it comes to a loop in the same way.
//===----------------------------------------------------------------------===//

#include "chi/Transforms/Outline/Passes.h"
#include "chi/Transforms/Outline/SlotBuilder.h"
#include "mlir/IR/Builders.h"

namespace chi::outline {
#define GEN_PASS_DEF_NUMBERRANDOMPASS
#include "chi/Transforms/Outline/Passes.h.inc"
} // namespace chi::outline

using namespace mlir;
using namespace chi::ir;
using namespace chi::outline;

/// Stands for the number of a loop in draws that are in none.
static constexpr int64_t kBetweenLoops = -1;

/// Returns the value of `counter` at the builder's place, and adds one.
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

namespace {
/// The common operands of the draws of a loop.
struct Stream {
  int64_t loop;
  Value ordinal, launch, iteration;
};
} // namespace

/// The draws of a loop or of a whole kernel, counted by `counter`.
static void numberDraws(ArrayRef<RandomOp> draws, Value counter,
                        const Stream &stream) {
  for (RandomOp draw : draws) {
    OpBuilder builder(draw);
    draw.setLoop(stream.loop);
    draw.getOrdinalMutable().assign(stream.ordinal);
    draw.getLaunchIndexMutable().assign(stream.launch);
    draw.getIterationMutable().assign(stream.iteration);
    draw.getDrawMutable().assign(countUp(builder, draw.getLoc(), counter));
  }
}

/// Numbers the draws of a kernel, if it has any.
static void numberKernel(KernelOp kernel) {
  if (drawsWithoutNumber(kernel).empty())
    return;
  int64_t number = 0;
  Location here = kernel.getLoc();
  Block &entry = kernel.getBody().front();
  OpBuilder builder = OpBuilder::atBlockBegin(&entry);
  auto ordinal = OrdinalOp::create(builder, here, builder.getI32Type());
  kernel.walk<WalkOrder::PreOrder>([&](ParallelOp loop) {
    SmallVector<RandomOp> draws = drawsWithoutNumber(loop);
    if (!draws.empty()) {
      OpBuilder before(loop);
      Value launches = makeCounter(entry, loop.getLoc());
      Value launch = countUp(before, loop.getLoc(), launches);
      Block &body = loop.getBody().front();
      auto inside = OpBuilder::atBlockBegin(&body);
      Value iteration =
          IterationOp::create(inside, loop.getLoc(), inside.getI64Type());
      numberDraws(draws, makeCounter(body, loop.getLoc()),
                  {number, ordinal, launch, iteration});
    }
    ++number;
  });
  SmallVector<RandomOp> between = drawsWithoutNumber(kernel);
  if (!between.empty()) {
    Value none = makeInt(builder, here, builder.getI32Type(), 0);
    Value first = makeInt(builder, here, builder.getI64Type(), 0);
    numberDraws(between, makeCounter(entry, here),
                {kBetweenLoops, ordinal, none, first});
  }
  ordinal->moveBefore(&entry.front()); // whatever happens in this call
}

namespace {
struct NumberRandomPass
    : chi::outline::impl::NumberRandomPassBase<NumberRandomPass> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<KernelOp>())
      numberKernel(kernel);
  }
};
} // namespace
