//===- ExprCheckers.h - Checks expressions in a scope -----------*- C++ -*-===//
#ifndef CHI_SEMA_EXPRCHECKERS_H
#define CHI_SEMA_EXPRCHECKERS_H

#include "chi/Sema/Advice.h"
#include "chi/Sema/BuiltinChecker.h"
#include "chi/Sema/CallChecker.h"
#include "chi/Sema/DerivativeChecker.h"
#include "chi/Sema/ExprChecker.h"
#include "chi/Sema/ForeignNames.h"
#include "chi/Sema/HostCallChecker.h"
#include "chi/Sema/IterableChecker.h"
#include "chi/Sema/MethodChecker.h"
#include "chi/Sema/NameChecker.h"
#include "chi/Sema/SubscriptChecker.h"
#include "chi/Sema/TypeExprChecker.h"

namespace chi::sema {

/// The checkers of the expressions of one body, with its state. Without a body,
/// with `Where::Constant`, they check constants, types and defaults.
class ExprCheckers {
public:
  ExprCheckers(ProgramScope &program, ModuleScope &module, Where where,
               Instance *self);

  /// The value of an expression; its type is an error after a report.
  Expr *checkExpr(const ast::Expr *expr);
  /// The type that an expression writes; an error after a report.
  TypeRef checkType(const ast::Expr *expr);
  /// What a name, or a name of a module's member, stands for.
  Meaning resolve(const ast::Expr *expr);
  /// Whether the annotation of a parameter is one of another language, which is
  /// reported then.
  bool isForeignlyTyped(const FunctionDecl &decl,
                        const ast::Parameter &parameter);

  BodyState state;
  ExprContext ctx;

private:
  NameChecker names;
  ForeignNames foreign;
  Advice advice;
  TypeExprChecker typeExprs{ctx};
  ExprChecker exprs{ctx};
  SubscriptChecker subscripts{ctx};
  CallChecker calls{ctx};
  DerivativeChecker derivatives{ctx};
  BuiltinChecker builtins{ctx};
  MethodChecker methods{ctx};
  HostCallChecker hostCalls{ctx};
  IterableChecker iterables{ctx};
};

} // namespace chi::sema
#endif // CHI_SEMA_EXPRCHECKERS_H
