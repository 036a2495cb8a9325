//===- Describe.h - A symbol in words ---------------------------*- C++ -*-===//
#ifndef CHI_LSP_SERVER_DESCRIBE_H
#define CHI_LSP_SERVER_DESCRIBE_H

#include "chi/LSP/Server/Analysis.h"

namespace chi::lsp {

/// A line of Chi that says what a symbol is: "speed: f32", "def norm(v)". `use`
/// is an expression that names it, or null.
std::string headOf(const Analysis &analysis, const Symbol &symbol,
                   const ast::Expr *use = nullptr);

/// The docstring of a symbol as Markdown; "" if it has none.
std::string docOf(const Analysis &analysis, const Symbol &symbol);

/// Both, and the instances of a generic function, as Markdown.
std::string describe(const Analysis &analysis, const Symbol &symbol,
                     const ast::Expr *use = nullptr);

/// Types that a variable has, "f32" or "f32 | f64"; "" if none is known.
std::string typesText(llvm::ArrayRef<sema::TypeRef> types);

/// Lines of Chi as Markdown.
std::string codeBlock(llvm::StringRef code);

} // namespace chi::lsp
#endif // CHI_LSP_SERVER_DESCRIBE_H
