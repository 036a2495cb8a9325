//===- EntryPoints.cpp - What C calls of a library ------------------------===//
#include "chi/Units/EntryPoints.h"
#include "chi/Conversion/Runtime.h"
#include "chi/Target/CPU/Library.h"
#include "chi/Units/Symbols.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace chi;
using namespace chi::units;

/// The top-level variables and params that a unit uses.
static SmallVector<LLVM::GlobalOp> variablesOf(ModuleOp module) {
  SmallVector<LLVM::GlobalOp> variables;
  for (auto global : module.getOps<LLVM::GlobalOp>())
    if (isOfProgram(*global) &&
        !SymbolTable::symbolKnownUseEmpty(global, module))
      variables.push_back(global);
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
    conv::Emitter emit(b, loc);
    conv::callRuntime(emit, function, arguments);
  }

  OpBuilder &b;
  ModuleOp module;
  Location loc;
  Type ptr;
  Value userText;
};
} // namespace

/// Variables that only a run of the program sets must be set.
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

/// A bool of C is a byte: any value other than zero is true.
static Value loadArgument(OpBuilder &b, Location loc, Type type,
                          Value address) {
  if (!type.isInteger(1))
    return LLVM::LoadOp::create(b, loc, type, address);
  Value byte = LLVM::LoadOp::create(b, loc, b.getI8Type(), address);
  Value zero = LLVM::ConstantOp::create(b, loc, b.getI8Type(), 0);
  return LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::ne, byte, zero);
}

namespace {
/// Loads the arguments of a callee from the addresses of its parameters.
class ArgumentLoader {
public:
  ArgumentLoader(OpBuilder &b, Location loc, Value addresses)
      : b(b), loc(loc), addresses(addresses),
        ptr(LLVM::LLVMPointerType::get(b.getContext())) {}

  Value scalar(Type type) { return loadArgument(b, loc, type, next()); }
  /// C's numbers lie where the first one does; a bool has one value of many.
  Value array(const EntryPoint::Array &array) {
    if (!array.ofBools) {
      Value first = next();
      used += array.count - 1;
      return first;
    }
    Type byte = b.getI8Type();
    Value count = LLVM::ConstantOp::create(b, loc, b.getI64Type(), array.count);
    Value copy = LLVM::AllocaOp::create(b, loc, ptr, byte, count);
    for (int64_t k = 0; k < array.count; ++k) {
      Value truth = scalar(b.getI1Type());
      Value to = LLVM::GEPOp::create(b, loc, ptr, byte, copy, LLVM::GEPArg(k));
      LLVM::StoreOp::create(b, loc, LLVM::ZExtOp::create(b, loc, byte, truth),
                            to);
    }
    return copy;
  }

private:
  Value next() {
    Value place = LLVM::GEPOp::create(b, loc, ptr, ptr, addresses,
                                      LLVM::GEPArg(int32_t(used++)));
    return LLVM::LoadOp::create(b, loc, ptr, place);
  }

  OpBuilder &b;
  Location loc;
  Value addresses;
  Type ptr;
  int64_t used = 0;
};
} // namespace

static SmallVector<Value> loadArguments(OpBuilder &b, Location loc,
                                        LLVM::LLVMFuncOp callee,
                                        const EntryPoint &point,
                                        Value addresses) {
  ArgumentLoader load(b, loc, addresses);
  SmallVector<Value> arguments;
  for (Type parameter : callee.getFunctionType().getParams()) {
    auto array = llvm::find_if(point.arrays, [&](const auto &each) {
      return each.argument == arguments.size();
    });
    arguments.push_back(array != point.arrays.end() ? load.array(*array)
                                                    : load.scalar(parameter));
  }
  return arguments;
}

void chi::units::addEntryPoint(ModuleOp module, const EntryPoint &point) {
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
  SmallVector<Value> arguments =
      loadArguments(b, loc, callee, point, body->getArgument(0));
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
