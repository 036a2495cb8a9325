//===- ParseTest.cpp - Ranges and recovery of the parser ------------------===//
#include "Support.h"
#include "gtest/gtest.h"

using namespace chi;
using namespace chi::ast;

static llvm::StringRef textOf(const Parsed &parsed, SourceRange range) {
  return parsed.sources.text(range);
}

TEST(Parse, RangesOfExpressions) {
  Parsed parsed("x = (a + b).norm(eps=1) * -c[i, j]\n");
  ASSERT_TRUE(parsed.module);
  auto *assign = llvm::cast<AssignStmt>(parsed.module->body[0]);
  auto *product = llvm::cast<BinaryExpr>(assign->value);
  EXPECT_EQ(textOf(parsed, product->range),
            "(a + b).norm(eps=1) * -c[i, j]");
  EXPECT_EQ(textOf(parsed, product->opRange), "*");
  EXPECT_EQ(textOf(parsed, product->rhs->range), "-c[i, j]");
  auto *call = llvm::cast<CallExpr>(product->lhs);
  EXPECT_EQ(textOf(parsed, call->range), "(a + b).norm(eps=1)");
  EXPECT_EQ(textOf(parsed, call->args[0].keywordRange), "eps");
  auto *method = llvm::cast<AttributeExpr>(call->callee);
  EXPECT_EQ(textOf(parsed, method->nameRange), "norm");
  EXPECT_EQ(textOf(parsed, method->base->range), "(a + b)");
}

TEST(Parse, RangesOfStatementsAreTheirHeaders) {
  Parsed parsed("@kernel\ndef f(a: i32) -> f32:\n    if a > 1: return 2\n"
                "    elif a: pass\n    for i in x:  # why\n        pass\n");
  ASSERT_TRUE(parsed.module);
  auto *function = llvm::cast<FunctionStmt>(parsed.module->body[0]);
  EXPECT_EQ(textOf(parsed, function->range), "def f(a: i32) -> f32:");
  auto *branch = llvm::cast<IfStmt>(function->body[0]);
  EXPECT_EQ(textOf(parsed, branch->range), "if a > 1:");
  EXPECT_EQ(textOf(parsed, branch->elseBody[0]->range), "elif a:");
  EXPECT_EQ(textOf(parsed, function->body[1]->range), "for i in x:");
}

TEST(Parse, RangesInsideFStrings) {
  Parsed parsed("print(f'a {x + y:.3f} b')\n");
  ASSERT_TRUE(parsed.module);
  auto *call = llvm::cast<CallExpr>(
      llvm::cast<ExprStmt>(parsed.module->body[0])->value);
  auto *string = llvm::cast<FStringExpr>(call->args[0].value);
  ASSERT_EQ(string->parts.size(), 3u);
  EXPECT_EQ(textOf(parsed, string->parts[1].value->range), "x + y");
  EXPECT_EQ(textOf(parsed, string->parts[1].formatRange), ".3f");
}

TEST(Parse, AllErrorsOfAFile) {
  Parsed parsed("a = \nb = 1\nc = (1]\ndef f(:\n    d = \n    e = 'x\n"
                "f = 3 3\n");
  EXPECT_EQ(parsed.module, nullptr);
  EXPECT_EQ(parsed.diags.errorCount(), 6u) << parsed.codes();
}

TEST(Parse, OneErrorForOneCause) {
  for (const char *text :
       {"if x = 3:\n    pass\nelse:\n    pass\n",
        "f(1, 2\ndef g():\n    return 1\n", "x = [1, 2\ny = 3\nz = 4\n",
        "else:\n    x = 1\n    y = 2\n", "x = 'abc)\n",
        "for i range(3):\n    if x:\n        y\n    else:\n        z\n",
        "x = 1\n        y = 2\n        z = 3\n", "\tx = 1\n",
        "match x:\n    foo\n    bar\n", "x = a b c d e\n", "x = (a b, c d)\n",
        "def f():\nx = 1\n", "if a:\n        b\n    c\n    d\n  \n"}) {
    Parsed parsed(text);
    EXPECT_EQ(parsed.module, nullptr) << text;
    EXPECT_EQ(parsed.diags.errorCount(), 1u) << text << parsed.codes();
  }
}

TEST(Parse, TreeIffNoErrors) {
  EXPECT_TRUE(Parsed("x = 1\n").module);
  EXPECT_FALSE(Parsed("x = '\\q'\n").module);
  EXPECT_FALSE(Parsed("x = 99999999999999999999\n").module);
}

TEST(Parse, SoftKeywords) {
  EXPECT_EQ(Parsed("const = 1\nparam: i32 = const\n").dump(),
            "(module\n  (assign const 1)\n  (declare param i32 const))\n");
  EXPECT_EQ(Parsed("test = type\n").dump(),
            "(module\n  (assign test type))\n");
}

TEST(Parse, LineEndsAndMarks) {
  std::string tree = Parsed("if x:\n    y = '''a\nb'''\n").dump();
  EXPECT_EQ(Parsed("if x:\r\n    y = '''a\r\nb'''\r\n").dump(), tree);
  EXPECT_EQ(Parsed("\xEF\xBB\xBFif x:\n    y = '''a\nb'''").dump(), tree);
}
