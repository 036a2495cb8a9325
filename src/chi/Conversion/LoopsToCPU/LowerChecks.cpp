//===- LowerChecks.cpp - Checks become branches to cold blocks ------------===//

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
  Site siteOf(ir::CheckOp op, ValueRange values, size_t numAxes);
  void leave(Emitter &emit);
  StringRef textOf(StringRef name) {
    auto text = function->getAttrOfType<StringAttr>(name);
    return text ? text.getValue() : StringRef();
  }

  func::FuncOp function;
  SymbolTable &symbols;
  UnitTable &unit;
  bool records; ///< tasks leave their texts to the host
  OpBuilder builder;
  bool isHost;
  Value valueBuffer, iterationBuffer;
  Block *coldBlocks = nullptr; ///< the first of them; they stand at the end
};
} // namespace

/// Values of a check, and axes of an iteration, that a report has room for.
static constexpr size_t kMaxWords = 16;
static_assert(kMaxWords <= CHIRT_RECORD_WORDS);

/// Integers extended by their sign, a bool and unsigned ones by zeros, floats
/// as f64.
static Value wordOf(Emitter &emit, Value value, bool isUnsigned) {
  OpBuilder &b = emit.builder;
  Type type = value.getType(), i64 = b.getI64Type();
  bool isNarrow = isa<IntegerType>(type) && !type.isInteger(64);
  if (type.isInteger(1) || (isUnsigned && isNarrow))
    return arith::ExtUIOp::create(b, emit.loc, i64, value);
  if (isa<IntegerType>(type))
    return emit.cast(value, i64);
  if (!isa<FloatType>(type)) // a str
    return LLVM::PtrToIntOp::create(b, emit.loc, i64,
                                    emit.reinterpret(value, emit.ptrType()));
  if (!type.isF64())
    value = arith::ExtFOp::create(b, emit.loc, b.getF64Type(), value);
  return arith::BitcastOp::create(b, emit.loc, i64, value);
}

/// Stores values in a buffer of the function, which is made if it is null.
static void storeWords(Emitter &emit, Value &buffer, size_t size,
                       ValueRange values, bool isUnsigned = false,
                       size_t from = 0) {
  Type i64 = emit.builder.getI64Type();
  if (!buffer)
    buffer = emit.stack(i64, size);
  for (auto [place, value] : llvm::enumerate(values.take_front(size - from)))
    emit.store(wordOf(emit, value, isUnsigned),
               emit.at(buffer, i64, emit.i64(from + place)));
}

/// Values of a format as words. A part says whether its integers are unsigned.
static void storeFormatWords(Emitter &emit, ArrayAttr parts, ValueRange values,
                             Value buffer, size_t size, size_t from) {
  for (Attribute part : parts) {
    auto value = dyn_cast<DictionaryAttr>(part);
    if (!value)
      continue;
    auto type = value.getAs<StringAttr>("type");
    bool isUnsigned = type && type.getValue().starts_with("u");
    size_t count = countOfPart(value);
    if (from + count > size) // as UnitTable::formatNumber leaves it out
      return;
    storeWords(emit, buffer, size, values.take_front(count), isUnsigned, from);
    values = values.drop_front(count);
    from += count;
  }
}

Site CheckLowering::siteOf(ir::CheckOp op, ValueRange values, size_t numAxes) {
  Site site;
  site.place = placeOf(op.getLoc());
  site.kind = static_cast<int32_t>(op.getKind());
  site.what = op.getWhat();
  site.axis = op.getAxis();
  for (Value value : values.take_front(kMaxWords))
    site.valueTypes.push_back(
        static_cast<uint8_t>(ir::dtypeOf(value.getType(), op.getIsUnsigned())));
  site.numAxes = numAxes;
  if (!isHost) {
    site.kernel = textOf(ir::kKernelAttr);
    site.axes = textOf(ir::kAxesAttr);
  }
  return site;
}

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
  ValueRange values = op.getValues(), iteration, message;
  if (std::optional<uint64_t> count = op.getIteration()) {
    iteration = values.take_back(*count);
    values = values.drop_back(*count);
  }
  ArrayAttr parts = op.getPartsAttr();
  if (parts) {
    size_t count = countOfParts(parts);
    message = values.take_back(count);
    values = values.drop_back(count);
  }
  values = values.take_front(kMaxWords);
  Site site = siteOf(op, values, iteration.size());
  bool isRecord = records && !isHost;
  if (parts && !isRecord)
    emitFormat(emit, parts, message);
  Value hostSite = isHost ? siteConstant(emit, site) : Value();
  size_t room = isRecord ? CHIRT_RECORD_WORDS : kMaxWords;
  storeWords(emit, valueBuffer, room, values, op.getIsUnsigned());
  if (parts && isRecord) {
    site.format = unit.formatNumber(emit, parts, message, room - values.size());
    storeFormatWords(emit, parts, message, valueBuffer, room, values.size());
  }
  if (isHost) {
    callRuntime(emit, "chirt_raise", {hostSite, valueBuffer});
    LLVM::UnreachableOp::create(builder, emit.loc);
    return;
  }
  storeWords(emit, iterationBuffer, kMaxWords, iteration);
  callRuntime(emit, "chirt_fail",
              {unit.address(emit), emit.i32(unit.siteNumber(emit, site)),
               valueBuffer, iterationBuffer});
  leave(emit);
}

/// What a task prints: the numbers, if the host makes the text of them.
void CheckLowering::lowerPrint(ir::PrintOp op) {
  builder.setInsertionPoint(op);
  Emitter emit(builder, op, &symbols);
  size_t count = op.getValues().size();
  if (!records)
    return conv::lowerPrint(op, &symbols);
  Value words = emit.stack(builder.getI64Type(), std::max<size_t>(count, 1));
  storeFormatWords(emit, op.getParts(), op.getValues(), words, count, 0);
  int32_t number =
      unit.formatNumber(emit, op.getParts(), op.getValues(), count);
  callRuntime(emit, "chirt_print_record",
              {unit.address(emit), emit.i32(number), words});
  op.erase();
}

/// What an instrumented access tells: what it names, where that lies, and which
/// iteration does it.
void CheckLowering::lowerRecord(ir::RecordAccessOp op) {
  builder.setInsertionPoint(op);
  Emitter emit(builder, op, &symbols);
  Type scalar = op.getMemory().getType().getElementType();
  Value address = emit.at(emit.reinterpret(op.getMemory(), emit.ptrType()),
                          scalar, op.getOffset());
  Site site;
  site.place = placeOf(op.getLoc());
  site.kind = CHIRT_SITE_CALL;
  site.what = op.getWhat().value_or("");
  site.kernel = textOf(ir::kKernelAttr);
  site.axes = textOf(ir::kAxesAttr);
  callRuntime(emit, "chirt_race_access",
              {siteConstant(emit, site), address, op.getIteration(),
               emit.i32(static_cast<int32_t>(op.getKind()))});
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
  SmallVector<ir::CheckOp> checks;
  function.walk([&](ir::CheckOp op) { checks.push_back(op); });
  // Splitting a block moves all that stands behind the check: from the last
  // to the first, each operation moves once.
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
