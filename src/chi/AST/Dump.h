//===- Dump.h - A syntax tree as text ---------------------------*- C++ -*-===//
#ifndef CHI_AST_DUMP_H
#define CHI_AST_DUMP_H

#include "chi/AST/Stmt.h"
#include "llvm/Support/raw_ostream.h"

namespace chi::ast {

/// Writes a module as s-expressions, a statement a line: the `ast` stage.
///
///   (module
///     (function energy
///       (decorator kernel)
///       (for (i j) (call ndrange n n)
///         (assign r (- ([] x i) ([] x j))))))
///
/// Names are written bare, strings quoted; ranges are left out, so two texts
/// with the same meaning have the same dump.
void dump(const Module &module, llvm::raw_ostream &out);

/// Writes one expression.
void dump(const Expr &expr, llvm::raw_ostream &out);

} // namespace chi::ast
#endif // CHI_AST_DUMP_H
