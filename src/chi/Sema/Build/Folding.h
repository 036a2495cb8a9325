//===- Folding.h - Operations of constants ----------------------*- C++ -*-===//
// Declarations that only the files of Builder share.
#ifndef CHI_SEMA_BUILD_FOLDING_H
#define CHI_SEMA_BUILD_FOLDING_H

#include "chi/Sema/Build/Build.h"

namespace chi::sema {

/// The operation, or its value if its operand is a constant.
Expr *foldUnary(Builder &build, UnaryExpr *expr);
/// The operation, or its value if its operands are constants.
Expr *foldBinary(Builder &build, BinaryExpr *expr);
/// The call, or its value if its operands are constants.
Expr *foldBuiltin(Builder &build, BuiltinExpr *expr);
/// A constant of `type` like `like`, with `element(k)` for each of its parts.
Expr *mapConstant(Builder &build, Expr *like, TypeRef type,
                  llvm::function_ref<Expr *(unsigned)> element);
/// Notes where a folded `result` became nan or infinite: here, if no operand
/// was so before.
void noteOrigin(Builder &build, ExactLiteral *result,
                llvm::ArrayRef<const ExactLiteral *> operands,
                SourceRange range);
/// Reports the operands that are calls without a value; true if there are any.
bool reportNothing(Builder &build, llvm::ArrayRef<Expr *> operands);
/// Reports that `a op b` has no value of the type, or that its divisor is zero.
void reportNoValue(Builder &build, SourceRange range, BinaryOp op, __int128 a,
                   __int128 b, TypeRef type);

} // namespace chi::sema
#endif // CHI_SEMA_BUILD_FOLDING_H
