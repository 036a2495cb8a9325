//===- Collector.h - Diagnostics as a list ----------------------*- C++ -*-===//
#ifndef CHI_DIAGNOSTICS_COLLECTOR_H
#define CHI_DIAGNOSTICS_COLLECTOR_H

#include "chi/Diagnostics/Diagnostics.h"

namespace chi {

/// Keeps diagnostics in the order in which it receives them.
class DiagnosticCollector final : public DiagnosticConsumer {
public:
  void consume(const Diagnostic &diagnostic) override {
    diagnostics.push_back(diagnostic);
  }
  std::vector<Diagnostic> diagnostics;
};

} // namespace chi
#endif // CHI_DIAGNOSTICS_COLLECTOR_H
