//===- TapeChecker.h - `with Tape(…):`, `with Forward():` -------*- C++ -*-===//
#ifndef CHI_SEMA_STMTS_TAPECHECKER_H
#define CHI_SEMA_STMTS_TAPECHECKER_H

#include "chi/Sema/Stmts/StmtContext.h"

namespace chi::sema {

/// Checks `with Tape(…):` and `with Forward():`.
class TapeChecker : StmtPart {
public:
  using StmtPart::StmtPart;

  /// A `with`.
  void checkWith(const ast::WithStmt *stmt);

private:
  void refuseWith(const ast::WithStmt *stmt, const Meaning &callee);
  bool isNested(SourceRange range, bool isForward);
  bool takesNothing(const ast::CallExpr *call);
  void withFile(const ast::WithStmt *stmt);
  void bindName(const ast::WithStmt *stmt, Expr *value);
  bool tapeArguments(const ast::CallExpr *call, TapeStmt &tape);
  Expr *checkLoss(const ast::Expr *expr);
  bool checkWatched(const ast::Expr *expr, std::vector<Expr *> &watched);
  Expr *checkFlag(const ast::Argument &arg);
  Expr *checkText(const ast::Expr *expr, llvm::StringRef wanted);

  bool isTapeOpen = false, isForwardOpen = false; ///< in this body
};

} // namespace chi::sema
#endif // CHI_SEMA_STMTS_TAPECHECKER_H
