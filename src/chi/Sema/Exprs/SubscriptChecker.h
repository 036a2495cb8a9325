//===- SubscriptChecker.h - Members and elements ----------------*- C++ -*-===//
#ifndef CHI_SEMA_EXPRS_SUBSCRIPTCHECKER_H
#define CHI_SEMA_EXPRS_SUBSCRIPTCHECKER_H

#include "chi/Sema/Exprs/ExprContext.h"

namespace chi::sema {

/// Checks members and elements of values and fields.
class SubscriptChecker : ExprPart {
public:
  using ExprPart::ExprPart;

  /// The type of the indices of an axis.
  TypeRef axisType(TypeRef field, unsigned axis) const;
  /// `a.b`, of a module or a value.
  Expr *checkAttribute(const ast::AttributeExpr *expr);
  /// A member of a value: a component, `shape`, `grad`.
  Expr *member(Expr *base, llvm::StringRef name, SourceRange nameRange,
               SourceRange range);
  /// `a[i]`.
  Expr *checkSubscript(const ast::SubscriptExpr *expr);
  /// An element or a row of a vec, mat or array.
  Expr *indexValue(Expr *base, llvm::ArrayRef<Expr *> indices,
                   SourceRange range);
  /// A member of a tuple, whose index is a constant.
  Expr *indexTuple(Expr *base, llvm::ArrayRef<ast::Expr *> indices,
                   SourceRange range);
  /// One integer for each axis of a field. An ivec counts as its components; it
  /// is held in a variable if it is not cheap: in `lets`, or in statements
  /// before this one if that is null.
  bool fieldIndices(Expr *field, llvm::ArrayRef<ast::Expr *> given,
                    SourceRange range, std::vector<Expr *> &indices,
                    std::vector<LetExpr *> *lets);
  /// Integers, ivecs flattened to integers.
  bool valueIndices(llvm::ArrayRef<ast::Expr *> given,
                    std::vector<Expr *> &indices);
  /// Reports a constant index that is past the end.
  bool checkIndexRange(TypeRef type, llvm::ArrayRef<Expr *> indices);

private:
  bool fromFirst(TypeRef type, std::vector<Expr *> &indices);
  Expr *indexField(Expr *field, const ast::SubscriptExpr *expr);
  Expr *sliceField(Expr *field, const ast::SubscriptExpr *expr);
  Expr *sliceParts(Expr *base, const ast::SubscriptExpr *expr);
  Expr *sliceBound(const ast::Expr *given);
  void reportRank(TypeRef type, SourceRange range, size_t count);
  Expr *memberAfterAll(Expr *base, unsigned number, SourceRange range);
  void markDynamic(Expr *base);
};

} // namespace chi::sema
#endif // CHI_SEMA_EXPRS_SUBSCRIPTCHECKER_H
