//===- Format.cpp - Canonical source text ---------------------------------===//
#include "chi/Format/Format.h"
#include "chi/AST/Dump.h"
#include "chi/Format/LinePrinter.h"
#include "chi/Parse/Parse.h"

using namespace chi;
using namespace chi::format;

/// The syntax tree of a file as text, or nothing if it has errors.
static std::optional<std::string> treeOf(const SourceFiles &sources,
                                         uint32_t file,
                                         DiagnosticEngine &diags) {
  ast::Context context;
  const ast::Module *module =
      parse::parseModule(sources, file, context, diags);
  if (!module)
    return std::nullopt;
  std::string tree;
  llvm::raw_string_ostream stream(tree);
  ast::dump(*module, stream);
  return tree;
}

static std::string print(llvm::StringRef text,
                         const std::vector<parse::Token> &tokens) {
  std::string out;
  out.reserve(text.size() + text.size() / 8);
  LinePrinter printer(text, out);
  for (const Line &line : collectLines(text, tokens))
    printer.print(line);
  return out;
}

std::optional<std::string>
chi::format::formatSource(SourceFiles &sources, uint32_t file,
                          DiagnosticEngine &diags) {
  auto tree = treeOf(sources, file, diags);
  if (!tree)
    return std::nullopt;
  DiagnosticEngine known; // the text parses; there is nothing new to report
  std::string formatted =
      print(sources.text(file), parse::tokenize(sources, file, known));

  // A formatter that changes a program is worse than none: look again.
  SourceFiles check;
  uint32_t copy = check.add(sources.name(file).str(), formatted);
  DiagnosticEngine checkDiags;
  if (treeOf(check, copy, checkDiags) != tree) {
    diags.report({file, 0, 0}, diag::FormatChangesMeaning).send();
    return std::nullopt;
  }
  return formatted;
}
