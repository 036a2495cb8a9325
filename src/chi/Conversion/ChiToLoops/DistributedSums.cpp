//===- DistributedSums.cpp - A row's accumulations one after the other
//------------===//
// The adjoint of a stencil adds to `p[i, j + 1]`, `p[i, j]` and `p[i, j - 1]`:
// each element three times, by three iterations, of which each waits for the
// store of the one before. Distributed loops (K. Kennedy and K. S. McKinley,
// "Loop distribution with arbitrary control flow", 1990) do not wait: the first
// stores the terms of a chunk of the row to buffers on the stack, each of the
// others adds one buffer along the chunk, in vectors. Sums commute.
#include "chi/Conversion/ChiToLoops/TaskLowering.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv;

void TaskLowering::makeSumBuffers(Emitter &emit) {
  if (mayAlias || shape.schedule.chunk == 0 || !shape.buffered.empty())
    return;
  distributed = analysis::findDistributedSums(shape.task, simpler);
  for (const analysis::DistributedSum &sum : distributed)
    for (ir::AccumOp accum : sum)
      if (Value &buffer = sumBuffers[accum.getValue()]; !buffer)
        buffer = emit.stackBuffer(memoryType(accum.getValue().getType()),
                                  shape.schedule.chunk);
}

/// A part of a row in chunks.
LogicalResult
TaskLowering::emitDistributed(Emitter &emit, Value low, Value high, Form form,
                              function_ref<Iteration(Value)> iterationAt) {
  LogicalResult result = success();
  Type type = low.getType();
  Value chunk = emit.constant(type, shape.schedule.chunk);
  Value count = emit.ceilDivide(emit.sub(high, low), shape.schedule.chunk);
  emit.loop(emit.constant(type, 0), count, [&](Value number) {
    sumStart = emit.add(low, emit.mul(number, chunk));
    Value end = emit.min(emit.add(sumStart, chunk), high);
    auto pass = [&] {
      emit.loop(sumStart, end, [&](Value last) {
        if (succeeded(result))
          result = emitIteration(iterationAt(last), form);
      });
    };
    pass();
    for (const analysis::DistributedSum &sum : distributed) {
      sumNow = &sum;
      pass();
    }
    sumNow = nullptr;
    sumStart = Value();
  });
  return result;
}

/// Where an iteration has its place in the buffers.
Value TaskLowering::bufferOffset(Emitter &emit, const Iteration &iteration) {
  return emit.sub(emit.toIndex(iteration.indices.back()),
                  emit.toIndex(sumStart));
}

/// For a copy of the body: its accumulations go to buffers.
void TaskLowering::gatherSums(const IRMapping &clones,
                              const Iteration &iteration) {
  OpBuilder::InsertionGuard guard(builder);
  llvm::DenseSet<Value> stored;
  for (const analysis::DistributedSum &sum : distributed)
    for (ir::AccumOp accum : sum) {
      Operation *clone = clones.lookup(accum.getOperation());
      builder.setInsertionPoint(clone);
      Emitter emit(builder, clone);
      if (stored.insert(accum.getValue()).second)
        memref::StoreOp::create(
            builder, emit.loc,
            toMemory(emit, cast<ir::AccumOp>(clone).getValue()),
            sumBuffers[accum.getValue()], bufferOffset(emit, iteration));
      clone->erase();
    }
}

/// For a copy of the body: one accumulation, from the values of a buffer.
void TaskLowering::addBuffered(const IRMapping &clones,
                               const Iteration &iteration, Form form) {
  OpBuilder::InsertionGuard guard(builder);
  llvm::SmallPtrSet<Operation *, 8> dropped; // their clones are erased
  if (form == Form::Middle)
    for (const analysis::Simpler &simple : simpler)
      dropped.insert(simple.op);
  ir::TaskOp task = shape.task;
  for (Operation &op :
       llvm::reverse(task.getBody().front().without_terminator())) {
    Operation *clone = clones.lookupOrNull(&op);
    auto accum = dyn_cast<ir::AccumOp>(op);
    if (!clone || dropped.contains(&op))
      continue;
    if (accum && llvm::is_contained(*sumNow, accum)) {
      builder.setInsertionPoint(clone);
      Emitter emit(builder, clone);
      Value value = memref::LoadOp::create(builder, emit.loc,
                                           sumBuffers[accum.getValue()],
                                           bufferOffset(emit, iteration));
      cast<ir::AccumOp>(clone).getValueMutable().assign(
          fromMemory(emit, value, accum.getValue().getType()));
    } else if (isa<ir::AccumOp, ir::StoreOp>(op) ||
               (clone->use_empty() &&
                (isMemoryEffectFree(clone) || isa<ir::LoadOp>(op)))) {
      clone->erase();
    }
  }
}
