//===- StmtChecker.cpp - Statements ---------------------------------------===//
#include "chi/Sema/Stmts/StmtChecker.h"
#include "chi/Sema/Builtins/Foreign.h"
#include "chi/Sema/Exprs/ExprChecker.h"
#include "chi/Sema/Exprs/ObjectChecker.h"
#include "chi/Sema/Names/NameChecker.h"
#include "chi/Sema/Stmts/AssignChecker.h"
#include "chi/Sema/Stmts/LoopChecker.h"
#include "chi/Sema/Stmts/TapeChecker.h"
#include "chi/Sema/Stmts/UpdateChecker.h"
#include "llvm/ADT/ScopeExit.h"

using namespace chi;
using namespace chi::sema;

void StmtChecker::checkBody(ast::Body body) {
  for (const ast::Stmt *stmt : body)
    checkStmt(stmt);
}

void StmtChecker::checkInto(ast::Body body, Body &into) {
  bool wasReachable = state.reachable;
  checkBodyInto(body, into);
  state.reachable = wasReachable;
}

void StmtChecker::checkBodyInto(ast::Body body, Body &into) {
  Body *outer = state.out;
  state.out = &into;
  checkBody(body);
  state.out = outer;
}

void StmtChecker::checkStmt(const ast::Stmt *stmt) {
  using K = ast::StmtKind;
  bool atTop = state.where == Where::Script && state.scopes.size() == 1 &&
               state.out == &state.self->function->body;
  switch (stmt->kind) {
  case K::Expr:
    return checkExprStmt(llvm::cast<ast::ExprStmt>(stmt));
  case K::Assign:
    return ctx.assigns.checkAssign(llvm::cast<ast::AssignStmt>(stmt));
  case K::AnnAssign:
    return ctx.assigns.checkAnnAssign(llvm::cast<ast::AnnAssignStmt>(stmt));
  case K::AugAssign:
    return ctx.updates.checkAugAssign(llvm::cast<ast::AugAssignStmt>(stmt));
  case K::If:
    return checkIf(llvm::cast<ast::IfStmt>(stmt));
  case K::While:
    return ctx.loops.checkWithElse(
        stmt->range, llvm::cast<ast::WhileStmt>(stmt)->body,
        llvm::cast<ast::WhileStmt>(stmt)->elseBody,
        [&] { checkWhile(llvm::cast<ast::WhileStmt>(stmt)); });
  case K::For:
    return ctx.loops.checkFor(llvm::cast<ast::ForStmt>(stmt));
  case K::Break:
    return checkBreak(stmt, true);
  case K::Continue:
    return checkBreak(stmt, false);
  case K::Pass:
    return;
  case K::Return:
    return checkReturn(llvm::cast<ast::ReturnStmt>(stmt));
  case K::Assert:
    return checkAssert(llvm::cast<ast::AssertStmt>(stmt));
  case K::With:
    return ctx.tapes.checkWith(llvm::cast<ast::WithStmt>(stmt));
  case K::Example:
    return checkExample(llvm::cast<ast::ExampleStmt>(stmt));
  case K::Unsupported:
    return refuseStmt(llvm::cast<ast::UnsupportedStmt>(stmt), atTop);
  case K::Function:
  case K::Class:
    if (!atTop)
      checkNested(stmt);
    return;
  case K::Const:
  case K::Param:
  case K::TypeAlias:
  case K::Import:
  case K::FromImport:
  case K::Export:
  case K::Test:
    if (!atTop)
      refuseDeclaration(stmt);
    return;
  }
}

/// What it was written for is no second error.
void StmtChecker::refuseStmt(const ast::UnsupportedStmt *stmt, bool atTop) {
  if (stmt->isDelayed) {
    reportLater(diags, stmt->range, stmt->what);
    return;
  }
  bool isIdle = atTop && !stmt->names.empty();
  diags
      .report(stmt->range, diag::NotInLanguage, stmt->what,
              isIdle ? "remove this line: top-level names need no declaration"
                     : stmt->hint)
      .send();
  if (!isIdle)
    for (llvm::StringRef name : stmt->names)
      state.declareBroken(name);
}

/// An import or a const inside of other code; the uses of its names are no
/// second error.
void StmtChecker::refuseDeclaration(const ast::Stmt *stmt) {
  diags.report(stmt->range, diag::TopLevelOnly).send();
  if (auto *import = llvm::dyn_cast<ast::ImportStmt>(stmt)) {
    state.declareBroken(import->alias.empty() ? import->path.split('.').first
                                              : import->alias);
  } else if (auto *from = llvm::dyn_cast<ast::FromImportStmt>(stmt)) {
    for (const ast::ImportedName &each : from->names)
      state.declareBroken(each.alias.empty() ? each.name : each.alias);
  } else if (auto *constant = llvm::dyn_cast<ast::ConstStmt>(stmt)) {
    state.declareBroken(constant->name);
  } else if (auto *param = llvm::dyn_cast<ast::ParamStmt>(stmt)) {
    state.declareBroken(param->name);
  }
}

/// A function or class inside of other code; its name is known from here on.
void StmtChecker::checkNested(const ast::Stmt *stmt) {
  auto *klass = llvm::dyn_cast<ast::ClassStmt>(stmt);
  auto *function = llvm::dyn_cast<ast::FunctionStmt>(stmt);
  llvm::StringRef name = klass ? klass->name : function->name;
  Meaning &meaning = state.scopes.back().names[name.str()];
  Meaning known = meaning;
  meaning.kind = Meaning::Broken; // its calls are no second error
  if (klass || !function->decorators.empty()) {
    reportLater(diags, stmt->range,
                klass ? "a class inside of other code"
                      : "a decorator on a nested function");
    return;
  }
  ast::Body whole = state.where == Where::Script
                        ? ast::Body(state.module->ast->body)
                        : state.scopes.front().body;
  unsigned count = program.countsOf(whole).all.count(name);
  walkStmts(whole, [&](const ast::Stmt *each) {
    auto *other = llvm::dyn_cast<ast::FunctionStmt>(each);
    count += other && other->name == name;
  });
  bool isParameter = known.kind != Meaning::Nothing && known.flowKey != stmt;
  if (count > 1 || isParameter) {
    diags.report(function->nameRange, diag::NestedTwice, name).send();
    return;
  }
  Meaning made = ctx.names.nested(function);
  made.flowKey = stmt;
  state.assigned.insert(stmt);
  state.scopes.back().names[name.str()] = made;
}

/// The run time captures what the statement prints, and compares it.
void StmtChecker::checkExample(const ast::ExampleStmt *stmt) {
  auto run = [&](llvm::StringRef function, std::vector<Expr *> args) {
    state.emit<ExprStmt>(stmt->range)->value =
        ctx.objects.run(stmt->range, function, types.voidTy, args);
  };
  run("chirt_example_begin", {});
  for (const ast::Stmt *each : stmt->body)
    if (auto *shown = llvm::dyn_cast<ast::ExprStmt>(each))
      checkExprStmt(shown, /*showsValue=*/true);
    else
      checkStmt(each);
  auto *expected = build.make<StringLiteralExpr>(stmt->range, types.str);
  expected->value = stmt->expected.str();
  run("chirt_example_end", {expected});
}

void StmtChecker::checkExprStmt(const ast::ExprStmt *stmt, bool showsValue) {
  auto *unsupported = llvm::dyn_cast<ast::UnsupportedExpr>(stmt->value);
  if (unsupported && !unsupported->name.empty()) {
    diags
        .report(unsupported->range, diag::NotInLanguage, unsupported->what,
                "use `=` to assign in a statement")
        .fixIt(unsupported->opRange, "=")
        .send();
    return state.declareBroken(unsupported->name);
  }
  if (llvm::isa<ast::StringExpr>(stmt->value) && !showsValue)
    return; // a docstring
  if (auto *collected = llvm::dyn_cast<ast::CollectedExpr>(stmt->value))
    return ctx.objects.collect(collected);
  if (auto *call = llvm::dyn_cast<ast::CallExpr>(stmt->value)) {
    Meaning callee = ctx.names.resolve(call->callee);
    if (callee.kind == Meaning::Builtin && callee.builtin == BuiltinName::Print)
      return ctx.exprs.checkPrint(call);
    if (callee.kind == Meaning::Builtin &&
        callee.builtin == BuiltinName::Static) {
      ctx.exprs.checkExpr(call);
      return;
    }
    if (ctx.updates.checkAtomic(call) || ctx.loops.checkFill(call))
      return;
  }
  Expr *value = build.withDefault(ctx.exprs.checkExpr(stmt->value));
  if (isError(value))
    return;
  if (showsValue && !value->type->isVoid())
    return ctx.exprs.printValue(value);
  if (value->type->isVoid() && llvm::isa<ConstructExpr>(value))
    return; // a method's statement is there (ClassChecker::storeSelf)
  const Expr *inner = value;
  while (auto *let = llvm::dyn_cast<LetExpr>(inner))
    inner = let->body;
  if (auto *number = llvm::dyn_cast<ConstructExpr>(inner);
      number && number->type->isComplex)
    inner = number->parts[0];
  auto *hostOp = llvm::dyn_cast<HostOpExpr>(inner);
  // A call that stores what it changed ends with its result.
  if (auto *let = llvm::dyn_cast<LetExpr>(value);
      let && llvm::isa<CallExpr>(let->value))
    inner = let->value;
  bool hasEffect =
      hostOp
          ? hostOp->op != HostOp::FieldView && hostOp->op != HostOp::ListAt &&
                hostOp->op != HostOp::MakeObject &&
                hostOp->op != HostOp::MemberAt &&
                (hostOp->op != HostOp::Run || hostOp->type->isVoid() ||
                 hostOp->text.starts_with("chirt_file"))
          : llvm::isa<CallExpr, AtomicExpr, RandomExpr>(inner);
  if (!hasEffect)
    diags.report(stmt->range, diag::UnusedValue).send();
  state.emit<ExprStmt>(stmt->range)->value = value;
  if (hostOp && hostOp->op == HostOp::Exit)
    state.reachable = false;
}

/// `if __name__ == "__main__":`; true after a report. A `main` that is not
/// there is no second error.
bool StmtChecker::refuseMainGuard(const ast::Expr *condition) {
  auto *compare = llvm::dyn_cast<ast::CompareExpr>(condition);
  const ast::NameExpr *name = nullptr;
  if (compare)
    for (const ast::Expr *operand : compare->operands)
      if (auto *found = llvm::dyn_cast<ast::NameExpr>(operand);
          found && found->name == "__name__")
        name = found;
  if (!name || ctx.names.lookup(name->name).kind != Meaning::Nothing)
    return false;
  auto report = diags.report(name->range, diag::UnknownName, name->name);
  if (ctx.names.lookup("main").kind == Meaning::Function)
    report.addNote({}, diag::MainRuns);
  else
    report.addNote({}, diag::Advice,
                   "top-level statements run automatically, and so does "
                   "`main()`; remove this `if`");
  if (ctx.names.lookup("main").kind == Meaning::Nothing)
    state.declareBroken("main");
  return true;
}

void StmtChecker::checkIf(const ast::IfStmt *stmt) {
  if (refuseMainGuard(stmt->condition)) {
    checkBody(stmt->thenBody);
    return checkBody(stmt->elseBody);
  }
  if (auto known = ctx.exprs.staticCondition(stmt->condition))
    return checkBody(*known ? stmt->thenBody : stmt->elseBody);
  Expr *condition =
      ctx.exprs.checkCondition(stmt->condition, "the condition of `if`");
  auto *branch = state.emit<IfStmt>(stmt->range);
  branch->condition = condition;
  std::set<const void *> before = state.assigned;
  bool wasReachable = state.reachable;
  ctx.exprs.checkGuarded(condition, true, [&] {
    checkBodyInto(stmt->thenBody, branch->thenBody);
  });
  std::set<const void *> afterThen = std::move(state.assigned);
  bool thenEnds = !state.reachable;
  state.assigned = std::move(before);
  state.reachable = wasReachable;
  ctx.exprs.checkGuarded(condition, false, [&] {
    checkBodyInto(stmt->elseBody, branch->elseBody);
  });
  if (!state.reachable) {
    state.assigned = std::move(afterThen);
  } else if (!thenEnds) {
    for (auto it = state.assigned.begin(); it != state.assigned.end();)
      it = afterThen.count(*it) ? std::next(it) : state.assigned.erase(it);
  }
  state.reachable = wasReachable && (state.reachable || !thenEnds);
}

void StmtChecker::checkWhile(const ast::WhileStmt *stmt) {
  Expr *condition =
      ctx.exprs.checkCondition(stmt->condition, "the condition of `while`");
  auto *loop = state.emit<WhileStmt>(stmt->range);
  loop->condition = condition;
  std::set<const void *> before = state.assigned;
  bool wasReachable = state.reachable;
  state.loops.push_back(LoopKind::Sequential);
  state.enter(Scope::Loop, stmt->body, stmt);
  ctx.exprs.checkGuarded(condition, true,
                         [&] { checkBodyInto(stmt->body, loop->body); });
  state.leave();
  state.loops.pop_back();
  state.assigned = std::move(before);
  state.reachable = wasReachable;
  // `while True` without a `break` never ends.
  auto known = isError(condition) ? std::nullopt : constantInt(condition);
  if (known && *known != 0) {
    state.reachable &= leavesByBreak(stmt->body);
  }
}

void StmtChecker::checkBreak(const ast::Stmt *stmt, bool isBreak) {
  llvm::StringRef word = isBreak ? "break" : "continue";
  if (state.loops.empty()) {
    diags.report(stmt->range, diag::OutsideLoop, word).send();
    return;
  }
  if (isBreak && state.loops.back() == LoopKind::Parallel) {
    diags.report(stmt->range, diag::BreakParallel).send();
    return;
  }
  closeFiles(stmt->range, state.loops.size());
  auto left = state.breakFlags.find(state.loops.size());
  if (isBreak && left != state.breakFlags.end()) {
    auto *assign = state.emit<AssignStmt>(stmt->range);
    assign->lvalue.kind = LValue::Local;
    assign->lvalue.variable = left->second;
    assign->lvalue.type = types.boolTy;
    assign->lvalue.range = stmt->range;
    assign->value = build.boolLiteral(stmt->range, true);
  }
  if (isBreak)
    state.emit<BreakStmt>(stmt->range);
  else
    state.emit<ContinueStmt>(stmt->range);
  state.reachable = false;
}

/// Closes the files of the `with` statements that are left with `depth` loops
/// around, the innermost first.
void StmtChecker::closeFiles(SourceRange range, size_t depth) {
  for (auto &[file, loops] : llvm::reverse(state.openFiles))
    if (loops >= depth)
      state.emit<ExprStmt>(range)->value = ctx.objects.run(
          range, "chirt_file_close", types.voidTy, {build.clone(file)});
}

/// The same of all of them, behind the evaluation of the result, which may be
/// null.
Expr *StmtChecker::closeAll(SourceRange range, Expr *value) {
  bool isHeld = !state.openFiles.empty() && value && !isError(value) &&
                !isConstant(value);
  if (isHeld)
    value = state.store(build.withDefault(value));
  closeFiles(range, 0);
  return value;
}

/// A `return` that is not at the end of its kernel.
void StmtChecker::refuseReturn(const ast::ReturnStmt *stmt) {
  state.refusedReturn = true;
  auto report = diags.report(stmt->range, diag::KernelReturn);
  bool hasValue = stmt->value != nullptr;
  if (state.loops.empty() && hasValue)
    report.addNote({}, diag::ReturnGuarded);
  else if (state.loops.empty())
    report.addNote({}, diag::Advice,
                   "move the following statements under the opposite `if`");
  else if (!state.inParallel())
    report.addNote({}, diag::Advice,
                   hasValue ? "leave the loop with `break`, and return after it"
                            : "leave the loop with `break`");
  else if (hasValue)
    report.addNote({}, diag::ReturnReduced);
  else
    report.addNote({}, diag::Advice,
                   "`continue` ends one iteration of a parallel loop without "
                   "affecting the others");
}

void StmtChecker::checkReturn(const ast::ReturnStmt *stmt) {
  if (state.where == Where::Script || state.where == Where::Test) {
    diags.report(stmt->range, diag::ReturnOutside).send();
    return;
  }
  TypeRef wanted = state.hasDeclaredResult ? state.resultType : nullptr;
  Expr *value =
      stmt->value ? ctx.objects.checkAs(stmt->value, wanted) : nullptr;
  if (state.inKernel() && (!state.loops.empty() || stmt != state.lastStmt))
    return refuseReturn(stmt);
  if (value && isError(value)) {
    // Its type is unknown, but that it returns is not.
    if (!state.resultType)
      state.resultType = types.error;
    state.reachable = false;
    return;
  }
  TypeRef given = value ? ctx.assigns.givenType(value) : types.voidTy;
  if (value && state.inKernel() && given->holdsStr()) {
    diags
        .report(stmt->value->range, diag::HostOnlyInKernel,
                "a `str` as a result")
        .send();
    state.reachable = false;
    return;
  }
  if (value && given->isVoid()) {
    diags.report(stmt->value->range, diag::NoValue).send();
    return;
  }
  if (value && given->holdsField() &&
      !state.hostOnly(stmt->range, "returning a field")) {
    state.reachable = false;
    return;
  }
  if (!state.hasDeclaredResult) {
    bool isFirst = !state.resultType || state.resultType->isError();
    TypeRef joined = isFirst ? given
                     : state.resultType->isVoid() != given->isVoid()
                         ? nullptr
                         : build.joinTypes(state.resultType, given);
    if (!joined) {
      if (state.firstReturn.isValid()) {
        auto [other, here] = distinctNames(build.defaulted(state.resultType),
                                           build.defaulted(given));
        diags.report(stmt->range, diag::ReturnClash, other, here)
            .note(state.firstReturn, state.resultType->isVoid()
                                         ? diag::NothingReturnedHere
                                         : diag::ReturnedHere)
            .send();
      } else {
        state.changed = true, state.resultType = given;
      }
      state.reachable = false;
      return;
    }
    if (state.resultType && joined != state.resultType &&
        !state.resultType->isError())
      state.changed = true;
    state.resultType = joined;
  }
  if (!state.firstReturn.isValid())
    state.firstReturn = stmt->range;
  if (value && state.resultType->isVoid()) {
    diags.report(stmt->value->range, diag::ReturnsNothing).send();
    return;
  }
  if (!value && !state.resultType->isVoid()) {
    diags.report(stmt->range, diag::ReturnsValue, state.resultType->str())
        .send();
    state.reachable = false;
    return;
  }
  if (value && !isUntyped(state.resultType))
    value = build.convert(value, state.resultType, "the result");
  if (state.returnsSelf && !(value && isError(value)))
    value = withSelf(value, stmt->range);
  state.emit<ReturnStmt>(stmt->range)->value = closeAll(stmt->range, value);
  state.reachable = false;
}

Expr *StmtChecker::withSelf(Expr *value, SourceRange range) {
  Expr *self = build.variable(range, state.selfVariable->variable);
  if (!value)
    return self;
  return build.construct(range, types.tuple({value->type, self->type}),
                         {value, self});
}

/// A condition that what is evaluated after it does not change. The operands
/// of a comparison stay apart, for messages.
Expr *StmtChecker::settled(Expr *condition) {
  auto *compare = llvm::dyn_cast<CompareExpr>(condition);
  if (!compare || !compare->lhs->type->isScalar())
    return state.store(condition);
  for (Expr **operand : {&compare->lhs, &compare->rhs})
    if (!isConstant(*operand))
      *operand = state.store(*operand);
  return compare;
}

void StmtChecker::checkAssert(const ast::AssertStmt *stmt) {
  Expr *condition = ctx.exprs.checkExpr(stmt->condition);
  if (!isError(condition) && !condition->type->isBool()) {
    diags
        .report(stmt->condition->range, diag::NotABool,
                "the condition of `assert`",
                build.defaulted(condition->type)->str())
        .send();
    condition = fail(stmt->condition->range);
  }
  std::vector<FormatPart> message;
  size_t mark = state.out->size();
  if (stmt->message)
    ctx.exprs.formatParts(stmt->message, message);
  // What the message needs is evaluated where the condition fails.
  Body needed(state.out->begin() + mark, state.out->end());
  state.out->resize(mark);
  llvm::SaveAndRestore<Body *> lvalue(state.out);
  if (!needed.empty() && !isError(condition)) {
    condition = settled(condition);
    auto *branch = state.emit<IfStmt>(stmt->range);
    branch->condition =
        build.unary(stmt->range, UnaryOp::Not, build.clone(condition));
    branch->thenBody = std::move(needed);
    state.out = &branch->thenBody;
  }
  auto *check = state.emit<AssertStmt>(stmt->range);
  check->condition = condition;
  check->conditionText = program.sources.text(stmt->condition->range).str();
  check->message = std::move(message);
  auto *compare = llvm::dyn_cast<CompareExpr>(condition);
  if (compare && !isError(condition) && compare->lhs->type->isScalar() &&
      build.isPure(compare)) {
    check->lhs = compare->lhs;
    check->rhs = compare->rhs;
  }
}
