//===- TapeChecker.cpp - with Tape(…), x.grad, k.grad(), stop_gradient(v) -===//
// Checks what a body contains of differentiation. What depends on the whole
// program is checked afterwards, by Gradients.cpp and HostFloats.cpp.
#include "chi/Sema/Stmts/TapeChecker.h"
#include "chi/Sema/Builtins/Foreign.h"
#include "chi/Sema/Exprs/BuiltinChecker.h"
#include "chi/Sema/Exprs/DerivativeChecker.h"
#include "chi/Sema/Exprs/ExprChecker.h"
#include "chi/Sema/Exprs/ObjectChecker.h"
#include "chi/Sema/Names/NameChecker.h"
#include "chi/Sema/Stmts/AssignChecker.h"
#include "chi/Sema/Stmts/StmtChecker.h"

using namespace chi;
using namespace chi::sema;

//===----------------------------------------------------------------------===//
// with Tape(…):
//===----------------------------------------------------------------------===//

/// Anything that `with` does not take.
void TapeChecker::refuseWith(const ast::WithStmt *stmt, const Meaning &callee) {
  if (callee.kind == Meaning::Builtin && isLater(callee.builtin)) {
    reportLater(diags, stmt->range,
                "`" + builtinText(callee.builtin).str() + "`");
  } else if (callee.kind != Meaning::Broken) {
    diags
        .report(stmt->range, diag::NotInLanguage, "this `with`",
                "`with` takes `Tape(…)`, `open(…)` or `Forward()`")
        .send();
  }
  bindName(stmt, fail(stmt->range));
}

/// Gives the name behind `as`, if there is one, a value.
void TapeChecker::bindName(const ast::WithStmt *stmt, Expr *value) {
  if (stmt->asName.empty())
    return;
  ast::NameExpr name(stmt->range);
  name.name = stmt->asName;
  ctx.assigns.assignTo(&name, value);
}

/// `with open(path) as f:`: the file is closed behind the body, and by what
/// leaves the body early.
void TapeChecker::withFile(const ast::WithStmt *stmt) {
  Expr *file = ctx.exprs.checkExpr(stmt->context);
  if (isError(file)) {
    bindName(stmt, file);
    return ctx.stmts.checkBody(stmt->body);
  }
  Expr *opened = state.store(file);
  bindName(stmt, build.clone(opened));
  state.openFiles.push_back({opened, state.loops.size()});
  ctx.stmts.checkBody(stmt->body);
  state.openFiles.pop_back();
  if (state.reachable)
    state.emit<ExprStmt>(stmt->range)->value = ctx.objects.run(
        stmt->range, "chirt_file_close", types.voidTy, {opened});
}

void TapeChecker::checkWith(const ast::WithStmt *stmt) {
  auto *call = llvm::dyn_cast<ast::CallExpr>(stmt->context);
  Meaning callee = call ? ctx.names.resolve(call->callee) : Meaning();
  if (callee.kind == Meaning::Builtin && callee.builtin == BuiltinName::Open)
    return withFile(stmt);
  bool isForward =
      callee.kind == Meaning::Builtin && callee.builtin == BuiltinName::Forward;
  bool isTape =
      callee.kind == Meaning::Builtin && callee.builtin == BuiltinName::Tape;
  if (!isForward && !isTape)
    return refuseWith(stmt, callee);
  if (!stmt->asName.empty()) {
    diags
        .report(
            stmt->range, diag::NotInLanguage,
            isForward ? "`as` of `Forward()`" : "`as` of a tape",
            isForward
                ? "it is not a value; tangents are in `.dual` of fields"
                : "a tape is not a value; gradients are in `.grad` of fields")
        .send();
    bindName(stmt, fail(stmt->range));
  }
  TapeStmt given;
  given.isForward = isForward;
  bool isGood =
      state.hostOnly(call->range, isForward ? "`Forward`" : "`Tape`") &&
      !isNested(call->range, isForward) &&
      (isForward ? takesNothing(call) : tapeArguments(call, given));
  if (!isGood)
    return ctx.stmts.checkBody(stmt->body);
  auto *tape = state.emit<TapeStmt>(stmt->range);
  SourceRange range = tape->range;
  *tape = std::move(given);
  tape->range = range;
  bool &isOpen = isForward ? isForwardOpen : isTapeOpen;
  bool wasOpen = std::exchange(isOpen, true);
  ctx.stmts.checkBodyInto(stmt->body, tape->body);
  isOpen = wasOpen;
}

/// Reports a forward mode that is in another one or in a tape, in the same
/// body. The run time finds the others.
bool TapeChecker::isNested(SourceRange range, bool isForward) {
  if (!isForward || (!isForwardOpen && !isTapeOpen))
    return false;
  diags
      .report(range, diag::NestedForward, "`Forward()`",
              isForwardOpen ? "Forward()" : "Tape(…)")
      .send();
  return true;
}

/// `Forward()` has no arguments; false after an error.
bool TapeChecker::takesNothing(const ast::CallExpr *call) {
  if (call->args.empty())
    return true;
  diags
      .report(call->range, diag::ArgCountMismatch, "Forward", size_t(0),
              call->args.size())
      .send();
  return false;
}

/// Checks the keyword arguments `loss=`, `keep=`, `accumulate=` and so on;
/// false after an error.
bool TapeChecker::tapeArguments(const ast::CallExpr *call, TapeStmt &tape) {
  bool ok = true, hasLoss = false;
  for (auto [k, arg] : llvm::enumerate(call->args)) {
    llvm::StringRef keyword = arg.keyword;
    if (keyword == "loss" || (keyword.empty() && k == 0)) {
      hasLoss = true;
      tape.loss = checkLoss(arg.value);
      ok &= tape.loss != nullptr;
    } else if (keyword == "keep" || keyword == "accumulate") {
      Expr *flag = checkFlag(arg);
      (keyword == "keep" ? tape.keep : tape.accumulate) = flag;
      ok &= flag != nullptr;
    } else if (keyword == "watch") {
      ok &= checkWatched(arg.value, tape.watched);
    } else if (keyword == "memory") {
      tape.memory =
          checkText(arg.value, "a size such as \"2GB\" as its `memory`");
      ok &= tape.memory != nullptr;
    } else if (keyword == "spill") {
      tape.spill = checkText(arg.value, "the name of a folder as its `spill`");
      ok &= tape.spill != nullptr;
    } else if (keyword.empty()) {
      diags
          .report(call->range, diag::ArgCountMismatch, "Tape", size_t(1),
                  call->args.size())
          .send();
      return false;
    } else {
      auto report =
          diags.report(arg.keywordRange, diag::UnknownKeyword, "Tape", keyword);
      std::string best = nearest(
          keyword, {"loss", "keep", "accumulate", "watch", "memory", "spill"});
      if (!best.empty())
        report.addFixIt(arg.keywordRange, best);
      ok = false;
    }
  }
  if (!hasLoss)
    diags.report(call->range, diag::TapeNeedsLoss).send();
  return ok && hasLoss;
}

/// A field of rank 0 of a float; null after an error.
Expr *TapeChecker::checkLoss(const ast::Expr *expr) {
  Expr *loss = ctx.exprs.checkExpr(expr);
  if (isError(loss))
    return nullptr;
  TypeRef type = loss->type;
  if (type->isField() && type->rank() == 0 && type->element->isFloat())
    return loss;
  auto report =
      diags.report(expr->range, diag::BadLoss, build.defaulted(type)->str());
  std::string name = llvm::isa<ast::NameExpr>(expr)
                         ? program.sources.text(expr->range).str()
                         : "loss";
  if (build.defaulted(type)->isFloat())
    report.addNote({}, diag::Advice,
                   "create it as a field, `" + name +
                       " = field(f32)`, to which a kernel adds: `" + name +
                       "[None] += …`");
  else if (type->isField() && type->element->isFloat())
    report.addNote({}, diag::Advice,
                   "a kernel sums it up in a field of one element: `loss = "
                   "field(f32)`, `loss[None] += " +
                       name + "[i]`");
  return nullptr;
}

/// `watch=[u, v]`, `watch=(u, v)`, `watch=v`; false after an error.
bool TapeChecker::checkWatched(const ast::Expr *expr,
                               std::vector<Expr *> &watched) {
  llvm::ArrayRef<ast::Expr *> elements;
  auto *single = const_cast<ast::Expr *>(expr);
  if (auto *list = llvm::dyn_cast<ast::ListExpr>(expr))
    elements = list->elements;
  else if (auto *tuple = llvm::dyn_cast<ast::TupleExpr>(expr))
    elements = tuple->elements;
  else
    elements = single;
  bool ok = true;
  for (const ast::Expr *each : elements) {
    Expr *field = ctx.exprs.checkExpr(each);
    TypeRef type = field->type;
    bool fits = type->isField() && isDifferentiable(type->element);
    if (!fits && !isError(field))
      diags.report(each->range, diag::BadWatch, build.defaulted(type)->str())
          .send();
    ok &= fits;
    watched.push_back(field);
  }
  return ok;
}

/// A bool that may be known at run time only; null after an error.
/// A str; null after an error. `wanted`: what `Tape` takes there.
Expr *TapeChecker::checkText(const ast::Expr *expr, llvm::StringRef wanted) {
  Expr *text = ctx.exprs.checkExpr(expr);
  if (isError(text))
    return nullptr;
  if (text->type->isStr())
    return text;
  diags
      .report(expr->range, diag::BadArgument, "Tape", wanted,
              build.defaulted(text->type)->str())
      .send();
  return nullptr;
}

Expr *TapeChecker::checkFlag(const ast::Argument &arg) {
  Expr *flag = ctx.exprs.checkExpr(arg.value);
  flag = build.convert(flag, types.boolTy, "`" + arg.keyword.str() + "`");
  return isError(flag) ? nullptr : flag;
}
