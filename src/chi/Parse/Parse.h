//===- Parse.h - Program text to syntax tree --------------------*- C++ -*-===//
#ifndef CHI_PARSE_PARSE_H
#define CHI_PARSE_PARSE_H

#include "chi/AST/Context.h"
#include "chi/AST/Stmt.h"
#include "chi/Diagnostics/Diagnostics.h"
#include "llvm/Support/raw_ostream.h"

namespace chi::parse {

/// Parses a file of `sources`. All syntax errors of the file are reported to
/// `diags`; returns null if there was any. Never throws and never crashes,
/// whatever the text.
ast::Module *parseModule(const SourceFiles &sources, uint32_t file,
                         ast::Context &context, DiagnosticEngine &diags);

/// Prints the token list of a file, one a line: the `tokens` stage.
void printTokens(const SourceFiles &sources, uint32_t file,
                 llvm::raw_ostream &out, DiagnosticEngine &diags);

} // namespace chi::parse
#endif // CHI_PARSE_PARSE_H
