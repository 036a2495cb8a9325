//===- Runtime.cpp - What compiled code takes from the run time -----------===//

#include "chi/Conversion/Runtime.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv;

static ModuleOp moduleOf(Emitter &emit) {
  Operation *op = emit.builder.getInsertionBlock()->getParentOp();
  if (auto module = dyn_cast<ModuleOp>(op))
    return module;
  return op->getParentOfType<ModuleOp>();
}

/// The symbol of the module with a name; by its symbol table, if there is one.
static Operation *find(Emitter &emit, StringRef name) {
  return emit.symbols ? emit.symbols->lookup(name)
                      : moduleOf(emit).lookupSymbol(name);
}

/// The table learns of a symbol that was made.
static void note(Emitter &emit, Operation *symbol) {
  if (emit.symbols)
    emit.symbols->insert(symbol);
}

/// Symbols are at the start of the module.
static void moveToModule(Emitter &emit) {
  emit.builder.setInsertionPointToStart(moduleOf(emit).getBody());
}

/// Declares a function of api.def.
static LLVM::LLVMFuncOp declare(Emitter &emit,
                                const ir::RuntimeFunction &function) {
  OpBuilder::InsertionGuard guard(emit.builder);
  moveToModule(emit);
  auto callee = LLVM::LLVMFuncOp::create(
      emit.builder, UnknownLoc::get(emit.context()), function.name,
      llvmTypeOf(emit.context(), function));
  SmallVector<Attribute> flags{emit.builder.getStringAttr("nounwind")};
  if (function.isCold)
    flags.push_back(emit.builder.getStringAttr("cold"));
  if (function.isNoReturn)
    flags.push_back(emit.builder.getStringAttr("noreturn"));
  callee.setPassthroughAttr(emit.builder.getArrayAttr(flags));
  note(emit, callee);
  return callee;
}

Value chi::conv::callRuntime(Emitter &emit, StringRef name,
                             ValueRange arguments) {
  auto callee = dyn_cast_or_null<LLVM::LLVMFuncOp>(find(emit, name));
  if (!callee) {
    const ir::RuntimeFunction *function = ir::findRuntimeFunction(name);
    assert(function && "a function of api.def");
    callee = declare(emit, *function);
  }
  auto call = LLVM::CallOp::create(emit.builder, emit.loc, callee, arguments);
  return call.getNumResults() ? call.getResult() : Value();
}

Value chi::conv::loadRuntimeVariable(Emitter &emit, StringRef name) {
  Type type = llvmTypeOf(emit.context(), ir::runtimeVariableType(name));
  if (!find(emit, name)) {
    OpBuilder::InsertionGuard guard(emit.builder);
    moveToModule(emit);
    note(emit,
         LLVM::GlobalOp::create(
             emit.builder, UnknownLoc::get(emit.context()), type,
             /*isConstant=*/false, LLVM::Linkage::External, name, Attribute()));
  }
  return emit.load(type, LLVM::AddressOfOp::create(emit.builder, emit.loc,
                                                   emit.ptrType(), name));
}

Value chi::conv::loadRuntimeFlag(Emitter &emit, StringRef name) {
  Value word = loadRuntimeVariable(emit, name);
  return emit.compare(arith::CmpIPredicate::ne, word, emit.i32(0));
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// A name made from the content, so that equal constants are shared.
static std::string contentName(StringRef prefix, StringRef content) {
  return (prefix + llvm::utohexstr(llvm::xxh3_64bits(content), true)).str();
}

FlatSymbolRefAttr chi::conv::bytesSymbol(Emitter &emit, StringRef prefix,
                                         StringRef bytes) {
  OpBuilder &builder = emit.builder;
  std::string name = contentName(prefix, bytes);
  if (find(emit, name))
    return FlatSymbolRefAttr::get(emit.context(), name);
  OpBuilder::InsertionGuard guard(builder);
  moveToModule(emit);
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size());
  auto global = LLVM::GlobalOp::create(
      builder, UnknownLoc::get(builder.getContext()), type,
      /*isConstant=*/true, LLVM::Linkage::Internal, name,
      builder.getStringAttr(bytes));
  global.setUnnamedAddr(LLVM::UnnamedAddr::Global);
  note(emit, global);
  return FlatSymbolRefAttr::get(global.getSymNameAttr());
}

FlatSymbolRefAttr chi::conv::tableSymbol(Emitter &emit,
                                         DenseElementsAttr content) {
  OpBuilder &builder = emit.builder;
  auto type =
      MemRefType::get(content.getType().getShape(), content.getElementType());
  std::string text;
  llvm::raw_string_ostream(text) << Attribute(content);
  std::string name = contentName("chi.table.", text);
  if (find(emit, name))
    return FlatSymbolRefAttr::get(emit.context(), name);
  OpBuilder::InsertionGuard guard(builder);
  moveToModule(emit);
  auto global = memref::GlobalOp::create(
      builder, UnknownLoc::get(emit.context()), name,
      builder.getStringAttr("private"), type, content, /*constant=*/true,
      /*alignment=*/nullptr);
  note(emit, global);
  return FlatSymbolRefAttr::get(global.getSymNameAttr());
}

FlatSymbolRefAttr chi::conv::textSymbol(Emitter &emit, StringRef text) {
  return bytesSymbol(emit, "chi.text.", (text + StringRef("\0", 1)).str());
}

Value chi::conv::textConstant(Emitter &emit, StringRef text) {
  return LLVM::AddressOfOp::create(emit.builder, emit.loc, emit.ptrType(),
                                   textSymbol(emit, text).getValue());
}

//===----------------------------------------------------------------------===//
// Sites
//===----------------------------------------------------------------------===//

SourcePosition chi::conv::positionOf(Location loc) {
  if (auto range = dyn_cast<FileLineColRange>(loc)) {
    SourcePosition position;
    position.file = range.getFilename().getValue();
    position.line = range.getStartLine();
    position.column = range.getStartColumn();
    bool oneLine = range.getEndLine() == range.getStartLine();
    position.endColumn = oneLine ? range.getEndColumn() : position.column + 1;
    if (position.endColumn <= position.column)
      position.endColumn = position.column + 1;
    return position;
  }
  if (auto call = dyn_cast<CallSiteLoc>(loc)) {
    SourcePosition position = positionOf(call.getCallee());
    return position.line ? position : positionOf(call.getCaller());
  }
  if (auto name = dyn_cast<NameLoc>(loc))
    return positionOf(name.getChildLoc());
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : fused.getLocations())
      if (SourcePosition position = positionOf(part); position.line)
        return position;
  return {};
}

static void appendBytes(std::string &to, int32_t value) {
  to.append(reinterpret_cast<const char *>(&value), sizeof(value));
}

/// All that a site says, to name it by.
static std::string siteContent(const Site &site) {
  std::string text;
  for (StringRef part :
       {site.position.file, site.what, site.kernel, site.axes}) {
    appendBytes(text, part.size());
    text += part;
  }
  for (int32_t number :
       {site.position.line, site.position.column, site.position.endColumn,
        site.kind, site.axis, site.numAxes, site.format})
    appendBytes(text, number);
  text.append(site.valueTypes.begin(), site.valueTypes.end());
  return text;
}

ArrayAttr chi::conv::siteMembers(Emitter &emit, const Site &site) {
  OpBuilder &builder = emit.builder;
  Attribute null = builder.getUnitAttr();
  auto text = [&](StringRef value) -> Attribute {
    return textSymbol(emit, value);
  };
  auto optional = [&](StringRef value) {
    return value.empty() ? null : text(value);
  };
  auto number = [&](int32_t value) -> Attribute {
    return builder.getI32IntegerAttr(value);
  };
  StringRef types(reinterpret_cast<const char *>(site.valueTypes.data()),
                  site.valueTypes.size());
  return builder.getArrayAttr(
      {text(site.position.file), number(site.position.line),
       number(site.position.column), number(site.position.endColumn),
       number(site.kind), text(site.what), number(site.axis),
       number(types.size()),
       types.empty() ? null : bytesSymbol(emit, "chi.types.", types),
       optional(site.kernel), number(site.numAxes), number(site.format),
       optional(site.axes)});
}

LLVM::GlobalOp chi::conv::structConstant(Emitter &emit, StringRef name,
                                         Type type,
                                         ArrayRef<Attribute> members) {
  OpBuilder::InsertionGuard guard(emit.builder);
  moveToModule(emit);
  auto global = LLVM::GlobalOp::create(
      emit.builder, UnknownLoc::get(emit.context()), type, /*isConstant=*/true,
      LLVM::Linkage::Internal, name, Attribute());
  global->setDiscardableAttr(ir::kMembersAttr,
                             emit.builder.getArrayAttr(members));
  note(emit, global);
  return global;
}

FlatSymbolRefAttr chi::conv::siteSymbol(Emitter &emit, const Site &site) {
  std::string name = contentName("chi.site.", siteContent(site));
  if (!find(emit, name))
    structConstant(emit, name, llvmTypeOf(emit.context(), RuntimeStruct::Site),
                   siteMembers(emit, site).getValue());
  return FlatSymbolRefAttr::get(emit.context(), name);
}

Value chi::conv::siteConstant(Emitter &emit, const Site &site) {
  return LLVM::AddressOfOp::create(emit.builder, emit.loc, emit.ptrType(),
                                   siteSymbol(emit, site).getValue());
}

FlatSymbolRefAttr chi::conv::constantArray(Emitter &emit, StringRef prefix,
                                           StringRef content, Type element,
                                           ArrayAttr members) {
  std::string name = contentName(prefix, content);
  if (!find(emit, name))
    structConstant(emit, name,
                   LLVM::LLVMArrayType::get(element, members.size()),
                   members.getValue());
  return FlatSymbolRefAttr::get(emit.context(), name);
}

Value chi::conv::functionAddress(Emitter &emit, func::FuncOp function) {
  Value constant = func::ConstantOp::create(
      emit.builder, emit.loc, function.getFunctionType(),
      FlatSymbolRefAttr::get(function.getSymNameAttr()));
  return emit.reinterpret(constant, emit.ptrType());
}
