//===- BuiltinChecker.h - Calls of built-in functions -----------*- C++ -*-===//
#ifndef CHI_SEMA_EXPRS_BUILTINCHECKER_H
#define CHI_SEMA_EXPRS_BUILTINCHECKER_H

#include "chi/Sema/Exprs/ExprContext.h"

namespace chi::sema {

/// Checks calls of the functions that the compiler knows (Builtins.def).
class BuiltinChecker : ExprPart {
public:
  using ExprPart::ExprPart;

  /// A call of a word.
  Expr *callBuiltin(const ast::CallExpr *expr, BuiltinName builtin);
  /// The least or greatest of several values.
  Expr *extremeOf(SourceRange range, bool isMin, std::vector<Expr *> args);
  /// `static(e)`: the constant that it is.
  Expr *callStatic(const ast::CallExpr *expr);
  /// Positional arguments, between `least` and `most` of them.
  bool builtinArgs(const ast::CallExpr *expr, unsigned least, unsigned most,
                   std::vector<Expr *> &args);
  /// Whether there are between `least` and `most` arguments, none with a
  /// keyword; false after a report.
  bool onlyPositional(const ast::CallExpr *expr, unsigned least, unsigned most);

private:
  Expr *refuseBuiltin(const ast::CallExpr *expr, BuiltinName builtin);
  Expr *callHost(const ast::CallExpr *expr, BuiltinName builtin);
  Expr *callArithmetic(const ast::CallExpr *expr, BuiltinName builtin);
  Expr *callArray(const ast::CallExpr *expr);
  Expr *callMath(const ast::CallExpr *expr, BuiltinName builtin,
                 MathFunction function);
  Expr *callMinMax(const ast::CallExpr *expr, bool isMin);
  Expr *callAtomic(const ast::CallExpr *expr, AtomicOp op);
  bool mayDraw(SourceRange range, llvm::StringRef name);
  bool refuseRandomOf(const ast::Expr *arg, bool isNormal);
  Expr *callRandomBetween(const ast::CallExpr *expr);
  Expr *callRandom(const ast::CallExpr *expr, bool isNormal);
  Expr *callLen(const ast::CallExpr *expr);
  Expr *callIdentity(const ast::CallExpr *expr);
  Expr *callIntrinsic(const ast::CallExpr *expr, BuiltinName builtin);
  Expr *callReduction(const ast::CallExpr *expr, BuiltinName builtin);
  Expr *unifiedMath(SourceRange range, Builtin op, llvm::StringRef name,
                    std::vector<Expr *> args, bool needsFloat);
};

} // namespace chi::sema
#endif // CHI_SEMA_EXPRS_BUILTINCHECKER_H
