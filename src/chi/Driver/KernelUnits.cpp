//===- KernelUnits.cpp ----------------------------------------------------===//
#include "chi/Driver/KernelUnits.h"
#include "chi/Dialect/Chi/ChiDialect.h"
#include "chi/Target/CPU/Library.h"
#include "chirt/chirt.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/raw_ostream.h"
#include <cstddef>
#include <cstring>
#include <map>

using namespace mlir;
using namespace chi;
using namespace chi::driver;

static constexpr llvm::StringLiteral kControl = "chi.control";
static constexpr llvm::StringLiteral kExtern = "chi.extern";

//===--- Cutting ----------------------------------------------------------===//

/// The symbols that an operation names, by name.
static void collectSymbols(Operation *op, llvm::SetVector<StringAttr> &names) {
  op->walk([&](Operation *inner) {
    inner->getAttrDictionary().walk(
        [&](FlatSymbolRefAttr ref) { names.insert(ref.getAttr()); });
  });
}

/// A declaration of what another unit defines. Tasks and constants have none:
/// they go with their users.
static Operation *declare(Operation *symbol) {
  if (auto function = dyn_cast<func::FuncOp>(symbol)) {
    auto declared = func::FuncOp::create(function.getLoc(), function.getName(),
                                         function.getFunctionType());
    declared->setDiscardableAttrs(function->getDiscardableAttrDictionary());
    declared.setPrivate();
    declared->setAttr(kExtern, UnitAttr::get(symbol->getContext()));
    return declared;
  }
  Operation *declared = symbol->clone();
  declared->setAttr(kExtern, UnitAttr::get(symbol->getContext()));
  return declared;
}

namespace {
/// Fills one unit's module from the program.
class UnitBuilder {
public:
  UnitBuilder(ModuleOp program, SymbolTable &symbols)
      : program(program), symbols(symbols) {}

  /// A module with `roots` and what they need. `isOwn` says of a symbol if
  /// this unit defines it.
  OwningOpRef<ModuleOp> build(ArrayRef<Operation *> roots,
                              llvm::function_ref<bool(Operation *)> isOwn) {
    OwningOpRef<ModuleOp> module =
        ModuleOp::create(program.getLoc(), program.getName());
    for (NamedAttribute attribute : program->getAttrs())
      if (attribute.getName() != SymbolTable::getSymbolAttrName())
        (*module)->setAttr(attribute.getName(), attribute.getValue());
    llvm::SetVector<StringAttr> names;
    llvm::SetVector<Operation *> done;
    for (Operation *root : roots) {
      done.insert(root);
      module->push_back(root->clone());
      collectSymbols(root, names);
    }
    for (unsigned i = 0; i < names.size(); ++i) { // grows as it goes
      Operation *symbol = symbols.lookup(names[i]);
      if (!symbol || !done.insert(symbol))
        continue;
      if (isOwn(symbol)) {
        module->push_back(symbol->clone());
        collectSymbols(symbol, names);
      } else {
        module->push_back(declare(symbol));
      }
    }
    return module;
  }

private:
  ModuleOp program;
  SymbolTable &symbols;
};
} // namespace

/// Host units keep the module's attributes (params, file, tests); kernels are
/// the same whatever those say.
static void dropProgramAttributes(ModuleOp module) {
  SmallVector<StringAttr> names;
  for (NamedAttribute attribute : module->getAttrs())
    if (attribute.getName() != SymbolTable::getSymbolAttrName())
      names.push_back(attribute.getName());
  for (StringAttr name : names)
    module->removeAttr(name);
}

//===--- Locations --------------------------------------------------------===//

/// The innermost place of the user's text, as conv::placeOf finds it.
static FileLineColRange innermost(Location loc) {
  FileLineColRange found;
  loc->walk([&](Location inner) {
    if (auto call = dyn_cast<CallSiteLoc>(inner)) {
      found = innermost(call.getCallee());
      return WalkResult::interrupt();
    }
    if (auto place = dyn_cast<FileLineColRange>(inner)) {
      found = place;
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return found;
}

/// Replaces lines by indices in the order of their first occurrence.
static std::vector<unsigned> numberLines(ModuleOp module) {
  std::vector<unsigned> lines;
  std::map<std::pair<const void *, unsigned>, unsigned> known;
  MLIRContext *context = module.getContext();
  Location nowhere = UnknownLoc::get(context);
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          argument.setLoc(nowhere);
    FileLineColRange place = innermost(op->getLoc());
    if (!place)
      return op->setLoc(nowhere);
    auto [it, isNew] = known.insert(
        {{place.getFilename().getAsOpaquePointer(), place.getStartLine()},
         unsigned(lines.size()) + 1});
    if (isNew)
      lines.push_back(place.getStartLine());
    unsigned height = place.getEndLine() - place.getStartLine();
    op->setLoc(FileLineColRange::get(
        place.getFilename(), it->second, place.getStartColumn(),
        it->second + height, place.getEndColumn()));
  });
  return lines;
}

std::vector<Unit> chi::driver::splitUnits(ModuleOp program, bool keepsLines) {
  SymbolTable symbols(program);
  UnitBuilder builder(program, symbols);
  auto isTask = [](Operation *op) { return isa<ir::TaskOp>(op); };
  std::vector<Unit> units;
  std::vector<Operation *> host;
  for (Operation &op : *program.getBody()) {
    if (isTask(&op))
      continue;
    if (!op.hasAttr(kControl)) {
      host.push_back(&op);
      continue;
    }
    Unit unit;
    unit.name = SymbolTable::getSymbolName(&op).str();
    unit.module = builder.build(&op, isTask);
    dropProgramAttributes(*unit.module);
    unit.module->lookupSymbol<func::FuncOp>(unit.name).setPublic();
    units.push_back(std::move(unit));
  }
  Unit rest;
  rest.module = builder.build(host, [](Operation *) { return false; });
  units.push_back(std::move(rest));
  for (Unit &unit : units)
    if (!keepsLines)
      unit.lines = numberLines(*unit.module);
  return units;
}

std::string Unit::text() {
  std::string text;
  llvm::raw_string_ostream out(text);
  module->print(out, OpPrintingFlags().enableDebugInfo().useLocalScope());
  return text;
}

//===--- Sites in objects -------------------------------------------------===//

void chi::driver::markSites(ModuleOp module) {
  for (auto global : module.getOps<LLVM::GlobalOp>())
    if (global.getName().starts_with("chi.site")) {
      global.setSection(kSitesSection);
      global.setAlignment(8); // no gaps between them
    }
}

/// What other objects of the program may name; the rest is internal, or the
/// run time's.
static bool isOfProgram(Operation &op) {
  if (auto function = dyn_cast<LLVM::LLVMFuncOp>(op))
    return function.getVisibility_() == LLVM::Visibility::Hidden;
  if (auto global = dyn_cast<LLVM::GlobalOp>(op))
    return global.getVisibility_() == LLVM::Visibility::Hidden;
  return false;
}

void chi::driver::renameSymbols(ModuleOp module) {
  DenseMap<StringAttr, StringAttr> names;
  for (Operation &op : *module.getBody()) {
    if (!isOfProgram(op))
      continue;
    StringAttr name = SymbolTable::getSymbolName(&op);
    auto renamed =
        StringAttr::get(module.getContext(), "program." + name.getValue());
    names[name] = renamed;
    SymbolTable::setSymbolName(&op, renamed);
  }
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](FlatSymbolRefAttr ref) -> Attribute {
    StringAttr renamed = names.lookup(ref.getAttr());
    return renamed ? FlatSymbolRefAttr::get(renamed) : ref;
  });
  module.walk([&](Operation *op) {
    // Nearly all that name symbols: asked for theirs alone.
    if (auto address = dyn_cast<LLVM::AddressOfOp>(op)) {
      if (auto renamed = names.lookup(address.getGlobalNameAttr().getAttr()))
        address.setGlobalName(renamed);
    } else if (isa<SymbolUserOpInterface>(op)) {
      replacer.replaceElementsIn(op);
    }
  });
}

/// The top-level variables and params that a unit uses.
static SmallVector<LLVM::GlobalOp> variablesOf(ModuleOp module) {
  SmallVector<LLVM::GlobalOp> variables;
  for (auto global : module.getOps<LLVM::GlobalOp>())
    if (isOfProgram(*global) &&
        !SymbolTable::symbolKnownUseEmpty(global, module))
      variables.push_back(global);
  return variables;
}

std::vector<std::string>
chi::driver::variablesUsedBy(ModuleOp program, const std::string &function) {
  SymbolTable symbols(program);
  llvm::SetVector<StringAttr> names;
  names.insert(StringAttr::get(program.getContext(), function));
  std::vector<std::string> variables;
  for (unsigned i = 0; i < names.size(); ++i) { // grows as it goes
    Operation *symbol = symbols.lookup(names[i]);
    if (isa_and_present<ir::GlobalOp>(symbol))
      variables.push_back(names[i].str());
    else if (symbol)
      collectSymbols(symbol, names);
  }
  return variables;
}

namespace {
/// Writes the part of an entry that looks whether the program has run.
class RunCheck {
public:
  RunCheck(OpBuilder &b, ModuleOp module, const std::string &user)
      : b(b), module(module), loc(UnknownLoc::get(module.getContext())),
        ptr(LLVM::LLVMPointerType::get(module.getContext())) {
    std::string name = "chi.entry.user." + user;
    std::replace(name.begin(), name.end(), ' ', '.');
    userText = text(name, user);
  }

  void needValue(StringRef variable, LLVM::GlobalOp global) {
    Value place = LLVM::AddressOfOp::create(b, loc, global);
    Value handle = LLVM::LoadOp::create(b, loc, ptr, place);
    call("chirt_need_value", {userText, nameOf(variable), handle});
  }

  void needRun(StringRef variable) {
    Type i32 = b.getI32Type();
    StringRef flag = target::cpu::kHasRun;
    if (!module.lookupSymbol(flag)) {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(module.getBody());
      LLVM::GlobalOp::create(b, loc, i32, /*isConstant=*/false,
                             LLVM::Linkage::External, flag, Attribute());
    }
    Value place = LLVM::AddressOfOp::create(b, loc, ptr, flag);
    Value hasRun = LLVM::LoadOp::create(b, loc, i32, place);
    call("chirt_need_run", {userText, nameOf(variable), hasRun});
  }

private:
  Value text(const std::string &name, StringRef value) {
    if (module.lookupSymbol(name))
      return LLVM::AddressOfOp::create(b, loc, ptr, name);
    return LLVM::createGlobalString(loc, b, name, (value + Twine('\0')).str(),
                                    LLVM::Linkage::Internal);
  }
  /// As the program writes it.
  Value nameOf(StringRef variable) {
    variable.consume_front("param.");
    return text(("chi.entry.variable." + variable).str(), variable);
  }
  void call(StringRef function, ArrayRef<Value> arguments) {
    auto callee = module.lookupSymbol<LLVM::LLVMFuncOp>(function);
    if (!callee) {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(module.getBody());
      SmallVector<Type> types;
      for (Value argument : arguments)
        types.push_back(argument.getType());
      callee = LLVM::LLVMFuncOp::create(
          b, loc, function,
          LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()),
                                      types));
    }
    LLVM::CallOp::create(b, loc, callee, arguments);
  }

  OpBuilder &b;
  ModuleOp module;
  Location loc;
  Type ptr;
  Value userText;
};
} // namespace

/// What only a run of the program gives a value must have one.
static void checkVariables(OpBuilder &b, ModuleOp module,
                           const EntryPoint &entry) {
  if (!entry.isKernel) {
    if (entry.variables.empty())
      return;
    RunCheck check(b, module, "function " + entry.callee);
    for (const std::string &variable : entry.variables)
      check.needRun(variable);
    return;
  }
  SmallVector<LLVM::GlobalOp> variables = variablesOf(module);
  if (variables.empty())
    return;
  RunCheck check(b, module, "kernel " + entry.callee);
  for (LLVM::GlobalOp global : variables)
    if (isa<LLVM::LLVMPointerType>(global.getGlobalType()))
      check.needValue(global.getSymName(), global);
    else
      check.needRun(global.getSymName());
}

/// A bool of C is a byte: what is not zero is true.
static Value loadArgument(OpBuilder &b, Location loc, Type type,
                          Value address) {
  if (!type.isInteger(1))
    return LLVM::LoadOp::create(b, loc, type, address);
  Value byte = LLVM::LoadOp::create(b, loc, b.getI8Type(), address);
  Value zero = LLVM::ConstantOp::create(b, loc, b.getI8Type(), 0);
  return LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::ne, byte, zero);
}

void chi::driver::addEntryPoint(ModuleOp module, const EntryPoint &point) {
  auto callee = module.lookupSymbol<LLVM::LLVMFuncOp>(point.callee);
  if (!callee)
    return;
  OpBuilder b(module.getContext());
  b.setInsertionPointToEnd(module.getBody());
  Location loc = UnknownLoc::get(module.getContext());
  Type ptr = LLVM::LLVMPointerType::get(module.getContext());
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(module.getContext()), {ptr, ptr});
  auto entry = LLVM::LLVMFuncOp::create(b, loc, point.name, type);
  Block *body = entry.addEntryBlock(b);
  b.setInsertionPointToStart(body);
  checkVariables(b, module, point);
  auto element = [&](Value base, int32_t number) -> Value {
    return LLVM::GEPOp::create(b, loc, ptr, ptr, base, LLVM::GEPArg(number));
  };
  SmallVector<Value> arguments;
  for (Type parameter : callee.getFunctionType().getParams()) {
    Value address = LLVM::LoadOp::create(
        b, loc, ptr, element(body->getArgument(0), arguments.size()));
    arguments.push_back(loadArgument(b, loc, parameter, address));
  }
  auto call = LLVM::CallOp::create(b, loc, callee, arguments);
  if (Value result = call.getResult()) {
    auto many = dyn_cast<LLVM::LLVMStructType>(result.getType());
    for (size_t i = 0, n = many ? many.getBody().size() : 1; i < n; ++i) {
      Value part = result;
      if (many)
        part = LLVM::ExtractValueOp::create(b, loc, result, int64_t(i));
      LLVM::StoreOp::create(b, loc, part, element(body->getArgument(1), i));
    }
  }
  LLVM::ReturnOp::create(b, loc, ValueRange());
}

bool chi::driver::restoreLines(std::string &object,
                               const std::vector<unsigned> &lines) {
  auto file = llvm::object::ELFObjectFile<llvm::object::ELF64LE>::create(
      llvm::MemoryBufferRef(object, "unit"));
  if (!file) {
    llvm::consumeError(file.takeError());
    return false;
  }
  for (const llvm::object::SectionRef &section : file->sections()) {
    auto name = section.getName();
    if (!name) {
      llvm::consumeError(name.takeError());
      return false;
    }
    if (*name != kSitesSection)
      continue;
    auto contents = section.getContents();
    if (!contents || contents->size() % sizeof(chirt_site) != 0) {
      if (!contents)
        llvm::consumeError(contents.takeError());
      return false;
    }
    char *sites = object.data() + (contents->data() - object.data());
    for (size_t at = offsetof(chirt_site, line); at < contents->size();
         at += sizeof(chirt_site)) {
      int32_t index;
      std::memcpy(&index, sites + at, sizeof(index));
      if (index < 0 || size_t(index) > lines.size())
        return false;
      int32_t line = index ? lines[index - 1] : 0;
      std::memcpy(sites + at, &line, sizeof(line));
    }
  }
  return true;
}
