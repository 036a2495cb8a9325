//===- Random.cpp - Counter-based random numbers --------------------------===//

#include "chi/Conversion/Iteration/IterationLowering.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv;

static Value xorOf(Emitter &emit, Value a, Value b) {
  return arith::XOrIOp::create(emit.builder, emit.loc, a, b);
}

/// High and low word of `factor * value`.
static std::pair<Value, Value> multiply(Emitter &emit, uint32_t factor,
                                        Value value) {
  Type i64 = emit.builder.getI64Type(), i32 = emit.builder.getI32Type();
  Value wide = arith::ExtUIOp::create(emit.builder, emit.loc, i64, value);
  Value product = emit.mul(wide, emit.i64(factor));
  Value high =
      arith::ShRUIOp::create(emit.builder, emit.loc, product, emit.i64(32));
  return {emit.cast(high, i32), emit.cast(product, i32)};
}

Value chi::conv::emitPhilox(Emitter &emit, ArrayRef<Value> counter,
                            Value keyLow, Value keyHigh) {
  SmallVector<Value> state(counter);
  state.push_back(keyLow);
  state.push_back(keyHigh);
  // A loop of ten rounds; LLVM unrolls it where that pays.
  auto loop = scf::ForOp::create(emit.builder, emit.loc, emit.index(0),
                                 emit.index(10), emit.index(1), state);
  OpBuilder::InsertionGuard guard(emit.builder);
  emit.builder.setInsertionPointToEnd(loop.getBody());
  auto c = loop.getRegionIterArgs();
  auto [high0, low0] = multiply(emit, 0xD2511F53u, c[0]);
  auto [high1, low1] = multiply(emit, 0xCD9E8D57u, c[2]);
  Value next[] = {xorOf(emit, xorOf(emit, high1, c[1]), c[4]),
                  low1,
                  xorOf(emit, xorOf(emit, high0, c[3]), c[5]),
                  low0,
                  emit.add(c[4], emit.i32(0x9E3779B9u)),
                  emit.add(c[5], emit.i32(0xBB67AE85u))};
  scf::YieldOp::create(emit.builder, emit.loc, next);
  emit.builder.setInsertionPointAfter(loop);
  Type i64 = emit.builder.getI64Type();
  Value low =
      arith::ExtUIOp::create(emit.builder, emit.loc, i64, loop.getResult(0));
  Value high =
      arith::ExtUIOp::create(emit.builder, emit.loc, i64, loop.getResult(1));
  Value shifted =
      arith::ShLIOp::create(emit.builder, emit.loc, high, emit.i64(32));
  return arith::OrIOp::create(emit.builder, emit.loc, shifted, low);
}

Value chi::conv::emitRandom(Emitter &emit, ir::RandomOp op, Value seed) {
  Type i32 = emit.builder.getI32Type();
  auto highWord = [&](Value value) {
    Value high =
        arith::ShRUIOp::create(emit.builder, emit.loc, value, emit.i64(32));
    return emit.cast(high, i32);
  };
  Value number = op.getIteration();
  Value upper = arith::ShLIOp::create(emit.builder, emit.loc, highWord(number),
                                      emit.i32(20));
  uint32_t loop = static_cast<uint32_t>(*op.getLoop());
  Value keyHigh = emit.add(highWord(seed),
                           emit.i32(static_cast<int32_t>(loop * 0x9E3779B9u)));
  return emitPhilox(emit,
                    {emit.cast(number, i32), emit.add(op.getDraw(), upper),
                     op.getOrdinal(), op.getLaunchIndex()},
                    emit.cast(seed, i32), keyHigh);
}
