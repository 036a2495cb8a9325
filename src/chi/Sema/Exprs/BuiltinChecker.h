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
  /// For each component of the mask, a bool or a vec or mat of bools, the one
  /// of the first value where it is true, else that of the second; both values
  /// are evaluated. An error expression after a report, which calls it `what`.
  Expr *chooseBy(SourceRange range, llvm::StringRef what, Expr *mask,
                 Expr *first, Expr *second);
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
  Expr *callMinMaxBy(const ast::CallExpr *expr, bool isMin,
                     const ast::Expr *key);
  Expr *callAtomic(const ast::CallExpr *expr, AtomicOp op);
  Expr *atomicOf(const ast::CallExpr *expr, AtomicOp op, const LoadExpr *load,
                 llvm::ArrayRef<Expr *> values);
  bool mayDraw(SourceRange range, llvm::StringRef name);
  bool refuseRandomOf(const ast::Expr *arg, bool isNormal);
  Expr *callRandomBetween(const ast::CallExpr *expr);
  Expr *callRandom(const ast::CallExpr *expr, bool isNormal);
  Expr *callLen(const ast::CallExpr *expr);
  Expr *callIdentity(const ast::CallExpr *expr);
  Expr *callIntrinsic(const ast::CallExpr *expr, BuiltinName builtin);
  Expr *callReduction(const ast::CallExpr *expr, BuiltinName builtin);
  // Powers of two, bits, choices (NumberParts.cpp).
  Expr *callWhere(const ast::CallExpr *expr);
  Expr *callFrexp(const ast::CallExpr *expr);
  Expr *callLdexp(const ast::CallExpr *expr);
  Expr *callBitCast(const ast::CallExpr *expr, BuiltinName builtin);
  Expr *callBitCount(const ast::CallExpr *expr, BuiltinName builtin);
  Expr *scaled(SourceRange range, Expr *value, Expr *exponent);
  Expr *floatOf(Expr *value);
  Expr *unifiedMath(SourceRange range, Builtin op, llvm::StringRef name,
                    std::vector<Expr *> args, bool needsFloat);
};

} // namespace chi::sema
#endif // CHI_SEMA_EXPRS_BUILTINCHECKER_H
