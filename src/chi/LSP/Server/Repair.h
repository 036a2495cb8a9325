//===- Repair.h - Texts that can be parsed while one types ------*- C++ -*-===//
#ifndef CHI_LSP_SERVER_REPAIR_H
#define CHI_LSP_SERVER_REPAIR_H

#include "chi/Diagnostics/Diagnostics.h"
#include "chi/LSP/Server/Text.h"
#include <set>

namespace chi::lsp {

/// The lines of a file that its syntax errors name, from 0.
std::set<size_t> wrongLines(llvm::ArrayRef<Diagnostic> errors, uint32_t file,
                            const Text &text);

/// The text with a statement of no effect instead of each of the lines,
/// and else unchanged: every byte of the other lines keeps its place.
std::string withoutLines(const Text &text, const std::set<size_t> &lines);

/// A text with an expression as a statement of its own instead of a line.
struct Probe {
  std::string text;
  uint32_t begin = 0, end = 0; ///< the expression in it
};
/// Replaces a line by an expression that is part of it, so that this is checked
/// where it stands.
Probe probeLine(const Text &text, size_t line, llvm::StringRef expr);

/// The expression that ends at a place in a line, as `a.b(c)[1]` behind which a
/// dot is typed; "" if none does.
llvm::StringRef exprBefore(const Text &text, uint32_t end);

} // namespace chi::lsp
#endif // CHI_LSP_SERVER_REPAIR_H
