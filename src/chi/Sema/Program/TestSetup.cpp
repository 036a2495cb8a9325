//===- TestSetup.cpp - What tests find at top level -----------------------===//
// `chic test` does not run the script. Each test begins with the top-level
// variables and fields whose initialisers use only constants, params and such
// variables, initialised again ([Src.3], [Src.4]).

#include "chi/Sema/Program/ProgramChecker.h"

using namespace chi;
using namespace chi::sema;

namespace {
using Globals = llvm::DenseSet<const Global *>;
} // namespace

static bool isInitialiser(Expr *expr, const Globals &ready) {
  switch (expr->kind) {
  case ExprKind::Literal:
  case ExprKind::StringLiteral:
  case ExprKind::Param:
    return true;
  case ExprKind::Global:
    return ready.contains(llvm::cast<GlobalExpr>(expr)->global);
  case ExprKind::HostOp:
    if (llvm::cast<HostOpExpr>(expr)->op != HostOp::MakeField)
      return false;
    break;
  case ExprKind::Unary:
  case ExprKind::Binary:
  case ExprKind::Compare:
  case ExprKind::Logical:
  case ExprKind::Select:
  case ExprKind::Cast:
  case ExprKind::Splat:
  case ExprKind::Construct:
  case ExprKind::Extract:
  case ExprKind::Builtin:
  case ExprKind::Dim:
    break;
  default:
    return false;
  }
  bool isPure = true;
  forEachOperand(expr, [&](Expr *&operand) {
    isPure &= !operand || isInitialiser(operand, ready);
  });
  return isPure;
}

static Body initialisers(const Function &script, Globals &ready) {
  Body setup;
  for (Stmt *stmt : script.body) {
    auto *assign = llvm::dyn_cast<AssignStmt>(stmt);
    if (!assign || assign->lvalue.kind != LValue::TopLevel ||
        !assign->lvalue.path.empty() || ready.contains(assign->lvalue.global) ||
        !isInitialiser(assign->value, ready))
      continue;
    ready.insert(assign->lvalue.global);
    setup.push_back(stmt);
  }
  return setup;
}

void ProgramChecker::setUpTests() {
  if (program.tests.empty() || !program.script || diags.hasErrors())
    return;
  Globals ready, reported;
  Body setup = initialisers(*program.script, ready);
  for (TestBlock &test : program.tests) {
    reachableFunctions({test.function}, [&](Expr *expr) {
      auto *use = llvm::dyn_cast<GlobalExpr>(expr);
      if (!use || ready.contains(use->global) ||
          !reported.insert(use->global).second)
        return;
      diags
          .report(use->range, diag::TestNeedsScript, test.name,
                  use->global->name)
          .note(use->global->range, diag::DeclaredHere, use->global->name)
          .send();
    });
    Body &body = test.function->body;
    body.insert(body.begin(), setup.begin(), setup.end());
  }
}
