//===- StmtBuilder.h - Parse tree to syntax tree ----------------*- C++ -*-===//
#ifndef CHI_PARSE_STMTBUILDER_H
#define CHI_PARSE_STMTBUILDER_H

#include "chi/Parse/DefinitionBuilder.h"
#include "chi/Parse/SyntaxErrors.h"

namespace chi::parse {

/// Builds the syntax tree and reports what one token of lookahead could not
/// decide. Broken statements are left out.
class StmtBuilder : BuildPart {
public:
  /// `recovery` knows the blocks that belong to statements with errors.
  StmtBuilder(BuildState &state, const StatementRecovery &recovery)
      : BuildPart(state), exprs(state), definitions(state, exprs, *this),
        recovery(recovery) {}

  /// Builds the tree of a file. Errors go to the diagnostics.
  ast::Module *buildModule(ChiParser::FileContext *tree);
  /// Builds its statements alone.
  ast::Body buildBody(ChiParser::FileContext *tree);
  /// Builds the statements below a header, or beside it.
  ast::Body buildBlock(ChiParser::BlockContext *tree);

private:
  using Statements = llvm::SmallVectorImpl<ast::Stmt *>;

  void buildStatements(Children children, Statements &out);
  void buildStatement(ChiParser::StatementContext *tree, Statements &out);
  void buildOrphan(ChiParser::OrphanBlockContext *tree, bool followsClause,
                   const antlr4::ParserRuleContext *previous);
  void buildSimpleLine(ChiParser::SimpleLineContext *tree, Statements &out);
  void buildSimple(ChiParser::SimpleStatementContext *tree, Statements &out);
  ast::Stmt *buildAssignment(ChiParser::AssignmentContext *tree);
  ast::Stmt *buildAnnotated(ChiParser::AssignmentContext *tree);
  ast::Stmt *buildUpdate(ChiParser::AssignmentContext *tree);
  ast::Expr *buildRightSide(ChiParser::RightSideContext *tree);
  ast::Stmt *buildReturn(ChiParser::ReturnStatementContext *tree);
  ast::Stmt *buildAssert(ChiParser::AssertStatementContext *tree);
  ast::Stmt *buildExport(ChiParser::ExportStatementContext *tree);
  void buildImport(ChiParser::ImportStatementContext *tree, Statements &out);
  ast::Stmt *buildFrom(ChiParser::FromStatementContext *tree);
  ast::Stmt *buildIf(ChiParser::IfStatementContext *tree);
  ast::Stmt *buildWhile(ChiParser::WhileStatementContext *tree);
  ast::Stmt *buildFor(ChiParser::ForStatementContext *tree);
  ast::Stmt *buildWith(ChiParser::WithStatementContext *tree);
  ast::Stmt *buildTry(ChiParser::TryStatementContext *tree);
  ast::Body buildElse(ChiParser::ElseClauseContext *tree);
  void checkTarget(const ast::Expr *target, bool isUpdate = false);

  ExprBuilder exprs;
  DefinitionBuilder definitions;
  const StatementRecovery &recovery;
};

} // namespace chi::parse
#endif // CHI_PARSE_STMTBUILDER_H
