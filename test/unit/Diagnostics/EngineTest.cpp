//===- EngineTest.cpp - Order and repeats of diagnostics ------------------===//
#include "chi/Diagnostics/Catalogue.h"
#include "chi/Diagnostics/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace chi;

namespace {
struct Collector : DiagnosticConsumer {
  void consume(const Diagnostic &d) override { seen.push_back(d.message); }
  std::vector<std::string> seen;
};
} // namespace

TEST(DiagnosticEngine, FlushesInTheOrderOfTheText) {
  DiagnosticEngine diags;
  diags.report({1, 0, 1}, diag::SyntaxError, "later file").send();
  diags.report({}, diag::SyntaxError, "no place").send();
  diags.report({0, 9, 10}, diag::SyntaxError, "second").send();
  diags.report({0, 2, 3}, diag::SyntaxError, "first").send();
  Collector out;
  diags.flush(out);
  EXPECT_EQ(out.seen, (std::vector<std::string>{"first", "second",
                                                "later file", "no place"}));
  EXPECT_TRUE(diags.pending().empty());
  EXPECT_EQ(diags.errorCount(), 4u);
}

TEST(DiagnosticEngine, DropsRepeatsOfOneCodeAtOneRange) {
  DiagnosticEngine diags;
  diags.report({0, 2, 3}, diag::SyntaxError, "a").send();
  diags.report({0, 2, 3}, diag::NotSupportedYet, "b").send();
  diags.report({0, 2, 3}, diag::SyntaxError, "c").send();
  diags.report({0, 2, 4}, diag::SyntaxError, "d").send();
  diags.report({}, diag::SyntaxError, "e").send();
  diags.report({}, diag::SyntaxError, "f").send();
  Collector out;
  diags.flush(out);
  EXPECT_EQ(out.seen, (std::vector<std::string>{
                          "a", "b is not supported yet", "d", "e", "f"}));
  EXPECT_EQ(diags.errorCount(), 5u);
}

TEST(DiagnosticEngine, ReportingIsFailing) {
  DiagnosticEngine diags;
  auto fail = [&]() -> llvm::LogicalResult {
    return diags.report({0, 0, 1}, diag::SyntaxError, "x")
        .note({0, 2, 3}, diag::OpenedHere, "(")
        .fixIt({0, 0, 1}, "y");
  };
  EXPECT_TRUE(failed(fail()));
  ASSERT_EQ(diags.pending().size(), 1u);
  EXPECT_EQ(diags.pending()[0].notes[0].message, "`(` is opened here");
  EXPECT_EQ(diags.pending()[0].fixIts[0].text, "y");
}

TEST(DiagnosticEngine, Discards) {
  DiagnosticEngine diags;
  diags.report({0, 0, 1}, diag::SyntaxError, "kept").send();
  size_t mark = diags.mark();
  diags.report({0, 0, 1}, diag::SyntaxError, "dropped").send();
  diags.discardSince(mark);
  EXPECT_EQ(diags.pending().size(), 1u);
  EXPECT_EQ(diags.errorCount(), 1u);
}

// House rules of the catalogue: notes have no code, others a code of five
// characters; no full stop, no capital at the start.
TEST(Catalogue, IsWellFormed) {
  for (const CatalogueEntry &entry : diagnosticCatalogue()) {
    llvm::StringRef code = entry.code, text = entry.text;
    if (entry.severity == Severity::Note)
      EXPECT_EQ(code, "") << entry.name;
    else
      EXPECT_EQ(code.size(), 5u) << entry.name;
    if (entry.severity == Severity::Error)
      EXPECT_TRUE(code.starts_with("E")) << entry.name;
    if (entry.severity == Severity::Warning)
      EXPECT_TRUE(code.starts_with("W")) << entry.name;
    EXPECT_FALSE(text.ends_with(".")) << entry.name;
    EXPECT_FALSE(text.front() >= 'A' && text.front() <= 'Z') << entry.name;
  }
  EXPECT_FALSE(findDiagnostics("e0001").empty());
  EXPECT_TRUE(findDiagnostics("").empty());
  EXPECT_TRUE(findDiagnostics("E9999").empty());
}
