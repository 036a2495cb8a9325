//===- IterableChecker.h - What a `for` runs over ---------------*- C++ -*-===//
#ifndef CHI_SEMA_EXPRS_ITERABLECHECKER_H
#define CHI_SEMA_EXPRS_ITERABLECHECKER_H

#include "chi/Sema/Exprs/ExprContext.h"

namespace chi::sema {

/// Checks what a `for` runs over.
class IterableChecker : ExprPart {
public:
  using ExprPart::ExprPart;

  /// What a `for` or `in` names; false after a report.
  bool checkIterable(const ast::Expr *expr, Iteration &iteration);
  /// `range(…)`; false after a report.
  bool checkRange(const ast::CallExpr *call, Iteration &iteration);
  /// A bound that the loop's body reads: its value from before the loop.
  Expr *pinned(Expr *value);

private:
  bool checkIterationCall(const ast::CallExpr *call, BuiltinName builtin,
                          Iteration &iteration);
  bool checkNdRange(const ast::CallExpr *call, Iteration &iteration);
  /// `written` is the syntax that holds the bounds, for advice on them.
  bool unifyRange(SourceRange range, Iteration::Range &axis,
                  const ast::Expr *written = nullptr);
  void countFromZero(Iteration::Range &axis);
  void widenAxes(Iteration &iteration);
  void countWide(Iteration::Range &axis);
  Expr *countOf(SourceRange range, const Iteration::Range &axis);
  bool reverse(SourceRange range, Iteration &iteration);
  bool enumerate(const ast::CallExpr *call, Iteration &iteration);
  bool zip(const ast::CallExpr *call, Iteration &iteration);
  bool zipRanges(const ast::CallExpr *call, llvm::ArrayRef<Iteration> parts,
                 Iteration &iteration);
  void rangesOf(Expr *field, SourceRange range, Iteration &iteration);
  bool zipLists(const ast::CallExpr *call, llvm::ArrayRef<Iteration> parts,
                Iteration &iteration);
  bool unrollTuple(const ast::Expr *expr, Iteration &iteration);
  bool unrollRanges(SourceRange range, Iteration &iteration);
  void pinBounds(Iteration &iteration);
};

} // namespace chi::sema
#endif // CHI_SEMA_EXPRS_ITERABLECHECKER_H
