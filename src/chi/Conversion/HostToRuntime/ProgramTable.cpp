//===- ProgramTable.cpp - The constant `chi_program` ----------------------===//

#include "chi/Conversion/HostToRuntime/HostLowering.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv;

/// CHIRT_ABI_VERSION of chirt.h, which this code was written for.
static constexpr int32_t kAbiVersion = 1;

namespace {
/// Builds constants of C structs; the values of one initialiser stand in it.
class TableBuilder {
public:
  explicit TableBuilder(ModuleOp module)
      : module(module), builder(module.getContext()),
        loc(UnknownLoc::get(module.getContext())) {}

  void run();

private:
  using Members = SmallVector<Value>;

  Type ptr() { return LLVM::LLVMPointerType::get(module.getContext()); }
  Type i32() { return builder.getI32Type(); }
  Type paramType();

  Value number(int32_t value) {
    return LLVM::ConstantOp::create(builder, loc, i32(),
                                    builder.getI32IntegerAttr(value));
  }
  Value real(double value) {
    return LLVM::ConstantOp::create(builder, loc, builder.getF64Type(),
                                    builder.getF64FloatAttr(value));
  }
  Value null() { return LLVM::ZeroOp::create(builder, loc, ptr()); }
  Value text(StringRef value) {
    Emitter emit(builder, loc);
    return address(textSymbol(emit, value).getValue());
  }
  Value address(StringRef symbol) {
    return LLVM::AddressOfOp::create(builder, loc, ptr(), symbol);
  }
  Value function(StringRef symbol) {
    auto op = module.lookupSymbol<func::FuncOp>(symbol);
    Emitter emit(builder, loc);
    return op ? functionAddress(emit, op) : null();
  }
  Value structOf(Type type, ArrayRef<Value> members);
  /// A constant global; `fill` returns its value.
  void global(StringRef name, Type type, LLVM::Linkage linkage,
              function_ref<Value()> fill);
  std::string arrayOf(StringRef name, Type element, size_t count,
                      function_ref<Value(size_t)> entry);

  Value param(DictionaryAttr attrs, size_t number);
  Value test(DictionaryAttr attrs);
  void fields(ArrayAttr names);

  ModuleOp module;
  OpBuilder builder;
  Location loc;
};
} // namespace

Value TableBuilder::structOf(Type type, ArrayRef<Value> members) {
  Value value = LLVM::UndefOp::create(builder, loc, type);
  for (auto [place, member] : llvm::enumerate(members))
    value = LLVM::InsertValueOp::create(builder, loc, value, member,
                                        static_cast<int64_t>(place));
  return value;
}

void TableBuilder::global(StringRef name, Type type, LLVM::Linkage linkage,
                          function_ref<Value()> fill) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(module.getBody());
  auto op = LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true,
                                   linkage, name, Attribute());
  builder.createBlock(&op.getInitializerRegion());
  LLVM::ReturnOp::create(builder, loc, fill());
}

std::string TableBuilder::arrayOf(StringRef name, Type element, size_t count,
                                  function_ref<Value(size_t)> entry) {
  Type type = LLVM::LLVMArrayType::get(element, count);
  global(name, type, LLVM::Linkage::Internal, [&] {
    Value value = LLVM::UndefOp::create(builder, loc, type);
    for (size_t i = 0; i < count; ++i)
      value = LLVM::InsertValueOp::create(builder, loc, value, entry(i),
                                          static_cast<int64_t>(i));
    return value;
  });
  return name.str();
}

/// `chirt_param`.
Type TableBuilder::paramType() {
  Type p = ptr(), n = i32(), d = builder.getF64Type();
  return LLVM::LLVMStructType::getLiteral(module.getContext(),
                                          {p, n, n, p, p, p, n, d, d, p, p, p});
}

static StringRef textOf(DictionaryAttr attrs, StringRef name) {
  auto text = attrs.getAs<StringAttr>(name);
  return text ? text.getValue() : StringRef();
}

static int32_t dtypeCode(DictionaryAttr attrs) {
  auto code = attrs.getAs<IntegerAttr>("dtype");
  return code ? code.getInt() : 0;
}

static StringRef symbolOf(Attribute attr) {
  if (auto symbol = dyn_cast_or_null<FlatSymbolRefAttr>(attr))
    return symbol.getValue();
  auto text = dyn_cast_or_null<StringAttr>(attr);
  return text ? text.getValue() : StringRef();
}

Value TableBuilder::param(DictionaryAttr attrs, size_t place) {
  std::string prefix = "chi.param." + std::to_string(place);
  auto globals = attrs.getAs<ArrayAttr>("globals");
  size_t components = globals ? globals.size() : 0;
  arrayOf(prefix + ".storage", ptr(), components,
          [&](size_t i) { return address(symbolOf(globals[i])); });
  auto choices = attrs.getAs<ArrayAttr>("choices");
  if (choices)
    arrayOf(prefix + ".choices", ptr(), choices.size() + 1, [&](size_t i) {
      return i < choices.size() ? text(cast<StringAttr>(choices[i]).getValue())
                                : null();
    });
  auto low = attrs.getAs<FloatAttr>("low");
  auto high = attrs.getAs<FloatAttr>("high");
  auto fixed = attrs.getAs<StringAttr>("fixed_text");
  double infinity = std::numeric_limits<double>::infinity();
  Members members{text(textOf(attrs, "name")),
                  number(dtypeCode(attrs)),
                  number(components),
                  address(prefix + ".storage"),
                  text(textOf(attrs, "doc")),
                  text(textOf(attrs, "default_text")),
                  number(low || high),
                  real(low ? low.getValueAsDouble() : -infinity),
                  real(high ? high.getValueAsDouble() : infinity),
                  choices ? address(prefix + ".choices") : null(),
                  fixed ? text(fixed.getValue()) : null(),
                  function(symbolOf(attrs.get("set_default")))};
  return structOf(paramType(), members);
}

/// `chi_fields`, of a library: its top-level fields by name.
void TableBuilder::fields(ArrayAttr names) {
  Type field =
      LLVM::LLVMStructType::getLiteral(module.getContext(), {ptr(), ptr()});
  arrayOf("chi.table.fields", field, names.size(), [&](size_t i) {
    StringRef name = cast<StringAttr>(names[i]).getValue();
    return structOf(field, {text(name), address(name)});
  });
  Type i64 = builder.getI64Type();
  Type table =
      LLVM::LLVMStructType::getLiteral(module.getContext(), {ptr(), i64});
  global("chi_fields", table, LLVM::Linkage::External, [&] {
    Value count = LLVM::ConstantOp::create(
        builder, loc, i64, builder.getI64IntegerAttr(names.size()));
    return structOf(table, {address("chi.table.fields"), count});
  });
}

void TableBuilder::run() {
  if (auto names = module->getAttrOfType<ArrayAttr>("chi.fields"))
    fields(names);
  func::FuncOp script = module.lookupSymbol<func::FuncOp>(ir::kScriptName);
  auto params = module->getAttrOfType<ArrayAttr>("chi.params");
  auto tests = module->getAttrOfType<ArrayAttr>("chi.tests");
  size_t numParams = params ? params.size() : 0;
  size_t numTests = tests ? tests.size() : 0;
  arrayOf("chi.table.params", paramType(), numParams,
          [&](size_t i) { return param(cast<DictionaryAttr>(params[i]), i); });
  Type testType =
      LLVM::LLVMStructType::getLiteral(module.getContext(), {ptr(), ptr()});
  arrayOf("chi.table.tests", testType, numTests, [&](size_t i) {
    auto attrs = cast<DictionaryAttr>(tests[i]);
    return structOf(testType, {text(textOf(attrs, "name")),
                               function(symbolOf(attrs.get("function")))});
  });
  Type program = LLVM::LLVMStructType::getLiteral(
      module.getContext(),
      {i32(), ptr(), ptr(), ptr(), i32(), ptr(), ptr(), i32()});
  auto attr = [&](StringRef name) {
    auto value = module->getAttrOfType<StringAttr>(name);
    return value ? value.getValue() : StringRef();
  };
  global("chi_program", program, LLVM::Linkage::External, [&] {
    return structOf(program,
                    {number(kAbiVersion), text(attr("chi.file")),
                     text(attr("chi.doc")), address("chi.table.params"),
                     number(numParams), function(script.getSymName()),
                     address("chi.table.tests"), number(numTests)});
  });
}

void chi::conv::emitProgramTable(ModuleOp module) {
  auto script = module.lookupSymbol<func::FuncOp>(ir::kScriptName);
  if (script && !script.isExternal())
    TableBuilder(module).run();
}
