//===- StructConstants.h - Initialisers given as attributes -----*- C++ -*-===//
#ifndef CHI_TARGET_CPU_STRUCTCONSTANTS_H
#define CHI_TARGET_CPU_STRUCTCONSTANTS_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/IR/Module.h"

namespace chi::target::cpu {

/// Gives the constants of `from` whose members are an attribute
/// (ir::kMembersAttr) that initialiser in `to`, the translation of `from`.
/// Returns the name of one whose members do not fit its type, or nothing.
std::string fillStructConstants(mlir::ModuleOp from, llvm::Module &to);

} // namespace chi::target::cpu
#endif // CHI_TARGET_CPU_STRUCTCONSTANTS_H
