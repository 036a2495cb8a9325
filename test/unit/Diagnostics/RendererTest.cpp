//===- RendererTest.cpp - Diagnostics as text and JSON --------------------===//
#include "chi/Diagnostics/JsonRenderer.h"
#include "chi/Diagnostics/TextRenderer.h"
#include "llvm/Support/JSON.h"
#include "gtest/gtest.h"

using namespace chi;

/// The text for an error at [begin, end) of `source`.
static std::string render(std::string source, uint32_t begin, uint32_t end,
                          bool color = false) {
  SourceFiles sources;
  sources.add("a.chi", std::move(source));
  DiagnosticEngine diags;
  diags.report({0, begin, end}, diag::SyntaxError, "wrong").send();
  std::string text;
  llvm::raw_string_ostream out(text);
  TextRenderer renderer(sources, out, color);
  diags.flush(renderer);
  return text;
}

TEST(TextRenderer, UnderlinesTheRange) {
  EXPECT_EQ(render("x = foo + 1\n", 4, 7), "a.chi:1:5: error[E0001]: wrong\n"
                                           "    x = foo + 1\n"
                                           "        ^^^\n");
}

TEST(TextRenderer, AnEmptyRangeHasOneCaret) {
  EXPECT_EQ(render("x =", 3, 3), "a.chi:1:4: error[E0001]: wrong\n"
                                 "    x =\n"
                                 "       ^\n");
  EXPECT_EQ(render("", 0, 0), "a.chi:1:1: error[E0001]: wrong\n"
                              "    \n"
                              "    ^\n");
}

TEST(TextRenderer, TabsAndWideCharacters) {
  EXPECT_EQ(render("\tx\n", 1, 2), "a.chi:1:2: error[E0001]: wrong\n"
                                   "        x\n"
                                   "        ^\n");
  EXPECT_EQ(render("\xE6\xBC\xA2 \xE5\xAD\x97 x\n", 4, 7),
            "a.chi:1:3: error[E0001]: wrong\n"
            "    \xE6\xBC\xA2 \xE5\xAD\x97 x\n"
            "       ^^\n");
}

TEST(TextRenderer, ClipsToTheFirstLine) {
  EXPECT_EQ(render("f(a,\n  b)\n", 1, 9), "a.chi:1:2: error[E0001]: wrong\n"
                                          "    f(a,\n"
                                          "     ^^^\n");
}

TEST(TextRenderer, CutsLongLines) {
  std::string source = std::string(1000000, 'a') + "!" + std::string(500, 'b');
  std::string text = render(source, 1000000, 1000001);
  EXPECT_LT(text.size(), 500u);
  size_t mark = text.find('!'), line = text.rfind('\n', mark);
  size_t caret = text.find('^'), caretLine = text.rfind('\n', caret);
  EXPECT_EQ(mark - line, caret - caretLine);
}

TEST(TextRenderer, ShowsWhatCannotBeShown) {
  std::string text = render(std::string("a\x01\xFF\0b", 5), 4, 5);
  EXPECT_EQ(text.find('\x01'), std::string::npos);
  EXPECT_EQ(text.find('\xFF'), std::string::npos);
  EXPECT_NE(text.find("\n        ^\n"), std::string::npos);
}

TEST(TextRenderer, NotesAndFixes) {
  SourceFiles sources;
  sources.add("a.chi", "a = (b]\n");
  DiagnosticEngine diags;
  diags.report({0, 6, 7}, diag::MismatchedBracket, "]", "(")
      .note({0, 4, 5}, diag::OpenedHere, "(")
      .note({}, diag::SyntaxHint, "look closer")
      .fixIt({0, 6, 7}, ")")
      .fixIt({0, 7, 7}, "+")
      .fixIt({0, 0, 1}, "")
      .send();
  std::string text;
  llvm::raw_string_ostream out(text);
  TextRenderer renderer(sources, out);
  diags.flush(renderer);
  EXPECT_EQ(text, "a.chi:1:7: error[E0003]: `]` does not close `(`\n"
                  "    a = (b]\n"
                  "          ^\n"
                  "a.chi:1:5: note: `(` is opened here\n"
                  "    a = (b]\n"
                  "        ^\n"
                  "note: look closer\n"
                  "    fix: replace `]` by `)` at 1:7\n"
                  "    fix: insert `+` at 1:8\n"
                  "    fix: remove `a` at 1:1\n");
}

TEST(TextRenderer, Color) {
  std::string text = render("x", 0, 1, /*color=*/true);
  EXPECT_NE(text.find("\x1b[1;31merror"), std::string::npos);
  EXPECT_EQ(render("x", 0, 1).find('\x1b'), std::string::npos);
}

TEST(JsonRenderer, OneObjectALine) {
  SourceFiles sources;
  sources.add("a.chi", "a = (b]\n");
  DiagnosticEngine diags;
  diags.report({0, 6, 7}, diag::MismatchedBracket, "]", "(")
      .note({0, 4, 5}, diag::OpenedHere, "(")
      .fixIt({0, 6, 7}, ")")
      .send();
  diags.report({}, diag::SyntaxError, "\xFF").send();
  std::string text;
  llvm::raw_string_ostream out(text);
  JsonRenderer renderer(sources, out);
  diags.flush(renderer);

  auto [first, second] = llvm::StringRef(text).trim().split('\n');
  auto object = llvm::json::parse(first);
  ASSERT_TRUE(bool(object));
  auto *top = object->getAsObject();
  EXPECT_EQ(top->getString("severity"), "error");
  EXPECT_EQ(top->getString("code"), "E0003");
  auto *begin = top->getObject("range")->getObject("begin");
  EXPECT_EQ(begin->getInteger("line"), 1);
  EXPECT_EQ(begin->getInteger("column"), 7);
  EXPECT_EQ(begin->getInteger("offset"), 6);
  EXPECT_EQ(top->getArray("notes")->size(), 1u);
  EXPECT_EQ(top->getArray("fixes")->size(), 1u);
  auto other = llvm::json::parse(second);
  ASSERT_TRUE(bool(other));
  EXPECT_EQ(other->getAsObject()->getNull("range"), nullptr);
}
