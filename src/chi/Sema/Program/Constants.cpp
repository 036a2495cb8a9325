//===- Constants.cpp - Values of const, types of aliases ------------------===//
#include "chi/Sema/Exprs/ExprCheckers.h"
#include "chi/Sema/Program/ProgramChecker.h"

using namespace chi;
using namespace chi::sema;

Expr *ProgramChecker::constantValue(ConstDecl &decl, SourceRange use) {
  if (decl.state == ConstDecl::Done)
    return decl.value;
  if (decl.state == ConstDecl::Busy) {
    diags.report(use, diag::ConstantCycle, decl.ast->name)
        .note(decl.ast->nameRange, diag::DeclaredHere, decl.ast->name)
        .send();
    return build.error(use);
  }
  decl.state = ConstDecl::Busy;
  ExprCheckers checker(*this, *decl.module, Where::Constant, nullptr);
  const ast::Expr *written = decl.ast->value;
  Expr *value = checker.checkExpr(written);
  if (decl.ast->type) {
    TypeRef type = checker.checkType(decl.ast->type);
    value = type->isError()
                ? build.error(use)
                : build.pin(build.convert(value, type,
                                          ("`" + decl.ast->name + "`").str()));
  }
  if (!isError(value) && !isConstant(value))
    value = build.withDefault(value);
  if (!isError(value) && !isConstant(value)) {
    if (!build.reportUndefined(value))
      diags
          .report(written->range, diag::NotConstant,
                  ("`" + decl.ast->name + "`").str())
          .send();
    value = build.error(use);
  }
  if (!isError(value) && reportTooLarge(build, value))
    value = build.error(use);
  decl.value = value;
  decl.state = ConstDecl::Done;
  return value;
}

TypeRef ProgramChecker::aliasType(AliasDecl &decl, SourceRange use) {
  if (decl.state == AliasDecl::Done)
    return decl.type;
  if (decl.state == AliasDecl::Busy) {
    diags.report(use, diag::ConstantCycle, decl.ast->name)
        .note(decl.ast->nameRange, diag::DeclaredHere, decl.ast->name)
        .send();
    return types.error;
  }
  decl.state = AliasDecl::Busy;
  ExprCheckers checker(*this, *decl.module, Where::Constant, nullptr);
  decl.type = checker.checkType(decl.ast->value);
  decl.state = AliasDecl::Done;
  return decl.type;
}
