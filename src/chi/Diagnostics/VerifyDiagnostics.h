//===- VerifyDiagnostics.h - Expected diagnostics in comments ---*- C++ -*-===//
#ifndef CHI_DIAGNOSTICS_VERIFYDIAGNOSTICS_H
#define CHI_DIAGNOSTICS_VERIFYDIAGNOSTICS_H

#include "chi/Diagnostics/Diagnostics.h"
#include "llvm/Support/raw_ostream.h"

namespace chi {

/// Compares the diagnostics with comments in the text:
///
///   n = norm(a, b)
///   #   ^^^^ error[E0203]: `norm` takes 1 argument(s)
///
/// The carets are the exact range on the last line above that is not such a
/// comment (of a longer range: its part on that line). A `#` directly before
/// a caret counts as a caret, so that a range can begin in column 1. The text
/// must occur in the message; `note:` lines require notes, which may otherwise
/// be left out.
class DiagnosticVerifier : public DiagnosticConsumer {
public:
  /// Reads the expectations of all files that `sources` holds by then when
  /// `verify` is called, so modules that are imported are verified too.
  explicit DiagnosticVerifier(const SourceFiles &sources) : sources(sources) {}

  void consume(const Diagnostic &diagnostic) override {
    seen.push_back(diagnostic);
  }

  /// Writes each difference to `out`. Fails if there was one.
  llvm::LogicalResult verify(llvm::raw_ostream &out) const;

private:
  const SourceFiles &sources;
  std::vector<Diagnostic> seen;
};

} // namespace chi
#endif // CHI_DIAGNOSTICS_VERIFYDIAGNOSTICS_H
