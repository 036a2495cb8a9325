//===- ExprCheckers.cpp - Checks expressions in a scope -------------------===//
#include "chi/Sema/Exprs/ExprCheckers.h"

using namespace chi;
using namespace chi::sema;

ExprCheckers::ExprCheckers(ProgramScope &program, ModuleScope &module,
                           Where where, Instance *self)
    : state(program.build, module, where, self),
      ctx{program,   state,   names,      foreign,   advice,
          typeExprs, exprs,   subscripts, calls,     derivatives,
          builtins,  methods, classes,    hostCalls, iterables},
      names(program, state, foreign), foreign(program, state, names),
      advice(program, state, names, foreign) {}

Expr *ExprCheckers::checkExpr(const ast::Expr *expr) {
  return exprs.checkExpr(expr);
}

TypeRef ExprCheckers::checkType(const ast::Expr *expr) {
  return typeExprs.checkType(expr);
}

Meaning ExprCheckers::resolve(const ast::Expr *expr) {
  return names.resolve(expr);
}

bool ExprCheckers::isForeignlyTyped(const FunctionDecl &decl,
                                    const ast::Parameter &parameter) {
  return calls.isForeignlyTyped(decl, parameter);
}
