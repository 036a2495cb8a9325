//===- FinishReductions.cpp - The kernel that ends reductions -------------===//
// Each lane of each block of iterations has stored a number; the numbers are
// joined pairwise, the lanes of a block first, as its numbers are adjacent. A
// block of threads joins CHIRT_JOIN of them and overwrites the first with the
// result, so that a launch of many blocks is followed by one of few. The shape
// is that of `chirt_reduction_join`, whatever the grid: a number without a
// partner is joined with the neutral element.

#include "chi/Conversion/ChiToGPU/SharedCopies.h"
#include "chirt/device_code.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv;
using namespace chi::conv::kernels;
using ir::KernelParam;

/// Numbers that a thread joins by itself.
static constexpr int64_t kOwn = CHIRT_JOIN / kBlockSize;
static_assert(llvm::isPowerOf2_64(kOwn) && llvm::isPowerOf2_64(kBlockSize));

namespace {
/// No iteration is made here.
struct NoNest final : IterationNest {
  bool isAtomic(ir::AccumOp) override { return false; }
};

class FinishBuilder {
public:
  FinishBuilder(const TaskShape &shape, mlir::gpu::GPUModuleOp kernels,
                const KernelForm &form)
      : shape(shape), lanes(form.lanes), task(shape.task),
        builder(task.getContext()), emit(builder, task.getLoc()),
        kernel(task, kernels, {form.name + kFinishSuffix.str()}, emit),
        code(task, builder, nest, arith::FastMathFlags::none) {
    kernel.abi().smallLaunches = form.isShort;
  }

  LogicalResult run() {
    Type index = builder.getIndexType();
    kernel.bindCaptured(code);
    SmallVector<Value> partials;
    for (auto [number, reduction] : llvm::enumerate(shape.reductions))
      partials.push_back(kernel.parameter(flatType(reduction.scalar),
                                          KernelParam::partials,
                                          partialBytes(shape, number, lanes)));
    count = kernel.parameter(index, KernelParam::numPartials);
    stride = kernel.parameter(index, KernelParam::stride);
    kernel.finishSignature();
    kernel.function()->setAttr(kFewIterationsAttr, builder.getUnitAttr());
    thread = kernel.ofGrid<mlir::gpu::ThreadIdOp>();
    group = kernel.ofGrid<mlir::gpu::BlockIdOp>();
    first = emit.mul(group, emit.index(CHIRT_JOIN));
    isLast = emit.compare(arith::CmpIPredicate::eq,
                          kernel.ofGrid<mlir::gpu::GridDimOp>(), emit.index(1));
    for (auto [reduction, memory] : llvm::zip(shape.reductions, partials))
      if (failed(finish(reduction, memory)))
        return failure();
    mlir::gpu::ReturnOp::create(builder, emit.loc);
    return success();
  }

private:
  /// Values in a block's memory have 16 bits at least: not every device has
  /// narrower ones.
  static Type sharedType(Type scalar) {
    return isa<IntegerType>(scalar) && scalar.getIntOrFloatBitWidth() < 32
               ? IntegerType::get(scalar.getContext(), 32)
               : scalar;
  }

  /// The block's memory for numbers of a type; reductions use it one by one.
  Value shared(Type type) {
    Value &memory = memories[type];
    if (!memory)
      memory = makeShared(kernel, emit, type, kBlockSize);
    return memory;
  }

  Value join(const ReductionTarget &reduction, Value a, Value b) {
    return combine(emit, reduction.first.getKind(), a, b,
                   arith::FastMathFlags::none);
  }

  /// The numbers of this thread, joined.
  Value joinOwn(const ReductionTarget &reduction, Value memory) {
    Value none = neutral(emit, reduction.first.getKind(), reduction.scalar);
    Value own = emit.add(first, emit.mul(thread, emit.index(kOwn)));
    SmallVector<Value> values;
    for (int64_t k = 0; k < kOwn; ++k) {
      Value offset = emit.add(own, emit.index(k));
      Value isThere = emit.compare(arith::CmpIPredicate::slt, offset, count);
      Value safe = emit.mul(emit.select(isThere, offset, first), stride);
      Value value = memref::LoadOp::create(builder, emit.loc, memory, safe);
      values.push_back(emit.select(isThere, value, none));
    }
    for (; values.size() > 1; values.resize(values.size() / 2))
      for (size_t k = 0; k < values.size() / 2; ++k)
        values[k] = join(reduction, values[2 * k], values[2 * k + 1]);
    return values.front();
  }

  /// The numbers of all threads, joined; the first thread has the result.
  Value joinAll(const ReductionTarget &reduction, Value own) {
    Value memory = shared(sharedType(reduction.scalar));
    auto load = [&](Value offset) {
      Value value = memref::LoadOp::create(builder, emit.loc, memory, offset);
      return emit.cast(value, reduction.scalar);
    };
    auto store = [&](Value value) {
      memref::StoreOp::create(builder, emit.loc,
                              emit.cast(value, sharedType(reduction.scalar)),
                              memory, thread);
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
        store(join(reduction, load(thread), load(emit.add(thread, step))));
      });
      barrier();
    });
    return load(emit.index(0));
  }

  LogicalResult finish(const ReductionTarget &reduction, Value memory) {
    Value sum = joinAll(reduction, joinOwn(reduction, memory));
    LogicalResult result = success();
    Value isFirst =
        emit.compare(arith::CmpIPredicate::eq, thread, emit.index(0));
    emit.when(isFirst, [&] {
      emit.when(
          isLast, [&] { result = code.addSumOfAll(reduction.first, sum); },
          [&] {
            memref::StoreOp::create(builder, emit.loc, sum, memory,
                                    emit.mul(first, stride));
          });
    });
    return result;
  }

  const TaskShape &shape;
  int64_t lanes;
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
