//===- ChiToGPU.cpp - Tasks become kernels --------------------------------===//

#include "chi/Conversion/ChiToLoops/TaskShape.h"
#include "chi/Conversion/Iteration/IterationLowering.h"
#include "chi/Dialect/Chi/KernelWords.h"
#include "chi/Offload/Passes.h"

namespace chi::offload {
#define GEN_PASS_DEF_CHITOGPUPASS
#include "chi/Offload/Passes.h.inc"
} // namespace chi::offload

using namespace mlir;
using namespace chi;
using namespace chi::conv;
using namespace chi::offload;
using ir::WordKind;

//===----------------------------------------------------------------------===//
// What may be one field
//===----------------------------------------------------------------------===//

/// Another captured field that may be this one, one of both written?
static bool mayOverlap(ir::TaskOp task, unsigned captured) {
  for (BlockArgument other : task.getCaptured()) {
    unsigned number = other.getArgNumber();
    if (number != captured && isa<ir::FieldType>(other.getType()) &&
        (task.writes(captured) || task.writes(number)) &&
        task.mayBeSame(captured, number))
      return true;
  }
  return false;
}

/// Is an index the same in all iterations, and had again without code?
static bool isUniform(ir::TaskOp task, Value index) {
  if (auto argument = dyn_cast<BlockArgument>(index))
    return llvm::is_contained(task.getCaptured(), argument);
  return isa_and_nonnull<arith::ConstantOp>(index.getDefiningOp());
}

namespace {
/// What all iterations add to one element, which each thread adds up for itself
/// first: a sum of millions by atomics would lose what is small beside it.
struct ThreadSum {
  ir::AccumOp op; ///< of the task
  Value memory;   ///< of the thread; null: its element is not always the same
};

/// The threads of a device: where iterations meet, memory settles it.
class Grid : public IterationNest {
public:
  Grid(ir::TaskOp task, OpBuilder &builder) : task(task), builder(builder) {}

  /// Makes the sums of this thread, where the builder stands.
  void beginSums() {
    task.getBody().walk<WalkOrder::PreOrder>([&](ir::AccumOp op) {
      if (op.getStrategy() == ir::AccumStrategy::tree)
        sums.push_back({op, isFixed(op) ? beginSum(op) : Value()});
    });
  }

  /// Adds them to their elements, where the builder stands.
  LogicalResult endSums(IterationLowering &code) {
    areEnded = true;
    for (const ThreadSum &sum : sums)
      if (sum.memory && failed(endSum(code, sum)))
        return failure();
    return success();
  }
  bool hasSums() const {
    return llvm::any_of(sums,
                        [](const ThreadSum &sum) { return bool(sum.memory); });
  }

  /// Sums come in the order in which the task has them.
  bool lowerAccess(ir::FieldAccessOpInterface access,
                   const Iteration &iteration) override {
    auto op = dyn_cast<ir::AccumOp>(access.getOperation());
    if (areEnded || !op || op.getStrategy() != ir::AccumStrategy::tree)
      return false;
    Value memory = sums[next++].memory;
    if (!memory)
      return false;
    Emitter emit(builder, op);
    Value zero = emit.index(0);
    Value old = memref::LoadOp::create(builder, emit.loc, memory, zero);
    Value sum = combine(emit, op.getKind(), old, toMemory(emit, op.getValue()),
                        arith::FastMathFlags::none);
    memref::StoreOp::create(builder, emit.loc, sum, memory, zero);
    op.erase();
    return true;
  }

  ir::AccumStrategy strategyOf(ir::AccumOp op) override {
    if (task.getRank() == 0)
      return ir::AccumStrategy::plain;
    // That no two iterations meet was found with each field alone.
    BlockArgument root = ir::capturedField(op.getField());
    bool isAlone = op.getStrategy() == ir::AccumStrategy::plain && root &&
                   !mayOverlap(task, root.getArgNumber());
    return isAlone ? ir::AccumStrategy::plain : ir::AccumStrategy::atomic;
  }

private:
  /// Is it of one element in all iterations?
  bool isFixed(ir::AccumOp op) {
    auto isSame = [&](Value index) { return isUniform(task, index); };
    Value dynamic = op.getDynamicComponent();
    return task.getRank() != 0 && llvm::all_of(op.getIndices(), isSame) &&
           (!dynamic || isSame(dynamic));
  }

  Value beginSum(ir::AccumOp op) {
    Emitter emit(builder, op);
    Type type = memoryType(op.getValue().getType());
    Value memory = emit.stackBuffer(type, 1);
    memref::StoreOp::create(builder, emit.loc,
                            neutral(emit, op.getKind(), type), memory,
                            emit.index(0));
    return memory;
  }

  LogicalResult endSum(IterationLowering &code, const ThreadSum &sum) {
    ir::AccumOp op = sum.op;
    Emitter emit(builder, op);
    IRMapping mapping = code.captured();
    Value part =
        memref::LoadOp::create(builder, emit.loc, sum.memory, emit.index(0));
    for (Value operand : op->getOperands())
      if (auto constant = operand.getDefiningOp<arith::ConstantOp>();
          constant && !mapping.contains(operand))
        builder.clone(*constant, mapping);
    auto last = cast<ir::AccumOp>(builder.clone(*op, mapping));
    // It may be an index, too.
    last.getValueMutable().assign(
        fromMemory(emit, part, op.getValue().getType()));
    return code.lower(last, {});
  }

  ir::TaskOp task;
  OpBuilder &builder;
  SmallVector<ThreadSum> sums;
  size_t next = 0;
  bool areEnded = false;
};

//===----------------------------------------------------------------------===//
// A kernel
//===----------------------------------------------------------------------===//

/// Makes the kernel of one task.
class KernelBuilder {
public:
  KernelBuilder(ir::TaskOp task, mlir::gpu::GPUModuleOp kernels, bool fast)
      : task(task), builder(task.getContext()), emit(builder, task.getLoc()),
        grid(task, builder),
        code(task, builder, grid,
             fast && !task.getStrict() ? kFastFlags
                                       : arith::FastMathFlags::none) {
    builder.setInsertionPointToEnd(kernels.getBody());
    makeFunction();
  }

  LogicalResult run() {
    bindCaptured();
    bindDomain();
    bindRest();
    finishSignature();
    Value thread = threadNumber(), threads = threadCount(), all = count();
    grid.beginSums();
    auto loop = scf::ForOp::create(builder, emit.loc, thread, all, threads);
    Operation *end = mlir::gpu::ReturnOp::create(builder, emit.loc);
    builder.setInsertionPoint(loop.getBody()->getTerminator());
    if (failed(code.emit(iterationAt(loop.getInductionVar()), task.getBody())))
      return failure();
    builder.setInsertionPoint(end);
    return endSums(thread, all);
  }

private:
  void makeFunction() {
    kernel = mlir::gpu::GPUFuncOp::create(builder, emit.loc, task.getSymName(),
                                          builder.getFunctionType({}, {}));
    kernel->setAttr(mlir::gpu::GPUDialect::getKernelFuncAttrName(),
                    builder.getUnitAttr());
    kernel.setKnownBlockSize(ArrayRef<int32_t>{kBlockSize, 1, 1});
    setMessageNames(kernel, task);
    body = &kernel.getBody().front();
    builder.setInsertionPointToEnd(body);
  }

  Value parameter(Type type, WordKind kind, int32_t number = 0,
                  int32_t axis = 0) {
    words.append({static_cast<int32_t>(kind), number, axis});
    return body->addArgument(type, emit.loc);
  }

  void bindCaptured() {
    for (BlockArgument value : task.getCaptured()) {
      int32_t number = value.getArgNumber();
      if (auto type = dyn_cast<ir::FieldType>(value.getType()))
        code.bind(value, fieldView(type, number));
      else
        code.bind(value, scalar(value.getType(), number));
    }
  }

  FieldView fieldView(ir::FieldType type, int32_t number) {
    unsigned place = body->getNumArguments();
    FieldView view{
        type,
        parameter(flatType(type.getScalar()), WordKind::data, number),
        {}};
    if (!mayOverlap(task, number))
      apart.push_back(place);
    for (auto [axis, extent] : llvm::enumerate(type.getShape()))
      view.extents.push_back(ShapedType::isDynamic(extent)
                                 ? parameter(builder.getIndexType(),
                                             WordKind::extent, number, axis)
                                 : emit.index(extent));
    return view;
  }

  /// Parameters have 32 or 64 bits, which every device can take.
  Value scalar(Type type, int32_t number) {
    unsigned width = type.getIntOrFloatBitWidth();
    if (width >= 32)
      return parameter(type, WordKind::scalar, number);
    Value word = parameter(builder.getI32Type(), WordKind::scalar, number);
    Value bits = emit.cast(word, builder.getIntegerType(width));
    if (isa<IntegerType>(type))
      return bits;
    return arith::BitcastOp::create(builder, emit.loc, type, bits);
  }

  void bindDomain() {
    Type index = builder.getIndexType();
    for (unsigned axis = 0; axis < task.getRank(); ++axis) {
      std::optional<int64_t> start = task.getKnownStart(axis),
                             known = task.getKnownExtent(axis);
      from.push_back(start ? emit.index(*start)
                           : parameter(index, WordKind::from, axis));
      extent.push_back(known ? emit.index(*known)
                             : parameter(index, WordKind::count, axis));
    }
  }

  void bindRest() {
    WalkResult draws = task.getBody().walk(
        [](ir::RandomOp) { return WalkResult::interrupt(); });
    if (draws.wasInterrupted())
      code.bindSeed(parameter(builder.getI64Type(), WordKind::seed));
    if (!ir::mayFail(task))
      return;
    parameter(flatType(builder.getI32Type()), WordKind::failures);
    parameter(flatType(builder.getI64Type()), WordKind::records);
  }

  void finishSignature() {
    kernel.setFunctionType(
        builder.getFunctionType(body->getArgumentTypes(), {}));
    for (unsigned place : apart)
      kernel.setArgAttr(place, LLVM::LLVMDialect::getNoAliasAttrName(),
                        builder.getUnitAttr());
    kernel->setAttr(ir::kWordsAttr, builder.getDenseI32ArrayAttr(words));
  }

  template <typename Op> Value ofGrid() {
    return Op::create(builder, emit.loc, mlir::gpu::Dimension::x);
  }
  Value threadNumber() {
    Value first = emit.mul(ofGrid<mlir::gpu::BlockIdOp>(),
                           ofGrid<mlir::gpu::BlockDimOp>());
    return emit.add(first, ofGrid<mlir::gpu::ThreadIdOp>());
  }
  Value threadCount() {
    return emit.mul(ofGrid<mlir::gpu::GridDimOp>(),
                    ofGrid<mlir::gpu::BlockDimOp>());
  }

  Value count() {
    Value product = emit.index(1);
    for (Value each : extent)
      product = emit.mul(product, each);
    return product;
  }

  /// A thread without iterations has no sums.
  LogicalResult endSums(Value thread, Value all) {
    if (!grid.hasSums())
      return success();
    Value works = emit.compare(arith::CmpIPredicate::slt, thread, all);
    LogicalResult result = success();
    emit.when(works, [&] { result = grid.endSums(code); });
    return result;
  }

  /// Row-major: neighbouring threads differ in the innermost index.
  Iteration iterationAt(Value number) {
    Iteration iteration{SmallVector<Value>(task.getRank()), number};
    Value rest = number;
    for (unsigned axis = task.getRank(); axis-- > 0;) {
      Value place = axis ? emit.remainder(rest, extent[axis]) : rest;
      iteration.indices[axis] =
          emit.cast(emit.add(from[axis], place),
                    task.getIndexVariables()[axis].getType());
      rest = axis ? emit.divide(rest, extent[axis]) : rest;
    }
    return iteration;
  }

  ir::TaskOp task;
  OpBuilder builder;
  Emitter emit;
  Grid grid;
  IterationLowering code;
  mlir::gpu::GPUFuncOp kernel;
  Block *body = nullptr;
  SmallVector<int32_t> words;
  SmallVector<unsigned> apart; ///< parameters that no other one overlaps
  SmallVector<Value> from, extent;
};

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
        if (failed(KernelBuilder(task, kernels, fast).run()))
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
