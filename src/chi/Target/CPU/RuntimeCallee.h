//===- RuntimeCallee.h - The run time's functions in LLVM IR ----*- C++ -*-===//
#ifndef CHI_TARGET_CPU_RUNTIMECALLEE_H
#define CHI_TARGET_CPU_RUNTIMECALLEE_H

#include "llvm/IR/Module.h"

namespace chi::target::cpu {

/// A function of api.def, declared in the module if it is not yet.
llvm::FunctionCallee runtimeFunction(llvm::Module &module,
                                     llvm::StringRef name);

} // namespace chi::target::cpu
#endif // CHI_TARGET_CPU_RUNTIMECALLEE_H
