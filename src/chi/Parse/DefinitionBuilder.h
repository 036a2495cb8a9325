//===- DefinitionBuilder.h - Functions, classes, params --------*- C++ -*-===//
#ifndef CHI_PARSE_DEFINITIONBUILDER_H
#define CHI_PARSE_DEFINITIONBUILDER_H

#include "chi/Parse/ExprBuilder.h"

namespace chi::parse {

class StmtBuilder;

/// Takes the docstring off a body: a string that comes first.
llvm::StringRef takeDoc(ast::Body &body);

/// Builds what gives a name a meaning for good: functions, classes, tests,
/// consts, params and types.
class DefinitionBuilder : BuildPart {
public:
  /// `stmts` builds the bodies.
  DefinitionBuilder(BuildState &state, ExprBuilder &exprs, StmtBuilder &stmts)
      : BuildPart(state), exprs(exprs), stmts(stmts) {}

  ast::Stmt *buildFunction(ChiParser::FunctionDefinitionContext *tree,
                           llvm::ArrayRef<ast::Expr *> decorators);
  ast::Stmt *buildClass(ChiParser::ClassDefinitionContext *tree);
  ast::Stmt *buildDecorated(ChiParser::DecoratedContext *tree);
  ast::Stmt *buildTest(ChiParser::TestBlockContext *tree);
  ast::Stmt *buildConst(ChiParser::ConstStatementContext *tree);
  ast::Stmt *buildParam(ChiParser::ParamStatementContext *tree);
  ast::Stmt *buildTypeAlias(ChiParser::TypeStatementContext *tree);

private:
  void buildParamValue(ChiParser::ExpressionContext *tree,
                       ast::ParamStmt *param);
  void buildParamRange(ChiParser::PrimaryContext *tree, ast::ParamStmt *param);
  llvm::ArrayRef<ast::TypeParameter>
  buildTypeParams(ChiParser::TypeParametersContext *tree);
  llvm::ArrayRef<ast::Parameter>
  buildParams(ChiParser::ParametersContext *tree);
  bool buildParameter(ChiParser::ParameterContext *tree,
                      ast::Parameter &parameter);

  ExprBuilder &exprs;
  StmtBuilder &stmts;
};

} // namespace chi::parse
#endif // CHI_PARSE_DEFINITIONBUILDER_H
