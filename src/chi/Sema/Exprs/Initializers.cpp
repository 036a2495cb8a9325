//===- Initializers.cpp - P(…) of a class with __init__ -------------------===//
// See Note [Initializers] in ClassChecker.h.
#include "chi/Sema/Exprs/CallChecker.h"
#include "chi/Sema/Exprs/ClassChecker.h"
#include "chi/Sema/Exprs/ExprChecker.h"
#include <set>

using namespace chi;
using namespace chi::sema;

/// Whether an initializer names each member as a target that has no default;
/// false after a report. Other methods may assign them for it.
bool ClassChecker::setsMembers(const FunctionDecl &init, TypeRef type) {
  std::set<llvm::StringRef> assigned;
  bool callsMethod = false;
  auto ofSelf = [](const ast::Expr *expr) {
    auto *member = llvm::dyn_cast<ast::AttributeExpr>(expr);
    auto *base = member ? llvm::dyn_cast<ast::NameExpr>(member->base) : nullptr;
    return base && base->name == "self" ? member : nullptr;
  };
  walkStmts(init.ast->body, [&](const ast::Stmt *stmt) {
    if (auto *assign = llvm::dyn_cast<ast::AssignStmt>(stmt))
      for (const ast::Expr *target : assign->targets)
        walkExpr(target, [&](const ast::Expr *part) {
          if (auto *member = ofSelf(part))
            assigned.insert(member->name);
        });
  });
  walkExprs(init.ast->body, [&](const ast::Expr *expr) {
    auto *call = llvm::dyn_cast<ast::CallExpr>(expr);
    callsMethod |= call && ofSelf(call->callee);
  });
  for (const ClassMember &member : classOf(type).members) {
    bool needsValue = type->isRef() && !member.value && !member.maker &&
                      !member.type->isContainer() &&
                      !(member.type->isField() && member.type->rank() == 0);
    if (!needsValue || callsMethod || assigned.count(member.name))
      continue;
    diags
        .report(init.ast->nameRange, diag::MemberNotSet, member.name,
                type->str())
        .note(member.range, diag::DeclaredHere, member.name)
        .send();
    return false;
  }
  return true;
}

Expr *ClassChecker::initialized(const ast::CallExpr *expr, TypeRef type) {
  ClassInstance &of = classOf(type);
  std::vector<Expr *> parts;
  for (const ClassMember &member : of.members)
    parts.push_back(type->isRef() ? nullptr : build.clone(member.value));
  Expr *self = type->isRef()
                   ? makeReference(expr->range, type, std::move(parts), true)
                   : build.construct(expr->range, type, std::move(parts));
  auto &methods = of.decl->methods.find("__init__")->second;
  for (const FunctionDecl *method : methods)
    if (!isError(self) && !method->isBroken && !setsMembers(*method, type))
      return fail(expr->range);
  if (isError(self))
    return self;
  return callOne(expr, self, methods, expr->callee->range);
}

/// Of a generic class the parameters of `__init__` say what its own are.
Expr *ClassChecker::inferInitialized(const ast::CallExpr *expr,
                                     ClassDecl &decl) {
  TypeNames typeNames;
  const FunctionDecl &init = *decl.methods.find("__init__")->second.front();
  llvm::ArrayRef<ast::Parameter> params = init.givenParams();
  size_t mark = diags.mark();
  for (bool isLiteral : {false, true})
    for (auto [k, arg] : llvm::enumerate(expr->args)) {
      const ast::Parameter *parameter = llvm::find_if(
          params, [&](const auto &each) { return each.name == arg.keyword; });
      if (arg.keyword.empty() && k < params.size())
        parameter = &params[k];
      if (parameter == params.end() || !parameter->type)
        continue;
      Expr *value = ctx.exprs.checkExpr(arg.value);
      if (!isError(value) && isUntyped(value->type) == isLiteral)
        ctx.calls.inferClass(decl, parameter->type,
                             build.defaulted(value->type), typeNames);
    }
  diags.discardSince(mark); // the call checks its arguments
  if (!areInferred(expr, decl, typeNames))
    return fail(expr->range);
  TypeRef type = program.classType(decl, typeNames, expr->range);
  return type->isError() ? fail(expr->range) : initialized(expr, type);
}
