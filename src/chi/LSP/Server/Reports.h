//===- Reports.h - Diagnostics for the editor -------------------*- C++ -*-===//
#ifndef CHI_LSP_SERVER_REPORTS_H
#define CHI_LSP_SERVER_REPORTS_H

#include "chi/LSP/Server/Documents.h"

namespace chi::lsp {

/// The diagnostics that the editor shows: of each file those of all programs
/// that have it, each once.
class Reports {
public:
  /// Replaces the diagnostics of a document by those of its analysis. Returns
  /// the files whose diagnostics changed, or may have.
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
#endif // CHI_LSP_SERVER_REPORTS_H
