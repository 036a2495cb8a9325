//===- LowerChecks.cpp - Checks become branches to cold blocks ------------===//

#include "chi/Conversion/CheckRecords.h"
#include "chi/Conversion/Text.h"
#include "chi/Conversion/UnitTable.h"

namespace chi::conv {
#define GEN_PASS_DEF_LOWERCHECKSPASS
#include "chi/Conversion/Passes.h.inc"
} // namespace chi::conv

using namespace mlir;
using namespace chi;
using namespace chi::conv;

namespace {
/// The checks of one function.
class CheckLowering {
public:
  CheckLowering(func::FuncOp function, SymbolTable &symbols, UnitTable &unit,
                bool records)
      : function(function), symbols(symbols), unit(unit), records(records),
        builder(function.getContext()),
        isHost(function->hasAttr(ir::kHostAttr) ||
               function->hasAttr(ir::kControlAttr)) {}
  void run();

private:
  void lower(ir::CheckOp op);
  void fillColdBlock(Emitter &emit, ir::CheckOp op);
  void lowerPrint(ir::PrintOp op);
  void lowerRecord(ir::RecordAccessOp op);
  void lowerKink(ir::NoteKinkOp op);
  void leave(Emitter &emit);

  func::FuncOp function;
  SymbolTable &symbols;
  UnitTable &unit;
  bool records; ///< tasks leave their texts to the host
  OpBuilder builder;
  bool isHost;
  Value valueBuffer, iterationBuffer;
  Block *coldBlocks = nullptr; ///< the first of them; they are at the end
};
} // namespace

namespace {
/// Stores words in a buffer of the function, which is made if it is null.
struct WordStore {
  WordStore(Emitter &emit, Value &buffer, size_t size)
      : emit(emit), buffer(buffer) {
    if (!buffer)
      buffer = emit.stack(emit.builder.getI64Type(), size);
  }
  void operator()(size_t offset, Value value, bool isUnsigned) const {
    emit.store(wordOf(emit, value, isUnsigned),
               emit.at(buffer, emit.builder.getI64Type(), emit.i64(offset)));
  }

  Emitter &emit;
  Value &buffer;
};
} // namespace

/// A function that fails has no result; its caller's launch fails too.
void CheckLowering::leave(Emitter &emit) {
  SmallVector<Value> zeros;
  for (Type type : function.getResultTypes())
    zeros.push_back(isa<IntegerType, FloatType>(type)
                        ? emit.constant(type, 0)
                        : LLVM::ZeroOp::create(builder, emit.loc, type));
  func::ReturnOp::create(builder, emit.loc, zeros);
}

void CheckLowering::fillColdBlock(Emitter &emit, ir::CheckOp op) {
  CheckOperands operands(op);
  Site site = siteOf(op, operands, function, isHost);
  bool isRecord = records && !isHost;
  ArrayAttr parts = operands.parts;
  if (parts && !isRecord)
    emitFormat(emit, parts, operands.message);
  Value hostSite = isHost ? siteConstant(emit, site) : Value();
  size_t room = isRecord ? CHIRT_RECORD_WORDS : kMaxCheckWords;
  size_t count = operands.values.size();
  WordStore store(emit, valueBuffer, room);
  eachWord(operands.values, op.getIsUnsigned(), 0, room, store);
  if (parts && isRecord) {
    site.format =
        unit.formatNumber(emit, parts, operands.message, room - count);
    eachFormatWord(parts, operands.message, count, room, store);
  }
  if (isHost) {
    callRuntime(emit, "chirt_raise", {hostSite, valueBuffer});
    LLVM::UnreachableOp::create(builder, emit.loc);
    return;
  }
  eachWord(operands.iteration, false, 0, kMaxCheckWords,
           WordStore(emit, iterationBuffer, kMaxCheckWords));
  callRuntime(emit, "chirt_fail",
              {unit.address(emit), emit.i32(unit.siteNumber(emit, site)),
               valueBuffer, iterationBuffer});
  leave(emit);
}

/// The numbers that a task prints, if the host formats them.
void CheckLowering::lowerPrint(ir::PrintOp op) {
  builder.setInsertionPoint(op);
  Emitter emit(builder, op, &symbols);
  size_t count = op.getValues().size();
  if (!records)
    return conv::lowerPrint(op, &symbols);
  Value words = emit.stack(builder.getI64Type(), std::max<size_t>(count, 1));
  eachFormatWord(op.getParts(), op.getValues(), 0, count,
                 WordStore(emit, words, count));
  int32_t number =
      unit.formatNumber(emit, op.getParts(), op.getValues(), count);
  callRuntime(emit, "chirt_print_record",
              {unit.address(emit), emit.i32(number), words});
  op.erase();
}

/// The record of an instrumented access: its field, the offset, and the
/// iteration.
void CheckLowering::lowerRecord(ir::RecordAccessOp op) {
  builder.setInsertionPoint(op);
  Emitter emit(builder, op, &symbols);
  Type scalar = op.getMemory().getType().getElementType();
  Value address = emit.at(emit.reinterpret(op.getMemory(), emit.ptrType()),
                          scalar, op.getOffset());
  callRuntime(emit, "chirt_race_access",
              {siteConstant(emit, siteOf(op, function)), address,
               op.getIteration(),
               emit.i32(static_cast<int32_t>(op.getKind()))});
  op.erase();
}

void CheckLowering::lowerKink(ir::NoteKinkOp op) {
  builder.setInsertionPoint(op);
  Emitter emit(builder, op, &symbols);
  callRuntime(emit, "chirt_note_kink",
              {siteConstant(emit, siteOf(op, function))});
  op.erase();
}

void CheckLowering::lower(ir::CheckOp op) {
  Block *block = op->getBlock();
  Block *rest = block->splitBlock(op->getNextNode());
  Block *cold = builder.createBlock(&function.getBody(),
                                    coldBlocks ? coldBlocks->getIterator()
                                               : function.getBody().end());
  coldBlocks = cold;
  Emitter emit(builder, op, &symbols);
  fillColdBlock(emit, op);
  builder.setInsertionPoint(op);
  constexpr int32_t weights[] = {1 << 20, 1};
  cf::CondBranchOp::create(builder, op.getLoc(), op.getOk(), ValueRange(),
                           ValueRange(), builder.getDenseI32ArrayAttr(weights),
                           rest, cold);
  op.erase();
}

void CheckLowering::run() {
  SmallVector<ir::PrintOp> prints;
  function.walk([&](ir::PrintOp op) { prints.push_back(op); });
  for (ir::PrintOp op : prints)
    lowerPrint(op);
  SmallVector<ir::RecordAccessOp> accesses;
  function.walk([&](ir::RecordAccessOp op) { accesses.push_back(op); });
  for (ir::RecordAccessOp op : accesses)
    lowerRecord(op);
  SmallVector<ir::NoteKinkOp> kinks;
  function.walk([&](ir::NoteKinkOp op) { kinks.push_back(op); });
  for (ir::NoteKinkOp op : kinks)
    lowerKink(op);
  SmallVector<ir::CheckOp> checks;
  function.walk([&](ir::CheckOp op) { checks.push_back(op); });
  // Splitting a block moves all operations that follow the check: from the last
  // check to the first, each operation moves once.
  for (ir::CheckOp op : llvm::reverse(checks))
    lower(op);
}

namespace {
struct LowerChecksPass : chi::conv::impl::LowerChecksPassBase<LowerChecksPass> {
  using LowerChecksPassBase::LowerChecksPassBase;
  void getDependentDialects(DialectRegistry &registry) const override {
    registerLoweringDialects(registry);
  }
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    UnitTable unit;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal())
        CheckLowering(function, symbols, unit, records).run();
    unit.finish(getOperation());
  }
};
} // namespace
