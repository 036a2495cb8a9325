//===- ChiToGPU.cpp - Tasks become kernels --------------------------------===//

#include "chi/Offload/TaskKernel.h"

namespace chi::offload {
#define GEN_PASS_DEF_CHITOGPUPASS
#include "chi/Offload/Passes.h.inc"
} // namespace chi::offload

using namespace mlir;
using namespace chi;
using namespace chi::conv;
using namespace chi::offload;
using ir::WordKind;

namespace {
/// The threads of a device: where iterations meet, memory settles it. A thread
/// that is a lane of trees has the sums of its own.
class Grid final : public IterationNest {
public:
  Grid(const TaskShape &shape, Emitter &emit) : shape(shape), emit(emit) {}

  /// Before the first iteration of a lane.
  void beginSums() {
    for (auto [tree, sum] : llvm::zip(shape.trees, sums))
      memref::StoreOp::create(emit.builder, emit.loc,
                              neutral(emit, tree.first.getKind(), tree.scalar),
                              sum, emit.index(0));
  }
  /// Behind its last one.
  void storeSums(ArrayRef<Value> partials, Value place) {
    for (auto [sum, memory] : llvm::zip(sums, partials)) {
      Value value =
          memref::LoadOp::create(emit.builder, emit.loc, sum, emit.index(0));
      memref::StoreOp::create(emit.builder, emit.loc, value, memory, place);
    }
  }
  void makeSums() {
    for (const TreeTarget &tree : shape.trees)
      sums.push_back(emit.stackBuffer(tree.scalar, 1));
  }

  bool lowerAccess(ir::FieldAccessOpInterface access,
                   const Iteration &iteration) override {
    auto op = dyn_cast<ir::AccumOp>(access.getOperation());
    if (!op || op.getStrategy() != ir::AccumStrategy::tree || sums.empty())
      return false;
    Emitter at(emit.builder, op);
    Value memory = sums[(*op.getTree())[0]], zero = at.index(0);
    Value old = memref::LoadOp::create(at.builder, at.loc, memory, zero);
    Value sum = combine(at, op.getKind(), old, toMemory(at, op.getValue()),
                        arith::FastMathFlags::none);
    memref::StoreOp::create(at.builder, at.loc, sum, memory, zero);
    op.erase();
    return true;
  }

  ir::AccumStrategy strategyOf(ir::AccumOp op) override {
    if (shape.rank() == 0)
      return ir::AccumStrategy::plain;
    // That no two iterations meet was found with each field alone.
    BlockArgument root = ir::capturedField(op.getField());
    bool isAlone = op.getStrategy() == ir::AccumStrategy::plain && root &&
                   !mayOverlap(shape.task, root.getArgNumber());
    return isAlone ? ir::AccumStrategy::plain : ir::AccumStrategy::atomic;
  }

private:
  const TaskShape &shape;
  Emitter &emit;
  SmallVector<Value> sums; ///< one a tree, of the thread
};

//===----------------------------------------------------------------------===//
// A kernel
//===----------------------------------------------------------------------===//

/// Makes the kernel of one task.
class KernelBuilder {
public:
  KernelBuilder(const TaskShape &shape, mlir::gpu::GPUModuleOp kernels,
                bool fast)
      : shape(shape), task(shape.task), builder(task.getContext()),
        emit(builder, task.getLoc()),
        kernel(task, kernels, task.getSymName(), emit), grid(shape, emit),
        code(task, builder, grid,
             fast && !task.getStrict() ? kFastFlags
                                       : arith::FastMathFlags::none) {}

  LogicalResult run() {
    kernel.bindCaptured(code);
    bindDomain();
    bindRest();
    kernel.finishSignature();
    Operation *end = mlir::gpu::ReturnOp::create(builder, emit.loc);
    builder.setInsertionPoint(end);
    Value thread = kernel.threadNumber(), threads = kernel.threadCount();
    return shape.trees.empty() ? emitIterations(thread, count(), threads)
                               : emitLanes(thread, threads);
  }

private:
  void bindDomain() {
    Type index = builder.getIndexType();
    for (unsigned axis = 0; axis < shape.rank(); ++axis) {
      from.push_back(shape.from[axis]
                         ? emit.index(*shape.from[axis])
                         : kernel.parameter(index, WordKind::from, axis));
      extent.push_back(shape.extent[axis]
                           ? emit.index(*shape.extent[axis])
                           : kernel.parameter(index, WordKind::count, axis));
    }
  }

  void bindRest() {
    if (shape.draws)
      code.bindSeed(kernel.parameter(builder.getI64Type(), WordKind::seed));
    if (shape.mayFail) {
      kernel.parameter(flatType(builder.getI32Type()), WordKind::failures);
      kernel.parameter(flatType(builder.getI64Type()), WordKind::records);
    }
    if (shape.trees.empty())
      return;
    for (auto [number, tree] : llvm::enumerate(shape.trees))
      partials.push_back(kernel.parameter(flatType(tree.scalar),
                                          WordKind::partials,
                                          partialBytes(shape, number)));
    kernel.setNeeds(
        {{ir::kPerThread, kTreeBlock / kTreeLanes},
         {ir::kPartialBytes, partialBytes(shape, shape.trees.size())}});
    grid.makeSums();
  }

  Value count() {
    Value product = emit.index(1);
    for (Value each : extent)
      product = emit.mul(product, each);
    return product;
  }

  /// Iterations `first`, `first + step`, …
  LogicalResult emitIterations(Value first, Value end, Value step) {
    auto loop = scf::ForOp::create(builder, emit.loc, first, end, step);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(loop.getBody()->getTerminator());
    return code.emit(iterationAt(loop.getInductionVar()), task.getBody());
  }

  /// Each thread is a lane of blocks of iterations: it does every 16th of a
  /// block, one after the other, so that its sums have the shape of the
  /// processor's. Half a warp's neighbours are neighbours in memory.
  LogicalResult emitLanes(Value thread, Value threads) {
    Value all = count(), lanes = emit.index(kTreeLanes),
          size = emit.index(kTreeBlock);
    Value lane = emit.remainder(thread, lanes);
    auto blocks = scf::ForOp::create(
        builder, emit.loc, emit.divide(thread, lanes),
        emit.ceilDivide(all, kTreeBlock), emit.divide(threads, lanes));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(blocks.getBody()->getTerminator());
    Value block = blocks.getInductionVar(), start = emit.mul(block, size);
    grid.beginSums();
    Value end = emit.min(emit.add(start, size), all);
    if (failed(emitIterations(emit.add(start, lane), end, lanes)))
      return failure();
    grid.storeSums(partials, emit.add(emit.mul(block, lanes), lane));
    return success();
  }

  /// Row-major: neighbouring threads differ in the innermost index.
  Iteration iterationAt(Value number) {
    Iteration iteration{SmallVector<Value>(shape.rank()), number};
    Value rest = number;
    for (unsigned axis = shape.rank(); axis-- > 0;) {
      Value place = axis ? emit.remainder(rest, extent[axis]) : rest;
      iteration.indices[axis] =
          emit.cast(emit.add(from[axis], place),
                    task.getIndexVariables()[axis].getType());
      rest = axis ? emit.divide(rest, extent[axis]) : rest;
    }
    return iteration;
  }

  const TaskShape &shape;
  ir::TaskOp task;
  OpBuilder builder;
  Emitter emit;
  TaskKernel kernel;
  Grid grid;
  IterationLowering code;
  SmallVector<Value> from, extent;
  SmallVector<Value> partials; ///< one a tree
};

/// The kernels of one task.
LogicalResult makeKernels(ir::TaskOp task, mlir::gpu::GPUModuleOp kernels,
                          bool fast) {
  TaskShape shape = shapeOf(task);
  if (failed(KernelBuilder(shape, kernels, fast).run()))
    return failure();
  return shape.trees.empty() ? success() : makeFinish(shape, kernels);
}

struct ChiToGPUPass : chi::offload::impl::ChiToGPUPassBase<ChiToGPUPass> {
  using ChiToGPUPassBase::ChiToGPUPassBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    registerDialects(registry);
  }

  /// Tells what of each task no device can do; true if there is nothing.
  bool canAll(ArrayRef<ir::TaskOp> tasks) {
    bool isGood = true;
    for (ir::TaskOp task : tasks)
      if (Refusal refusal = findRefusal(task); refusal.op) {
        isGood = false;
        emitError(refusal.op->getLoc(), "[E0900] ")
            << refusal.text << " is not supported yet";
      }
    return isGood;
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto tasks = llvm::to_vector(module.getOps<ir::TaskOp>());
    if (!canAll(tasks))
      return signalPassFailure();
    SmallVector<Operation *> old;
    for (Operation &op : *module.getBody())
      old.push_back(&op);
    auto builder = OpBuilder::atBlockEnd(module.getBody());
    if (!tasks.empty()) {
      auto kernels =
          mlir::gpu::GPUModuleOp::create(builder, module.getLoc(), kKernels);
      for (ir::TaskOp task : tasks)
        if (failed(makeKernels(task, kernels, fast)))
          return signalPassFailure();
      if (failed(addFunctions(kernels, module)))
        return signalPassFailure();
      addTables(kernels, module);
    }
    for (Operation *op : llvm::reverse(old))
      op->erase();
    module->setDiscardableAttrs(DictionaryAttr::get(&getContext()));
  }
};
} // namespace
