//===- AdjointLinks.cpp - Which function an adjoint is of -----------------===//
#include "chi/Sema/Program/ProgramChecker.h"

using namespace chi;
using namespace chi::sema;

/// Finds the function that `decl` is the adjoint of.
void ProgramChecker::linkAdjoint(ModuleScope &module, FunctionDecl &decl) {
  auto *name = llvm::dyn_cast<ast::NameExpr>(decl.adjointOf);
  if (name && decl.klass) { // of a method
    auto method = decl.klass->methods.find(name->name);
    if (method != decl.klass->methods.end() && method->second[0] != &decl)
      return linkAdjoint(*method->second[0], decl);
  }
  auto found = name ? module.names.find(name->name) : module.names.end();
  bool isFunction = found != module.names.end() &&
                    found->second.kind == Meaning::Function &&
                    found->second.function != &decl;
  SourceRange range = decl.adjointOf->range;
  if (!isFunction) {
    diags.report(range, diag::AdjointTarget).send();
    return;
  }
  linkAdjoint(*found->second.function, decl);
}

void ProgramChecker::linkAdjoint(FunctionDecl &of, FunctionDecl &decl) {
  size_t given = decl.ast->params.size(), own = of.ast->params.size();
  bool isOneEntry = of.isKernel || decl.isKernel || given == own;
  if (given != (isOneEntry ? own : own + 2)) {
    diags
        .report(decl.ast->nameRange, diag::AdjointParams, decl.ast->name,
                of.ast->name,
                isOneEntry ? "" : ", its result and the adjoint of that",
                isOneEntry ? own : own + 2, given)
        .note(of.ast->nameRange, diag::DeclaredHere, of.ast->name)
        .send();
    decl.isBroken = true;
    return;
  }
  if (of.adjoint) {
    diags.report(decl.adjointOf->range, diag::DeclaredTwice, of.ast->name)
        .note(of.adjoint->adjointOf->range, diag::DeclaredHere, of.ast->name)
        .send();
    return;
  }
  of.adjoint = &decl;
  of.isOneEntry = isOneEntry;
}
