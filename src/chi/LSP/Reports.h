//===- Reports.h - Diagnostics for the editor -------------------*- C++ -*-===//
#ifndef CHI_LSP_REPORTS_H
#define CHI_LSP_REPORTS_H

#include "chi/LSP/Documents.h"

namespace chi::lsp {

/// The diagnostics that the editor shows: of each file those of all programs
/// that have it, each once.
class Reports {
public:
  /// Takes the diagnostics of a document's analysis in the place of those it
  /// had. Returns the files whose diagnostics changed, or may have.
  std::set<std::string> update(Document &document, const std::string &path);
  /// Forgets a document. Returns as `update`.
  std::set<std::string> remove(const std::string &path);
  /// The diagnostics of a file as the protocol has them.
  llvm::json::Array of(const std::string &file) const;

private:
  /// By file, then by document.
  std::map<std::string, std::map<std::string, std::vector<llvm::json::Value>>>
      shown;
};

} // namespace chi::lsp
#endif // CHI_LSP_REPORTS_H
