//===- References.h - Where a symbol is named -------------------*- C++ -*-===//
#ifndef CHI_LSP_SERVER_REFERENCES_H
#define CHI_LSP_SERVER_REFERENCES_H

#include "chi/LSP/Server/Lookup.h"

namespace chi::lsp {

/// A place that names a symbol, in the files of the editor or the project.
struct Reference {
  protocol::Location location;
  bool isWrite = false, isDeclaration = false;
};

/// Finds and renames symbols in the open files, and in those of the project
/// that import them.
class References {
public:
  References(World &world, Documents &documents,
             const std::vector<std::string> &folders, const Words &words)
      : world(world), documents(documents), folders(folders), words(words) {}

  /// All places that name a symbol.
  std::vector<Reference> to(const Place &place, const Symbol &symbol);
  /// The places in the file of `place` alone.
  static std::vector<Reference> inFile(const Place &place,
                                       const Symbol &symbol);
  /// The range of the name at a place, if it may be renamed.
  llvm::Expected<protocol::Range> renamable(const Place &place);
  /// The edits that give the symbol at a place another name. An error if it is
  /// built in, if the name is none, or is one already where it would be used.
  llvm::Expected<protocol::WorkspaceEdit> rename(const Place &place,
                                                 const std::string &name);

private:
  void addFrom(const Analysis &analysis, const std::string &path,
               uint32_t begin, std::vector<Reference> &found);
  void eachAnalysis(const Symbol &symbol,
                    llvm::function_ref<void(const Analysis &)> visit);
  llvm::Expected<const Symbol *> symbolToRename(const Place &place);
  std::string conflict(const Analysis &analysis, const Symbol &symbol,
                       llvm::StringRef name);

  World &world;
  Documents &documents;
  const std::vector<std::string> &folders;
  const Words &words;
};

} // namespace chi::lsp
#endif // CHI_LSP_SERVER_REFERENCES_H
