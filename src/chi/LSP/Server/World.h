//===- World.h - What the server needs of its surroundings ------*- C++ -*-===//
#ifndef CHI_LSP_SERVER_WORLD_H
#define CHI_LSP_SERVER_WORLD_H

#include "chi/AST/Context.h"
#include "chi/Sema/Program/Sema.h"

namespace chi::lsp {

/// The texts of the files that the editor has open, by absolute path. They hold
/// whatever the disk has.
using OpenTexts = std::map<std::string, std::string, std::less<>>;

/// Files, and the editor's side of the connection. The driver implements it.
class World {
public:
  virtual ~World() = default;
  /// The text of a file; none if there is none that can be read.
  virtual std::optional<std::string> read(const std::string &path) = 0;
  /// What finds and parses the modules that a program imports: it adds their
  /// texts to `sources`, and looks in `open` before it looks on the disk.
  virtual std::unique_ptr<sema::ModuleLoader> loader(SourceFiles &sources,
                                                     ast::Context &context,
                                                     DiagnosticEngine &diags,
                                                     const OpenTexts &open) = 0;
  /// The Chi files of a folder and of those in it, at most `most`.
  virtual std::vector<std::string> filesIn(const std::string &folder,
                                           size_t most) = 0;
  /// The folder of the standard library.
  virtual std::string standardFolder() = 0;
  /// The documentation of built-in names: docs/reference/words.txt.
  virtual std::string builtinWords() = 0;
  /// Whether the editor has sent more than what was read so far; waits a moment
  /// for it.
  virtual bool isInputWaiting() = 0;
};

} // namespace chi::lsp
#endif // CHI_LSP_SERVER_WORLD_H
