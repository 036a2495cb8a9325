//===- Catalogue.h - The list of all diagnostics ----------------*- C++ -*-===//
#ifndef CHI_DIAGNOSTICS_CATALOGUE_H
#define CHI_DIAGNOSTICS_CATALOGUE_H

#include "chi/Diagnostics/Diagnostics.h"
#include "llvm/ADT/ArrayRef.h"

namespace chi {

/// A line of Diagnostics.def without its argument types.
struct CatalogueEntry {
  const char *name;
  Severity severity;
  const char *code;
  const char *text;
};

/// All lines of Diagnostics.def, in their order.
llvm::ArrayRef<CatalogueEntry> diagnosticCatalogue();

/// The entries of a code ("E0203", in any case); one code may have several
/// wordings. Empty if there is no such code.
std::vector<CatalogueEntry> findDiagnostics(llvm::StringRef code);

/// "error", "warning", "note".
llvm::StringRef severityName(Severity severity);

} // namespace chi
#endif // CHI_DIAGNOSTICS_CATALOGUE_H
