//===- FillLoops.cpp - x.fill(v) in a kernel ------------------------------===//
#include "chi/Sema/Exprs/BuiltinChecker.h"
#include "chi/Sema/Exprs/ExprChecker.h"
#include "chi/Sema/Exprs/SubscriptChecker.h"
#include "chi/Sema/Names/NameChecker.h"
#include "chi/Sema/Stmts/LoopChecker.h"

using namespace chi;
using namespace chi::sema;

/// Whether an expression is the name of a field, or `.grad` of one.
bool LoopChecker::isFieldName(const ast::Expr *expr) {
  if (auto *member = llvm::dyn_cast<ast::AttributeExpr>(expr);
      member && member->name == "grad")
    return isFieldName(member->base);
  auto *name = llvm::dyn_cast<ast::NameExpr>(expr);
  if (!name)
    return false;
  Meaning meaning = state.lookupLocal(name->name);
  if (meaning.kind == Meaning::Nothing)
    meaning = ctx.names.lookup(name->name);
  TypeRef type = nullptr;
  if (meaning.kind == Meaning::Local)
    type = meaning.local->type;
  else if (meaning.kind == Meaning::TopLevel)
    type = meaning.topLevel->type ? meaning.topLevel->type
                                  : meaning.topLevel->hint;
  else if (meaning.kind == Meaning::Constant)
    type = meaning.constant->type;
  return type && type->isField();
}

bool LoopChecker::checkFill(const ast::CallExpr *call) {
  auto *method = llvm::dyn_cast<ast::AttributeExpr>(call->callee);
  if (!state.inKernel() || !method || method->name != "fill" ||
      !isFieldName(method->base))
    return false;
  Expr *field = ctx.exprs.checkExpr(method->base);
  if (!isError(field))
    fillField(call, field);
  return true;
}

/// A loop like those that are written: parallel at kernel level, else
/// sequential.
void LoopChecker::fillField(const ast::CallExpr *call, Expr *field) {
  std::vector<Expr *> args;
  if (!ctx.builtins.builtinArgs(call, 1, 1, args))
    return;
  TypeRef type = field->type;
  Expr *value = build.convert(args[0], type->element, "the element");
  if (isError(value))
    return;
  // The value is computed once.
  if (!isConstant(value))
    value = state.store(value);
  LValue element;
  element.kind = LValue::Element;
  element.field = build.clone(field);
  element.type = type->element;
  element.range = call->range;
  Body *body = state.out;
  if (type->rank() > 0) {
    auto *loop = state.emit<ForStmt>(call->range);
    loop->field = field;
    loop->isParallel = !state.inParallel();
    for (unsigned axis = 0; axis < type->rank(); ++axis) {
      Variable *index =
          state.freshVariable(".fill[" + std::to_string(axis) + "]",
                              call->range, ctx.subscripts.axisType(type, axis));
      loop->variables.push_back(index);
      element.indices.push_back(build.variable(call->range, index));
    }
    body = &loop->body;
  }
  llvm::SaveAndRestore<Body *> inside(state.out, body);
  auto *store = state.emit<AssignStmt>(call->range);
  store->lvalue = std::move(element);
  store->value = value;
}
