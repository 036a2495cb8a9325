//===- Library.cpp - C functions of a library -----------------------------===//

#include "chi/Target/CPU/Library.h"
#include "chi/Target/CPU/RuntimeCallee.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace chi::target;
using cpu::Library;
using cpu::LibraryFunction;

std::vector<std::string> Library::exports() const {
  std::vector<std::string> names{prefix + "main", prefix + "guard",
                                 stem + "_run", stem + "_field",
                                 stem + "_field_name"};
  for (const LibraryFunction &function : functions) {
    names.push_back(function.name);
    names.push_back(function.entry);
  }
  return names;
}

static llvm::Type *typeOf(llvm::IRBuilder<> &b, char letter) {
  switch (letter) {
  case 'b':
    return b.getInt8Ty();
  case 'h':
    return b.getInt16Ty();
  case 'w':
    return b.getInt32Ty();
  case 'l':
    return b.getInt64Ty();
  case 'f':
    return b.getFloatTy();
  case 'd':
    return b.getDoubleTy();
  default:
    return b.getPtrTy();
  }
}

static llvm::Function *define(llvm::IRBuilder<> &b, llvm::Module &module,
                              const std::string &name, llvm::Type *result,
                              llvm::ArrayRef<llvm::Type *> parameters) {
  auto *function =
      llvm::Function::Create(llvm::FunctionType::get(result, parameters, false),
                             llvm::GlobalValue::ExternalLinkage, name, module);
  b.SetInsertPoint(llvm::BasicBlock::Create(module.getContext(), "", function));
  return function;
}

/// Puts the arguments in memory and hands their addresses to the run time.
static void addFunction(llvm::IRBuilder<> &b, llvm::Module &module,
                        const LibraryFunction &from) {
  llvm::SmallVector<llvm::Type *> types;
  for (char letter : from.parameters)
    types.push_back(typeOf(b, letter));
  llvm::Function *function =
      define(b, module, from.name, b.getInt32Ty(), types);
  auto *slotsType = llvm::ArrayType::get(b.getPtrTy(), types.size());
  llvm::Value *slots = b.CreateAlloca(slotsType);
  for (auto [k, argument] : llvm::enumerate(function->args())) {
    llvm::Value *slot = b.CreateAlloca(argument.getType());
    b.CreateStore(&argument, slot);
    b.CreateStore(slot, b.CreateConstInBoundsGEP2_64(slotsType, slots, 0, k));
  }
  llvm::Type *ptr = b.getPtrTy();
  llvm::FunctionCallee entry = module.getOrInsertFunction(
      from.entry, llvm::FunctionType::get(b.getVoidTy(), {ptr, ptr}, false));
  llvm::FunctionCallee call = cpu::runtimeFunction(module, "chirt_call");
  b.CreateRet(b.CreateCall(
      call, {entry.getCallee(), b.CreateGlobalString(from.signature), slots}));
}

/// `NAME(arguments…)`, which passes its arguments to a function of the run
/// time, after `table` if there is one.
static void addForward(llvm::IRBuilder<> &b, llvm::Module &module,
                       const std::string &name, const char *callee,
                       llvm::Value *table) {
  llvm::FunctionCallee target = cpu::runtimeFunction(module, callee);
  llvm::FunctionType *type = target.getFunctionType();
  llvm::Function *function = define(b, module, name, type->getReturnType(),
                                    type->params().drop_front(table ? 1 : 0));
  llvm::SmallVector<llvm::Value *> arguments;
  if (table)
    arguments.push_back(table);
  for (llvm::Argument &argument : function->args())
    arguments.push_back(&argument);
  b.CreateRet(b.CreateCall(target, arguments));
}

/// `STEM_run`: the program has run if it did not refuse its params.
static void addRun(llvm::IRBuilder<> &b, llvm::Module &module,
                   const Library &library) {
  llvm::Type *i32 = b.getInt32Ty(), *ptr = b.getPtrTy();
  auto *hasRun = new llvm::GlobalVariable(module, i32, /*isConstant=*/false,
                                          llvm::GlobalValue::ExternalLinkage,
                                          b.getInt32(0), cpu::kHasRun);
  hasRun->setVisibility(llvm::GlobalValue::HiddenVisibility);
  llvm::Function *run =
      define(b, module, library.stem + "_run", i32, {i32, ptr});
  llvm::Value *status =
      b.CreateCall(module.getFunction(library.prefix + "main"),
                   {run->getArg(0), run->getArg(1)});
  llvm::Value *isRefused = b.CreateICmpEQ(status, b.getInt32(2));
  b.CreateStore(
      b.CreateSelect(isRefused, b.CreateLoad(i32, hasRun), b.getInt32(1)),
      hasRun);
  b.CreateRet(status);
}

void cpu::addLibraryFunctions(llvm::Module &module, const Library &library) {
  llvm::IRBuilder<> b(module.getContext());
  llvm::Type *ptr = b.getPtrTy();
  addForward(b, module, library.prefix + "guard", "chirt_guard", nullptr);
  auto *table = new llvm::GlobalVariable(module, ptr, /*isConstant=*/true,
                                         llvm::GlobalValue::ExternalLinkage,
                                         nullptr, kFieldTable);
  table->setVisibility(llvm::GlobalValue::HiddenVisibility);
  addForward(b, module, library.stem + "_field", "chirt_library_field", table);
  addForward(b, module, library.stem + "_field_name",
             "chirt_library_field_name", table);
  addRun(b, module, library);
  for (const LibraryFunction &function : library.functions)
    addFunction(b, module, function);
}
