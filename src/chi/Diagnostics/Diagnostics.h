//===- Diagnostics.h - Reports to the user ----------------------*- C++ -*-===//
// A diagnostic is a line of Diagnostics.def; its arguments are typed, and
// reporting one is failing:
//
//   return diags.report(call->range, diag::ArgCountMismatch, name, 1u, 2u)
//       .note(callee->nameRange, diag::DeclaredHere, name);
//
#ifndef CHI_DIAGNOSTICS_DIAGNOSTICS_H
#define CHI_DIAGNOSTICS_DIAGNOSTICS_H

#include "chi/Source/SourceFiles.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/LogicalResult.h"
#include <string>
#include <vector>

namespace chi {

enum class Severity { Note, Warning, Error };

/// One line of the catalogue. `Args` are the types of its arguments.
template <typename... Args> struct DiagnosticKind {
  const char *name;
  Severity severity;
  const char *code; ///< "E0203"; empty for notes
  const char *text; ///< formatv text: "`{0}` takes {1} argument(s)"
};

namespace diag {
#define CHI_DIAG(Name, Sev, Code, Text, ...)                                   \
  inline constexpr DiagnosticKind<__VA_ARGS__> Name{#Name, Severity::Sev,      \
                                                    Code, Text};
#include "chi/Diagnostics/Diagnostics.def"
#undef CHI_DIAG
} // namespace diag

/// Replaces the text of `range` by `text`.
struct FixIt {
  SourceRange range;
  std::string text;
};

/// A note at another location of a problem.
struct DiagnosticNote {
  SourceRange range; ///< may be invalid: a note without a place
  std::string message;
};

/// A diagnostic with its arguments filled in.
struct Diagnostic {
  Severity severity = Severity::Error;
  const char *name = "";
  std::string code;
  SourceRange range;
  std::string message;
  std::vector<DiagnosticNote> notes;
  std::vector<FixIt> fixIts;
};

class DiagnosticEngine;

/// Collects notes and fix-its; sends the diagnostic when it dies. Converts to
/// a failed LogicalResult, so that `return diags.report(…)` works.
class [[nodiscard]] DiagnosticBuilder {
public:
  DiagnosticBuilder(DiagnosticEngine &engine, Diagnostic diagnostic)
      : engine(&engine), diagnostic(std::move(diagnostic)) {}
  DiagnosticBuilder(DiagnosticBuilder &&other)
      : engine(other.engine), diagnostic(std::move(other.diagnostic)) {
    other.engine = nullptr;
  }
  ~DiagnosticBuilder();

  /// Attaches a note. An invalid `range` yields a note without a location.
  template <typename... Args, typename... Given>
  DiagnosticBuilder note(SourceRange range, const DiagnosticKind<Args...> &kind,
                         Given &&...given) && {
    static_assert(sizeof...(Args) == sizeof...(Given));
    diagnostic.notes.push_back(
        {range, llvm::formatv(kind.text, static_cast<Args>(given)...).str()});
    return std::move(*this);
  }
  /// Attaches a fix-it that replaces `range` by `text`; an empty text deletes
  /// it.
  DiagnosticBuilder fixIt(SourceRange range, llvm::StringRef text) && {
    diagnostic.fixIts.push_back({range, text.str()});
    return std::move(*this);
  }
  /// The same on a builder that has a name, where a note depends on something.
  template <typename... Args, typename... Given>
  void addNote(SourceRange range, const DiagnosticKind<Args...> &kind,
               Given &&...given) {
    static_assert(sizeof...(Args) == sizeof...(Given));
    diagnostic.notes.push_back(
        {range, llvm::formatv(kind.text, static_cast<Args>(given)...).str()});
  }
  /// As `fixIt`, on a builder that has a name.
  void addFixIt(SourceRange range, llvm::StringRef text) {
    diagnostic.fixIts.push_back({range, text.str()});
  }
  /// Sends it now. For callers that go on.
  void send() && {}
  /// Sends the diagnostic; the result is always a failure.
  operator llvm::LogicalResult() && { return llvm::failure(); }

private:
  DiagnosticEngine *engine;
  Diagnostic diagnostic;
};

/// Receives diagnostics as they are reported.
class DiagnosticConsumer {
public:
  virtual ~DiagnosticConsumer() = default;
  /// Called once for each diagnostic.
  virtual void consume(const Diagnostic &diagnostic) = 0;
};

/// All diagnostics of a compilation. Keeps the reports, sorts them by file and
/// position in `flush`, and drops repeats of one code at one range (a generic
/// function checked several times).
class DiagnosticEngine {
public:
  /// Creates a diagnostic of `kind` at `range`. The number of arguments is
  /// checked at compile time; they are converted to the types in the catalogue.
  template <typename... Args, typename... Given>
  DiagnosticBuilder report(SourceRange range,
                           const DiagnosticKind<Args...> &kind,
                           Given &&...given) {
    static_assert(sizeof...(Args) == sizeof...(Given),
                  "wrong number of arguments for this diagnostic");
    Diagnostic d;
    d.severity = kind.severity;
    d.name = kind.name;
    d.code = kind.code;
    d.range = range;
    d.message = llvm::formatv(kind.text, static_cast<Args>(given)...).str();
    return DiagnosticBuilder(*this, std::move(d));
  }

  /// Sends the collected diagnostics, in the order of the text, and clears
  /// them.
  void flush(DiagnosticConsumer &consumer);

  /// Whether an error was reported, also one that `flush` has sent.
  bool hasErrors() const { return numErrors != 0; }
  /// The number of errors so far. Warnings do not count.
  unsigned errorCount() const { return numErrors; }
  /// The diagnostics since the last `flush`, in the order of their reports.
  const std::vector<Diagnostic> &pending() const { return diagnostics; }

  /// Takes a finished diagnostic (used by the builder and by bridges).
  void add(Diagnostic diagnostic);
  /// Called by sema while it checks one thing several times: diagnostics
  /// reported between the two calls are dropped if `discard` is true.
  size_t mark() const { return diagnostics.size(); }
  /// Drops the diagnostics that were reported since `mark` returned `mark`.
  void discardSince(size_t mark);

private:
  std::vector<Diagnostic> diagnostics;
  unsigned numErrors = 0;
};

} // namespace chi
#endif // CHI_DIAGNOSTICS_DIAGNOSTICS_H
