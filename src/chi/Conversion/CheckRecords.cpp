//===- CheckRecords.cpp - What a failing check leaves ---------------------===//

#include "chi/Conversion/CheckRecords.h"
#include "chi/Conversion/Text.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv;

static_assert(kMaxCheckWords <= CHIRT_RECORD_WORDS);

CheckOperands::CheckOperands(ir::CheckOp op)
    : values(op.getValues()), parts(op.getPartsAttr()) {
  if (op->hasAttr(kNumberedAttr)) {
    number = values.back();
    values = values.drop_back();
  }
  if (std::optional<uint64_t> count = op.getIteration()) {
    iteration = values.take_back(*count);
    values = values.drop_back(*count);
  }
  if (parts) {
    size_t count = countOfParts(parts);
    message = values.take_back(count);
    values = values.drop_back(count);
  }
  values = values.take_front(kMaxCheckWords);
}

static StringRef textOf(FunctionOpInterface function, StringRef name) {
  auto text = function->getAttrOfType<StringAttr>(name);
  return text ? text.getValue() : StringRef();
}

Site chi::conv::siteOf(ir::CheckOp op, const CheckOperands &operands,
                       FunctionOpInterface function, bool isHost) {
  Site site;
  site.position = positionOf(op.getLoc());
  site.kind = static_cast<int32_t>(op.getKind());
  site.what = op.getWhat();
  site.axis = op.getAxis();
  for (Value value : operands.values)
    site.valueTypes.push_back(
        static_cast<uint8_t>(ir::dtypeOf(value.getType(), op.getIsUnsigned())));
  site.numAxes = operands.iteration.size();
  if (!isHost) {
    site.kernel = textOf(function, ir::kKernelAttr);
    site.axes = textOf(function, ir::kAxesAttr);
  }
  return site;
}

static Site siteInTask(Location loc, StringRef what,
                       FunctionOpInterface function) {
  Site site;
  site.position = positionOf(loc);
  site.kind = CHIRT_SITE_CALL;
  site.what = what;
  site.kernel = textOf(function, ir::kKernelAttr);
  site.axes = textOf(function, ir::kAxesAttr);
  return site;
}

Site chi::conv::siteOf(ir::RecordAccessOp op, FunctionOpInterface function) {
  return siteInTask(op.getLoc(), op.getWhat().value_or(""), function);
}

Site chi::conv::siteOf(ir::NoteKinkOp op, FunctionOpInterface function) {
  return siteInTask(op.getLoc(), op.getWhat(), function);
}

Value chi::conv::wordOf(Emitter &emit, Value value, bool isUnsigned) {
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

void chi::conv::eachWord(ValueRange values, bool isUnsigned, size_t from,
                         size_t size, TakeWord take) {
  for (auto [number, value] : llvm::enumerate(values.take_front(size - from)))
    take(from + number, value, isUnsigned);
}

void chi::conv::eachFormatWord(ArrayAttr parts, ValueRange values, size_t from,
                               size_t size, TakeWord take) {
  for (Attribute part : parts) {
    auto value = dyn_cast<DictionaryAttr>(part);
    if (!value)
      continue;
    auto type = value.getAs<StringAttr>("type");
    bool isUnsigned = type && type.getValue().starts_with("u");
    size_t count = countOfPart(value);
    if (from + count > size)
      return;
    eachWord(values.take_front(count), isUnsigned, from, size, take);
    values = values.drop_front(count);
    from += count;
  }
}
