//===- Runtime.cpp - What compiled code takes from the run time -----------===//

#include "chi/Conversion/Symbols.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace chi::conv;

static ModuleOp moduleOf(Emitter &emit) {
  Operation *op = emit.builder.getInsertionBlock()->getParentOp();
  if (auto module = dyn_cast<ModuleOp>(op))
    return module;
  return op->getParentOfType<ModuleOp>();
}

/// What the module has under a name; by the table of it, if there is one.
static Operation *find(ModuleOp module, StringRef name, SymbolTable *symbols) {
  return symbols ? symbols->lookup(name) : module.lookupSymbol(name);
}

/// The table learns of a symbol that was made.
static void note(Operation *symbol, SymbolTable *symbols) {
  if (symbols)
    symbols->insert(symbol);
}

/// Functions that are called when something has gone wrong.
static bool isCold(StringRef name) {
  return name == "chirt_fail" || name == "chirt_raise" ||
         name == "chirt_check_launch" || name == "chirt_loop_values";
}

static Value callNamed(Emitter &emit, StringRef name, ValueRange arguments,
                       Type result, SymbolTable *symbols) {
  ModuleOp module = moduleOf(emit);
  if (!result)
    result = LLVM::LLVMVoidType::get(emit.context());
  auto callee =
      dyn_cast_or_null<LLVM::LLVMFuncOp>(find(module, name, symbols));
  if (!callee) {
    OpBuilder::InsertionGuard guard(emit.builder);
    emit.builder.setInsertionPointToStart(module.getBody());
    auto type = LLVM::LLVMFunctionType::get(
        result, llvm::to_vector(arguments.getTypes()));
    callee = LLVM::LLVMFuncOp::create(
        emit.builder, UnknownLoc::get(emit.context()), name, type);
    SmallVector<Attribute> flags{emit.builder.getStringAttr("nounwind")};
    if (isCold(name))
      flags.push_back(emit.builder.getStringAttr("cold"));
    if (name == "chirt_raise")
      flags.push_back(emit.builder.getStringAttr("noreturn"));
    callee.setPassthroughAttr(emit.builder.getArrayAttr(flags));
    note(callee, symbols);
  }
  auto call = LLVM::CallOp::create(emit.builder, emit.loc, callee, arguments);
  return call.getNumResults() ? call.getResult() : Value();
}

Value chi::conv::callRuntime(Emitter &emit, StringRef name,
                             ValueRange arguments, Type result) {
  return callNamed(emit, name, arguments, result, nullptr);
}

void chi::conv::callRuntime(Emitter &emit, StringRef name, ValueRange arguments,
                            SymbolTable &symbols) {
  callNamed(emit, name, arguments, nullptr, &symbols);
}

Value chi::conv::runtimeVariable(Emitter &emit, StringRef name, Type type) {
  ModuleOp module = moduleOf(emit);
  if (!module.lookupSymbol(name)) {
    OpBuilder::InsertionGuard guard(emit.builder);
    emit.builder.setInsertionPointToStart(module.getBody());
    LLVM::GlobalOp::create(emit.builder, UnknownLoc::get(emit.context()), type,
                           /*isConstant=*/false, LLVM::Linkage::External, name,
                           Attribute());
  }
  return LLVM::AddressOfOp::create(emit.builder, emit.loc, emit.ptrType(),
                                   name);
}

Value chi::conv::loadRuntimeFlag(Emitter &emit, StringRef name) {
  Type i32 = emit.builder.getI32Type();
  Value word = emit.load(i32, runtimeVariable(emit, name, i32));
  return emit.compare(arith::CmpIPredicate::ne, word, emit.i32(0));
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// A name made of the content, so that equal constants meet.
static std::string contentName(StringRef prefix, StringRef content) {
  return (prefix + llvm::utohexstr(llvm::xxh3_64bits(content), true)).str();
}

static LLVM::GlobalOp bytesGlobal(OpBuilder &builder, ModuleOp module,
                                  StringRef prefix, StringRef bytes,
                                  SymbolTable *symbols) {
  std::string name = contentName(prefix, bytes);
  if (Operation *known = find(module, name, symbols))
    return cast<LLVM::GlobalOp>(known);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(module.getBody());
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size());
  auto global = LLVM::GlobalOp::create(
      builder, UnknownLoc::get(builder.getContext()), type,
      /*isConstant=*/true, LLVM::Linkage::Internal, name,
      builder.getStringAttr(bytes));
  global.setUnnamedAddr(LLVM::UnnamedAddr::Global);
  note(global, symbols);
  return global;
}

static FlatSymbolRefAttr symbolOfText(OpBuilder &builder, ModuleOp module,
                                      StringRef text, SymbolTable *symbols) {
  std::string bytes = (text + StringRef("\0", 1)).str();
  auto global = bytesGlobal(builder, module, "chi.text.", bytes, symbols);
  return FlatSymbolRefAttr::get(global.getSymNameAttr());
}

FlatSymbolRefAttr chi::conv::textSymbol(OpBuilder &builder, ModuleOp module,
                                        StringRef text) {
  return symbolOfText(builder, module, text, nullptr);
}

static Value addressOfText(Emitter &emit, StringRef text,
                           SymbolTable *symbols) {
  FlatSymbolRefAttr symbol =
      symbolOfText(emit.builder, moduleOf(emit), text, symbols);
  return LLVM::AddressOfOp::create(emit.builder, emit.loc, emit.ptrType(),
                                   symbol.getValue());
}

Value chi::conv::textConstant(Emitter &emit, StringRef text) {
  return addressOfText(emit, text, nullptr);
}

//===----------------------------------------------------------------------===//
// Sites
//===----------------------------------------------------------------------===//

SourcePlace chi::conv::placeOf(Location loc) {
  if (auto range = dyn_cast<FileLineColRange>(loc)) {
    SourcePlace place;
    place.file = range.getFilename().getValue();
    place.line = range.getStartLine();
    place.column = range.getStartColumn();
    bool oneLine = range.getEndLine() == range.getStartLine();
    place.endColumn = oneLine ? range.getEndColumn() : place.column + 1;
    if (place.endColumn <= place.column)
      place.endColumn = place.column + 1;
    return place;
  }
  if (auto call = dyn_cast<CallSiteLoc>(loc)) {
    SourcePlace place = placeOf(call.getCallee());
    return place.line ? place : placeOf(call.getCaller());
  }
  if (auto name = dyn_cast<NameLoc>(loc))
    return placeOf(name.getChildLoc());
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : fused.getLocations())
      if (SourcePlace place = placeOf(part); place.line)
        return place;
  return {};
}

/// The C struct `chirt_site`.
static LLVM::LLVMStructType siteStruct(MLIRContext *context) {
  Type ptr = LLVM::LLVMPointerType::get(context);
  Type i32 = IntegerType::get(context, 32);
  return LLVM::LLVMStructType::getLiteral(
      context, {ptr, i32, i32, i32, i32, ptr, i32, i32, ptr, ptr, i32, ptr});
}

static void appendBytes(std::string &to, int32_t value) {
  to.append(reinterpret_cast<const char *>(&value), sizeof(value));
}

/// All that a site says, to name it by.
static std::string siteContent(const Site &site) {
  std::string text;
  for (StringRef part : {site.place.file, site.what, site.kernel, site.axes}) {
    appendBytes(text, part.size());
    text += part;
  }
  for (int32_t number :
       {site.place.line, site.place.column, site.place.endColumn, site.kind,
        site.axis, site.numAxes})
    appendBytes(text, number);
  text.append(site.valueTypes.begin(), site.valueTypes.end());
  return text;
}

static void fillSite(Emitter &emit, const Site &site, ModuleOp module,
                     SymbolTable *symbols) {
  OpBuilder &builder = emit.builder;
  auto text = [&](StringRef value) -> Value {
    return addressOfText(emit, value, symbols);
  };
  auto optional = [&](StringRef value) -> Value {
    return value.empty() ? emit.null() : text(value);
  };
  auto number = [&](int32_t value) -> Value {
    return LLVM::ConstantOp::create(builder, emit.loc, builder.getI32Type(),
                                    builder.getI32IntegerAttr(value));
  };
  StringRef types(reinterpret_cast<const char *>(site.valueTypes.data()),
                  site.valueTypes.size());
  Value typesAddress = emit.null();
  if (!types.empty())
    typesAddress = LLVM::AddressOfOp::create(
        builder, emit.loc, emit.ptrType(),
        bytesGlobal(builder, module, "chi.types.", types, symbols)
            .getSymName());
  Value members[] = {text(site.place.file),
                     number(site.place.line),
                     number(site.place.column),
                     number(site.place.endColumn),
                     number(site.kind),
                     text(site.what),
                     number(site.axis),
                     number(types.size()),
                     typesAddress,
                     optional(site.kernel),
                     number(site.numAxes),
                     optional(site.axes)};
  Value value =
      LLVM::UndefOp::create(builder, emit.loc, siteStruct(emit.context()));
  for (auto [place, member] : llvm::enumerate(members))
    value = LLVM::InsertValueOp::create(builder, emit.loc, value, member,
                                        static_cast<int64_t>(place));
  LLVM::ReturnOp::create(builder, emit.loc, value);
}

static Value addressOfSite(Emitter &emit, const Site &site,
                           SymbolTable *symbols) {
  ModuleOp module = moduleOf(emit);
  std::string name = contentName("chi.site.", siteContent(site));
  if (!find(module, name, symbols)) {
    OpBuilder::InsertionGuard guard(emit.builder);
    emit.builder.setInsertionPointToStart(module.getBody());
    Location unknown = UnknownLoc::get(emit.context());
    auto global = LLVM::GlobalOp::create(
        emit.builder, unknown, siteStruct(emit.context()),
        /*isConstant=*/true, LLVM::Linkage::Internal, name, Attribute());
    Emitter inside(emit.builder, unknown);
    emit.builder.createBlock(&global.getInitializerRegion());
    fillSite(inside, site, module, symbols);
    note(global, symbols);
  }
  return LLVM::AddressOfOp::create(emit.builder, emit.loc, emit.ptrType(),
                                   name);
}

Value chi::conv::siteConstant(Emitter &emit, const Site &site) {
  return addressOfSite(emit, site, nullptr);
}

Value chi::conv::siteConstant(Emitter &emit, const Site &site,
                              SymbolTable &symbols) {
  return addressOfSite(emit, site, &symbols);
}

Value chi::conv::functionAddress(Emitter &emit, func::FuncOp function) {
  Value constant = func::ConstantOp::create(
      emit.builder, emit.loc, function.getFunctionType(),
      FlatSymbolRefAttr::get(function.getSymNameAttr()));
  return emit.reinterpret(constant, emit.ptrType());
}
