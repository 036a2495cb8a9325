//===- PackedLoads.cpp - What the rows of a panel share, in a buffer ------===//
// The loops of a task with packed loads: panels of rows, columns of lane
// groups, then the groups of a panel. For each column the loads that its groups
// share are packed: one vector for each iteration of their sum, in order.
#include "chi/Conversion/ChiToLoops/TaskLowering.h"
#include "chi/Conversion/Runtime.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv;

static VectorType vectorOf(ir::LoadOp load) {
  auto type = cast<VectorType>(load.getResult().getType());
  return VectorType::get(type.getShape(), memoryType(type.getElementType()));
}

/// Where the vector of one iteration of the sum begins.
static Value packedOffset(Emitter &emit, ir::LoadOp load, Value variable,
                          Value low) {
  Value number = emit.sub(emit.toIndex(variable), emit.toIndex(low));
  return emit.mul(number, emit.index(vectorOf(load).getNumElements()));
}

/// Memory for the packed loads, until the body ends.
void TaskLowering::makePackBuffers(Emitter &emit) {
  for (ir::LoadOp load : shape.packed) {
    auto sum = cast<scf::ForOp>(load->getParentOp());
    VectorType type = vectorOf(load);
    int64_t bytes = sum.getStaticTripCount()->getSExtValue() *
                    type.getNumElements() * byteSize(type.getElementType());
    Value memory = callRuntime(emit, "chirt_scratch_push", {emit.i64(bytes)});
    packMemory.push_back(memory);
    packBuffers.push_back(
        emit.reinterpret(memory, flatType(type.getElementType())));
  }
}

void TaskLowering::dropPackBuffers(Emitter &emit) {
  for (Value memory : llvm::reverse(packMemory))
    callRuntime(emit, "chirt_scratch_pop", {memory});
}

/// Clones a load at the builder's place, with other variables.
static ir::LoadOp cloneLoad(OpBuilder &builder, ir::LoadOp load,
                            IRMapping &mapping,
                            SmallVectorImpl<Operation *> &made) {
  llvm::SetVector<Operation *> slice;
  BackwardSliceOptions options;
  Operation *task = load->getParentOfType<ir::TaskOp>();
  options.filter = [&](Operation *op) {
    return task->isProperAncestor(op) && op->getNumRegions() == 0;
  };
  (void)getBackwardSlice(load.getOperation(), &slice, options);
  for (Operation *part : slice)
    made.push_back(builder.clone(*part, mapping));
  auto copy = cast<ir::LoadOp>(builder.clone(*load, mapping));
  copy.removePackedAttr();
  return copy;
}

/// Fills the buffers for the groups that begin at this column.
LogicalResult TaskLowering::packColumn(Emitter &emit, const Iteration &first) {
  ir::TaskOp task = shape.task;
  LogicalResult result = success();
  for (auto [load, buffer] : llvm::zip(shape.packed, packBuffers)) {
    auto sum = cast<scf::ForOp>(load->getParentOp());
    int64_t low = *getConstantIntValue(sum.getLowerBound());
    Type type = sum.getInductionVar().getType();
    Value from = emit.constant(type, low);
    Value to =
        emit.constant(type, low + sum.getStaticTripCount()->getSExtValue());
    Value memory = buffer;
    keepPlain(emit.loop(from, to, [&, load = load](Value variable) {
      IRMapping mapping = code.captured();
      for (auto [argument, value] :
           llvm::zip(task.getWide().getArguments().take_back(shape.rank()),
                     first.indices))
        mapping.map(argument, value);
      mapping.map(sum.getInductionVar(), variable);
      SmallVector<Operation *> work;
      ir::LoadOp copy = cloneLoad(builder, load, mapping, work);
      Value value = toMemory(emit, copy.getResult());
      vector::StoreOp::create(builder, emit.loc, value, memory,
                              packedOffset(emit, load, variable, from));
      work.push_back(copy);
      for (Operation *op : work)
        if (isa<ir::ChiDialect>(op->getDialect()) &&
            failed(code.lower(op, first)))
          result = failure();
    }));
  }
  return result;
}

/// The load of a group reads the values that were packed for its column.
bool TaskLowering::lowerPacked(ir::LoadOp op) {
  if (!op.getPackedAttr() || packBuffers.empty())
    return false;
  Emitter emit(builder, op);
  auto sum = cast<scf::ForOp>(op->getParentOp());
  Value offset =
      packedOffset(emit, op, sum.getInductionVar(), sum.getLowerBound());
  Value value = vector::LoadOp::create(builder, emit.loc, vectorOf(op),
                                       packBuffers[*op.getPacked()], offset);
  op.replaceAllUsesWith(fromMemory(emit, value, op.getResult().getType()));
  op.erase();
  return true;
}

/// The whole groups of rows from `from` to `to`, in panels.
LogicalResult
TaskLowering::emitPanels(Emitter &emit, Value from, Value to,
                         SmallVectorImpl<Value> &outer,
                         function_ref<void(Value, Value, Value)> alone) {
  unsigned inner = shape.rank() - 1, axis = shape.rowsAxis;
  Value low = variable(emit, inner, emit.index(0));
  Value high = variable(emit, inner, extent[inner]);
  LogicalResult result = success();
  auto panels = scf::ForOp::create(builder, emit.loc, from, to,
                                   emit.index(shape.schedule.panel));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(panels.getBody()->getTerminator());
  Value begin = panels.getInductionVar();
  Value end = emit.min(emit.add(begin, emit.index(shape.schedule.panel)), to);
  auto group = [&](Iteration iteration) -> LogicalResult {
    iteration.indices[axis] = variable(emit, axis, begin);
    if (failed(packColumn(emit, iteration)))
      return failure();
    auto rows = scf::ForOp::create(builder, emit.loc, begin, end,
                                   emit.index(shape.rows));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(rows.getBody()->getTerminator());
    iteration.indices[axis] =
        variable(emit, axis, laneGroupStart(emit, rows.getInductionVar(), to));
    return emitIteration(iteration, Form::Wide);
  };
  auto iterationAt = [&](Value last) {
    Iteration iteration{SmallVector<Value>(ArrayRef<Value>(outer))};
    iteration.indices.push_back(last);
    return iteration;
  };
  if (failed(emitLaneGroups(
          emit, low, high, iterationAt,
          [&](Value column) { alone(begin, end, column); }, group)))
    result = failure();
  return result;
}
