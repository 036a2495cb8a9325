//===- ChiToGPU.cpp - Tasks become kernels --------------------------------===//

#include "chi/Conversion/CheckRecords.h"
#include "chi/Conversion/ChiToGPU/Arena.h"
#include "chi/Conversion/ChiToGPU/SharedCopies.h"
#include "chi/Conversion/ChiToGPU/ShortIndices.h"
#include "chi/Conversion/ChiToGPU/TaskFacts.h"
#include "chi/Conversion/ChiToGPU/Tiles.h"
#include "chi/Dialect/Chi/Accumulations.h"
#include "chirt/device_code.h"

namespace chi::conv::kernels {
#define GEN_PASS_DEF_CHITOGPUPASS
#include "chi/Conversion/ChiToGPU/Passes.h.inc"
} // namespace chi::conv::kernels

using namespace mlir;
using namespace chi;
using namespace chi::conv;
using namespace chi::conv::kernels;
using ir::KernelParam;

namespace {
/// The threads of a device: memory orders iterations that touch one element. A
/// thread that is a lane of reductions has the sums of its own.
class Grid final : public IterationNest {
public:
  Grid(const TaskShape &shape, Emitter &emit) : shape(shape), emit(emit) {}

  /// Before the first iteration of a lane.
  void beginSums() {
    for (auto [reduction, sum] : llvm::zip(shape.reductions, sums))
      memref::StoreOp::create(
          emit.builder, emit.loc,
          neutral(emit, reduction.first.getKind(), reduction.scalar), sum,
          sumOffset);
  }
  /// The sums of a lane are registers, or lie where they are left in the end:
  /// if the thread may go on in another launch.
  void keepSums(ArrayRef<Value> partials, Value offset, bool inMemory) {
    sumOffset = inMemory ? offset : emit.index(0);
    if (inMemory)
      sums.assign(partials.begin(), partials.end());
  }
  /// Behind its last one.
  void storeSums(ArrayRef<Value> partials, Value offset) {
    if (ArrayRef(sums) == partials)
      return;
    for (auto [sum, memory] : llvm::zip(sums, partials)) {
      Value value =
          memref::LoadOp::create(emit.builder, emit.loc, sum, emit.index(0));
      memref::StoreOp::create(emit.builder, emit.loc, value, memory, offset);
    }
  }
  void makeSums() {
    for (const ReductionTarget &reduction : shape.reductions)
      sums.push_back(emit.stackBuffer(reduction.scalar, 1));
  }

  bool lowerAccess(ir::FieldAccessOpInterface access,
                   const Iteration &iteration) override {
    auto op = dyn_cast<ir::AccumOp>(access.getOperation());
    if (!op || op.getStrategy() != ir::AccumStrategy::deterministic ||
        sums.empty())
      return false;
    Emitter at(emit.builder, op);
    Value memory = sums[(*op.getReduction())[0]];
    Value old = memref::LoadOp::create(at.builder, at.loc, memory, sumOffset);
    Value sum = combine(at, op.getKind(), old, toMemory(at, op.getValue()),
                        arith::FastMathFlags::none);
    memref::StoreOp::create(at.builder, at.loc, sum, memory, sumOffset);
    op.erase();
    return true;
  }

  bool isAtomic(ir::AccumOp op) override {
    BlockArgument root = ir::capturedField(op.getField());
    bool overlaps = !root || mayOverlap(shape.task, root.getArgNumber());
    // The threads of a block share its copies.
    return ir::isAtomic(op, {/*isAlone=*/shape.rank() == 0, overlaps,
                             /*hasCopies=*/false});
  }

private:
  const TaskShape &shape;
  Emitter &emit;
  SmallVector<Value> sums; ///< one a reduction
  Value sumOffset;         ///< of the thread, in each
};

//===----------------------------------------------------------------------===//
// A kernel
//===----------------------------------------------------------------------===//

bool mustBeStrict(ir::TaskOp task, bool fast) {
  return !fast || task.getStrict();
}

/// Makes one kernel of a task.
class KernelBuilder {
public:
  KernelBuilder(const TaskShape &shape, mlir::gpu::GPUModuleOp kernels,
                const KernelForm &form, bool fast)
      : shape(shape), lanes(form.lanes), task(shape.task),
        builder(task.getContext()), emit(builder, task.getLoc()),
        kernel(task, kernels, form, emit), grid(shape, emit),
        copies(shape, kernel, emit), arena(shape, kernel, emit),
        isStrict(mustBeStrict(task, fast)),
        code(task, builder, grid,
             isStrict ? arith::FastMathFlags::none : kFastFlags) {}

  LogicalResult run() {
    kernel.bindCaptured(code);
    bindDomain();
    bindRest();
    kernel.finishSignature();
    if (isStrict)
      kernel.function()->setAttr(kStrictAttr, builder.getUnitAttr());
    Operation *end = mlir::gpu::ReturnOp::create(builder, emit.loc);
    builder.setInsertionPoint(end);
    copies.begin(code);
    if (!first && copies.isEmpty() && arena.isEmpty() &&
        Tiles::areUseful(shape))
      return emitTiles();
    Value thread = kernel.threadNumber(), threads = kernel.threadCount();
    if (!first) {
      first = emit.index(0);
      last = count();
    }
    Value own = emit.add(thread, first);
    if (!arena.isEmpty())
      noted = arena.begin(thread, own, last);
    if (failed(shape.reductions.empty()
                   ? emitIterations(goOn(own), last, threads)
                   : emitLanes(thread, threads)))
      return failure();
    if (!arena.isEmpty())
      arena.end(thread);
    copies.end();
    return success();
  }

private:
  void bindDomain() {
    Type index = builder.getIndexType();
    for (unsigned axis = 0; axis < shape.rank(); ++axis) {
      from.push_back(shape.from[axis]
                         ? emit.index(*shape.from[axis])
                         : kernel.parameter(index, KernelParam::from, axis));
      extent.push_back(shape.extent[axis]
                           ? emit.index(*shape.extent[axis])
                           : kernel.parameter(index, KernelParam::count, axis));
    }
  }

  void bindRest() {
    if (shape.draws)
      code.bindSeed(kernel.parameter(builder.getI64Type(), KernelParam::seed));
    if (shape.mayFail) {
      kernel.parameter(flatType(builder.getI32Type()), KernelParam::failures);
      kernel.parameter(flatType(builder.getI64Type()), KernelParam::records);
    }
    arena.bind();
    if (int64_t words = loggedWords(task))
      bindLog(words);
    int64_t perThread = copies.perThread();
    if (!shape.reductions.empty()) {
      bindReductions();
      perThread = kReductionBlock / lanes;
    }
    if (perThread > 1)
      kernel.abi().perThread = perThread;
  }

  /// Iterations are launched in parts, so that there is room for the words that
  /// they log.
  void bindLog(int64_t words) {
    Type index = builder.getIndexType();
    first = kernel.parameter(index, KernelParam::first);
    last = kernel.parameter(index, KernelParam::last);
    kernel.parameter(flatType(builder.getI32Type()), KernelParam::logSize);
    kernel.parameter(flatType(builder.getI64Type()), KernelParam::log);
    kernel.abi().logWords = words;
  }

  void bindReductions() {
    for (auto [number, reduction] : llvm::enumerate(shape.reductions))
      partials.push_back(kernel.parameter(flatType(reduction.scalar),
                                          KernelParam::partials,
                                          partialBytes(shape, number, lanes)));
    kernel.abi().partialBytes =
        partialBytes(shape, shape.reductions.size(), lanes);
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
    return emitIteration(loop, iterationAt(loop.getInductionVar()));
  }

  /// Each block takes tiles. The iterations of a thread ascend, too.
  LogicalResult emitTiles() {
    Tiles tiles(kernel, emit, extent);
    auto loop = scf::ForOp::create(
        builder, emit.loc, kernel.ofGrid<mlir::gpu::BlockIdOp>(), tiles.count(),
        kernel.ofGrid<mlir::gpu::GridDimOp>());
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(loop.getBody()->getTerminator());
    Tiles::Place place = tiles.placeIn(loop.getInductionVar());
    Iteration iteration{SmallVector<Value>(shape.rank()), place.number};
    for (auto [axis, offset] : llvm::enumerate(place.offsets))
      iteration.indices[axis] = indexAt(axis, offset);
    LogicalResult result = success();
    emit.when(place.isInside, [&] { result = emitIteration(loop, iteration); });
    return result;
  }

  /// The code of an iteration, at the builder's place in the loop.
  LogicalResult emitIteration(scf::ForOp loop, const Iteration &iteration) {
    bool isLogged = loggedWords(task) || !arena.isEmpty();
    Value number =
        isLogged || shape.mayFail ? emit.toI64(iteration.number) : Value();
    LogicalResult result = code.emit(iteration, task.getBody());
    loop.walk([&](ir::PrintOp op) { tellIteration(op, number); });
    loop.walk([&](ir::CheckOp op) {
      op.getValuesMutable().append(number);
      op->setAttr(kNumberedAttr, builder.getUnitAttr());
    });
    arena.lower(loop, number);
    noteTripCount(loop.getRegion());
    return result;
  }

  /// The loop variable of an axis, in the task's type.
  Value indexAt(unsigned axis, Value offset) {
    return emit.cast(emit.add(from[axis], offset),
                     task.getIndexVariables()[axis].getType());
  }

  /// Marks kernels whose iterations run few iterations of loops; a lane of
  /// reductions runs many iterations in a row.
  void noteTripCount(Region &iteration) {
    std::optional<int64_t> tripCount = tripCountOf(iteration);
    int64_t times = shape.reductions.empty() ? 1 : kReductionBlock / lanes;
    if (tripCount && times * (*tripCount + 1) <= CHIRT_FEW_ITERATIONS)
      kernel.function()->setAttr(kFewIterationsAttr, builder.getUnitAttr());
  }

  /// A thread that has started already continues after its first iteration.
  Value goOn(Value own) {
    return noted ? emit.max(own, emit.toIndex(noted)) : own;
  }

  /// The host sorts the output.
  void tellIteration(ir::PrintOp op, Value number) {
    SmallVector<Attribute> parts(op.getParts().getValue());
    NamedAttribute what[] = {
        builder.getNamedAttr("shape", builder.getDenseI64ArrayAttr({})),
        builder.getNamedAttr("type", builder.getStringAttr("i64"))};
    parts.insert(parts.begin(), builder.getDictionaryAttr(what));
    op.setPartsAttr(builder.getArrayAttr(parts));
    SmallVector<Value> values{number};
    values.append(op.getValues().begin(), op.getValues().end());
    op.getValuesMutable().assign(values);
  }

  /// The lanes of all blocks of iterations are numbered, and each thread does
  /// every so many of them. Of 16, a lane does every 16th iteration of a block,
  /// one after the other, so that its sums have the shape of the processor's.
  /// Half a warp's neighbours are neighbours in memory.
  LogicalResult emitLanes(Value thread, Value threads) {
    Value size = emit.index(kReductionBlock);
    Value own = emit.add(thread, laneOf(first));
    if (noted) // -1 becomes 0
      own = emit.max(own, laneOf(emit.max(emit.toIndex(noted), emit.index(0))));
    Value end =
        emit.mul(emit.ceilDivide(last, kReductionBlock), emit.index(lanes));
    auto loop = scf::ForOp::create(builder, emit.loc, own, end, threads);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(loop.getBody()->getTerminator());
    Value number = loop.getInductionVar(), step = emit.index(lanes);
    Value start = emit.mul(emit.divide(number, step), size);
    Value begin = emit.add(start, emit.remainder(number, step));
    grid.keepSums(partials, number, /*inMemory=*/!arena.isEmpty());
    if (noted) {
      Value isNew =
          emit.compare(arith::CmpIPredicate::sle, emit.toIndex(noted), begin);
      emit.when(isNew, [&] { grid.beginSums(); });
    } else {
      grid.beginSums();
    }
    Value endOfBlock = emit.min(emit.add(start, size), last);
    if (failed(emitIterations(goOn(begin), endOfBlock, step)))
      return failure();
    grid.storeSums(partials, number);
    return success();
  }

  /// The number of the lane that does an iteration.
  Value laneOf(Value iteration) {
    Value step = emit.index(lanes);
    Value block = emit.divide(iteration, emit.index(kReductionBlock));
    return emit.add(emit.mul(block, step), emit.remainder(iteration, step));
  }

  /// Row-major: neighbouring threads differ in the innermost index.
  Iteration iterationAt(Value number) {
    Iteration iteration{SmallVector<Value>(shape.rank()), number};
    Value rest = number;
    for (unsigned axis = shape.rank(); axis-- > 0;) {
      Value offset = axis ? emit.remainder(rest, extent[axis]) : rest;
      iteration.indices[axis] = indexAt(axis, offset);
      rest = axis ? emit.divide(rest, extent[axis]) : rest;
    }
    return iteration;
  }

  const TaskShape &shape;
  int64_t lanes; ///< of a block of iterations, if there are reductions
  ir::TaskOp task;
  OpBuilder builder;
  Emitter emit;
  TaskKernel kernel;
  Grid grid;
  SharedCopies copies;
  Arena arena;
  bool isStrict;
  IterationLowering code;
  SmallVector<Value> from, extent;
  Value first, last;           ///< iterations of the launch
  SmallVector<Value> partials; ///< one a reduction
  Value noted;                 ///< where the thread resumes, or -1; may be null
};

/// The processor's lanes if sums are added as written, or if a thread that does
/// all iterations of such a lane does little. Long iterations have a lane each,
/// so that as many threads as there are iterations share the work.
int64_t lanesOf(const TaskShape &shape, bool isStrict) {
  constexpr int64_t perLane = kReductionBlock / kReductionLanes;
  std::optional<int64_t> tripCount = tripCountOf(shape.task.getBody());
  bool isShort =
      tripCount && perLane * (*tripCount + 1) <= CHIRT_FEW_ITERATIONS;
  return isStrict || isShort ? kReductionLanes : kReductionBlock;
}

/// The forms in which a task has kernels.
SmallVector<KernelForm> formsOf(const TaskShape &shape, bool shortIndices,
                                int64_t lanes) {
  std::string name = shape.task.getSymName().str();
  std::optional<bool> small = shortIndices ? isSmall(shape) : false;
  if (small)
    return {{name, /*isShort=*/*small, /*hasLarge=*/false, lanes}};
  return {{name, /*isShort=*/true, /*hasLarge=*/true, lanes},
          {name + kLargeSuffix.str(), /*isShort=*/false, /*hasLarge=*/false,
           lanes}};
}

/// The kernels of one task. What joins the lanes of its reductions counts in 64
/// bits on CUDA: sums of 32 bits for each place would cost it registers.
LogicalResult makeKernels(ir::TaskOp task, mlir::gpu::GPUModuleOp kernels,
                          bool fast, bool shortIndices) {
  TaskShape shape = shapeOf(task);
  int64_t lanes = lanesOf(shape, mustBeStrict(task, fast));
  for (const KernelForm &form : formsOf(shape, shortIndices, lanes))
    if (failed(KernelBuilder(shape, kernels, form, fast).run()) ||
        (!shape.reductions.empty() && failed(makeFinish(shape, kernels, form))))
      return failure();
  return success();
}

struct ChiToGPUPass : chi::conv::kernels::impl::ChiToGPUPassBase<ChiToGPUPass> {
  using ChiToGPUPassBase::ChiToGPUPassBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    registerDialects(registry);
  }

  /// Reports the operations of each task that no device can execute; true if
  /// there are none.
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
        if (failed(makeKernels(task, kernels, fast, shortIndices)))
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
