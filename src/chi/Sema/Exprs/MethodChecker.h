//===- MethodChecker.h - Calls of methods -----------------------*- C++ -*-===//
#ifndef CHI_SEMA_EXPRS_METHODCHECKER_H
#define CHI_SEMA_EXPRS_METHODCHECKER_H

#include "chi/Sema/Builtins/Members.h"
#include "chi/Sema/Exprs/ExprContext.h"

namespace chi::sema {

/// Checks calls of methods of vecs, mats and fields.
class MethodChecker : ExprPart {
public:
  using ExprPart::ExprPart;

  /// A call of a member of a value.
  Expr *callMethod(const ast::CallExpr *expr, Expr *base,
                   const ast::AttributeExpr *callee);
  /// Of the sum of a field: integers need 64 bits, halves single precision.
  TypeRef sumType(TypeRef element) const;
  /// The sum, the least element and so on of a vec or mat.
  Expr *reduceVector(SourceRange range, Builtin op, Expr *base);

private:
  Expr *vectorMethod(const ast::CallExpr *expr, Expr *base,
                     llvm::StringRef name, SourceRange nameRange);
  Expr *refuseMethod(const ast::CallExpr *expr, Expr *base,
                     llvm::StringRef name, SourceRange nameRange);
  Expr *applyMethod(SourceRange range, Method method, llvm::StringRef name,
                    Expr *base, llvm::ArrayRef<Expr *> args);
  Expr *normOf(SourceRange range, Method method, llvm::StringRef name,
               Expr *base, Expr *eps);
  Expr *columnOf(SourceRange range, Expr *base, Expr *number);
  Expr *fieldMean(const ast::CallExpr *expr, Expr *base);
  Expr *noFieldMethod(const ast::CallExpr *expr, Expr *base,
                      llvm::StringRef name, SourceRange nameRange);
  Expr *applyFieldMethod(SourceRange range, HostOp op, llvm::StringRef name,
                         Expr *base, llvm::ArrayRef<Expr *> args);
  Expr *fromOffset(SourceRange range, TypeRef field, Expr *index);
  Expr *fieldMethod(const ast::CallExpr *expr, Expr *base, llvm::StringRef name,
                    SourceRange nameRange);
  Expr *reduceNothing(SourceRange range, Builtin op, TypeRef scalar);
  Expr *dot(SourceRange range, Expr *a, Expr *b);
  Expr *cross(SourceRange range, Expr *a, Expr *b);
  Expr *outer(SourceRange range, Expr *a, Expr *b);
};

} // namespace chi::sema
#endif // CHI_SEMA_EXPRS_METHODCHECKER_H
