//===- AssignChecker.h - Assignments ----------------------------*- C++ -*-===//
#ifndef CHI_SEMA_STMTS_ASSIGNCHECKER_H
#define CHI_SEMA_STMTS_ASSIGNCHECKER_H

#include "chi/Sema/Stmts/StmtContext.h"

namespace chi::sema {

/// Checks assignments to names and places.
class AssignChecker : StmtPart {
public:
  using StmtPart::StmtPart;

  /// `a = e`, `a = b = e`, `a, b = e`.
  void checkAssign(const ast::AssignStmt *stmt);
  /// `a: T = e`, `a: T`.
  void checkAnnAssign(const ast::AnnAssignStmt *stmt);
  /// One target of an assignment.
  void assignTo(const ast::Expr *target, Expr *value);
  /// Gives a variable a value, which takes part in its type.
  void assignLocal(LocalVariable &local, Expr *value, SourceRange range);
  /// As assignLocal, of a top-level variable in the script.
  void assignTopLevel(TopLevelVariable &variable, Expr *value,
                      SourceRange range, TypeRef annotation);
  /// `a, b = v` with a list, a tuple, a vec, or the rows of a mat.
  void unpack(llvm::ArrayRef<ast::Expr *> targets, SourceRange range,
              Expr *value);
  bool assignSlice(const ast::SubscriptExpr *target, Expr *value);
  void unpackList(llvm::ArrayRef<ast::Expr *> targets, SourceRange range,
                  Expr *list);
  /// The type of a value; of a literal that needs more bits than the default,
  /// also in a tuple, i64.
  TypeRef givenType(Expr *value) const;
  /// The type of a variable that has `current`, or none yet, after `value` is
  /// assigned to it; null on a clash.
  TypeRef joinGiven(TypeRef current, Expr *value, bool &hasWideLiteral) const;
  /// Whether a variable may be assigned here; false after a report.
  bool mayAssign(LocalVariable &local, SourceRange range);

private:
  TypeRef knownType(const ast::NameExpr *name);
  bool namesFunction(const ast::AssignStmt *stmt);
  void checkAssignment(const ast::AssignStmt *stmt);
  void forget(Expr *value);
  void reportAssignsConstant(const ast::NameExpr *name, const Meaning &meaning);
  bool assignModuleName(const ast::NameExpr *name, Expr *value,
                        TypeRef annotation);
  bool bindAlias(const ast::NameExpr *name, Expr *value, bool once);
  void assignName(const ast::NameExpr *name, Expr *value,
                  TypeRef annotation = nullptr);
  Expr *joinTopLevel(TopLevelVariable &variable, Expr *value);
  Expr *temporaryFor(const ast::Expr *target, Expr *value);
  bool mayBindField(SourceRange range, llvm::StringRef what);
};

} // namespace chi::sema
#endif // CHI_SEMA_STMTS_ASSIGNCHECKER_H
