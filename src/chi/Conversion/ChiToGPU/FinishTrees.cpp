//===- FinishTrees.cpp - The kernel that ends the trees of a task ---------===//
// The lanes of all blocks of iterations left a number each; they are joined
// pairwise, the lanes of a block first, as its numbers lie side by side. A
// block of threads joins CHIRT_JOIN of them and leaves the result in the place
// of the first, so that a launch of many is followed by one of few. That is the
// shape of `chirt_tree_join`, whatever the grid: what has no partner meets what
// changes nothing.

#include "chi/Conversion/ChiToGPU/SharedCopies.h"
#include "chirt/device_code.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv;
using namespace chi::conv::kernels;
using ir::WordKind;

/// Numbers that a thread joins by itself.
static constexpr int64_t kOwn = CHIRT_JOIN / kBlockSize;
static_assert(llvm::isPowerOf2_64(kOwn) && llvm::isPowerOf2_64(kBlockSize));

namespace {
/// No iteration is made here.
struct NoNest final : IterationNest {
  ir::AccumStrategy strategyOf(ir::AccumOp) override {
    return ir::AccumStrategy::plain;
  }
};

class FinishBuilder {
public:
  FinishBuilder(const TaskShape &shape, mlir::gpu::GPUModuleOp kernels,
                const KernelForm &form)
      : shape(shape), task(shape.task), builder(task.getContext()),
        emit(builder, task.getLoc()),
        kernel(task, kernels, {form.name + kFinishSuffix.str()}, emit),
        code(task, builder, nest, arith::FastMathFlags::none) {
    if (form.isShort)
      kernel.function()->setAttr(ir::kSmallAttr, builder.getUnitAttr());
  }

  LogicalResult run() {
    Type index = builder.getIndexType();
    kernel.bindCaptured(code);
    SmallVector<Value> partials;
    for (auto [number, tree] : llvm::enumerate(shape.trees))
      partials.push_back(kernel.parameter(flatType(tree.scalar),
                                          WordKind::partials,
                                          partialBytes(shape, number)));
    count = kernel.parameter(index, WordKind::parts);
    stride = kernel.parameter(index, WordKind::stride);
    kernel.finishSignature();
    kernel.function()->setAttr(kFewTurnsAttr, builder.getUnitAttr());
    thread = kernel.ofGrid<mlir::gpu::ThreadIdOp>();
    group = kernel.ofGrid<mlir::gpu::BlockIdOp>();
    first = emit.mul(group, emit.index(CHIRT_JOIN));
    isLast = emit.compare(arith::CmpIPredicate::eq,
                          kernel.ofGrid<mlir::gpu::GridDimOp>(), emit.index(1));
    for (auto [tree, memory] : llvm::zip(shape.trees, partials))
      if (failed(finish(tree, memory)))
        return failure();
    mlir::gpu::ReturnOp::create(builder, emit.loc);
    return success();
  }

private:
  /// What lies in a block's memory has 16 bits at least: fewer are not in
  /// every device's.
  static Type sharedType(Type scalar) {
    return isa<IntegerType>(scalar) && scalar.getIntOrFloatBitWidth() < 32
               ? IntegerType::get(scalar.getContext(), 32)
               : scalar;
  }

  /// The block's memory for numbers of a type; trees use it one by one.
  Value shared(Type type) {
    Value &memory = memories[type];
    if (!memory)
      memory = makeShared(kernel, emit, type, kBlockSize);
    return memory;
  }

  Value join(const TreeTarget &tree, Value a, Value b) {
    return combine(emit, tree.first.getKind(), a, b,
                   arith::FastMathFlags::none);
  }

  /// The numbers of this thread, joined.
  Value joinOwn(const TreeTarget &tree, Value memory) {
    Value none = neutral(emit, tree.first.getKind(), tree.scalar);
    Value own = emit.add(first, emit.mul(thread, emit.index(kOwn)));
    SmallVector<Value> values;
    for (int64_t k = 0; k < kOwn; ++k) {
      Value place = emit.add(own, emit.index(k));
      Value isThere = emit.compare(arith::CmpIPredicate::slt, place, count);
      Value safe = emit.mul(emit.select(isThere, place, first), stride);
      Value value = memref::LoadOp::create(builder, emit.loc, memory, safe);
      values.push_back(emit.select(isThere, value, none));
    }
    for (; values.size() > 1; values.resize(values.size() / 2))
      for (size_t k = 0; k < values.size() / 2; ++k)
        values[k] = join(tree, values[2 * k], values[2 * k + 1]);
    return values.front();
  }

  /// The numbers of all threads, joined; the first thread has the result.
  Value joinAll(const TreeTarget &tree, Value own) {
    Value memory = shared(sharedType(tree.scalar));
    auto load = [&](Value place) {
      Value value = memref::LoadOp::create(builder, emit.loc, memory, place);
      return emit.cast(value, tree.scalar);
    };
    auto store = [&](Value value) {
      memref::StoreOp::create(builder, emit.loc,
                              emit.cast(value, sharedType(tree.scalar)), memory,
                              thread);
    };
    auto barrier = [&] { mlir::gpu::BarrierOp::create(builder, emit.loc); };
    store(own);
    barrier();
    int64_t levels = llvm::Log2_64(kBlockSize);
    emit.loop(emit.index(0), emit.index(levels), [&](Value level) {
      Value step =
          arith::ShLIOp::create(builder, emit.loc, emit.index(1), level);
      Value pair = emit.mul(step, emit.index(2));
      Value joins = emit.compare(arith::CmpIPredicate::eq,
                                 emit.remainder(thread, pair), emit.index(0));
      emit.when(joins, [&] {
        store(join(tree, load(thread), load(emit.add(thread, step))));
      });
      barrier();
    });
    return load(emit.index(0));
  }

  LogicalResult finish(const TreeTarget &tree, Value memory) {
    Value sum = joinAll(tree, joinOwn(tree, memory));
    LogicalResult result = success();
    Value isFirst =
        emit.compare(arith::CmpIPredicate::eq, thread, emit.index(0));
    emit.when(isFirst, [&] {
      emit.when(
          isLast, [&] { result = code.addSumOfAll(tree.first, sum); },
          [&] {
            memref::StoreOp::create(builder, emit.loc, sum, memory,
                                    emit.mul(first, stride));
          });
    });
    return result;
  }

  const TaskShape &shape;
  ir::TaskOp task;
  OpBuilder builder;
  Emitter emit;
  TaskKernel kernel;
  NoNest nest;
  IterationLowering code;
  llvm::MapVector<Type, Value> memories;
  Value thread, group, first, count, stride, isLast;
};
} // namespace

LogicalResult chi::conv::kernels::makeFinish(const TaskShape &shape,
                                             mlir::gpu::GPUModuleOp kernels,
                                             const KernelForm &form) {
  return FinishBuilder(shape, kernels, form).run();
}
