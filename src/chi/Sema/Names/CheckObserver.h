//===- CheckObserver.h - Sees what the checker finds out --------*- C++ -*-===//
#ifndef CHI_SEMA_NAMES_CHECKOBSERVER_H
#define CHI_SEMA_NAMES_CHECKOBSERVER_H

#include "chi/AST/Stmt.h"
#include "chi/Sema/Tree/Types.h"

namespace chi::sema {

/// Receives what the checker finds out about the text, for tools that show it.
/// A body is checked in rounds and once for each instance, so facts about one
/// place may come several times; of one instance the last ones hold. Types may
/// be errors, and literals' may have no precision yet.
class CheckObserver {
public:
  /// The program is checked again with better types: what was said of
  /// expressions, variables and instances so far does not hold.
  virtual void startRound() = 0;
  /// The type of an expression, or of a place that is assigned.
  virtual void sawExpr(const ast::Expr *expr, TypeRef type) = 0;
  /// The final type of what is declared at `range`: a variable, a parameter, a
  /// const, a param, a member of a class, or what a `type` stands for.
  virtual void sawDeclared(SourceRange range, TypeRef type) = 0;
  /// An instance of a function: "norm(vec2)", and the type of its result.
  virtual void sawInstance(const ast::FunctionStmt *function,
                           llvm::StringRef display, TypeRef result) = 0;
  /// The class whose types have this identity (Type::identity).
  virtual void sawClass(const void *identity, const ast::ClassStmt *klass) = 0;

protected:
  ~CheckObserver() = default;
};

} // namespace chi::sema
#endif // CHI_SEMA_NAMES_CHECKOBSERVER_H
