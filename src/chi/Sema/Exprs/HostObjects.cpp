//===- HostObjects.cpp - Objects that are references ([Cls.3]) ------------===//
// Note [Host objects]: an object of a class that holds a field, a str or a list
// is an object of the run time, of which host code has references (a Ref). A
// kernel gets a value instead, with those of its members that kernels can have,
// as they are at the call (ClassInstance::view). Its methods are checked once
// for `self` as a reference, and once for such a value; there they cannot
// assign members, since nothing would see it.
//
// Note [Initializers]: `__init__` is a method that returns its `self` (Note
// [Self] in ClassChecker.h). `P(…)` calls it with an object that holds the
// defaults.
#include "chi/Sema/Advice/Advice.h"
#include "chi/Sema/Build/Objects.h"
#include "chi/Sema/Exprs/CallChecker.h"
#include "chi/Sema/Exprs/ClassChecker.h"
#include "chi/Sema/Exprs/ExprChecker.h"
#include "chi/Sema/Exprs/HostCallChecker.h"

using namespace chi;
using namespace chi::sema;

Expr *ClassChecker::viewed(Expr *object) {
  SourceRange range = object->range;
  std::vector<LetExpr *> lets;
  object = build.reusable(object, lets);
  TypeRef view = viewOf(object->type);
  std::vector<Expr *> parts;
  for (const std::string &name : view->memberNames) {
    Expr *part =
        memberAt(build.clone(object), *object->type->memberNamed(name), range);
    parts.push_back(part->type->isRef() ? viewed(part) : part);
    if (isError(parts.back()))
      return fail(range);
  }
  return build.closeLets(build.construct(range, view, std::move(parts)), lets);
}

/// What a new object has where a member is not given; null, without a report,
/// if there is nothing.
Expr *ClassChecker::omitted(SourceRange range, TypeRef type, unsigned number,
                            std::vector<Expr *> &parts,
                            std::vector<LetExpr *> &lets) {
  ClassInstance &of = classOf(type);
  ClassMember &member = of.members[number];
  if (member.maker) {
    std::vector<Expr *> args;
    for (unsigned k : member.maker->given) {
      if (!parts[k]) {
        diags
            .report(range, diag::MissingArgument, type->str(),
                    of.members[k].name)
            .note(of.members[k].range, diag::DeclaredHere, of.members[k].name)
            .send();
        return fail(range);
      }
      parts[k] = build.reusable(parts[k], lets);
      args.push_back(build.clone(parts[k]));
    }
    Expr *made = ctx.calls.callWith(range, member.maker->decl, std::move(args),
                                    of.typeNames);
    return build.pin(build.convert(
        made, member.type, ("the default of `" + member.name + "`").str()));
  }
  if (member.value)
    return build.clone(member.value);
  if (member.type->isContainer())
    return sema::makeObject(build, range, member.type, {});
  if (member.type->isField() && member.type->rank() == 0)
    return ctx.hostCalls.newField(range, member.type, {}, "");
  return nullptr;
}

/// A new object of the members that are given, which `__init__` may complete.
Expr *ClassChecker::makeReference(SourceRange range, TypeRef type,
                                  std::vector<Expr *> parts,
                                  bool isInitialized) {
  if (!state.hostOnly(range, "making a `" + type->str() + "`"))
    return fail(range);
  std::vector<LetExpr *> lets;
  std::vector<Expr *> given;
  std::string numbers;
  bool ok = true;
  for (unsigned k = 0; k < parts.size(); ++k) {
    if (!parts[k])
      parts[k] = omitted(range, type, k, parts, lets);
    const ClassMember &member = classOf(type).members[k];
    if (!parts[k] && !isInitialized)
      diags.report(range, diag::MissingArgument, type->str(), member.name)
          .note(member.range, diag::DeclaredHere, member.name)
          .send();
    ok &= parts[k] ? !isError(parts[k]) : isInitialized;
  }
  if (!ok)
    return fail(range);
  for (auto [k, part] : llvm::enumerate(parts))
    if (part) {
      given.push_back(part);
      numbers += (numbers.empty() ? "" : " ") + std::to_string(k);
    }
  Expr *made = sema::makeObject(build, range, type, std::move(given));
  llvm::cast<HostOpExpr>(made)->text = numbers;
  return build.closeLets(made, lets);
}

//===----------------------------------------------------------------------===//
// Note [Initializers]
//===----------------------------------------------------------------------===//

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
