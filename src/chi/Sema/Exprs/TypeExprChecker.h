//===- TypeExprChecker.h - Types as they are written ------------*- C++ -*-===//
#ifndef CHI_SEMA_EXPRS_TYPEEXPRCHECKER_H
#define CHI_SEMA_EXPRS_TYPEEXPRCHECKER_H

#include "chi/Sema/Exprs/ExprContext.h"

namespace chi::sema {

/// The parts of a value have names of their own in the code: so many, and no
/// more.
inline constexpr int64_t kMaxEntries = 1 << 16;

/// Checks types as they are written.
class TypeExprChecker : ExprPart {
public:
  using ExprPart::ExprPart;

  /// The type that an expression writes; an error after a report.
  TypeRef checkType(const ast::Expr *expr);
  /// `vec(n, T)`, `mat(n, m, T)`, `array(T, n)`, `field(T, rank)`.
  TypeRef typeCall(const ast::CallExpr *expr);
  /// A constant extent from 1 to `most`; nothing after a report.
  std::optional<int64_t> extentOf(const ast::Expr *expr, llvm::StringRef what,
                                  int64_t most);
  /// Whether an expression names a type, so that `==` compares types.
  bool isTypeExpr(const ast::Expr *expr);

private:
  TypeRef instanceType(ClassDecl &decl, const ast::SubscriptExpr *expr);
  TypeRef objectType(const ast::SubscriptExpr *expr, BuiltinName builtin);
  TypeRef arrayType(const ast::CallExpr *expr);
  TypeRef fieldType(const ast::CallExpr *expr);
  TypeRef typeOfMeaning(const Meaning &meaning, SourceRange range);
};

} // namespace chi::sema
#endif // CHI_SEMA_EXPRS_TYPEEXPRCHECKER_H
