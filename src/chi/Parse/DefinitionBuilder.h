//===- DefinitionBuilder.h - Functions, classes, params --------*- C++ -*-===//
#ifndef CHI_PARSE_DEFINITIONBUILDER_H
#define CHI_PARSE_DEFINITIONBUILDER_H

#include "chi/Parse/ExprBuilder.h"

namespace chi::parse {

class StmtBuilder;

/// Takes the docstring off a body: a string that comes first. `range` becomes
/// that of the literal.
llvm::StringRef takeDoc(ast::Body &body, SourceRange &range);

/// Builds what gives a name a meaning for good: functions, classes, tests,
/// consts, params and types.
class DefinitionBuilder : BuildPart {
public:
  /// `stmts` builds the bodies.
  DefinitionBuilder(BuildState &state, ExprBuilder &exprs, StmtBuilder &stmts)
      : BuildPart(state), exprs(exprs), stmts(stmts) {}

  /// A `def` with its decorators; its docstring is taken off the body. Reports
  /// repeated parameters and a default before a parameter without one, and
  /// leaves out parameters that Chi does not have (`*args`).
  ast::Stmt *buildFunction(ChiParser::FunctionDefinitionContext *tree,
                           llvm::ArrayRef<ast::Expr *> decorators);
  /// A `class` with bases and body. Reports keywords in its head and drops
  /// them.
  ast::Stmt *buildClass(ChiParser::ClassDefinitionContext *tree);
  /// A decorated `def`. A decorated `class` and `async def` are reported and
  /// become an UnsupportedStmt.
  ast::Stmt *buildDecorated(ChiParser::DecoratedContext *tree);
  /// A `test "name":` block. Reports an f-string as its name; the name is empty
  /// then.
  ast::Stmt *buildTest(ChiParser::TestBlockContext *tree);
  /// `const name: type = value`; the type is null if none is written.
  ast::Stmt *buildConst(ChiParser::ConstStatementContext *tree);
  /// `param name: type = value in [low, high] "doc"`, or `in {choices}`.
  /// Reports another form of the range, which is then left out.
  ast::Stmt *buildParam(ChiParser::ParamStatementContext *tree);
  /// `type name = value`. A generic one is reported as not supported yet and
  /// becomes an UnsupportedStmt.
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
