//===- RuntimeCallee.cpp - The run time's functions in LLVM IR ------------===//

#include "chi/Target/CPU/RuntimeCallee.h"
#include "chi/Dialect/Chi/RuntimeFunctions.h"

using namespace chi;

static llvm::Type *typeOf(llvm::LLVMContext &context, ir::RuntimeType type) {
  switch (type) {
  case ir::RuntimeType::Void:
    return llvm::Type::getVoidTy(context);
  case ir::RuntimeType::I32:
    return llvm::Type::getInt32Ty(context);
  case ir::RuntimeType::I64:
    return llvm::Type::getInt64Ty(context);
  case ir::RuntimeType::F64:
    return llvm::Type::getDoubleTy(context);
  default:
    return llvm::PointerType::get(context, 0);
  }
}

llvm::FunctionCallee target::cpu::runtimeFunction(llvm::Module &module,
                                                  llvm::StringRef name) {
  const ir::RuntimeFunction *function = ir::findRuntimeFunction(name);
  assert(function && "a function of api.def");
  llvm::LLVMContext &context = module.getContext();
  llvm::SmallVector<llvm::Type *> types;
  for (ir::RuntimeParameter parameter : function->parameters)
    types.push_back(typeOf(context, parameter.type));
  return module.getOrInsertFunction(
      name,
      llvm::FunctionType::get(typeOf(context, function->result.type), types,
                              /*isVarArg=*/false));
}
