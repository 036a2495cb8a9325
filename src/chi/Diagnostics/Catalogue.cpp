//===- Catalogue.cpp - The list of all diagnostics ------------------------===//
#include "chi/Diagnostics/Catalogue.h"

using namespace chi;

llvm::ArrayRef<CatalogueEntry> chi::diagnosticCatalogue() {
  static constexpr CatalogueEntry entries[] = {
#define CHI_DIAG(Name, Sev, Code, Text, ...) {#Name, Severity::Sev, Code, Text},
#include "chi/Diagnostics/Diagnostics.def"
#include "chi/Diagnostics/PassDiagnostics.def"
#undef CHI_DIAG
  };
  return entries;
}

std::vector<CatalogueEntry> chi::findDiagnostics(llvm::StringRef code) {
  std::vector<CatalogueEntry> found;
  if (code.empty()) // all notes have the empty code
    return found;
  for (const CatalogueEntry &entry : diagnosticCatalogue())
    if (code.equals_insensitive(entry.code))
      found.push_back(entry);
  return found;
}

llvm::StringRef chi::severityName(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return "error";
  case Severity::Warning:
    return "warning";
  case Severity::Note:
    return "note";
  }
  return "";
}
