//===- StmtChecker.h - Statements -------------------------------*- C++ -*-===//
#ifndef CHI_SEMA_STMTS_STMTCHECKER_H
#define CHI_SEMA_STMTS_STMTCHECKER_H

#include "chi/Sema/Stmts/StmtContext.h"

namespace chi::sema {

/// Checks statements and bodies of them.
class StmtChecker : StmtPart, public InnerStatements {
public:
  using StmtPart::StmtPart;

  /// All statements of a body.
  void checkBody(ast::Body body);
  /// The same, with `out` as their place.
  void checkBodyInto(ast::Body body, Body &out);
  /// What a method returns that changes its `self`; `value` may be null.
  Expr *withSelf(Expr *value, SourceRange range);
  void checkInto(ast::Body body, Body &into) override;

private:
  void checkStmt(const ast::Stmt *stmt);
  void checkNested(const ast::Stmt *stmt);
  void refuseDeclaration(const ast::Stmt *stmt);
  void refuseStmt(const ast::UnsupportedStmt *stmt, bool atTop);
  void checkExprStmt(const ast::ExprStmt *stmt, bool showsValue = false);
  void closeFiles(SourceRange range, size_t depth);
  Expr *closeAll(SourceRange range, Expr *value);
  void checkExample(const ast::ExampleStmt *stmt);
  void checkIf(const ast::IfStmt *stmt);
  void checkWhile(const ast::WhileStmt *stmt);
  void checkReturn(const ast::ReturnStmt *stmt);
  void refuseReturn(const ast::ReturnStmt *stmt);
  bool refuseMainGuard(const ast::Expr *condition);
  Expr *settled(Expr *condition);
  void checkAssert(const ast::AssertStmt *stmt);
  void checkBreak(const ast::Stmt *stmt, bool isBreak);
};

} // namespace chi::sema
#endif // CHI_SEMA_STMTS_STMTCHECKER_H
