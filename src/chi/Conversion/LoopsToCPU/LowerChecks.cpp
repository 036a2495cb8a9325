//===- LowerChecks.cpp - Checks become branches to cold blocks ------------===//

#include "chi/Conversion/Text.h"

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
  CheckLowering(func::FuncOp function, SymbolTable &symbols)
      : function(function), symbols(symbols), builder(function.getContext()),
        isHost(function->hasAttr(ir::kHostAttr) ||
               function->hasAttr(ir::kControlAttr)) {}
  void run();

private:
  void lower(ir::CheckOp op);
  void fillColdBlock(Emitter &emit, ir::CheckOp op);
  Value siteOf(Emitter &emit, ir::CheckOp op, ValueRange values,
               size_t numAxes);
  /// Stores eight-byte values in a buffer of the function.
  Value storeWords(Emitter &emit, Value &buffer, ValueRange values,
                   bool isUnsigned = false);
  void leave(Emitter &emit);
  StringRef textOf(StringRef name) {
    auto text = function->getAttrOfType<StringAttr>(name);
    return text ? text.getValue() : StringRef();
  }

  func::FuncOp function;
  SymbolTable &symbols;
  OpBuilder builder;
  bool isHost;
  Value valueBuffer, iterationBuffer;
  Block *coldBlocks = nullptr; ///< the first of them; they stand at the end
};
} // namespace

/// Values of a check, and axes of an iteration, that a report has room for.
static constexpr int64_t kMaxWords = 16;

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
  if (!type.isF64())
    value = arith::ExtFOp::create(b, emit.loc, b.getF64Type(), value);
  return arith::BitcastOp::create(b, emit.loc, i64, value);
}

Value CheckLowering::storeWords(Emitter &emit, Value &buffer, ValueRange values,
                                bool isUnsigned) {
  Type i64 = builder.getI64Type();
  if (!buffer)
    buffer = emit.stack(i64, kMaxWords);
  for (auto [place, value] : llvm::enumerate(values.take_front(kMaxWords)))
    emit.store(wordOf(emit, value, isUnsigned),
               emit.at(buffer, i64, emit.i64(place)));
  return buffer;
}

Value CheckLowering::siteOf(Emitter &emit, ir::CheckOp op, ValueRange values,
                            size_t numAxes) {
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
  return siteConstant(emit, site);
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
  ValueRange values = op.getValues(), iteration;
  if (std::optional<uint64_t> count = op.getIteration()) {
    iteration = values.take_back(*count);
    values = values.drop_back(*count);
  }
  if (ArrayAttr parts = op.getPartsAttr()) {
    size_t count = countOfParts(parts);
    emitFormat(emit, parts, values.take_back(count));
    values = values.drop_back(count);
  }
  Value site = siteOf(emit, op, values, iteration.size());
  Value words = storeWords(emit, valueBuffer, values, op.getIsUnsigned());
  if (isHost) {
    callRuntime(emit, "chirt_raise", {site, words});
    LLVM::UnreachableOp::create(builder, emit.loc);
    return;
  }
  Value indices = storeWords(emit, iterationBuffer, iteration);
  callRuntime(emit, "chirt_fail", {site, words, indices});
  leave(emit);
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
  SmallVector<ir::CheckOp> checks;
  function.walk([&](ir::CheckOp op) { checks.push_back(op); });
  // Splitting a block moves all that stands behind the check: from the last
  // to the first, each operation moves once.
  for (ir::CheckOp op : llvm::reverse(checks))
    lower(op);
}

namespace {
struct LowerChecksPass : chi::conv::impl::LowerChecksPassBase<LowerChecksPass> {
  void getDependentDialects(DialectRegistry &registry) const override {
    registerLoweringDialects(registry);
  }
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal())
        CheckLowering(function, symbols).run();
  }
};
} // namespace
