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
  /// One element of a list; `*x` is reported and becomes an UnsupportedExpr.
  ast::Expr *buildListItem(ChiParser::ListItemContext *tree);
  /// A whole expression, conditional or not. One that is nested too deeply is
  /// reported and becomes an UnsupportedExpr.
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
  /// Reports `yield`, which Chi does not have; returns an UnsupportedExpr.
  ast::Expr *buildYield(ChiParser::YieldExpressionContext *tree);
  /// The targets of a loop.
  llvm::ArrayRef<ast::Expr *> buildTargets(ChiParser::TargetsContext *tree);
  /// An argument of a call, `value` or `keyword=value`. Reports `*x`, `**x`, a
  /// generator, and a keyword that is no name.
  ast::Argument buildArgument(ChiParser::ArgumentContext *tree);
  /// See LiteralBuilder::buildStrings.
  ast::Expr *buildStrings(llvm::ArrayRef<const ListedToken *> tokens) {
    return literals.buildStrings(tokens);
  }

private:
  ast::Expr *buildChoice(ChiParser::ChoiceContext *tree);
  ast::Expr *buildLambda(ChiParser::LambdaContext *tree, ast::Expr *body);
  llvm::ArrayRef<ast::Parameter>
  buildLambdaParams(ChiParser::LambdaHeadContext *tree);
  ast::Expr *buildAtom(ChiParser::PrimaryContext *tree, size_t &next);
  ast::Expr *buildWord(const ListedToken &token);
  ast::Expr *buildParenthesized(ChiParser::ParenthesizedContext *tree);
  ast::Expr *buildDisplay(ChiParser::ListDisplayContext *tree);
  ast::Expr *buildBrace(ChiParser::BraceDisplayContext *tree);
  ast::Expr *buildComprehension(SourceRange range,
                                ast::ComprehensionExpr::Kind kind,
                                ast::Expr *key, ast::Expr *value,
                                ChiParser::ComprehensionContext *tree);
  ast::Expr *buildSubscript(ast::Expr *base, SourceRange range,
                            ChiParser::SubscriptsContext *tree);
  ast::Expr *buildCall(ast::Expr *callee, SourceRange range,
                       ChiParser::ArgumentsContext *tree);
  void checkArgumentOrder(llvm::ArrayRef<ast::Argument> arguments);

  LiteralBuilder literals;
};

} // namespace chi::parse
#endif // CHI_PARSE_EXPRBUILDER_H
