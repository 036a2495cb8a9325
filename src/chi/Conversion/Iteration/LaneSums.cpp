//===- LaneSums.cpp - Lanes add to what they may share --------------------===//
// Lanes that add to data-dependent places of a private copy may touch one
// element. The terms of a run of such accumulations go to buffers, lanes side
// by side, and a loop over the lanes adds them, one iteration after the other.

#include "chi/Conversion/Iteration/IterationLowering.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv;

bool conv::isLaneSum(Operation *op) {
  auto accum = dyn_cast_or_null<ir::AccumOp>(op);
  return accum && accum.getStrategy() == ir::AccumStrategy::privatized &&
         !accum.getContiguous() && ir::lanesOf(accum.getValue().getType());
}

namespace {
/// An index of all lanes: a value of a buffer, plus a constant.
struct SplitIndex {
  Value base;
  int64_t step = 0;
};

/// Writes the loop of one run.
class LaneSumLoop {
public:
  LaneSumLoop(Emitter &emit, int64_t lanes, arith::FastMathFlags flags)
      : emit(emit), lanes(lanes), flags(flags) {}

  /// Before the loop.
  void prepare(ArrayRef<ir::AccumOp> run);
  void write(llvm::function_ref<const FieldView &(Value)> viewOf);

private:
  /// One or two scalars side by side, of one element.
  struct Sum {
    ir::AccumOp accum; ///< of the lower component
    SmallVector<SplitIndex> indices;
    Value buffer;
    int64_t scalars;
  };

  static SplitIndex split(Value index);
  Value bufferOf(Value vector);
  Value interleaved(Value low, Value high);
  Value offsetOf(const Sum &sum, const FieldView &view, Value lane);
  void add(Sum &sum, const FieldView &view, Value lane);

  Emitter &emit;
  int64_t lanes;
  arith::FastMathFlags flags;
  SmallVector<Sum> sums;
  llvm::MapVector<Value, Value> buffers;
};
} // namespace

/// Accesses are inside of their fields: sums have not wrapped.
SplitIndex LaneSumLoop::split(Value index) {
  SplitIndex result{index};
  while (auto add = result.base.getDefiningOp<arith::AddIOp>()) {
    auto constant = constantOf(add.getRhs());
    if (!constant)
      break;
    result.base = add.getLhs();
    result.step += *constant;
  }
  return result;
}

Value LaneSumLoop::bufferOf(Value vector) {
  Value &buffer = buffers[vector];
  if (buffer)
    return buffer;
  auto type = cast<VectorType>(vector.getType());
  buffer = emit.stackBuffer(type.getElementType(), type.getNumElements());
  vector::StoreOp::create(emit.builder, emit.loc, vector, buffer,
                          ValueRange{emit.index(0)});
  return buffer;
}

Value LaneSumLoop::interleaved(Value low, Value high) {
  SmallVector<int64_t> numbers;
  for (int64_t k = 0; k < 2 * lanes; ++k)
    numbers.push_back(k % 2 * lanes + k / 2);
  return vector::ShuffleOp::create(emit.builder, emit.loc, low, high, numbers);
}

/// Do both add to the two scalars of one element?
static bool arePair(ir::AccumOp a, ir::AccumOp b) {
  ir::FieldType field = a.getField().getType();
  return a.getField() == b.getField() && a.getKind() == b.getKind() &&
         llvm::equal(a.getIndices(), b.getIndices()) &&
         ir::hasAdjacentComponents(field) && field.getNumComponents() == 2 &&
         a.getComponent() != b.getComponent();
}

void LaneSumLoop::prepare(ArrayRef<ir::AccumOp> run) {
  for (size_t k = 0; k < run.size(); ++k) {
    ir::AccumOp accum = run[k];
    Sum sum{accum, {}, {}, 1};
    if (k + 1 < run.size() && arePair(accum, run[k + 1])) {
      ir::AccumOp low = accum, high = run[++k];
      if (low.getComponent() != 0)
        std::swap(low, high);
      sum.accum = low, sum.scalars = 2;
      sum.buffer = bufferOf(interleaved(low.getValue(), high.getValue()));
    } else {
      sum.buffer = bufferOf(accum.getValue());
    }
    for (Value index : accum.getIndices()) {
      sum.indices.push_back(ir::lanesOf(index.getType()) ? split(index)
                                                         : SplitIndex{index});
      if (ir::lanesOf(sum.indices.back().base.getType()))
        bufferOf(sum.indices.back().base);
    }
    sums.push_back(std::move(sum));
  }
}

/// The common part of all places of a neighbourhood, plus the constant part, so
/// that the latter becomes the displacement of an address.
Value LaneSumLoop::offsetOf(const Sum &sum, const FieldView &view, Value lane) {
  SmallVector<Value> bases, steps;
  for (const SplitIndex &index : sum.indices) {
    bool isScalar = !ir::lanesOf(index.base.getType());
    bases.push_back(isScalar ? index.base
                             : Value(memref::LoadOp::create(
                                   emit.builder, emit.loc,
                                   buffers.lookup(index.base), lane)));
    steps.push_back(emit.index(index.step));
  }
  Value none = emit.index(0);
  ir::AccumOp accum = sum.accum;
  return emit.add(scalarOffset(emit, view, bases, none, 0),
                  scalarOffset(emit, view, steps, none, accum.getComponent()));
}

void LaneSumLoop::add(Sum &sum, const FieldView &view, Value lane) {
  OpBuilder &b = emit.builder;
  Value offset = offsetOf(sum, view, lane);
  ir::AccumKind kind = sum.accum.getKind();
  if (sum.scalars == 1) {
    Value value = memref::LoadOp::create(b, emit.loc, sum.buffer, lane);
    Value old = memref::LoadOp::create(b, emit.loc, view.data, offset);
    memref::StoreOp::create(b, emit.loc, combine(emit, kind, old, value, flags),
                            view.data, offset);
    return;
  }
  auto type = VectorType::get({sum.scalars}, view.type.getScalar());
  Value position = emit.mul(lane, emit.index(sum.scalars));
  Value value = vector::LoadOp::create(b, emit.loc, type, sum.buffer, position);
  Value old = vector::LoadOp::create(b, emit.loc, type, view.data, offset);
  vector::StoreOp::create(b, emit.loc, combine(emit, kind, old, value, flags),
                          view.data, offset);
}

void LaneSumLoop::write(llvm::function_ref<const FieldView &(Value)> viewOf) {
  emit.loop(emit.index(0), emit.index(lanes), [&](Value lane) {
    for (Sum &sum : sums)
      add(sum, viewOf(sum.accum.getField()), lane);
  });
}

void IterationLowering::lowerLaneSum(ir::AccumOp op) {
  laneSums.push_back(op);
  if (isLaneSum(op->getNextNode()))
    return;
  Emitter emit(builder, op);
  LaneSumLoop loop(emit, ir::lanesOf(op.getValue().getType()), flags);
  loop.prepare(laneSums);
  loop.write([&](Value field) -> const FieldView & { return viewOf(field); });
  for (ir::AccumOp sum : laneSums)
    sum.erase();
  laneSums.clear();
}
