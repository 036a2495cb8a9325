//===- Support.h - Parsing a text in a test ---------------------*- C++ -*-===//
#ifndef CHI_TEST_UNIT_PARSE_SUPPORT_H
#define CHI_TEST_UNIT_PARSE_SUPPORT_H

#include "chi/AST/Dump.h"
#include "chi/Parse/Parse.h"

/// A text, its tree and what was said of it.
struct Parsed {
  explicit Parsed(std::string text) {
    uint32_t file = sources.add("a.chi", std::move(text));
    module = chi::parse::parseModule(sources, file, context, diags);
  }
  std::string dump() const {
    std::string text;
    llvm::raw_string_ostream out(text);
    if (module)
      chi::ast::dump(*module, out);
    return text;
  }
  /// The codes of all errors, in the order of reporting: "E0001 E0003".
  std::string codes() const {
    std::string all;
    for (const chi::Diagnostic &d : diags.pending())
      all += (all.empty() ? "" : " ") + d.code;
    return all;
  }

  chi::SourceFiles sources;
  chi::ast::Context context;
  chi::DiagnosticEngine diags;
  chi::ast::Module *module = nullptr;
};

#endif // CHI_TEST_UNIT_PARSE_SUPPORT_H
