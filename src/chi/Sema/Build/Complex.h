//===- Complex.h - Complex numbers ------------------------------*- C++ -*-===//
// See Note [Complex numbers] in Complex.cpp.
#ifndef CHI_SEMA_BUILD_COMPLEX_H
#define CHI_SEMA_BUILD_COMPLEX_H

#include "chi/Sema/Build/Build.h"

namespace chi::sema {

/// The complex number of a vec of its two parts.
Expr *complexOf(Builder &build, Expr *parts);
/// The same of scalars of one float type.
Expr *complexOf(Builder &build, SourceRange range, Expr *real, Expr *imaginary);
/// A float of the type `scalar` as a complex number.
Expr *withoutImaginary(Builder &build, Expr *real, TypeRef scalar);
/// The real and the imaginary part of a complex number, a vec.
Expr *partsOf(Builder &build, Expr *number);
/// The complex type of an operator on two types, one of them complex; null if
/// the other is no number.
TypeRef joinComplex(const Builder &build, TypeRef a, TypeRef b);
/// A typed complex number with parts of another float type.
Expr *castComplex(Builder &build, Expr *number, TypeRef scalar);
/// `lhs op rhs` of untyped constants; null if they are none, or the result is
/// not finite.
Expr *foldComplex(Builder &build, SourceRange range, BinaryOp op, Expr *lhs,
                  Expr *rhs);
/// `number.conjugate()`, `__abs__` or `__pos__` of an untyped constant; null of
/// another method, or if it is none.
Expr *foldComplexMethod(Builder &build, SourceRange range,
                        llvm::StringRef method, Expr *number);

} // namespace chi::sema
#endif // CHI_SEMA_BUILD_COMPLEX_H
