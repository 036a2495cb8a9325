//===- ExprCheckers.h - Checks expressions in a scope -----------*- C++ -*-===//
#ifndef CHI_SEMA_EXPRS_EXPRCHECKERS_H
#define CHI_SEMA_EXPRS_EXPRCHECKERS_H

#include "chi/Sema/Advice/Advice.h"
#include "chi/Sema/Advice/ForeignNames.h"
#include "chi/Sema/Exprs/BuiltinChecker.h"
#include "chi/Sema/Exprs/CallChecker.h"
#include "chi/Sema/Exprs/ClassChecker.h"
#include "chi/Sema/Exprs/DerivativeChecker.h"
#include "chi/Sema/Exprs/ExprChecker.h"
#include "chi/Sema/Exprs/HostCallChecker.h"
#include "chi/Sema/Exprs/IterableChecker.h"
#include "chi/Sema/Exprs/MethodChecker.h"
#include "chi/Sema/Exprs/ObjectChecker.h"
#include "chi/Sema/Exprs/SubscriptChecker.h"
#include "chi/Sema/Exprs/TypeExprChecker.h"
#include "chi/Sema/Names/ClosureChecker.h"
#include "chi/Sema/Names/NameChecker.h"

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
  ClosureChecker closures;
  ForeignNames foreign;
  Advice advice;
  TypeExprChecker typeExprs{ctx};
  ExprChecker exprs{ctx};
  SubscriptChecker subscripts{ctx};
  CallChecker calls{ctx};
  DerivativeChecker derivatives{ctx};
  BuiltinChecker builtins{ctx};
  MethodChecker methods{ctx};
  ClassChecker classes{ctx};
  ComplexChecker complexes{ctx};
  HostCallChecker hostCalls{ctx};
  IterableChecker iterables{ctx};
  ObjectChecker objects{ctx};
};

} // namespace chi::sema
#endif // CHI_SEMA_EXPRS_EXPRCHECKERS_H
