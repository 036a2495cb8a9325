//===- BuildPart.cpp - What the builders of the syntax tree share ---------===//
#include "chi/Parse/BuildPart.h"

using namespace chi;
using namespace chi::ast;
using namespace chi::parse;
using antlr4::ParserRuleContext;
using llvm::StringRef;

StringRef chi::parse::describe(const Expr *expr) {
  switch (expr->kind) {
  case ExprKind::Int:
  case ExprKind::Float:
    return "a number";
  case ExprKind::Bool:
    return llvm::cast<BoolExpr>(expr)->value ? "`True`" : "`False`";
  case ExprKind::None:
    return "`None`";
  case ExprKind::String:
  case ExprKind::FString:
    return "a string";
  case ExprKind::Name:
    return "a name";
  case ExprKind::Attribute:
    return "a member";
  case ExprKind::Subscript:
    return "an element";
  case ExprKind::Call:
    return "a call";
  case ExprKind::Unary:
  case ExprKind::Binary:
  case ExprKind::Logical:
    return "the result of an operator";
  case ExprKind::Compare:
    return "a comparison";
  case ExprKind::Conditional:
    return "a conditional expression";
  case ExprKind::List:
    return "a list";
  case ExprKind::Tuple:
    return "a tuple";
  case ExprKind::Slice:
    return "a slice";
  case ExprKind::Dict:
    return "a dict";
  case ExprKind::Set:
    return "a set";
  case ExprKind::Comprehension:
  case ExprKind::Collected:
    return "a comprehension";
  case ExprKind::Lambda:
    return "a `lambda`";
  case ExprKind::Unsupported:
    return llvm::cast<UnsupportedExpr>(expr)->what;
  }
  return "";
}

SourceRange BuildPart::headerRange(const ParserRuleContext *tree) const {
  auto begin = static_cast<ListedToken *>(tree->start)->begin();
  for (antlr4::tree::ParseTree *child : tree->children)
    if (const ListedToken *token = tokenOf(child))
      if (token->getType() == ChiParser::COLON)
        return rangeOf(begin, token->end());
  return rangeOf(tree);
}

Stmt *BuildPart::unsupported(SourceRange range, StringRef what, StringRef hint,
                             bool isDelayed) {
  auto *stmt = context.make<UnsupportedStmt>(range);
  stmt->what = what;
  stmt->hint = hint;
  stmt->isDelayed = isDelayed;
  return stmt;
}

Expr *BuildPart::unsupportedExpr(SourceRange range, StringRef what,
                                 StringRef hint, bool isDelayed) {
  auto *expr = context.make<UnsupportedExpr>(range);
  expr->what = what;
  expr->hint = hint;
  expr->isDelayed = isDelayed;
  return expr;
}

bool BuildPart::checkDepth(SourceRange range, size_t more) {
  if (state.depth + more <= maxTreeDepth)
    return true;
  // The end of it is where it is too deep; all of it may be pages.
  SourceRange start{file, range.begin, std::min(range.end, range.begin + 1)};
  diags.report(start, diag::NestingTooDeep, "operators", maxTreeDepth).send();
  return false;
}

size_t
BuildPart::eachItem(Children children,
                    llvm::function_ref<void(ParserRuleContext *)> visit) {
  size_t commas = 0;
  bool lastWasComma = false;
  for (antlr4::tree::ParseTree *child : children) {
    const ListedToken *token = tokenOf(child);
    if (!token) {
      visit(static_cast<ParserRuleContext *>(child));
      lastWasComma = false;
      continue;
    }
    if (token->getType() != ChiParser::COMMA)
      continue;
    if (lastWasComma)
      diags
          .report(rangeOf(*token), diag::ExpectedButFound,
                  "an expression after `,`", "`,`")
          .send();
    lastWasComma = true;
    ++commas;
  }
  return commas;
}
