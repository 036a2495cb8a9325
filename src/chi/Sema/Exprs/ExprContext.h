//===- ExprContext.h - The checkers of expressions --------------*- C++ -*-===//
#ifndef CHI_SEMA_EXPRS_EXPRCONTEXT_H
#define CHI_SEMA_EXPRS_EXPRCONTEXT_H

#include "chi/Sema/Names/BodyPart.h"

namespace chi::sema {

class Advice;
class BuiltinChecker;
class CallChecker;
class ClassChecker;
class ClosureChecker;
class ComplexChecker;
class DerivativeChecker;
class ExprChecker;
class ForeignNames;
class HostCallChecker;
class IterableChecker;
class MethodChecker;
class ObjectChecker;
class NameChecker;
class SubscriptChecker;
class TypeExprChecker;

/// Checks statements that stand in an expression, a comprehension's loop.
class InnerStatements {
public:
  virtual ~InnerStatements() = default;
  /// Appends what the statements become.
  virtual void checkInto(ast::Body body, Body &into) = 0;
};

/// The checkers of the expressions of one body, each of which knows the others
/// by it.
struct ExprContext {
  ProgramScope &program;
  BodyState &state;
  NameChecker &names;
  ForeignNames &foreign;
  Advice &advice;
  TypeExprChecker &typeExprs;
  ExprChecker &exprs;
  SubscriptChecker &subscripts;
  CallChecker &calls;
  ClosureChecker &closures;
  DerivativeChecker &derivatives;
  BuiltinChecker &builtins;
  MethodChecker &methods;
  ClassChecker &classes;
  ComplexChecker &complexes;
  HostCallChecker &hostCalls;
  IterableChecker &iterables;
  ObjectChecker &objects;
  InnerStatements *statements = nullptr; ///< null: there are none here
};

/// What a checker of expressions starts from.
class ExprPart : protected BodyPart {
public:
  explicit ExprPart(ExprContext &ctx)
      : BodyPart(ctx.program, ctx.state), ctx(ctx) {}

protected:
  ExprContext &ctx;
};

} // namespace chi::sema
#endif // CHI_SEMA_EXPRS_EXPRCONTEXT_H
