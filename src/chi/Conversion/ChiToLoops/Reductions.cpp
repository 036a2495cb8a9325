//===- Reductions.cpp - Sums of a fixed shape (strategy = deterministic) --===//
// [Num.5]: iteration i adds to sum i mod 16 of block i / 1024; the sums of a
// block, then the blocks, are joined pairwise. So the bits are the same for
// any number of threads. Parts are cut at ends of blocks.

#include "chi/Conversion/ChiToLoops/TaskLowering.h"
#include "chi/Conversion/Runtime.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv;

static ir::AccumKind kindOf(const ReductionTarget &reduction) {
  return reduction.first.getKind();
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//
// The iterations of a block store their terms, which leaves them a plain loop
// that LLVM vectorises as any other. Then the values are added, 16 at a time.
// Where an iteration is so short that the buffer would cost too much (a sum of
// a field), it adds to the sums directly, in an inner loop of 16 that becomes
// one vector operation. An iteration that adds several times also does so,
// without that loop.

LogicalResult TaskLowering::emitBlocks(Emitter &emit, Value begin, Value end) {
  for (const ReductionTarget &reduction : shape.reductions) {
    lanes.push_back(emit.stackBuffer(reduction.scalar, kReductionLanes));
    buffers.emplace_back();
    for (size_t i = 0;
         reduction.isBuffered && i < reduction.isConditional.size(); ++i)
      buffers.back().push_back(
          emit.stackBuffer(reduction.scalar, kReductionBlock));
  }
  LogicalResult result = success();
  Value size = emit.index(kReductionBlock);
  emit.loop(
      emit.divide(begin, size), emit.ceilDivide(end, kReductionBlock),
      [&](Value block) {
        blockStart = emit.mul(block, size);
        Value next = emit.add(blockStart, size);
        result = emitBlock(emit, emit.min(next, end));
        for (unsigned reduction = 0; reduction < lanes.size(); ++reduction)
          memref::StoreOp::create(builder, emit.loc, joinLanes(emit, reduction),
                                  partials[reduction], block);
      });
  return result;
}

LogicalResult TaskLowering::emitBlock(Emitter &emit, Value end) {
  for (auto [reduction, lane] : llvm::zip(shape.reductions, lanes)) {
    if (reduction.isBuffered)
      continue;
    Value zero = neutral(emit, kindOf(reduction), reduction.scalar);
    for (int64_t i = 0; i < kReductionLanes; ++i)
      memref::StoreOp::create(builder, emit.loc, zero, lane, emit.index(i));
  }
  if (failed(shape.schedule.grouped ? emitGroups(emit, end)
                                    : emitLoops(emit, blockStart, end)))
    return failure();
  for (unsigned reduction = 0; reduction < lanes.size(); ++reduction)
    if (shape.reductions[reduction].isBuffered)
      addBuffers(emit, reduction, emit.sub(end, blockStart));
  return success();
}

/// Groups of 16 iterations of one row, then the rest one by one.
LogicalResult TaskLowering::emitGroups(Emitter &emit, Value end) {
  unsigned inner = shape.rank() - 1;
  Value size = emit.index(kReductionLanes);
  Value groups = emit.divide(emit.sub(end, blockStart), size);
  LogicalResult result = success();
  emit.loop(emit.index(0), groups, [&](Value group) {
    Value start = emit.add(blockStart, emit.mul(group, size));
    Iteration iteration;
    Value column = start;
    if (inner) {
      iteration.indices = rowIndices(emit, emit.divide(start, extent[inner]));
      column = emit.remainder(start, extent[inner]);
    }
    Value first = variable(emit, inner, column);
    Type type = first.getType();
    scf::ForOp loop =
        emit.loop(emit.constant(type, 0), emit.constant(type, kReductionLanes),
                  [&](Value lane) {
                    iteration.lane = emit.toIndex(lane);
                    iteration.number = emit.add(start, iteration.lane);
                    iteration.indices.push_back(arith::AddIOp::create(
                        builder, emit.loc, first, lane,
                        arith::IntegerOverflowFlags::nsw));
                    result = emitIteration(iteration);
                  });
    unrollVectorised(loop);
  });
  if (failed(result) || inner)
    return result;
  Value done = emit.add(blockStart, emit.mul(groups, size));
  keepPlain(emit.loop(done, end, [&](Value number) {
    result = emitIteration({{variable(emit, 0, number)}, number});
  }));
  return result;
}

/// Adds the values of one block to the 16 sums, in the order of the
/// iterations and, within one, of its operations.
void TaskLowering::addBuffers(Emitter &emit, unsigned reduction, Value count) {
  const ReductionTarget &target = shape.reductions[reduction];
  Value zero = neutral(emit, kindOf(target), target.scalar);
  Value groups = emit.ceilDivide(count, kReductionLanes);
  keepPlain(emit.loop(
      count, emit.mul(groups, emit.index(kReductionLanes)), [&](Value offset) {
        for (Value buffer : buffers[reduction])
          memref::StoreOp::create(builder, emit.loc, zero, buffer, offset);
      }));
  auto vector = VectorType::get({kReductionLanes}, target.scalar);
  TypedAttr element;
  matchPattern(zero, m_Constant(&element));
  Value start = arith::ConstantOp::create(
      builder, emit.loc, DenseElementsAttr::get(vector, Attribute(element)));
  unsigned alignment =
      std::min<int64_t>(64, kReductionLanes * byteSize(target.scalar));
  auto loop = scf::ForOp::create(builder, emit.loc, emit.index(0), groups,
                                 emit.index(1), start);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(loop.getBody());
    Value sums = loop.getRegionIterArg(0);
    Value offset =
        emit.mul(loop.getInductionVar(), emit.index(kReductionLanes));
    for (Value buffer : buffers[reduction]) {
      auto values =
          vector::LoadOp::create(builder, emit.loc, vector, buffer, offset);
      values.setAlignment(alignment);
      sums = combine(emit, kindOf(target), sums, values,
                     arith::FastMathFlags::none);
    }
    scf::YieldOp::create(builder, emit.loc, sums);
  }
  auto store = vector::StoreOp::create(builder, emit.loc, loop.getResult(0),
                                       lanes[reduction], emit.index(0));
  store.setAlignment(alignment);
}

/// Where an iteration may add nothing, what leaves the sum as it is.
void TaskLowering::prepareBuffers(Emitter &emit, const Iteration &iteration) {
  for (auto [reduction, slots] : llvm::zip(shape.reductions, buffers))
    for (auto [conditional, buffer] : llvm::zip(reduction.isConditional, slots))
      if (conditional)
        memref::StoreOp::create(
            builder, emit.loc,
            neutral(emit, kindOf(reduction), reduction.scalar), buffer,
            emit.sub(iteration.number, blockStart));
}

/// Pairwise: 16 sums, 8, 4, 2, 1.
Value TaskLowering::joinLanes(Emitter &emit, unsigned reduction) {
  SmallVector<Value> sums;
  for (int64_t i = 0; i < kReductionLanes; ++i)
    sums.push_back(memref::LoadOp::create(builder, emit.loc, lanes[reduction],
                                          emit.index(i)));
  while (sums.size() > 1) {
    SmallVector<Value> joined;
    for (size_t i = 0; i < sums.size(); i += 2)
      joined.push_back(combine(emit, kindOf(shape.reductions[reduction]),
                               sums[i], sums[i + 1],
                               arith::FastMathFlags::none));
    sums = joined;
  }
  return sums.front();
}

void TaskLowering::accumulateReduction(ir::AccumOp op,
                                       const Iteration &iteration) {
  Emitter emit(builder, op);
  int64_t reduction = (*op.getReduction())[0], slot = (*op.getReduction())[1];
  Value value = toMemory(emit, op.getValue());
  if (shape.reductions[reduction].isBuffered) {
    memref::StoreOp::create(builder, emit.loc, value, buffers[reduction][slot],
                            emit.sub(iteration.number, blockStart));
    op.erase();
    return;
  }
  Value lane = iteration.lane;
  if (!lane)
    lane = arith::AndIOp::create(builder, emit.loc, iteration.number,
                                 emit.index(kReductionLanes - 1));
  Value old = memref::LoadOp::create(builder, emit.loc, lanes[reduction], lane);
  Value next =
      combine(emit, op.getKind(), old, value, arith::FastMathFlags::none);
  memref::StoreOp::create(builder, emit.loc, next, lanes[reduction], lane);
  op.erase();
}

static Value allLanes(Emitter &emit, int64_t lanes) {
  return emit.constant(VectorType::get({lanes}, emit.builder.getI1Type()), 1);
}

/// Lanes are neighbours in the block's buffer. chi-lanes widens only tasks with
/// a buffer.
void TaskLowering::lowerLaneReduction(ir::AccumOp op,
                                      const Iteration &iteration) {
  Emitter emit(builder, op);
  int64_t reduction = (*op.getReduction())[0], slot = (*op.getReduction())[1];
  assert(shape.reductions[reduction].isBuffered && "widened without a buffer");
  Value value = op.getValue();
  int64_t lanes = ir::lanesOf(value.getType());
  auto type = VectorType::get({lanes}, shape.reductions[reduction].scalar);
  if (value.getType() != type)
    value = arith::ExtUIOp::create(builder, emit.loc, type, value);
  Value mask = op.getMask();
  vector::MaskedStoreOp::create(builder, emit.loc, buffers[reduction][slot],
                                emit.sub(iteration.number, blockStart),
                                mask ? mask : allLanes(emit, lanes), value);
  op.erase();
}

void TaskLowering::prepareLaneBuffers(Emitter &emit,
                                      const Iteration &iteration) {
  ir::TaskOp task = shape.task;
  int64_t lanes = *task.getLanes();
  for (auto [reduction, slots] : llvm::zip(shape.reductions, buffers))
    for (auto [conditional, buffer] :
         llvm::zip(reduction.isConditional, slots)) {
      if (!conditional)
        continue;
      Value none = neutral(emit, reduction.first.getKind(), reduction.scalar);
      auto type = VectorType::get({lanes}, reduction.scalar);
      vector::MaskedStoreOp::create(
          builder, emit.loc, buffer, emit.sub(iteration.number, blockStart),
          allLanes(emit, lanes),
          vector::BroadcastOp::create(builder, emit.loc, type, none));
    }
}

//===----------------------------------------------------------------------===//
// The end
//===----------------------------------------------------------------------===//

LogicalResult TaskLowering::emitFinish(func::FuncOp function) {
  OpBuilder::InsertionGuard guard(builder);
  Block *entry = function.addEntryBlock();
  builder.setInsertionPointToStart(entry);
  Emitter emit(builder, shape.task.getLoc());
  auto end = func::ReturnOp::create(builder, emit.loc);
  builder.setInsertionPoint(end);
  SmallVector<Value> arguments(function.getArguments());
  unsigned next = 0;
  bindCaptured(arguments, next);
  Value blocks = arguments.back();
  for (const ReductionTarget &reduction : shape.reductions) {
    Value sums = arguments[next++];
    int32_t dtype = static_cast<int32_t>(
        ir::dtypeOf(reduction.first.getField().getType().getScalar()));
    callRuntime(emit, "chirt_reduction_join",
                {emit.reinterpret(sums, emit.ptrType()), emit.toI64(blocks),
                 emit.i32(dtype),
                 emit.i32(static_cast<int32_t>(kindOf(reduction)))});
    Value sum = memref::LoadOp::create(builder, emit.loc, sums, emit.index(0));
    if (failed(code.addSumOfAll(reduction.first, sum)))
      return failure();
  }
  return success();
}
