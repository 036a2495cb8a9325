//===- ExprBuilder.h - Expressions of the syntax tree -----------*- C++ -*-===//
#ifndef CHI_PARSE_EXPRBUILDER_H
#define CHI_PARSE_EXPRBUILDER_H

#include "chi/Parse/LiteralBuilder.h"

namespace chi::parse {

/// Builds expressions, which are never null; one with an error becomes an
/// UnsupportedExpr, for the tree is thrown away.
class ExprBuilder : BuildPart {
public:
  explicit ExprBuilder(BuildState &state)
      : BuildPart(state), literals(state, *this) {}

  /// Expressions with commas between them, a tuple if there are any.
  ast::Expr *buildList(ChiParser::ExpressionListContext *tree);
  ast::Expr *buildListItem(ChiParser::ListItemContext *tree);
  ast::Expr *buildExpression(ChiParser::ExpressionContext *tree);
  /// Builds `a if c else b if d else e` from the right; `last` is the value of
  /// the last `else`.
  ast::Expr *buildConditional(ChiParser::ExpressionContext *tree,
                              ast::Expr *last);
  /// Leaves out the last `dropped` operators with their right operands.
  ast::Expr *buildOperation(ChiParser::OperationContext *tree,
                            size_t dropped = 0);
  /// An atom with the members, calls and indices that follow it.
  ast::Expr *buildPrimary(ChiParser::PrimaryContext *tree);
  ast::Expr *buildYield(ChiParser::YieldExpressionContext *tree);
  /// The targets of a loop.
  llvm::ArrayRef<ast::Expr *> buildTargets(ChiParser::TargetsContext *tree);
  ast::Argument buildArgument(ChiParser::ArgumentContext *tree);
  ast::Expr *buildStrings(llvm::ArrayRef<const ListedToken *> tokens) {
    return literals.buildStrings(tokens);
  }

private:
  ast::Expr *buildChoice(ChiParser::ChoiceContext *tree);
  ast::Expr *buildAtom(ChiParser::PrimaryContext *tree, size_t &next);
  ast::Expr *buildWord(const ListedToken &token);
  ast::Expr *buildParenthesized(ChiParser::ParenthesizedContext *tree);
  ast::Expr *buildDisplay(ChiParser::ListDisplayContext *tree);
  ast::Expr *buildBrace(ChiParser::BraceDisplayContext *tree);
  ast::Expr *buildSubscript(ast::Expr *base, SourceRange range,
                            ChiParser::SubscriptsContext *tree);
  ast::Expr *buildCall(ast::Expr *callee, SourceRange range,
                       ChiParser::ArgumentsContext *tree);
  void checkArgumentOrder(llvm::ArrayRef<ast::Argument> arguments);

  LiteralBuilder literals;
};

} // namespace chi::parse
#endif // CHI_PARSE_EXPRBUILDER_H
