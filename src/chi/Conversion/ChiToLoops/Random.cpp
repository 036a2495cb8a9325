//===- Random.cpp - Counter-based random numbers --------------------------===//

#include "chi/Conversion/ChiToLoops/TaskLowering.h"
#include "chi/Conversion/Runtime.h"

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

/// What took the ordinal: at the entry, or where the direct form of a kernel
/// with two forms begins.
static Operation *findOrdinal(Block &block) {
  for (Operation &op : block) {
    if (op.hasAttr(ir::kOrdinalAttr))
      return &op;
    auto forms = dyn_cast<scf::IfOp>(op);
    if (forms && forms.elseBlock())
      for (Operation &inner : *forms.elseBlock())
        if (inner.hasAttr(ir::kOrdinalAttr))
          return &inner;
  }
  return nullptr;
}

Value chi::conv::ordinalOf(Emitter &emit, func::FuncOp control) {
  Block &entry = control.getBody().front();
  if (Operation *taken = findOrdinal(entry))
    return taken->getResult(0);
  OpBuilder::InsertionGuard guard(emit.builder);
  emit.builder.setInsertionPointToStart(&entry);
  Value ordinal = callRuntime(emit, "chirt_next_ordinal", {});
  ordinal.getDefiningOp()->setAttr(ir::kOrdinalAttr,
                                   emit.builder.getUnitAttr());
  return ordinal;
}

/// Key: seed and loop. Counter: iteration (low word), draw with the high bits
/// of the iteration, ordinal of the kernel call, pass of the launch.
void TaskLowering::lowerRandom(ir::RandomOp op, const Iteration &iteration) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(op);
  Emitter emit(builder, op);
  Type i32 = builder.getI32Type();
  auto highWord = [&](Value value) {
    Value high = arith::ShRUIOp::create(builder, emit.loc, value, emit.i64(32));
    return emit.cast(high, i32);
  };
  Value number = emit.toI64(iteration.number);
  Value draw = op.getDraw() ? op.getDraw() : emit.i32(0);
  Value pass = op.getLaunchIndex() ? op.getLaunchIndex() : emit.i32(0);
  Value upper =
      arith::ShLIOp::create(builder, emit.loc, highWord(number), emit.i32(20));
  uint32_t loop = static_cast<uint32_t>(op.getLoop().value_or(0));
  Value keyHigh = emit.add(highWord(seed),
                           emit.i32(static_cast<int32_t>(loop * 0x9E3779B9u)));
  Value bits = emitPhilox(
      emit, {emit.cast(number, i32), emit.add(draw, upper), ordinal, pass},
      emit.cast(seed, i32), keyHigh);
  op.replaceAllUsesWith(bits);
  op.erase();
}
