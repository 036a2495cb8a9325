//===- VerifyDiagnostics.cpp - Expected diagnostics in comments -----------===//
#include "chi/Diagnostics/VerifyDiagnostics.h"
#include "chi/Diagnostics/Catalogue.h"
#include "chi/Support/Unicode.h"
#include <optional>

using namespace chi;
using llvm::StringRef;

namespace {
/// One comment of the form `#  ^^^ error[E0203]: text`, or one thing seen,
/// brought to the same shape.
struct Expectation {
  uint32_t file = 0;
  unsigned line = 0;           // of the code that the carets mark
  unsigned column = 0, width = 0; // in code points, column from 1
  std::string severity, code;
  std::string text;
  mutable bool isMet = false;
};
} // namespace

/// Reads `#  ^^^ error[E0203]: text`; nothing if the line is not of that form.
static std::optional<Expectation> readExpectation(StringRef line) {
  StringRef rest = line.ltrim(' ');
  if (!rest.starts_with("#"))
    return std::nullopt;
  unsigned hash = static_cast<unsigned>(line.size() - rest.size());
  rest = rest.drop_front();
  StringRef carets = rest.ltrim(' ');
  unsigned gap = static_cast<unsigned>(rest.size() - carets.size());
  StringRef after = carets.ltrim('^');
  unsigned width = static_cast<unsigned>(carets.size() - after.size());
  if (width == 0 || !after.consume_front(" "))
    return std::nullopt;
  Expectation expected;
  expected.column = hash + 1 + gap + 1;
  expected.width = width;
  if (gap == 0) { // the `#` stands for the first caret
    --expected.column;
    ++expected.width;
  }
  for (StringRef severity : {"error", "warning", "note"})
    if (after.consume_front(severity))
      expected.severity = severity.str();
  if (expected.severity.empty())
    return std::nullopt;
  if (after.consume_front("[")) {
    auto [code, tail] = after.split(']');
    expected.code = code.str();
    after = tail;
  }
  if (!after.consume_front(":"))
    return std::nullopt;
  expected.text = after.trim().str();
  return expected;
}

static void readExpectations(const SourceFiles &sources, uint32_t file,
                             std::vector<Expectation> &expectations) {
  unsigned codeLine = 0, line = 0;
  StringRef text = sources.text(file);
  while (!text.empty()) {
    auto [current, rest] = text.split('\n');
    text = rest;
    ++line;
    auto expected = readExpectation(current.rtrim('\r'));
    if (!expected) {
      codeLine = line;
      continue;
    }
    expected->file = file;
    expected->line = codeLine;
    expectations.push_back(std::move(*expected));
  }
}

static Expectation seenAt(const SourceFiles &sources, SourceRange range,
                          Severity severity, StringRef code,
                          StringRef message) {
  Expectation seen;
  seen.severity = severityName(severity).str();
  seen.code = code.str();
  seen.text = message.str();
  seen.file = range.file;
  if (!range.isValid())
    return seen;
  LineColumn at = sources.lineColumn(range.file, range.begin);
  seen.line = at.line;
  seen.column = at.column;
  uint32_t lineEnd = sources.lineStart(range.file, at.line) +
                     sources.line(range.file, at.line).size();
  SourceRange shown = range;
  shown.end = std::max(std::min(range.end, lineEnd), range.begin);
  seen.width = std::max(countCodePoints(sources.text(shown)), 1u);
  return seen;
}

static bool matches(const Expectation &expected, const Expectation &seen) {
  return expected.file == seen.file && expected.line == seen.line &&
         expected.column == seen.column && expected.width == seen.width &&
         expected.severity == seen.severity &&
         (expected.code.empty() || expected.code == seen.code) &&
         StringRef(seen.text).contains(expected.text);
}

static void writeDifference(const SourceFiles &sources, const Expectation &e,
                            StringRef what, llvm::raw_ostream &out) {
  if (e.file < sources.size())
    out << sources.name(e.file) << ':' << e.line << ':' << e.column << '-'
        << e.column + e.width << ": ";
  out << what << ' ' << e.severity;
  if (!e.code.empty())
    out << '[' << e.code << ']';
  out << ": " << e.text << '\n';
}

llvm::LogicalResult
DiagnosticVerifier::verify(llvm::raw_ostream &out) const {
  std::vector<Expectation> expectations;
  for (uint32_t file = 0; file < sources.size(); ++file)
    readExpectations(sources, file, expectations);
  bool ok = true;
  auto meet = [&](const Expectation &seen) {
    for (const Expectation &expected : expectations)
      if (!expected.isMet && matches(expected, seen))
        return expected.isMet = true;
    return false;
  };
  for (const Diagnostic &d : seen) {
    Expectation what =
        seenAt(sources, d.range, d.severity, d.code, d.message);
    if (!meet(what)) {
      writeDifference(sources, what, "not expected:", out);
      ok = false;
    }
    for (const DiagnosticNote &note : d.notes)
      meet(seenAt(sources, note.range, Severity::Note, "", note.message));
  }
  for (const Expectation &expected : expectations)
    if (!expected.isMet) {
      writeDifference(sources, expected, "expected but not seen:", out);
      ok = false;
    }
  return llvm::success(ok);
}
