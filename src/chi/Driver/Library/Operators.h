//===- Operators.h - Functions of a library for tvm-ffi ---------*- C++ -*-===//
#ifndef CHI_DRIVER_LIBRARY_OPERATORS_H
#define CHI_DRIVER_LIBRARY_OPERATORS_H

#include "chi/AST/Stmt.h"
#include "chi/Sema/Tree/Exports.h"
#include "chi/Target/CPU/Library.h"
#include "llvm/ADT/BitVector.h"

namespace chi::driver {

/// A kernel or function that a library has for tvm-ffi.
struct OperatorSource {
  std::string name; ///< by which others find it: "smooth"
  const sema::Function *function = nullptr;
  /// Where the source has it; null: of an instance that has no declaration of
  /// its own.
  const ast::FunctionStmt *declared = nullptr;
  llvm::BitVector written; ///< the parameters whose fields a call may change
  /// Of each parameter, as Python writes it; "": it has none.
  std::vector<std::string> defaults;
};

/// The source, with the defaults of the declaration.
OperatorSource sourceOf(const sema::Function &function,
                        const ast::FunctionStmt *declared,
                        llvm::BitVector written);
/// What the library contains for it, but the names of its entries.
target::cpu::Operator operatorOf(const OperatorSource &source);
/// Its parameters and results, as the program writes them.
std::string headOf(const OperatorSource &source);

} // namespace chi::driver
#endif // CHI_DRIVER_LIBRARY_OPERATORS_H
