//===- ObjectChecker.h - Lists, dicts, sets, files and strs -----*- C++ -*-===//
#ifndef CHI_SEMA_EXPRS_OBJECTCHECKER_H
#define CHI_SEMA_EXPRS_OBJECTCHECKER_H

#include "chi/Sema/Exprs/ExprContext.h"

namespace chi::sema {

/// The arguments of a sort behind the first ones.
struct SortArguments {
  Expr *isReversed = nullptr;
  const ast::Expr *key = nullptr; ///< may be null
};

/// Whether values of a type have a hash; reports if not.
bool mayBeKey(DiagnosticEngine &diags, SourceRange range, TypeRef key);
/// Reports that no statement says what the elements of `name` are.
void reportOpen(DiagnosticEngine &diags, SourceRange range,
                llvm::StringRef name, TypeRef type);

/// Checks what host code does with lists, dicts, sets, files and strs. Kernels
/// have none of it: everything here reports that, and fails then.
class ObjectChecker : ExprPart {
public:
  using ExprPart::ExprPart;

  // -- literals and comprehensions -------------------------------------------
  /// `[…]` of parts that make no vec or mat.
  Expr *listOf(SourceRange range, std::vector<Expr *> parts);
  /// `{a, b}`, `{k: v}`.
  Expr *checkBraces(const ast::Expr *expr);
  /// `[e for x in xs if c]`.
  Expr *checkComprehension(const ast::ComprehensionExpr *expr,
                           TypeRef wanted = nullptr);
  /// The statement in it that keeps an element.
  void collect(const ast::CollectedExpr *expr);

  /// An expression where a value of `type` is wanted: `[0] * n` is a list where
  /// one is. What it gives is yet to be converted.
  Expr *checkAs(const ast::Expr *expr, TypeRef type);

  // -- elements
  // ----------------------------------------------------------------
  /// `xs[i]`, `d[k]`, `s[1:3]`.
  Expr *subscript(Expr *base, const ast::SubscriptExpr *expr);
  /// The index or key in the brackets; null after an error.
  Expr *keyOf(Expr *object, const ast::SubscriptExpr *expr);
  /// The element of a list, or the value of a dict, by its index or key.
  Expr *elementAt(SourceRange range, Expr *object, Expr *key);
  /// Member `number` of an object of a class that is a reference.
  Expr *memberOf(SourceRange range, Expr *object, unsigned number);
  /// Gives it another value. Of an object of a class the key is the number of
  /// a member.
  Expr *put(SourceRange range, Expr *object, Expr *key, Expr *value);

  // -- operators and functions
  // -------------------------------------------------
  /// `d[k] = v` of a `d` that was `{}` so far says what is in it.
  void settleByPut(const ast::Expr *written, Expr *object, Expr *key,
                   Expr *value);
  /// `xs += ys`, `s |= t`: what changes the object itself; null if it does not.
  Expr *extension(const ast::AugAssignStmt *stmt, Expr *object, Expr *value);
  /// A method of a str or an object.
  Expr *callMethod(const ast::CallExpr *expr, Expr *base,
                   const ast::AttributeExpr *callee);
  /// An operator; null if no operand is a str or an object.
  Expr *binary(SourceRange range, BinaryOp op, Expr *lhs, Expr *rhs);
  /// A comparison; null if no operand is an object.
  Expr *compare(SourceRange range, CompareOp op, Expr *lhs, Expr *rhs);
  /// `value in object`.
  Expr *contains(SourceRange range, Expr *value, Expr *object);
  /// `len(x)`.
  Expr *length(SourceRange range, Expr *value);
  /// `sum`, `min`, `max`, `any`, `all` of a list or set.
  Expr *reduce(SourceRange range, BuiltinName builtin, Expr *value);
  /// `min(xs, key=f)`.
  Expr *bestBy(const ast::CallExpr *expr, Expr *list, const ast::Expr *key,
               MadeFunctions::KeyFunction what);
  /// `list`, `dict`, `set`, `sorted`, `open`, `ord`, `chr`.
  Expr *callBuiltin(const ast::CallExpr *expr, BuiltinName builtin);
  /// `i32(text)`, `float(text)`.
  Expr *toNumber(SourceRange range, Expr *text, TypeRef type);
  /// What a `for` over it runs over, as a list; null if it is no str or object.
  Expr *asList(SourceRange range, Expr *value);
  /// Its text, as `print` shows it.
  Expr *textOf(Expr *object);
  /// A call of the function of the run time. Its arguments have its types.
  Expr *run(SourceRange range, llvm::StringRef function, TypeRef type,
            std::vector<Expr *> args);
  /// Whether `what` ("a list") can hold such values; reports if not.
  bool mayHold(SourceRange range, llvm::StringRef what, TypeRef element);

private:
  /// What the comprehension that is being checked gathers.
  struct Collector {
    Variable *made = nullptr;
    HostOpExpr *keeps = nullptr;
    bool isDict = false, isSet = false;
    TypeRef wanted = nullptr; ///< what it is for; may be null
  };

  TypeRef elementOf(llvm::ArrayRef<Expr *> parts);
  Expr *finished(SourceRange range, TypeRef type, std::vector<Expr *> parts);
  Expr *op(SourceRange range, HostOp kind, TypeRef type,
           std::vector<Expr *> args);
  Expr *indexOf(const ast::Expr *expr);
  Expr *sliceOf(Expr *base, const ast::SliceExpr *slice, SourceRange range);
  bool settle(const ast::Expr *written, TypeRef open, TypeRef type);
  bool settleByCall(const ast::CallExpr *expr, Expr *base,
                    const ast::AttributeExpr *callee);
  Expr *argumentOf(char letter, const ast::Expr *written, TypeRef object,
                   llvm::StringRef name);
  Expr *callInBlock(SourceRange range, llvm::StringRef name,
                    llvm::ArrayRef<Expr *> args);
  Expr *callSort(const ast::CallExpr *expr, Expr *base);
  bool sortArguments(const ast::CallExpr *expr, unsigned first,
                     SortArguments &given);
  Expr *callSorted(const ast::CallExpr *expr);
  Expr *callList(const ast::CallExpr *expr);
  Expr *callSet(const ast::CallExpr *expr);
  Expr *callOpen(const ast::CallExpr *expr);

  std::vector<Collector> collectors;
};

} // namespace chi::sema
#endif // CHI_SEMA_EXPRS_OBJECTCHECKER_H
