//===- JsonRenderer.h - Diagnostics for programs ----------------*- C++ -*-===//
#ifndef CHI_DIAGNOSTICS_JSONRENDERER_H
#define CHI_DIAGNOSTICS_JSONRENDERER_H

#include "chi/Diagnostics/Diagnostics.h"
#include "llvm/Support/raw_ostream.h"

namespace chi {

/// Writes each diagnostic as one JSON object on a line of its own:
/// {"severity", "code", "name", "message", "range", "notes", "fixes"}.
/// A range is {"file", "begin", "end"} with line, column (code points, both
/// from 1) and byte offset of each end; null if there is no place.
class JsonRenderer : public DiagnosticConsumer {
public:
  JsonRenderer(const SourceFiles &sources, llvm::raw_ostream &out)
      : sources(sources), out(out) {}

  void consume(const Diagnostic &diagnostic) override;

private:
  const SourceFiles &sources;
  llvm::raw_ostream &out;
};

} // namespace chi
#endif // CHI_DIAGNOSTICS_JSONRENDERER_H
