//===- VerifyTest.cpp - Expected diagnostics in comments ------------------===//
#include "chi/Diagnostics/VerifyDiagnostics.h"
#include "gtest/gtest.h"

using namespace chi;

/// What the verifier says to an error at [begin, end) of the first line.
static std::string verify(std::string source, uint32_t begin, uint32_t end) {
  SourceFiles sources;
  sources.add("a.chi", std::move(source));
  DiagnosticEngine diags;
  if (begin != end)
    diags.report({0, begin, end}, diag::SyntaxError, "some words")
        .note({0, 0, 1}, diag::OpenedHere, "(")
        .send();
  DiagnosticVerifier verifier(sources);
  diags.flush(verifier);
  std::string text;
  llvm::raw_string_ostream out(text);
  bool ok = succeeded(verifier.verify(out));
  EXPECT_EQ(ok, text.empty());
  return text;
}

TEST(Verify, MatchesRangeCodeAndPartOfTheText) {
  EXPECT_EQ(verify("x = foo\n#   ^^^ error[E0001]: some words\n", 4, 7), "");
  EXPECT_EQ(verify("x = foo\n#   ^^^ error: words\n", 4, 7), "");
  EXPECT_EQ(verify("xx = 1\n  \n", 0, 0), "");
  // A `#` before a caret stands for one; notes may be named or not.
  EXPECT_EQ(verify("foo = 1\n#^^ error[E0001]: some\n", 0, 3), "");
  EXPECT_EQ(verify("(oo = x\n#     ^ error[E0001]: some\n", 6, 7), "");
}

TEST(Verify, SaysWhatDiffers) {
  EXPECT_NE(verify("x = foo\n", 4, 7).find("not expected"), std::string::npos);
  EXPECT_NE(verify("x = foo\n#   ^^ error[E0001]: some\n", 4, 7)
                .find("expected but not seen"),
            std::string::npos);
  EXPECT_NE(verify("x = foo\n#   ^^^ error[E0002]: some\n", 4, 7), "");
  EXPECT_NE(verify("x = foo\n#   ^^^ error[E0001]: other\n", 4, 7), "");
  EXPECT_NE(verify("x = foo\n#   ^^^ warning[E0001]: some\n", 4, 7), "");
}
