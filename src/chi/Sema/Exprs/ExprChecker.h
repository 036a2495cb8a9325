//===- ExprChecker.h - Expressions ------------------------------*- C++ -*-===//
#ifndef CHI_SEMA_EXPRS_EXPRCHECKER_H
#define CHI_SEMA_EXPRS_EXPRCHECKER_H

#include "chi/Sema/Exprs/ExprContext.h"

namespace chi::sema {

/// The operator of the typed tree.
BinaryOp binaryOpOf(ast::BinaryOp op);

/// Checks expressions: literals, operators, comparisons, brackets, text.
class ExprChecker : ExprPart {
public:
  using ExprPart::ExprPart;

  /// The value of an expression; its type is an error after a report.
  Expr *checkExpr(const ast::Expr *expr);
  /// A value with a type: default precision where none was decided.
  Expr *checkTyped(const ast::Expr *expr);
  /// An expression whose value the compiler must know; null after an error.
  Expr *checkConstant(const ast::Expr *expr, llvm::StringRef what,
                      const DiagnosticKind<> *advice = nullptr);
  /// With the param that a build has to fix ([Src.6]), or the parameter whose
  /// type makes it a value of each call, if there is one.
  void reportNotConstant(Expr *value, llvm::StringRef what,
                         const DiagnosticKind<> *advice = nullptr);
  /// `lhs op rhs`, by a method if one of them is of a class; `isInPlace` of
  /// `lhs op= rhs`.
  Expr *operate(SourceRange range, SourceRange opRange, ast::BinaryOp op,
                Expr *lhs, Expr *rhs, bool isInPlace = false);
  /// A bool; `what` names it in the report.
  Expr *checkCondition(const ast::Expr *expr, llvm::StringRef what);
  /// The same of a value that is checked already, which `expr` is the text of.
  Expr *asCondition(Expr *condition, const ast::Expr *expr,
                    llvm::StringRef what);
  /// Checks what runs if `condition` is `wanted`; of a constant that is not,
  /// as dead code.
  void checkGuarded(Expr *condition, bool wanted,
                    llvm::function_ref<void()> check);
  /// The value of `static(…)` and of `not`, `and`, `or` over such; nullopt if
  /// it is an ordinary condition.
  std::optional<bool> staticCondition(const ast::Expr *expr);
  /// The parts of a text or f-string; false after a report.
  bool formatParts(const ast::Expr *expr, std::vector<FormatPart> &parts);
  /// `str(value)`: as `print` shows it.
  Expr *textOf(SourceRange range, Expr *value);
  /// `print(…)`.
  void checkPrint(const ast::CallExpr *expr);
  /// Prints a value as Python's prompt does: a str in quotes.
  void printValue(Expr *value);

private:
  Expr *checkByKind(const ast::Expr *expr);
  Expr *checkUnary(const ast::UnaryExpr *expr);
  Expr *refuse(const ast::UnsupportedExpr *expr);
  Expr *checkBinary(const ast::BinaryExpr *expr);
  Expr *checkChain(const ast::CompareExpr *expr, size_t at, Expr *lhs);
  Expr *checkCompare(const ast::CompareExpr *expr);
  Expr *compareEqual(SourceRange range, Expr *lhs, Expr *rhs);
  Expr *compareMembers(SourceRange range, Expr *lhs, Expr *rhs);
  Expr *compareArrays(SourceRange range, Expr *lhs, Expr *rhs);
  Expr *compareOne(SourceRange range, ast::CompareOp op, Expr *lhs,
                   const ast::Expr *rhs, Expr *rhsValue);
  Expr *checkIn(SourceRange range, Expr *lhs, const ast::Expr *rhs,
                Expr *rhsValue);
  Expr *isInRange(SourceRange range, Expr *value, const Iteration::Range &axis);
  std::optional<bool> compareTypes(const ast::CompareExpr *expr);
  Expr *checkLogical(const ast::LogicalExpr *expr);
  Expr *checkConditional(const ast::ConditionalExpr *expr);
  Expr *checkList(const ast::ListExpr *expr);
  Expr *checkTuple(const ast::TupleExpr *expr);
  Expr *checkFString(const ast::FStringExpr *expr);
  void keepOrder(std::vector<FormatPart> &parts, size_t numBefore, size_t mark);
  bool formatNext(const ast::Expr *expr, llvm::StringRef text,
                  SourceRange specRange, std::vector<FormatPart> &parts);
  bool formatByValues(const ast::FStringPart &part,
                      std::vector<FormatPart> &parts);
  Expr *formatted(Expr *value, Expr *spec);
  bool formatObject(Expr *value, llvm::StringRef spec, SourceRange specRange,
                    std::vector<FormatPart> &parts);
  bool formatValue(Expr *value, llvm::StringRef spec, SourceRange specRange,
                   std::vector<FormatPart> &parts);
};

} // namespace chi::sema
#endif // CHI_SEMA_EXPRS_EXPRCHECKER_H
