//===- CallResults.cpp - The instance of a function that is called --------===//
#include "chi/Sema/Exprs/CallChecker.h"
#include "chi/Sema/Exprs/ExprCheckers.h"

using namespace chi;
using namespace chi::sema;

/// The instance for the arguments' types; where that lacks a value while
/// compiling which the call knows (`t[k]` and `static(j)` with `j = k + 1`, in
/// a `static` loop over k), the one for the known values. A parameter with a
/// type has none: whether a function is right is no matter of one call.
Instance &CallChecker::chooseInstance(
    FunctionDecl &decl, llvm::ArrayRef<ArgBinding> bindings,
    llvm::ArrayRef<Expr *> values, SourceRange range,
    const std::map<std::string, Meaning, std::less<>> &typeNames) {
  Instance &general =
      program.instantiate(decl, bindings.vec(), range, typeNames);
  bool lacksValue =
      general.isBroken &&
      llvm::any_of(general.diagnostics, [](const Diagnostic &known) {
        return known.code == diag::NotConstant.code;
      });
  if (!lacksValue)
    return general;
  std::vector<ArgBinding> known = bindings.vec();
  bool knowsMore = false;
  const AssignCounts &counts = program.countsOf(decl.ast->body);
  for (auto [k, value] : llvm::enumerate(values))
    if (value && !known[k].constant && isConstant(value) &&
        !(decl.klass && k == 0) && !decl.ast->params[k].type &&
        !value->type->isArray() &&
        !counts.all.count(decl.ast->params[k].name)) {
      known[k].constant = build.clone(value);
      knowsMore = true;
    }
  if (!knowsMore)
    return general;
  Instance &exact =
      program.instantiate(decl, std::move(known), range, typeNames);
  return exact.isBroken ? general : exact;
}

/// Notes from the call down to the construct that is host only.
static void addChain(DiagnosticBuilder report, const Instance *at) {
  if (!at || !at->hostCause)
    return; // sent as it dies
  const HostCause &cause = *at->hostCause;
  addChain(std::move(report).note(cause.range, diag::HostOnlyBecause,
                                  at->function->display, cause.what),
           cause.through);
}

/// Whether a function that writes no type of its result has one.
static bool returnsValue(ast::Body body) {
  bool returns = false;
  walkStmts(body, [&](const ast::Stmt *stmt) {
    auto *result = llvm::dyn_cast<ast::ReturnStmt>(stmt);
    returns |= result && result->value;
  });
  return returns;
}

/// Whether a callee that is being checked, if it is, can be called again.
bool CallChecker::mayRecur(const ast::CallExpr *expr, Instance &callee) {
  const FunctionDecl &decl = *callee.decl;
  llvm::StringRef name = callee.function->display;
  if (callee.isEndless) {
    diags.report(expr->range, diag::EndlessInstances, decl.ast->name)
        .note(decl.ast->nameRange, diag::DeclaredHere, decl.ast->name)
        .send();
    return false;
  }
  if (callee.state != Instance::Busy)
    return true;
  bool isKnown = decl.ast->returnType || !returnsValue(decl.ast->body);
  if (!isKnown) {
    diags.report(expr->range, diag::RecursionNeedsType, name, decl.ast->name)
        .note(decl.ast->nameRange, diag::DeclaredHere, decl.ast->name)
        .send();
    return false;
  }
  // Host code that launches this kernel, which calls it.
  if (decl.isKernel || state.inKernel()) {
    diags.report(expr->range, diag::RecursionThroughKernel, name)
        .note(decl.ast->nameRange, diag::DeclaredHere, decl.ast->name)
        .send();
    return false;
  }
  if (state.self != &callee)
    callee.calledBusy = expr->range;
  return true;
}

Expr *CallChecker::finishCall(const ast::CallExpr *expr, Instance &callee,
                              std::vector<Expr *> args) {
  FunctionDecl &decl = *callee.decl;
  if (!mayRecur(expr, callee))
    return fail(expr->range);
  if (state.self)
    state.self->calls.push_back({&callee, expr->range});
  for (const Diagnostic &known : callee.diagnostics) {
    Diagnostic again = known;
    if (decl.hasUnannotated() && again.notes.size() < 8)
      again.notes.push_back(
          {expr->range,
           llvm::formatv(diag::CalledHere.text, callee.function->display)
               .str()});
    diags.add(std::move(again));
  }
  if (state.self)
    for (auto &[variable, range] : callee.reads) {
      state.self->reads.insert({variable, expr->range});
      if (state.where == Where::Script && !state.isAssigned(variable) &&
          state.reachable) {
        diags
            .report(expr->range, diag::CallReadsUnassigned, decl.ast->name,
                    variable->name)
            .note(range, diag::ReadHere, variable->name)
            .note(variable->range, diag::AssignedHere, variable->name)
            .send();
        state.assigned.insert(variable);
      }
    }
  if (callee.hostCause) {
    if (state.inKernel()) {
      addChain(diags.report(expr->range, diag::HostOnlyCall, decl.ast->name),
               &callee);
      return fail(expr->range);
    }
    state.markHostOnly(expr->range,
                       ("the call of `" + decl.ast->name + "`").str(), &callee);
  }
  if (callee.isBroken || callee.function->result->isError())
    return fail(expr->range);
  auto *call = build.make<CallExpr>(expr->range, callee.function->result);
  call->callee = callee.function;
  call->args = std::move(args);
  return call;
}
