//===- RecordChecks.cpp - Checks of kernels leave records -----------------===//

#include "chi/Conversion/CheckRecords.h"
#include "chi/Conversion/ChiToGPU/CheckRegions.h"
#include "chi/Conversion/ChiToGPU/Kernels.h"
#include "chi/Conversion/UnitTable.h"
#include "chi/Dialect/Chi/KernelParams.h"
#include "chirt/chirt.h"
#include "chirt/device_code.h"

namespace chi::conv::kernels {
#define GEN_PASS_DEF_RECORDCHECKSPASS
#include "chi/Conversion/ChiToGPU/Passes.h.inc"
} // namespace chi::conv::kernels

using namespace mlir;
using namespace chi;
using namespace chi::conv;
using chi::conv::kernels::CheckRegion;
using chi::conv::kernels::CheckRegions;
using ir::KernelParam;

/// A `chirt_record` as words: the site and, above it, the number of axes; the
/// iteration; the values.
static constexpr int64_t kIterationAt = 1,
                         kValuesAt = kIterationAt + CHIRT_MAX_RANK,
                         kRecordWords = kValuesAt + CHIRT_RECORD_WORDS;
static_assert(sizeof(chirt_record) == 8 * kRecordWords &&
              offsetof(chirt_record, site) == 0 &&
              offsetof(chirt_record, num_axes) == 4 &&
              offsetof(chirt_record, iteration) == 8 * kIterationAt &&
              offsetof(chirt_record, words) == 8 * kValuesAt);

/// Words of a chunk of the device log before its values; and the values of a
/// chunk that records an access.
static constexpr size_t kEntryHeader = 2, kAccessWords = 2;

/// The place of the kernel's parameter of a kind that it has one of at most.
static std::optional<int64_t> paramIndexOf(mlir::gpu::GPUFuncOp kernel,
                                           KernelParam kind) {
  ir::KernelABIAttr abi = ir::kernelABIOf(kernel);
  if (!abi)
    return std::nullopt;
  ArrayRef<ir::KernelParameter> params = abi.getParams();
  const auto *found = llvm::find_if(
      params, [&](const auto &each) { return each.kind == kind; });
  return found == params.end() ? std::nullopt
                               : std::optional(found - params.begin());
}

/// The parameters by which an operation leaves a record; none for all others.
static SmallVector<KernelParam, 2> recordWords(Operation *op) {
  if (isa<ir::PrintOp, ir::RecordAccessOp>(op))
    return {KernelParam::logSize, KernelParam::log};
  if (!isa<ir::CheckOp>(op))
    return {};
  if (op->hasAttr(ir::kRestartAttr))
    return {KernelParam::resume, KernelParam::arena};
  return {KernelParam::failures, KernelParam::records};
}

/// Has the kernel the parameters that its records need?
static LogicalResult verifyRecords(mlir::gpu::GPUFuncOp kernel) {
  WalkResult walked = kernel.walk([&](Operation *op) {
    for (KernelParam kind : recordWords(op))
      if (!paramIndexOf(kernel, kind)) {
        op->emitOpError(
            "writes a record, but its kernel has no parameter for it (")
            << ir::kKernelABIAttr << ")";
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return failure(walked.wasInterrupted());
}

namespace {
/// Records the checks of one kernel, its prints, and its instrumented accesses.
class CheckRecorder {
public:
  CheckRecorder(mlir::gpu::GPUFuncOp kernel, SymbolTable &symbols,
                UnitTable &unit, bool inPlace, bool wideAtomics)
      : kernel(kernel), symbols(symbols), unit(unit), inPlace(inPlace),
        builder(kernel.getContext()) {
    ir::KernelABIAttr abi = ir::kernelABIOf(kernel);
    isOrdered = wideAtomics || (abi && abi.getShortIndices());
    if (wideAtomics && !(abi && abi.getShortIndices()))
      widenFailures();
  }

  void run() {
    SmallVector<Operation *> entries;
    kernel.walk([&](Operation *op) {
      if (isa<ir::PrintOp, ir::RecordAccessOp>(op))
        entries.push_back(op);
    });
    for (Operation *op : llvm::reverse(entries))
      lowerEntry(op);
    SmallVector<ir::CheckOp> checks;
    if (inPlace)
      regions.emplace(kernel, leaving());
    kernel.walk([&](ir::CheckOp op) { checks.push_back(op); });
    // From the last one: each operation moves to a new block once.
    for (ir::CheckOp op : llvm::reverse(checks))
      lower(op);
  }

private:
  /// Numbers of iterations have 64 bits.
  void widenFailures() {
    std::optional<int64_t> index = paramIndexOf(kernel, KernelParam::failures);
    if (!index)
      return;
    SmallVector<Type> types(kernel.getArgumentTypes());
    auto old = cast<MemRefType>(types[*index]);
    types[*index] = MemRefType::get(old.getShape(), builder.getI64Type(),
                                    old.getLayout(), old.getMemorySpace());
    kernel.getArgument(*index).setType(types[*index]);
    kernel.setFunctionType(builder.getFunctionType(types, {}));
  }

  /// It has those that it needs (verifyRecords).
  Value parameter(KernelParam kind) {
    return kernel.getArgument(*paramIndexOf(kernel, kind));
  }

  Block *newBlock() {
    OpBuilder::InsertionGuard guard(builder);
    return builder.createBlock(&kernel.getBody(), kernel.getBody().end());
  }

  /// An entry takes its words from those of the launch, if there are enough.
  void lowerEntry(Operation *op) {
    Emitter emit(builder, op, &symbols);
    builder.setInsertionPoint(op);
    auto print = dyn_cast<ir::PrintOp>(op);
    auto size = int32_t(kEntryHeader +
                        (print ? print.getValues().size() - 1 : kAccessWords));
    Value offset = memref::AtomicRMWOp::create(
        builder, emit.loc, arith::AtomicRMWKind::addi, emit.i32(size),
        parameter(KernelParam::logSize), ValueRange{emit.index(0)});
    Value fits = emit.compare(arith::CmpIPredicate::ule, offset,
                              emit.i32(CHIRT_DEVICE_LOG_WORDS - size));
    auto store = [&] {
      Value first = emit.toIndex(offset);
      if (print)
        storePrint(emit, print, first);
      else
        storeAccess(emit, cast<ir::RecordAccessOp>(op), first);
    };
    emit.when(fits, store, [&] { markEnd(emit, offset); });
    op->erase();
  }

  /// The first chunk that does not fit writes an end mark, if there is a word
  /// left: the memory holds data of another launch.
  void markEnd(Emitter &emit, Value offset) {
    Value isIn = emit.compare(arith::CmpIPredicate::ult, offset,
                              emit.i32(CHIRT_DEVICE_LOG_WORDS));
    emit.when(isIn, [&] {
      storeToLog(emit, emit.toIndex(offset), 0, emit.i64(CHIRT_DEVICE_LOG_END));
    });
  }

  void storeToLog(Emitter &emit, Value first, size_t offset, Value word) {
    memref::StoreOp::create(builder, emit.loc, word,
                            parameter(KernelParam::log),
                            emit.add(first, emit.index(offset)));
  }

  /// The format and the number of its words, the iteration, the words.
  void storePrint(Emitter &emit, ir::PrintOp op, Value first) {
    auto storeAt = [&](size_t offset, Value word) {
      storeToLog(emit, first, offset, word);
    };
    // The first part is the number of the iteration.
    ValueRange values = op.getValues().drop_front();
    ArrayAttr parts =
        builder.getArrayAttr(op.getParts().getValue().drop_front());
    int64_t format = unit.formatNumber(emit, parts, values, values.size());
    storeAt(0, emit.i64(format | int64_t(values.size()) << 32));
    storeAt(1, op.getValues().front());
    eachFormatWord(parts, values, 0, values.size(),
                   [&](size_t offset, Value value, bool isUnsigned) {
                     storeAt(kEntryHeader + offset,
                             wordOf(emit, value, isUnsigned));
                   });
  }

  /// Stores where an instrumented access is: a number less than 0 instead of
  /// that of a format, which field it accesses, its kind, and the offset in the
  /// field.
  void storeAccess(Emitter &emit, ir::RecordAccessOp op, Value first) {
    auto field = cast<BlockArgument>(op.getMemory());
    int64_t number = ir::kernelABIOf(kernel)
                         .getParams()[field.getArgNumber()]
                         .number,
            site = unit.siteNumber(emit, siteOf(op, kernel));
    Type scalar = op.getMemory().getType().getElementType();
    Value bytes = emit.mul(op.getOffset(), emit.index(byteSize(scalar)));
    storeToLog(
        emit, first, 0,
        emit.i64(int64_t(uint32_t(~site)) | int64_t(kAccessWords) << 32));
    storeToLog(emit, first, 1, op.getIteration());
    storeToLog(emit, first, kEntryHeader,
               emit.i64(number | int64_t(op.getKind()) << 32));
    storeToLog(emit, first, kEntryHeader + 1, emit.toI64(bytes));
  }

  /// There is not enough memory: the thread resumes in another launch.
  void noteRestart(Emitter &emit, ir::CheckOp op) {
    using Dimension = mlir::gpu::Dimension;
    Value block = mlir::gpu::BlockIdOp::create(builder, emit.loc, Dimension::x);
    Value size = mlir::gpu::BlockDimOp::create(builder, emit.loc, Dimension::x);
    Value thread =
        mlir::gpu::ThreadIdOp::create(builder, emit.loc, Dimension::x);
    memref::StoreOp::create(builder, emit.loc, op.getValues().front(),
                            parameter(KernelParam::resume),
                            emit.add(emit.mul(block, size), thread));
    memref::AtomicRMWOp::create(builder, emit.loc, arith::AtomicRMWKind::addi,
                                emit.i32(1), parameter(KernelParam::arena),
                                ValueRange{emit.index(CHIRT_ARENA_UNFINISHED)});
  }

  /// The exit of a thread whose check fails.
  void leave(Emitter &emit, ir::CheckOp op) {
    if (op->hasAttr(ir::kRestartAttr))
      noteRestart(emit, op);
    else
      recordFailure(emit, op);
  }

  void lower(ir::CheckOp op) {
    CheckRegion *region = regions ? regions->of(op) : nullptr;
    Block *rest = op->getBlock()->splitBlock(op->getNextNode());
    Block *failed = region ? region->end : inPlace ? leaving() : newBlock();
    Emitter emit(builder, op, &symbols);
    if (inPlace) {
      builder.setInsertionPoint(op);
      Value yes = emit.constant(builder.getI1Type(), 1);
      Value fails = arith::XOrIOp::create(builder, emit.loc, op.getOk(), yes);
      emit.when(fails, [&] { leave(emit, op); });
    } else {
      builder.setInsertionPointToStart(failed);
      leave(emit, op);
      cf::BranchOp::create(builder, emit.loc, leaving());
    }
    builder.setInsertionPoint(op);
    SmallVector<Value> no;
    if (region)
      no.push_back(emit.constant(builder.getI1Type(), 0));
    constexpr int32_t weights[] = {1 << 20, 1};
    cf::CondBranchOp::create(builder, op.getLoc(), op.getOk(), ValueRange(), no,
                             builder.getDenseI32ArrayAttr(weights), rest,
                             failed);
    op.erase();
  }

  Value updateFailures(Emitter &emit, arith::AtomicRMWKind kind, Value value,
                       int64_t at) {
    return memref::AtomicRMWOp::create(builder, emit.loc, kind, value,
                                       parameter(KernelParam::failures),
                                       ValueRange{emit.index(at)});
  }

  /// Only a failure of an earlier iteration than all before it is counted:
  /// there are few, however many iterations fail (see CHIRT_EARLIEST_AT).
  void recordFailure(Emitter &emit, ir::CheckOp op) {
    auto failures =
        cast<MemRefType>(parameter(KernelParam::failures).getType());
    auto type = cast<IntegerType>(failures.getElementType());
    Value number = CheckOperands(op).number;
    if (!number || !isOrdered)
      return countFailure(emit, op);
    Value key = arith::XOrIOp::create(
        builder, emit.loc, emit.cast(number, type), emit.constant(type, -1));
    Value most = updateFailures(emit, arith::AtomicRMWKind::maxu, key,
                                8 * CHIRT_EARLIEST_AT / type.getWidth());
    Value isEarlier = emit.compare(arith::CmpIPredicate::ult, most, key);
    emit.when(isEarlier, [&] { countFailure(emit, op); });
  }

  void countFailure(Emitter &emit, ir::CheckOp op) {
    auto failures =
        cast<MemRefType>(parameter(KernelParam::failures).getType());
    Type type = failures.getElementType();
    Value number = updateFailures(emit, arith::AtomicRMWKind::addi,
                                  emit.constant(type, 1), 0);
    Value fits = emit.compare(arith::CmpIPredicate::ult, number,
                              emit.constant(type, CHIRT_MAX_RECORDS));
    emit.when(fits, [&] { storeRecord(emit, op, number); });
  }

  /// Where a thread goes whose iteration failed: to the end, or to where the
  /// others would wait for it.
  Block *leaving() {
    if (end)
      return end;
    mlir::gpu::BarrierOp exitBarrier;
    kernel.walk([&](mlir::gpu::BarrierOp barrier) {
      if (barrier->hasAttr(ir::kExitBarrierAttr))
        exitBarrier = barrier;
    });
    if (exitBarrier)
      return end = startOf(exitBarrier);
    OpBuilder::InsertionGuard guard(builder);
    end = newBlock();
    builder.setInsertionPointToEnd(end);
    mlir::gpu::ReturnOp::create(builder, kernel.getLoc());
    return end;
  }

  /// A block that begins with an operation.
  Block *startOf(Operation *op) {
    Block *before = op->getBlock(), *start = before->splitBlock(op);
    auto end = OpBuilder::atBlockEnd(before);
    cf::BranchOp::create(end, op->getLoc(), start);
    return start;
  }

  void storeRecord(Emitter &emit, ir::CheckOp op, Value number) {
    CheckOperands operands(op);
    Site site = siteOf(op, operands, kernel, /*isHost=*/false);
    size_t count = operands.values.size();
    if (operands.parts)
      site.format = unit.formatNumber(emit, operands.parts, operands.message,
                                      CHIRT_RECORD_WORDS - count);
    Value first = emit.mul(emit.toIndex(number), emit.index(kRecordWords));
    auto storeAt = [&](int64_t offset, Value word) {
      memref::StoreOp::create(builder, emit.loc, word,
                              parameter(KernelParam::records),
                              emit.add(first, emit.index(offset)));
    };
    auto storeValue = [&](size_t offset, Value value, bool isUnsigned) {
      storeAt(kValuesAt + offset, wordOf(emit, value, isUnsigned));
    };
    int64_t siteNumber = unit.siteNumber(emit, site);
    storeAt(0, emit.i64(siteNumber | int64_t(site.numAxes) << 32));
    eachWord(operands.iteration, false, 0, CHIRT_MAX_RANK,
             [&](size_t offset, Value value, bool isUnsigned) {
               storeAt(kIterationAt + offset, wordOf(emit, value, isUnsigned));
             });
    eachWord(operands.values, op.getIsUnsigned(), 0, CHIRT_RECORD_WORDS,
             storeValue);
    if (operands.parts)
      eachFormatWord(operands.parts, operands.message, count,
                     CHIRT_RECORD_WORDS, storeValue);
  }

  mlir::gpu::GPUFuncOp kernel;
  SymbolTable &symbols;
  UnitTable &unit;
  bool inPlace;           ///< the rest is written at the check
  bool isOrdered = false; ///< iterations are compared, at CHIRT_EARLIEST_AT
  OpBuilder builder;
  Block *end = nullptr; ///< see leaving
  std::optional<CheckRegions> regions;
};

struct RecordChecksPass
    : chi::conv::kernels::impl::RecordChecksPassBase<RecordChecksPass> {
  using RecordChecksPassBase::RecordChecksPassBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    conv::kernels::registerDialects(registry);
  }
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SymbolTable symbols(module);
    UnitTable unit(conv::kernels::kTableSuffix);
    for (auto kernels : module.getOps<mlir::gpu::GPUModuleOp>())
      for (auto kernel : kernels.getOps<mlir::gpu::GPUFuncOp>()) {
        if (failed(verifyRecords(kernel)))
          return signalPassFailure();
        CheckRecorder(kernel, symbols, unit, inPlace, wideAtomics).run();
      }
    unit.finish(module);
  }
};
} // namespace
