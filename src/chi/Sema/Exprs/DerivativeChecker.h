//===- DerivativeChecker.h - What asks for derivatives ----------*- C++ -*-===//
#ifndef CHI_SEMA_EXPRS_DERIVATIVECHECKER_H
#define CHI_SEMA_EXPRS_DERIVATIVECHECKER_H

#include "chi/Sema/Exprs/ExprContext.h"

namespace chi::sema {

/// Whether derivatives go through values of the type.
bool isDifferentiable(TypeRef type);

/// Checks what asks for derivatives, and the adjoints that programs give.
class DerivativeChecker : ExprPart {
public:
  using ExprPart::ExprPart;

  /// `grad=True` or `dual=True` of a field of `element`s with `rank` axes;
  /// nothing after an error. `mark`: null if it is not given.
  std::optional<bool> fieldMark(const ast::Argument *mark, TypeRef element,
                                size_t rank);
  /// `x.grad` or `x.dual`: a field like `x`. That it was made with `grad=True`
  /// or `dual=True` is seen when the whole program is there.
  Expr *companionOf(Expr *field, SourceRange range, bool isDual);
  /// `k.grad()`: the adjoint of the latest call of the kernel.
  Expr *callKernelGrad(const ast::CallExpr *expr, FunctionDecl &decl);
  /// The value of a number, a vec or a mat; what has no derivative is
  /// unchanged.
  Expr *callStopGradient(const ast::CallExpr *expr);
  /// Finds the adjoint's instance for that of a function.
  bool giveAdjoint(const ast::CallExpr *expr, Instance &callee);
  /// Finds the adjoint's instance for that of a kernel or host function.
  bool giveCallAdjoint(const ast::CallExpr *expr, Instance &callee);

private:
  bool bindDeclared(const ast::CallExpr *expr, const Function &of,
                    FunctionDecl &adjoint,
                    llvm::MutableArrayRef<ArgBinding> bindings);
  Instance *findAdjoint(const ast::CallExpr *expr, const Function &of,
                        FunctionDecl &decl, std::vector<ArgBinding> bindings);
  bool checkAdjoint(const ast::CallExpr *expr, const Instance &callee,
                    const Instance &adjoint);
};

} // namespace chi::sema
#endif // CHI_SEMA_EXPRS_DERIVATIVECHECKER_H
