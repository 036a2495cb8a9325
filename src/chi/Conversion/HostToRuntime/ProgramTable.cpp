//===- ProgramTable.cpp - The constant `chi_program` ----------------------===//

#include "chi/Conversion/HostToRuntime/HostLowering.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv;

namespace {
/// Builds constants of C structs; the values of one initialiser are inside it.
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
  Type type(RuntimeStruct which) {
    return llvmTypeOf(module.getContext(), which);
  }

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

  Value param(ir::ParamOp op, size_t offset);
  void fields(ArrayAttr names);
  SmallVector<std::string> kernels();

  ModuleOp module;
  OpBuilder builder;
  Location loc;
};
} // namespace

Value TableBuilder::structOf(Type type, ArrayRef<Value> members) {
  Value value = LLVM::UndefOp::create(builder, loc, type);
  for (auto [offset, member] : llvm::enumerate(members))
    value = LLVM::InsertValueOp::create(builder, loc, value, member,
                                        static_cast<int64_t>(offset));
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

Value TableBuilder::param(ir::ParamOp op, size_t offset) {
  std::string prefix = "chi.param." + std::to_string(offset);
  auto variables = op.getVariables().getAsRange<FlatSymbolRefAttr>();
  SmallVector<FlatSymbolRefAttr> storage(variables.begin(), variables.end());
  arrayOf(prefix + ".storage", ptr(), storage.size(),
          [&](size_t i) { return address(storage[i].getValue()); });
  std::optional<ArrayAttr> choices = op.getChoices();
  if (choices)
    arrayOf(prefix + ".choices", ptr(), choices->size() + 1, [&](size_t i) {
      return i < choices->size()
                 ? text(cast<StringAttr>((*choices)[i]).getValue())
                 : null();
    });
  std::optional<StringRef> fixed = op.getFixed(), setBy = op.getSetBy();
  auto limit = [&](std::optional<APFloat> value) {
    return real(value ? value->convertToDouble() : 0);
  };
  Members members{text(op.getName()),
                  number(*ir::dtypeNamed(op.getType())),
                  number(storage.size()),
                  address(prefix + ".storage"),
                  text(op.getDoc().value_or("")),
                  text(op.getDefaultText()),
                  number(op.getLow().has_value()),
                  limit(op.getLow()),
                  limit(op.getHigh()),
                  choices ? address(prefix + ".choices") : null(),
                  fixed ? text(*fixed) : null(),
                  setBy ? function(*setBy) : null()};
  return structOf(type(RuntimeStruct::Param), members);
}

/// `chi_fields`, of a library: its top-level fields by name.
void TableBuilder::fields(ArrayAttr names) {
  Type field = type(RuntimeStruct::NamedField);
  arrayOf("chi.table.fields", field, names.size(), [&](size_t i) {
    StringRef name = cast<StringAttr>(names[i]).getValue();
    return structOf(field, {text(name), address(name)});
  });
  Type i64 = builder.getI64Type();
  Type table = type(RuntimeStruct::FieldTable);
  global("chi_fields", table, LLVM::Linkage::External, [&] {
    Value count = LLVM::ConstantOp::create(
        builder, loc, i64, builder.getI64IntegerAttr(names.size()));
    return structOf(table, {address("chi.table.fields"), count});
  });
}

/// The names of the tables of all kernels that host code calls; those that
/// another unit defines are declared.
SmallVector<std::string> TableBuilder::kernels() {
  SmallVector<std::string> names;
  for (auto function : module.getOps<func::FuncOp>()) {
    std::string name = kernelTableName(function.getSymName());
    bool isKnown = module.lookupSymbol(name) != nullptr;
    if (!function->hasAttr(ir::kControlAttr) ||
        (!isKnown && !function.isExternal()))
      continue;
    names.push_back(name);
    if (isKnown)
      continue;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(module.getBody());
    LLVM::GlobalOp::create(builder, loc, type(RuntimeStruct::Kernel),
                           /*isConstant=*/true, LLVM::Linkage::External, name,
                           Attribute())
        .setVisibility_(LLVM::Visibility::Hidden);
  }
  return names;
}

void TableBuilder::run() {
  if (auto names = module->getAttrOfType<ArrayAttr>(ir::kFieldsAttr))
    fields(names);
  func::FuncOp script = module.lookupSymbol<func::FuncOp>(ir::kScriptName);
  SmallVector<ir::ParamOp> params(module.getOps<ir::ParamOp>());
  SmallVector<ir::TestOp> tests(module.getOps<ir::TestOp>());
  arrayOf("chi.table.params", type(RuntimeStruct::Param), params.size(),
          [&](size_t i) { return param(params[i], i); });
  Type testType = type(RuntimeStruct::Test);
  arrayOf("chi.table.tests", testType, tests.size(), [&](size_t i) {
    return structOf(testType,
                    {text(tests[i].getName()), function(tests[i].getBody())});
  });
  SmallVector<std::string> tables = kernels();
  arrayOf("chi.table.kernels", ptr(), tables.size(),
          [&](size_t i) { return address(tables[i]); });
  Type program = type(RuntimeStruct::Program);
  auto attr = [&](StringRef name) {
    auto value = module->getAttrOfType<StringAttr>(name);
    return value ? value.getValue() : StringRef();
  };
  global("chi_program", program, LLVM::Linkage::External, [&] {
    return structOf(program,
                    {number(CHIRT_ABI_VERSION), text(attr(ir::kFileAttr)),
                     text(attr(ir::kDocAttr)), address("chi.table.params"),
                     number(params.size()), function(script.getSymName()),
                     address("chi.table.tests"), number(tests.size()),
                     address("chi.table.kernels"), number(tables.size())});
  });
}

void chi::conv::emitProgramTable(ModuleOp module) {
  auto script = module.lookupSymbol<func::FuncOp>(ir::kScriptName);
  if (script && !script.isExternal())
    TableBuilder(module).run();
  for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
    if (isa<ir::ParamOp, ir::TestOp>(op))
      op.erase();
}
