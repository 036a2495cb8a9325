//===- WalkTest.cpp - Visiting the parts of a node ------------------------===//
#include "chi/AST/Walk.h"
#include "chi/AST/Dump.h"
#include "chi/Parse/Parse.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace chi;
using namespace chi::ast;

namespace {
struct Parsed {
  explicit Parsed(std::string text) {
    uint32_t file = sources.add("a.chi", std::move(text));
    module = parse::parseModule(sources, file, context, diags);
  }
  SourceFiles sources;
  Context context;
  DiagnosticEngine diags;
  Module *module = nullptr;
};
} // namespace

/// The names in an expression, in the order of the walk.
static std::string namesIn(Expr *expr) {
  std::vector<std::string> names;
  walk(expr, [&](Expr *part) {
    if (auto *name = llvm::dyn_cast<NameExpr>(part))
      names.push_back(name->name.str());
  });
  return llvm::join(names, " ");
}

TEST(Walk, EveryPartOfAnExpression) {
  Parsed parsed("x = f(a, k=-b)[c, 1].d + (e < g < h) * (i and j) + "
                "(l if m else n) + [o, (p, q)][0] + len(f'{r:.3f}{s}')\n");
  ASSERT_TRUE(parsed.module);
  auto *assign = llvm::cast<AssignStmt>(parsed.module->body[0]);
  EXPECT_EQ(namesIn(assign->value),
            "f a b c e g h i j l m n o p q len r s");
}

/// The names in the expressions directly inside the first statement.
static std::string exprsOfFirst(std::string text) {
  Parsed parsed(std::move(text));
  if (!parsed.module)
    return "<error>";
  std::vector<std::string> names;
  forEachExpr(parsed.module->body[0],
              [&](Expr *expr) { names.push_back(namesIn(expr)); });
  return llvm::join(names, " ");
}

TEST(Walk, EveryExpressionOfAStatement) {
  EXPECT_EQ(exprsOfFirst("a = b = c\n"), "a b c");
  EXPECT_EQ(exprsOfFirst("a: b = c\n"), "a b c");
  EXPECT_EQ(exprsOfFirst("a += b\n"), "a b");
  EXPECT_EQ(exprsOfFirst("if a:\n    b\n"), "a");
  EXPECT_EQ(exprsOfFirst("for a, b in c:\n    d\n"), "a b c");
  EXPECT_EQ(exprsOfFirst("@a\ndef f(x: b = c) -> d:\n    return e\n"),
            "a b c d");
  EXPECT_EQ(exprsOfFirst("param n: a = b in [c, d]\n"), "a b c d");
  EXPECT_EQ(exprsOfFirst("assert a, b\n"), "a b");
  EXPECT_EQ(exprsOfFirst("with a as b:\n    c\n"), "a");
  EXPECT_EQ(exprsOfFirst("return a\n"), "a");
  EXPECT_EQ(exprsOfFirst("import a\n"), "");
}

TEST(Walk, BodiesOfAStatement) {
  Parsed parsed("if a:\n    b\nelse:\n    c\n    d\n");
  ASSERT_TRUE(parsed.module);
  unsigned count = 0;
  forEachChild(parsed.module->body[0], [&](Stmt *) { ++count; });
  EXPECT_EQ(count, 3u);
}

TEST(Dump, FloatsReadBack) {
  Parsed parsed("x = [0.1, 1e300, 1.0, 5e-324]\n");
  ASSERT_TRUE(parsed.module);
  std::string text;
  llvm::raw_string_ostream out(text);
  dump(*parsed.module, out);
  EXPECT_EQ(text, "(module\n  (assign x (list 0.1 1e+300 1.0 5e-324)))\n");
}
