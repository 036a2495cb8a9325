//===- ListLoops.cpp - `for` over lists, and `else` of loops --------------===//
#include "chi/Sema/Exprs/IterableChecker.h"
#include "chi/Sema/Exprs/ObjectChecker.h"
#include "chi/Sema/Stmts/AssignChecker.h"
#include "chi/Sema/Stmts/LoopChecker.h"
#include "chi/Sema/Stmts/StmtChecker.h"

using namespace chi;
using namespace chi::sema;

//===----------------------------------------------------------------------===//
// for x in xs
//===----------------------------------------------------------------------===//

/// Gives the loop's names the values of one turn.
void LoopChecker::bindElements(const ast::ForStmt *stmt,
                               const Iteration &iteration,
                               llvm::ArrayRef<Expr *> values) {
  for (ast::Expr *target : stmt->targets)
    declareNames(target);
  if (values.size() == 1) {
    if (stmt->targets.size() == 1)
      return ctx.assigns.assignTo(stmt->targets[0], values[0]);
    return ctx.assigns.unpack(stmt->targets, stmt->range, values[0]);
  }
  auto targets = openTargets(stmt->targets, values.size());
  // `for i, k, v in enumerate(d.items())` is Python's `i, (k, v)`.
  if (targets.size() != values.size()) {
    diags.report(stmt->range, diag::LoopNames, targets.size(), values.size())
        .send();
    for (ast::Expr *target : stmt->targets)
      for (const ast::NameExpr *name : flatNames(target))
        state.scopes.back().names[name->name.str()].kind = Meaning::Broken;
    return;
  }
  for (auto [target, value] : llvm::zip(targets, values))
    ctx.assigns.assignTo(target, value);
}

/// A loop over lists is a `while` that counts: a list that grows meanwhile has
/// more turns, as in Python.
void LoopChecker::forLists(const ast::ForStmt *stmt, Iteration &iteration) {
  SourceRange range = stmt->iterable->range;
  std::vector<Expr *> lists;
  for (Expr *list : iteration.lists)
    lists.push_back(state.store(list));
  Variable *counter = state.freshVariable(".at", range, types.i64);
  auto setCounter = [&](Expr *value) {
    auto *assign = state.emit<AssignStmt>(range);
    assign->lvalue.kind = LValue::Local;
    assign->lvalue.variable = counter;
    assign->lvalue.type = types.i64;
    assign->lvalue.range = range;
    assign->value = value;
  };
  auto at = [&] { return build.variable(range, counter); };
  setCounter(build.intLiteral(range, 0, types.i64));
  auto *loop = state.emit<WhileStmt>(stmt->range);
  for (Expr *list : lists) {
    Expr *size = ctx.objects.run(range, "chirt_object_length", types.i64,
                                 {build.clone(list)});
    Expr *more = build.compare(range, CompareOp::Lt, at(), size);
    loop->condition = loop->condition
                          ? build.logical(range, true, loop->condition, more)
                          : more;
  }
  std::set<const void *> before = state.assigned;
  bool wasReachable = state.reachable;
  state.loops.push_back(LoopKind::Sequential);
  state.enter(Scope::Loop, stmt->body, stmt);
  Body *outer = state.out;
  state.out = &loop->body;
  std::vector<Expr *> values;
  if (iteration.isEnumerated)
    values.push_back(build.binary(
        range, range, BinaryOp::Add, build.cast(at(), build.defaultInt()),
        build.intLiteral(range, iteration.enumerateFrom, types.untypedInt)));
  for (Expr *list : lists)
    values.push_back(ctx.objects.elementAt(range, build.clone(list), at()));
  bindElements(stmt, iteration, values);
  setCounter(build.binary(range, range, BinaryOp::Add, at(),
                          build.intLiteral(range, 1, types.i64)));
  ctx.stmts.checkBody(stmt->body);
  state.out = outer;
  state.leave();
  state.loops.pop_back();
  state.assigned = std::move(before);
  state.reachable = wasReachable;
}

//===----------------------------------------------------------------------===//
// else
//===----------------------------------------------------------------------===//

bool sema::leavesByBreak(ast::Body body) {
  for (const ast::Stmt *inner : body) {
    if (llvm::isa<ast::BreakStmt>(inner))
      return true;
    if (auto *branch = llvm::dyn_cast<ast::IfStmt>(inner))
      if (leavesByBreak(branch->thenBody) || leavesByBreak(branch->elseBody))
        return true;
    if (auto *with = llvm::dyn_cast<ast::WithStmt>(inner))
      if (leavesByBreak(with->body))
        return true;
    // The `else` of an inner loop belongs to this one.
    if (auto *loop = llvm::dyn_cast<ast::ForStmt>(inner))
      if (leavesByBreak(loop->elseBody))
        return true;
    if (auto *loop = llvm::dyn_cast<ast::WhileStmt>(inner))
      if (leavesByBreak(loop->elseBody))
        return true;
  }
  return false;
}

void LoopChecker::checkWithElse(SourceRange range, ast::Body body,
                                ast::Body elseBody,
                                llvm::function_ref<void()> checkLoop) {
  if (elseBody.empty())
    return checkLoop();
  if (!leavesByBreak(body)) {
    checkLoop();
    return ctx.stmts.checkBody(elseBody);
  }
  Variable *isLeft = state.freshVariable(".left", range, types.boolTy);
  auto *assign = state.emit<AssignStmt>(range);
  assign->lvalue.kind = LValue::Local;
  assign->lvalue.variable = isLeft;
  assign->lvalue.type = types.boolTy;
  assign->lvalue.range = range;
  assign->value = build.boolLiteral(range, false);
  size_t depth = state.loops.size() + 1;
  state.breakFlags[depth] = isLeft;
  checkLoop();
  state.breakFlags.erase(depth);
  auto *branch = state.emit<IfStmt>(range);
  branch->condition =
      build.unary(range, UnaryOp::Not, build.variable(range, isLeft));
  // What it assigns is not assigned where a `break` left the loop.
  std::set<const void *> before = state.assigned;
  bool wasReachable = state.reachable;
  ctx.stmts.checkBodyInto(elseBody, branch->thenBody);
  state.assigned = std::move(before);
  state.reachable = wasReachable;
}
