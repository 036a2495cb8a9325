//===- TapeChecker.h - `with Tape(…):` --------------------------*- C++ -*-===//
#ifndef CHI_SEMA_STMTS_TAPECHECKER_H
#define CHI_SEMA_STMTS_TAPECHECKER_H

#include "chi/Sema/Stmts/StmtContext.h"

namespace chi::sema {

/// Checks `with Tape(…):`.
class TapeChecker : StmtPart {
public:
  using StmtPart::StmtPart;

  /// A `with`.
  void checkWith(const ast::WithStmt *stmt);

private:
  void refuseWith(const ast::WithStmt *stmt, const Meaning &callee);
  void withFile(const ast::WithStmt *stmt);
  void bindName(const ast::WithStmt *stmt, Expr *value);
  bool tapeArguments(const ast::CallExpr *call, TapeStmt &tape);
  Expr *checkLoss(const ast::Expr *expr);
  bool checkWatched(const ast::Expr *expr, std::vector<Expr *> &watched);
  Expr *checkFlag(const ast::Argument &arg);
};

} // namespace chi::sema
#endif // CHI_SEMA_STMTS_TAPECHECKER_H
