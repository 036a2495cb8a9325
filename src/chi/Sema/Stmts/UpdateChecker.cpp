//===- UpdateChecker.cpp - x += y -----------------------------------------===//
#include "chi/Sema/Stmts/UpdateChecker.h"
#include "chi/Sema/Advice/Advice.h"
#include "chi/Sema/Builtins/Foreign.h"
#include "chi/Sema/Exprs/ClassChecker.h"
#include "chi/Sema/Exprs/ExprChecker.h"
#include "chi/Sema/Exprs/ObjectChecker.h"
#include "chi/Sema/Names/NameChecker.h"
#include "chi/Sema/Stmts/AssignChecker.h"
#include "chi/Sema/Stmts/LValueChecker.h"

using namespace chi;
using namespace chi::sema;

void UpdateChecker::checkAugAssign(const ast::AugAssignStmt *stmt) {
  if (auto *name = llvm::dyn_cast<ast::NameExpr>(stmt->target))
    return augmentName(stmt, name);
  augmentLValue(stmt);
}

/// `c = x[i]; c += 1`: still a copy of the element, now written.
template <typename Written>
static void noteUpdatedCopy(Written &variable, bool wasCopy,
                            SourceRange range) {
  variable.isCopyOfElement |= wasCopy;
  if (wasCopy && !variable.partWritten.isValid())
    variable.partWritten = range;
}

/// `xs += ys` and `s |= t` change the list and the set themselves; true then.
bool UpdateChecker::extended(const ast::AugAssignStmt *stmt, Expr *current,
                             Expr *value) {
  if (isError(current) || isError(value) || !current->type->isContainer())
    return false;
  Expr *change = ctx.objects.extension(stmt, current, value);
  if (change && !isError(change))
    state.emit<ExprStmt>(stmt->range)->value = change;
  return change != nullptr;
}

void UpdateChecker::augmentName(const ast::AugAssignStmt *stmt,
                                const ast::NameExpr *name) {
  BinaryOp op = binaryOpOf(stmt->op);
  Meaning meaning = state.lookupLocal(name->name);
  if (meaning.kind == Meaning::Nothing)
    meaning = ctx.names.lookup(name->name);
  if (meaning.kind == Meaning::Local) {
    LocalVariable &local = *meaning.local;
    if (state.inParallel() && local.atKernelLevel) {
      Expr *value = ctx.exprs.checkExpr(stmt->value);
      if (refuseObject(local, stmt->range))
        return;
      return reduce(local, op, stmt->opRange, value, stmt->range);
    }
    Expr *current = ctx.names.readLocal(local, name->range);
    bool isCopy = local.isCopyOfElement;
    local.numReads -= isCopy; // an update is no read
    Expr *value = ctx.exprs.checkExpr(stmt->value);
    if (isError(current) ||
        (local.isAnnotated && refuseDivision(stmt, local.type)))
      return;
    if (extended(stmt, current, value))
      return;
    Expr *result = ctx.exprs.operate(stmt->range, stmt->opRange, stmt->op,
                                     current, value, /*isInPlace=*/true);
    ctx.assigns.assignLocal(local, result, name->range);
    return noteUpdatedCopy(local, isCopy, name->range);
  }
  if (meaning.kind == Meaning::TopLevel && state.where == Where::Script) {
    TopLevelVariable &variable = *meaning.topLevel;
    Expr *current = ctx.names.readTopLevel(variable, name->range);
    bool isCopy = variable.isCopyOfElement;
    variable.numReads -= isCopy;
    Expr *value = ctx.exprs.checkExpr(stmt->value);
    if (isError(current) ||
        (variable.isAnnotated && refuseDivision(stmt, variable.type)))
      return;
    if (extended(stmt, current, value))
      return;
    Expr *result = ctx.exprs.operate(stmt->range, stmt->opRange, stmt->op,
                                     current, value, /*isInPlace=*/true);
    ctx.assigns.assignTopLevel(variable, result, name->range, nullptr);
    return noteUpdatedCopy(variable, isCopy, name->range);
  }
  Expr *value = ctx.exprs.checkExpr(stmt->value);
  bool isTopLevel = meaning.kind == Meaning::TopLevel;
  if (isTopLevel && meaning.topLevel->type && meaning.topLevel->type->isField())
    build.binary(stmt->range, stmt->opRange, op,
                 ctx.names.readTopLevel(*meaning.topLevel, name->range), value);
  else if (isTopLevel)
    ctx.advice.refuseTopLevel(name, meaning);
  else if (meaning.kind == Meaning::Nothing)
    ctx.names.checkName(name);
  else if (meaning.kind != Meaning::Broken)
    diags
        .report(name->range, diag::AssignsConstant, name->name,
                meaning.kind == Meaning::Param ? "a param" : "a constant")
        .note(meaning.range, diag::DeclaredHere, name->name)
        .send();
}

/// An object of a class cannot be reduced to; true after a report.
bool UpdateChecker::refuseObject(const LocalVariable &local,
                                 SourceRange range) {
  if (!local.type || !local.type->isStruct() || local.type->isComplex)
    return false;
  reportLater(diags, range, "an object that a parallel loop updates");
  return true;
}

/// `lvalue op= value`, of an element or of a variable of the kernel.
void UpdateChecker::accumulate(SourceRange range, SourceRange opRange,
                               BinaryOp op, LValue lvalue, Expr *current,
                               Expr *value) {
  Expr *result = updated(range, opRange, op, current, value);
  if (isError(result))
    return;
  llvm::StringRef what =
      lvalue.kind == LValue::Element ? "the element" : "the component";
  // A sum of truth values is a number, which a bool does not hold.
  TypeRef scalar = result->type->scalarOrNull();
  if (lvalue.type->scalar()->isBool() && !(scalar && scalar->isBool())) {
    diags
        .report(range, diag::NotABool, what.str(),
                build.defaulted(result->type)->str())
        .send();
    return;
  }
  value = build.convert(value, lvalue.type, what);
  if (!isError(value))
    emitUpdate(range, std::move(lvalue), op, value);
}

/// `z[i] += e` of complex numbers: an update of the parts.
void UpdateChecker::accumulateComplex(SourceRange range, BinaryOp op,
                                      OpenLValue place, Expr *value) {
  value = build.convert(value, place.lvalue.type, "the element");
  if (isError(value))
    return;
  ctx.lvalues.memberOfPlace(place, 0);
  emitUpdate(range, std::move(place.lvalue), op, ctx.complexes.partsOf(value));
}

/// `n /= 2` of an integer; true if it was reported.
bool UpdateChecker::refuseDivision(const ast::AugAssignStmt *stmt,
                                   TypeRef type) {
  TypeRef scalar = type ? type->scalarOrNull() : nullptr;
  if (binaryOpOf(stmt->op) != BinaryOp::Div || !scalar || !scalar->isInt() ||
      isUntyped(type))
    return false;
  diags
      .report(stmt->range, diag::FloatToInt,
              types.withScalar(type, build.defaultFloat())->str(), type->str())
      .note(stmt->opRange, diag::TrueDivision)
      .fixIt(stmt->opRange, "//=")
      .send();
  return true;
}

void UpdateChecker::augmentLValue(const ast::AugAssignStmt *stmt) {
  BinaryOp op = binaryOpOf(stmt->op);
  OpenLValue open = ctx.lvalues.checkLValue(stmt->target);
  Expr *value = ctx.exprs.checkExpr(stmt->value);
  bool isUnknown = open.holder && !open.lvalue.type;
  if (open.isBroken || isError(value) || isUnknown)
    return;
  if (ctx.lvalues.refuseWhole(open) || refuseDivision(stmt, open.lvalue.type))
    return;
  bool isElement = open.lvalue.kind == LValue::Element;
  bool reduces = open.local && state.inParallel() && open.local->atKernelLevel;
  if (reduces && refuseObject(*open.local, stmt->range))
    return;
  ctx.lvalues.noteWrite(open);
  auto update = [&](OpenLValue &lvalue, Expr *operand) {
    if (reduces)
      return reduceLValue(lvalue, op, stmt->opRange, operand, stmt->range);
    Expr *current = ctx.lvalues.readLValue(lvalue);
    bool isSum = op == BinaryOp::Add || op == BinaryOp::Sub;
    if (isElement && isSum && lvalue.lvalue.type->isComplex)
      return accumulateComplex(stmt->range, op, lvalue, operand);
    bool isObject = current->type->isOfClass() || operand->type->isOfClass();
    if (isElement && isAccumulation(op) && !isObject)
      return accumulate(stmt->range, stmt->opRange, op, lvalue.lvalue, current,
                        operand);
    // What does not fit is the value, not the statement.
    if (extended(stmt, current, operand))
      return;
    Expr *result = ctx.exprs.operate(stmt->range, stmt->opRange, stmt->op,
                                     current, operand, /*isInPlace=*/true);
    result->range = stmt->value->range;
    ctx.lvalues.assignLValue(lvalue, result);
  };
  if (open.swizzle.empty())
    return update(open, value);
  value = build.withDefault(value);
  if (!isError(value) && !isConstant(value))
    value = state.store(value);
  if (isError(value))
    return;
  for (auto [k, lvalue] : llvm::enumerate(ctx.lvalues.swizzledLValues(open)))
    update(lvalue, build.component(value, k));
}
