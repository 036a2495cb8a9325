//===- UpdateChecker.h - x += y and reductions ------------------*- C++ -*-===//
#ifndef CHI_SEMA_STMTS_UPDATECHECKER_H
#define CHI_SEMA_STMTS_UPDATECHECKER_H

#include "chi/Sema/Stmts/StmtContext.h"

namespace chi::sema {

/// The name that a place is a part of; null if it begins otherwise.
const ast::NameExpr *rootOf(const ast::Expr *lvalue);

/// Checks `x += y`, and what a parallel loop may do to a variable of its
/// kernel.
class UpdateChecker : StmtPart {
public:
  using StmtPart::StmtPart;

  /// Checks an augmented assignment such as `x += e`.
  void checkAugAssign(const ast::AugAssignStmt *stmt);
  /// `a = min(a, e)` and `a = max(a, e)`, also with the operands exchanged or
  /// more of them, and on components of `a`.
  bool checkReduction(const ast::AssignStmt *stmt);
  /// `atomic_add(v, e)` of a variable or a component of one as a statement: the
  /// plain update; also `atomic_mul` of an element. False if `call` is neither.
  bool checkAtomic(const ast::CallExpr *call);
  /// A value that stands alone, which may be the old one of such an update.
  /// `wanted`: the type of what it is assigned to; may be null.
  Expr *checkValue(const ast::Expr *expr, TypeRef wanted = nullptr);

private:
  bool extended(const ast::AugAssignStmt *stmt, Expr *current, Expr *value);
  void augmentName(const ast::AugAssignStmt *stmt, const ast::NameExpr *name);
  void augmentLValue(const ast::AugAssignStmt *stmt);
  bool refuseObject(const LocalVariable &local, SourceRange range);
  bool refuseDivision(const ast::AugAssignStmt *stmt, TypeRef type);
  void accumulate(SourceRange range, SourceRange opRange, BinaryOp op,
                  LValue lvalue, Expr *current, Expr *value);
  void accumulateComplex(SourceRange range, BinaryOp op, OpenLValue place,
                         Expr *value);
  void reduceComplex(LocalVariable &local, BinaryOp op, Expr *value,
                     SourceRange range);
  void reduce(LocalVariable &local, BinaryOp op, SourceRange opRange,
              Expr *value, SourceRange range);
  void reduceLValue(OpenLValue &open, BinaryOp op, SourceRange opRange,
                    Expr *value, SourceRange range);
  bool noteReduction(LocalVariable &local, BinaryOp op,
                     llvm::ArrayRef<PathStep> path, SourceRange range);
  Expr *updated(SourceRange range, SourceRange opRange, BinaryOp op,
                Expr *current, Expr *value);
  void emitUpdate(SourceRange range, LValue lvalue, BinaryOp op, Expr *value);
  std::optional<AtomicOp> atomicOpOf(const ast::Expr *expr, bool &isVariable);
  Expr *updateAtomically(const ast::CallExpr *call, AtomicOp op, bool isUsed);
  Expr *afterAtomic(SourceRange range, SourceRange opRange, AtomicOp op,
                    const OpenLValue &open, llvm::ArrayRef<Expr *> values);
  void storeUpdated(OpenLValue &open, Expr *value, SourceRange range);
  Expr *othersOf(const ast::CallExpr *call, size_t same, bool isMin);
};

} // namespace chi::sema
#endif // CHI_SEMA_STMTS_UPDATECHECKER_H
