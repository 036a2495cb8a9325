//===- Checks.cpp - Checks of an iteration --------------------------------===//

#include "chi/Conversion/Iteration/IterationLowering.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv;

/// Along which axis the iterations lie that a wide body does together.
static int64_t axisOfRows(ir::TaskOp task) {
  std::optional<ArrayRef<int64_t>> rows = task.getRows();
  return rows ? rows->front() : 0;
}

/// A check of a later row may fail before a later check of an earlier row.
void IterationLowering::lowerCheck(ir::CheckOp op, const Iteration &iteration) {
  if (ir::lanesOf(op.getOk().getType()))
    return lowerLaneCheck(op, iteration);
  Emitter emit(builder, op);
  if (op.getRow() && nest.looksBack()) {
    Value truth = emit.constant(builder.getI1Type(), 1);
    Value fails = arith::XOrIOp::create(builder, emit.loc, op.getOk(), truth);
    emit.when(fails, [&] {
      nest.lookBack(emit, iteration, indicesOf(emit, op, iteration.indices));
    });
  }
  tellIteration(op, iteration);
}

/// The indices of the iteration that a check belongs to.
SmallVector<Value> IterationLowering::indicesOf(Emitter &emit, ir::CheckOp op,
                                                ArrayRef<Value> first) {
  SmallVector<Value> indices(first);
  if (std::optional<uint64_t> row = op.getRow()) {
    Value &index = indices[axisOfRows(task)];
    index = emit.add(index, emit.constant(index.getType(), *row));
  }
  return indices;
}

/// The check stays; the loop variables become its last operands.
void IterationLowering::tellIteration(ir::CheckOp op,
                                      const Iteration &iteration) {
  Emitter emit(builder, op);
  SmallVector<Value> numbers;
  for (Value index : iteration.indices)
    numbers.push_back(emit.toI64(index));
  if (std::optional<uint64_t> row = op.getRow()) {
    Value &number = numbers[axisOfRows(task)];
    number = emit.add(number, emit.i64(*row));
  }
  op.getValuesMutable().append(numbers);
  op.setIteration(numbers.size());
}

/// if (any live lane fails) report the first of them.
void IterationLowering::lowerLaneCheck(ir::CheckOp op,
                                       const Iteration &iteration) {
  Emitter emit(builder, op);
  auto type = cast<VectorType>(op.getOk().getType());
  int64_t lanes = type.getNumElements();
  Value ones = emit.constant(type, 1);
  Value zeros = emit.constant(type, 0);
  Value failing = arith::XOrIOp::create(builder, emit.loc, op.getOk(), ones);
  if (Value mask = op.getMask())
    failing = arith::SelectOp::create(builder, emit.loc, mask, failing, zeros);
  Value any = vector::ReductionOp::create(builder, emit.loc,
                                          vector::CombiningKind::OR, failing);
  emit.when(any, [&] {
    Type bits = builder.getIntegerType(lanes);
    Value packed = vector::ExtractOp::create(
        builder, emit.loc,
        vector::BitCastOp::create(builder, emit.loc, VectorType::get({1}, bits),
                                  failing),
        0);
    Value lane = math::CountTrailingZerosOp::create(builder, emit.loc, packed);
    Value offset = arith::IndexCastUIOp::create(builder, emit.loc,
                                                builder.getIndexType(), lane);
    auto *scalar = op->clone();
    builder.insert(scalar);
    auto check = cast<ir::CheckOp>(scalar);
    check.getMaskMutable().clear();
    builder.setInsertionPoint(scalar);
    for (OpOperand &operand : scalar->getOpOperands())
      if (ir::lanesOf(operand.get().getType()))
        operand.set(vector::ExtractOp::create(builder, emit.loc, operand.get(),
                                              offset));
    Iteration failed = iteration;
    Value last = failed.indices.back();
    failed.indices.back() = emit.add(last, emit.cast(offset, last.getType()));
    if (nest.looksBack())
      nest.lookBack(emit, iteration, indicesOf(emit, op, failed.indices));
    tellIteration(check, failed);
  });
  op.erase();
}
