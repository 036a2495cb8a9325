//===- Signatures.h - Declarations without their bodies ---------*- C++ -*-===//
#ifndef CHI_DOC_SIGNATURES_H
#define CHI_DOC_SIGNATURES_H

#include "chi/AST/Stmt.h"
#include <string>

namespace chi::doc {

/// A declaration as it is written, on as few lines as fit: a function or
/// kernel without its body, a class with its members and operators, a const,
/// type or param. `name` takes the place of its own.
std::string signature(const SourceFiles &sources, const ast::Stmt *stmt,
                      llvm::StringRef name);

} // namespace chi::doc
#endif // CHI_DOC_SIGNATURES_H
