//===- Text.cpp - Printing and formatting ---------------------------------===//

#include "chi/Conversion/Text.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv;

/// Extents of a part: none of a scalar, n of a vec, rows and columns of a mat.
static ArrayRef<int64_t> shapeOfPart(DictionaryAttr part) {
  if (auto shape = part.getAs<DenseI64ArrayAttr>("shape"))
    return shape.asArrayRef();
  return {};
}

size_t chi::conv::countOfPart(DictionaryAttr part) {
  size_t count = 1;
  for (int64_t extent : shapeOfPart(part))
    count *= extent;
  return count;
}

static StringRef textOf(DictionaryAttr part, StringRef name) {
  auto text = part.getAs<StringAttr>(name);
  return text ? text.getValue() : StringRef();
}

size_t chi::conv::countOfParts(ArrayAttr parts) {
  size_t count = 0;
  for (Attribute part : parts)
    if (auto value = dyn_cast<DictionaryAttr>(part))
      count += countOfPart(value);
  return count;
}

/// The text of a number. Programs have few: a chain of choices.
static Value chosenText(Emitter &emit, ArrayAttr texts, Value number) {
  auto text = [&](size_t k) {
    return textConstant(emit, cast<StringAttr>(texts[k]).getValue());
  };
  Value chosen = text(0);
  for (size_t k = 1; k < texts.size(); ++k) {
    Value hit = emit.compare(arith::CmpIPredicate::eq, number,
                             emit.constant(number.getType(), int64_t(k)));
    chosen = emit.select(hit, text(k), chosen);
  }
  return chosen;
}

/// One value: its scalars go through memory, as they lie in a field.
static void formatPart(Emitter &emit, DictionaryAttr part, ValueRange values) {
  StringRef type = textOf(part, "type");
  Value spec = textConstant(emit, textOf(part, "spec"));
  if (type == "field") {
    Value field = emit.reinterpret(values[0], emit.ptrType());
    callRuntime(emit, "chirt_fmt_field", {field});
    return;
  }
  if (type == "str" && values[0].getType().isInteger()) {
    auto texts = part.getAs<ArrayAttr>(ir::kTextsAttr);
    callRuntime(emit, "chirt_fmt_str",
                {chosenText(emit, texts, values[0]), spec});
    return;
  }
  if (type == "str") {
    Value text = emit.reinterpret(values[0], emit.ptrType());
    callRuntime(emit, "chirt_fmt_str", {text, spec});
    return;
  }
  Type scalar = memoryType(values[0].getType());
  Value memory = emit.stack(scalar, values.size());
  for (auto [offset, value] : llvm::enumerate(values))
    emit.store(toMemory(emit, value),
               emit.at(memory, scalar, emit.i64(offset)));
  ArrayRef<int64_t> shape = shapeOfPart(part);
  int32_t rows = shape.empty() ? 1 : shape[0];
  int32_t columns = shape.size() > 1 ? shape[1] : 1;
  Value dtype = emit.i32(ir::dtypeNamed(type).value_or(CHIRT_STR));
  callRuntime(emit, "chirt_fmt_value",
              {dtype, emit.i32(shape.size()), emit.i32(rows), emit.i32(columns),
               memory, spec});
}

void chi::conv::emitFormat(Emitter &emit, ArrayAttr parts, ValueRange values) {
  for (Attribute part : parts) {
    if (auto text = dyn_cast<StringAttr>(part)) {
      callRuntime(emit, "chirt_fmt_text",
                  {textConstant(emit, text.getValue()),
                   emit.i64(text.getValue().size())});
      continue;
    }
    auto value = cast<DictionaryAttr>(part);
    size_t count = countOfPart(value);
    formatPart(emit, value, values.take_front(count));
    values = values.drop_front(count);
  }
}

void chi::conv::lowerPrint(ir::PrintOp op, SymbolTable *symbols) {
  OpBuilder builder(op);
  Emitter emit(builder, op, symbols);
  emitFormat(emit, op.getParts(), op.getValues());
  callRuntime(emit, "chirt_fmt_print", {});
  op.erase();
}
