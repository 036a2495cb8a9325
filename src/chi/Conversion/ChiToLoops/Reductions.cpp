//===- Reductions.cpp - Sums of a fixed shape (how = tree) ----------------===//
// [Num.5]: iteration i adds to sum i mod 16 of block i / 1024; the sums of a
// block, then the blocks, are joined pairwise. So the bits are the same for
// any number of threads. Parts are cut at ends of blocks.

#include "chi/Conversion/ChiToLoops/TaskLowering.h"
#include "chi/Conversion/Runtime.h"
#include "mlir/Analysis/SliceAnalysis.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv;

/// Above this size the code of an iteration is not written twice.
static constexpr unsigned kMaxCopiedOps = 400;

static ir::AccumKind kindOf(const TreeTarget &tree) {
  return tree.first.getKind();
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

LogicalResult TaskLowering::emitBlocks(Emitter &emit, Value begin, Value end) {
  for (const TreeTarget &tree : shape.trees)
    lanes.push_back(emit.stackBuffer(tree.scalar, kTreeLanes));
  LogicalResult result = success();
  Value size = emit.index(kTreeBlock);
  emit.loop(
      emit.divide(begin, size), emit.ceilDivide(end, kTreeBlock),
      [&](Value block) {
        for (auto [tree, lane] : llvm::zip(shape.trees, lanes)) {
          Value zero = neutral(emit, kindOf(tree), tree.scalar);
          for (int64_t i = 0; i < kTreeLanes; ++i)
            memref::StoreOp::create(builder, emit.loc, zero, lane,
                                    emit.index(i));
        }
        Value start = emit.mul(block, size);
        result = emitBlock(emit, start, emit.min(emit.add(start, size), end));
        for (unsigned tree = 0; tree < lanes.size(); ++tree)
          memref::StoreOp::create(builder, emit.loc, joinLanes(emit, tree),
                                  partials[tree], block);
      });
  return result;
}

/// Groups of 16 where they lie in one row: the inner loop has no division and
/// becomes one vector operation. The rest iteration by iteration.
LogicalResult TaskLowering::emitBlock(Emitter &emit, Value begin, Value end) {
  unsigned size = 0;
  ir::TaskOp task = shape.task;
  task.walk([&](Operation *) { ++size; });
  std::optional<int64_t> row = shape.extent[shape.rank() - 1];
  bool grouped = shape.rank() == 1 || (row && *row % kTreeLanes == 0);
  if (!grouped || size > kMaxCopiedOps)
    return emitScattered(emit, begin, end, /*isRest=*/false);
  Value groups = emit.divide(emit.sub(end, begin), emit.index(kTreeLanes));
  if (failed(emitGroups(emit, begin, groups)))
    return failure();
  auto total = shape.iterations();
  if (total && *total % kTreeLanes == 0)
    return success();
  Value done = emit.add(begin, emit.mul(groups, emit.index(kTreeLanes)));
  return emitScattered(emit, done, end, /*isRest=*/true);
}

LogicalResult TaskLowering::emitGroups(Emitter &emit, Value begin,
                                       Value groups) {
  unsigned inner = shape.rank() - 1;
  LogicalResult result = success();
  emit.loop(emit.index(0), groups, [&](Value group) {
    Value start = emit.add(begin, emit.mul(group, emit.index(kTreeLanes)));
    Iteration iteration;
    Value column = start;
    if (inner) {
      iteration.indices = rowIndices(emit, emit.divide(start, extent[inner]));
      column = emit.remainder(start, extent[inner]);
    }
    Value first = variable(emit, inner, column);
    Type type = first.getType();
    auto loop = scf::ForOp::create(builder, emit.loc, emit.constant(type, 0),
                                   emit.constant(type, kTreeLanes),
                                   emit.constant(type, 1));
    forbidUnrolling(loop);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(loop.getBody()->getTerminator());
    Value lane = loop.getInductionVar();
    iteration.lane = emit.toIndex(lane);
    iteration.number = emit.add(start, iteration.lane);
    iteration.indices.push_back(arith::AddIOp::create(
        builder, emit.loc, first, lane, arith::IntegerOverflowFlags::nsw));
    result = emitIteration(iteration);
  });
  return result;
}

LogicalResult TaskLowering::emitScattered(Emitter &emit, Value begin, Value end,
                                          bool isRest) {
  LogicalResult result = success();
  scf::ForOp loop = emit.loop(begin, end, [&](Value number) {
    Iteration iteration{indicesOf(emit, number), number, nullptr};
    iteration.lane = arith::AndIOp::create(builder, emit.loc, number,
                                           emit.index(kTreeLanes - 1));
    result = emitIteration(iteration);
  });
  if (isRest)
    keepPlain(loop);
  return result;
}

/// Pairwise: 16 sums, 8, 4, 2, 1.
Value TaskLowering::joinLanes(Emitter &emit, unsigned tree) {
  SmallVector<Value> sums;
  for (int64_t i = 0; i < kTreeLanes; ++i)
    sums.push_back(
        memref::LoadOp::create(builder, emit.loc, lanes[tree], emit.index(i)));
  while (sums.size() > 1) {
    SmallVector<Value> joined;
    for (size_t i = 0; i < sums.size(); i += 2)
      joined.push_back(combine(emit, kindOf(shape.trees[tree]), sums[i],
                               sums[i + 1], arith::FastMathFlags::none));
    sums = joined;
  }
  return sums.front();
}

void TaskLowering::accumulateLane(ir::AccumOp op, const Iteration &iteration) {
  Emitter emit(builder, op);
  Value sums = lanes[op->getAttrOfType<IntegerAttr>(kTreeAttr).getInt()];
  Value old = memref::LoadOp::create(builder, emit.loc, sums, iteration.lane);
  Value next = combine(emit, op.getKind(), old, toMemory(emit, op.getValue()),
                       arith::FastMathFlags::none);
  memref::StoreOp::create(builder, emit.loc, next, sums, iteration.lane);
  op.erase();
}

//===----------------------------------------------------------------------===//
// The end
//===----------------------------------------------------------------------===//

/// Where a tree's sum goes: its indices are the same in all iterations, so
/// what computes them is cloned. Fails if it hangs on the iteration after all.
FailureOr<Value> TaskLowering::targetOffset(ir::AccumOp op) {
  llvm::SetVector<Operation *> slice;
  BackwardSliceOptions options;
  ir::TaskOp task = shape.task;
  options.filter = [&](Operation *op) { return task->isProperAncestor(op); };
  auto add = [&](Value value) {
    if (Operation *def = value.getDefiningOp()) {
      (void)getBackwardSlice(def, &slice, options);
      slice.insert(def);
    }
  };
  for (Value index : op.getIndices())
    add(index);
  if (op.getDynamic())
    add(op.getDynamic());
  IRMapping mapping = scalars;
  for (Operation *part : slice) {
    Operation *clone = builder.clone(*part, mapping);
    if (isa<ir::ChiDialect>(clone->getDialect()))
      if (failed(lower(clone, {})))
        return failure();
  }
  SmallVector<Value> indices;
  for (Value index : op.getIndices())
    indices.push_back(mapping.lookupOrDefault(index));
  Value dynamic = op.getDynamic();
  if (dynamic)
    dynamic = mapping.lookupOrDefault(dynamic);
  Emitter emit(builder, op);
  return scalarOffset(emit, viewOf(op.getField()), indices, dynamic,
                      op.getComponent());
}

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
  for (const TreeTarget &tree : shape.trees) {
    Value sums = arguments[next++];
    int32_t dtype = static_cast<int32_t>(
        dtypeOf(tree.first.getField().getType().getScalar()));
    callRuntime(emit, "chirt_tree_join",
                {emit.reinterpret(sums, emit.ptrType()), emit.toI64(blocks),
                 emit.i32(dtype),
                 emit.i32(static_cast<int32_t>(kindOf(tree)))});
    FailureOr<Value> offset = targetOffset(tree.first);
    if (failed(offset))
      return failure();
    Value data = viewOf(tree.first.getField()).data;
    Value sum = memref::LoadOp::create(builder, emit.loc, sums, emit.index(0));
    Value old = memref::LoadOp::create(builder, emit.loc, data, *offset);
    Value total =
        combine(emit, kindOf(tree), old, sum, arith::FastMathFlags::none);
    memref::StoreOp::create(builder, emit.loc, total, data, *offset);
  }
  return success();
}
