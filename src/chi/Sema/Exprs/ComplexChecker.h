//===- ComplexChecker.h - Complex numbers -----------------------*- C++ -*-===//
// See Note [Complex numbers] in Sema/Build/Complex.cpp.
#ifndef CHI_SEMA_EXPRS_COMPLEXCHECKER_H
#define CHI_SEMA_EXPRS_COMPLEXCHECKER_H

#include "chi/Sema/Build/Complex.h"
#include "chi/Sema/Exprs/ExprContext.h"

namespace chi::sema {

/// Checks what complex numbers have beyond other classes.
class ComplexChecker : ExprPart {
public:
  using ExprPart::ExprPart;

  /// `2.5j`
  Expr *literal(const ast::FloatExpr *expr);
  /// `complex64(x, y)`, `complex128(z)`; with `isFlexible`, `complex(x, y)`,
  /// the precision is that of the arguments.
  Expr *construct(const ast::CallExpr *expr, TypeRef type, bool isFlexible);
  /// Gives the operands of an operator, one of them complex, one precision; a
  /// real one stays real. Returns the result where both are constants, null if
  /// the operator is still to be applied.
  Expr *unify(SourceRange range, ast::BinaryOp op, Expr *&lhs, Expr *&rhs);
  /// `z ** n` of a known number of factors; null if it is none.
  Expr *power(SourceRange range, Expr *number, Expr *exponent);
  /// Makes both sides of `==` complex; false if one is no number.
  bool makeAlike(Expr *&lhs, Expr *&rhs);
  /// `-z` of a literal; null of anything else.
  Expr *negated(SourceRange range, Expr *operand);

  /// 0 of "real", 1 of "imag"; none of another name.
  static std::optional<unsigned> partNamed(llvm::StringRef name);
  /// `z.real`, `z.imag`
  Expr *part(Expr *number, unsigned part, SourceRange range);
  /// The parts, of an element of a field loaded alone.
  Expr *partsOf(Expr *number);
  /// The field of the parts of a field of complex numbers.
  Expr *fieldOfParts(Expr *field);

private:
  bool takeArguments(const ast::CallExpr *expr, TypeRef type,
                     Expr *(&given)[2]);
  Expr *fromParts(SourceRange range, TypeRef type, bool isFlexible, Expr *real,
                  Expr *imaginary);
};

/// Whether a type is a field of complex numbers.
inline bool isFieldOfComplex(TypeRef type) {
  return type->isField() && type->element->isComplex;
}

} // namespace chi::sema
#endif // CHI_SEMA_EXPRS_COMPLEXCHECKER_H
