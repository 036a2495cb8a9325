//===- Symbols.h - Names of a program and what uses them --------*- C++ -*-===//
#ifndef CHI_UNITS_SYMBOLS_H
#define CHI_UNITS_SYMBOLS_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SetVector.h"
#include <string>
#include <vector>

namespace chi::units {

/// Adds the symbols that an operation names.
void collectSymbols(mlir::Operation *op,
                    llvm::SetVector<mlir::StringAttr> &names);

/// Whether a function or variable of the LLVM dialect is one that other objects
/// of the program may name; the rest is internal, or the run time's.
bool isOfProgram(mlir::Operation &op);

/// Gives the functions and variables of a module of the LLVM dialect names that
/// no C library has: a program may call its own function `malloc` or `main`.
void renameSymbols(mlir::ModuleOp module);

/// The variables and params of a program at stage `optimised` that `function`
/// uses.
std::vector<std::string> variablesUsedBy(mlir::ModuleOp program,
                                         const std::string &function);

} // namespace chi::units
#endif // CHI_UNITS_SYMBOLS_H
