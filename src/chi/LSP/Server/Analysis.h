//===- Analysis.h - One text, checked ---------------------------*- C++ -*-===//
#ifndef CHI_LSP_SERVER_ANALYSIS_H
#define CHI_LSP_SERVER_ANALYSIS_H

#include "chi/LSP/Names/Names.h"
#include "chi/LSP/Server/Text.h"
#include "chi/LSP/Server/World.h"

namespace chi::lsp {

/// A text as a program, with all that it imports: its diagnostics, names and
/// types. Where lines cannot be parsed, names and types are those of the text
/// without these lines.
class Analysis {
public:
  /// Checks the text of a file. Reads what it imports from `open` or through
  /// the world.
  Analysis(World &world, const OpenTexts &open, const std::string &path,
           std::string text);
  Analysis(const Analysis &) = delete;

  /// The diagnostics of all files, as `chic check` has them.
  llvm::ArrayRef<Diagnostic> diagnostics() const { return reports; }
  /// Whether there are names and types. If not, the text is too broken.
  bool hasNames() const { return resolved != nullptr; }
  /// Needs `hasNames`.
  const Names &names() const { return *resolved; }
  /// Of the main file that `names` has.
  uint32_t mainFile() const { return tree ? tree->file : 0; }
  /// The tree of the main file. Needs `hasNames`.
  const ast::Module &module() const { return *tree; }
  /// A file as the editor has it, with its places. `file` is one of a
  /// SourceRange.
  const Text &textOf(uint32_t file) const;
  /// The absolute path of a file, without `..`.
  std::string pathOf(uint32_t file) const;
  /// The file of that path; none if the program does not have it.
  std::optional<uint32_t> fileOf(llvm::StringRef path) const;

  SourceFiles sources;
  Facts facts;

private:
  bool parse(const std::string &path);
  void collect(const DiagnosticEngine &engine);

  ast::Context context;
  sema::TypeContext types;
  DiagnosticEngine engine;
  std::unique_ptr<sema::ModuleLoader> loader;
  const ast::Module *tree = nullptr;
  std::unique_ptr<Names> resolved;
  std::vector<Diagnostic> reports;
  mutable std::map<uint32_t, Text> texts;
};

/// A path without `.` and `..`.
std::string plainPath(llvm::StringRef path);

} // namespace chi::lsp
#endif // CHI_LSP_SERVER_ANALYSIS_H
