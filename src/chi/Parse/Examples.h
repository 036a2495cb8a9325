//===- Examples.h - Examples in docstrings ----------------------*- C++ -*-===//
#ifndef CHI_PARSE_EXAMPLES_H
#define CHI_PARSE_EXAMPLES_H

#include "chi/AST/Context.h"
#include "chi/AST/Stmt.h"
#include "chi/Diagnostics/Diagnostics.h"

namespace chi::parse {

/// Makes a test of each docstring of a module that has examples: lines after
/// `>>>`, their continuations after `...`, and up to a blank line what they
/// print. It is named by the function or class and the line of the first
/// example, "disc, line 12". Adds a text to `sources` in which all but the code
/// of the examples is blank, under the name of the module's file: positions in
/// it are those in the file. Syntax errors go to `diags`.
std::vector<ast::TestStmt *> parseExamples(SourceFiles &sources,
                                           const ast::Module &module,
                                           ast::Context &context,
                                           DiagnosticEngine &diags);

} // namespace chi::parse
#endif // CHI_PARSE_EXAMPLES_H
