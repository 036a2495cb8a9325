//===- Reductions.cpp - Updates of a kernel's own variables ---------------===//
// [Loop.2]: what a parallel loop may do to a variable of its kernel: `s += e`,
// `s.x += e`, `h[k] += e`, and the same by `min` and `max`.
#include "chi/Sema/Exprs/BuiltinChecker.h"
#include "chi/Sema/Exprs/ClassChecker.h"
#include "chi/Sema/Exprs/ExprChecker.h"
#include "chi/Sema/Names/NameChecker.h"
#include "chi/Sema/Stmts/AssignChecker.h"
#include "chi/Sema/Stmts/LValueChecker.h"
#include "chi/Sema/Stmts/UpdateChecker.h"

using namespace chi;
using namespace chi::sema;

/// The component that a path names: its known numbers, up to the first that is
/// known at run time only.
static std::vector<int64_t> knownPart(llvm::ArrayRef<PathStep> path) {
  std::vector<int64_t> known;
  for (const PathStep &step : path) {
    auto number =
        step.isMember() ? int64_t(step.member) : constantInt(step.index);
    if (!number)
      break;
    known.push_back(*number);
  }
  return known;
}

/// Whether one of two components may lie in the other.
static bool mayMeet(llvm::ArrayRef<int64_t> a, llvm::ArrayRef<int64_t> b) {
  size_t common = std::min(a.size(), b.size());
  return a.take_front(common) == b.take_front(common);
}

/// Enters an update of `local`, or of its component at `path`; false, reported,
/// if the loop updates the same in another way.
bool UpdateChecker::noteReduction(LocalVariable &local, BinaryOp op,
                                  llvm::ArrayRef<PathStep> path,
                                  SourceRange range) {
  Reduction made{&local, op == BinaryOp::Sub ? BinaryOp::Add : op,
                 knownPart(path), range};
  for (const Reduction &other : state.reductions)
    if (other.local == &local && other.op != made.op &&
        mayMeet(other.path, made.path)) {
      diags
          .report(range, diag::MixedReduction, local.name, spelling(other.op),
                  spelling(made.op))
          .note(other.range, diag::OtherUpdate)
          .send();
      return false;
    }
  state.reductions.push_back(std::move(made));
  return true;
}

/// `s += e` in a parallel loop, on a variable of the kernel.
void UpdateChecker::reduce(LocalVariable &local, BinaryOp op,
                           SourceRange opRange, Expr *value,
                           SourceRange range) {
  if (!isAccumulation(op)) {
    ctx.assigns.mayAssign(local, range);
    return;
  }
  if (isError(value) || !local.type || local.type->isError())
    return;
  if (!state.isAssigned(&local)) {
    diags.report(range, diag::MaybeUnassigned, local.name)
        .note(local.range, diag::AssignedHere, local.name)
        .send();
    return;
  }
  if (local.type->isComplex || value->type->isComplex)
    return reduceComplex(local, op, value, range);
  Expr *current = build.variable(range, local.variable);
  Expr *result = updated(range, opRange, op, current, value);
  if (isError(result))
    return;
  TypeRef joined =
      local.isAnnotated
          ? local.type
          : ctx.assigns.joinGiven(local.type, result, local.hasWideLiteral);
  if (!joined) {
    auto [was, is] = distinctNames(build.defaulted(local.type),
                                   build.defaulted(result->type));
    diags.report(range, diag::TypeClash, local.name, was, is)
        .note(local.range, diag::AssignedHere, local.name)
        .send();
    return;
  }
  state.setType(local, joined);
  if (!noteReduction(local, op, {}, range))
    return;
  if (!isUntyped(joined))
    value = build.convert(value, joined, "`" + local.name + "`");
  LValue lvalue;
  lvalue.variable = local.variable;
  lvalue.type = joined;
  lvalue.range = range;
  emitUpdate(range, std::move(lvalue), op, value);
}

/// The same of complex numbers: an update of the parts.
void UpdateChecker::reduceComplex(LocalVariable &local, BinaryOp op,
                                  Expr *value, SourceRange range) {
  if (op != BinaryOp::Add && op != BinaryOp::Sub) {
    ctx.assigns.mayAssign(local, range);
    return;
  }
  TypeRef joined =
      local.isAnnotated
          ? local.type
          : ctx.assigns.joinGiven(local.type, value, local.hasWideLiteral);
  if (!joined || !joined->isComplex) {
    diags
        .report(range, diag::TypeClash, local.name,
                build.defaulted(local.type)->str(),
                build.defaulted(value->type)->str())
        .note(local.range, diag::AssignedHere, local.name)
        .send();
    return;
  }
  state.setType(local, joined);
  if (!noteReduction(local, op, {}, range) || isUntyped(joined))
    return; // the next round knows
  value = build.convert(value, joined, "`" + local.name + "`");
  if (isError(value))
    return;
  LValue lvalue;
  lvalue.variable = local.variable;
  lvalue.path.push_back(PathStep::ofMember(0));
  lvalue.type = joined->members[0];
  lvalue.range = range;
  emitUpdate(range, std::move(lvalue), op, ctx.complexes.partsOf(value));
}

/// The result of one update, for its type; an error is reported.
Expr *UpdateChecker::updated(SourceRange range, SourceRange opRange,
                             BinaryOp op, Expr *current, Expr *value) {
  if (op != BinaryOp::Min && op != BinaryOp::Max)
    return build.binary(range, opRange, op, current, build.clone(value));
  Expr *operands[] = {current, build.clone(value)};
  return build.unify(range, spelling(op), operands) ? operands[0] : fail(range);
}

void UpdateChecker::emitUpdate(SourceRange range, LValue lvalue, BinaryOp op,
                               Expr *value) {
  if (op == BinaryOp::Sub) {
    value = build.unary(value->range, UnaryOp::Neg, value);
    op = BinaryOp::Add;
  }
  if (isError(value))
    return;
  auto *update = state.emit<AccumulateStmt>(range);
  update->lvalue = std::move(lvalue);
  update->op = op;
  update->value = value;
}

/// `s.x += e`, `h[k] += e` in a parallel loop, on a variable of the kernel.
void UpdateChecker::reduceLValue(OpenLValue &open, BinaryOp op,
                                 SourceRange opRange, Expr *value,
                                 SourceRange range) {
  LocalVariable &local = *open.local;
  if (refuseObject(local, range))
    return;
  if (!isAccumulation(op)) {
    ctx.assigns.mayAssign(local, range);
    return;
  }
  if (!noteReduction(local, op, open.lvalue.path, range))
    return;
  ctx.lvalues.joinComponent(open, value->type);
  if (isUntyped(open.lvalue.type))
    return; // the next round knows
  for (const PathStep &step : open.lvalue.path)
    local.variable->isReducedAtRunTime |=
        !step.isMember() && !isConstant(step.index);
  accumulate(range, opRange, op, open.lvalue, ctx.lvalues.readLValue(open),
             value);
}

/// Whether two expressions are the same place: names, members and indices
/// without effects.
static bool isSameLValue(const SourceFiles &sources, const ast::Expr *a,
                         const ast::Expr *b) {
  bool isPlain = true;
  walkExpr(a, [&](const ast::Expr *part) {
    isPlain &= !llvm::isa<ast::CallExpr>(part);
  });
  auto text = [&](const ast::Expr *expr) {
    std::string letters = sources.text(expr->range).str();
    llvm::erase(letters, ' ');
    return letters;
  };
  return isPlain && a->kind == b->kind && text(a) == text(b);
}

const ast::NameExpr *sema::rootOf(const ast::Expr *lvalue) {
  while (true) {
    if (auto *attribute = llvm::dyn_cast<ast::AttributeExpr>(lvalue))
      lvalue = attribute->base;
    else if (auto *subscript = llvm::dyn_cast<ast::SubscriptExpr>(lvalue))
      lvalue = subscript->base;
    else
      return llvm::dyn_cast<ast::NameExpr>(lvalue);
  }
}

/// What `a` is compared with in `a = max(a, e, f)`: all arguments but that one.
Expr *UpdateChecker::othersOf(const ast::CallExpr *call, size_t same,
                              bool isMin) {
  std::vector<Expr *> others;
  for (size_t k = 0; k < call->args.size(); ++k)
    if (k != same)
      others.push_back(ctx.exprs.checkExpr(call->args[k].value));
  return others.size() == 1
             ? others.front()
             : ctx.builtins.extremeOf(call->range, isMin, std::move(others));
}

bool UpdateChecker::checkReduction(const ast::AssignStmt *stmt) {
  if (!state.inParallel() || stmt->targets.size() != 1)
    return false;
  const ast::Expr *target = stmt->targets[0];
  const ast::NameExpr *name = rootOf(target);
  auto *call = llvm::dyn_cast<ast::CallExpr>(stmt->value);
  if (!name || !call || call->args.size() < 2 ||
      llvm::any_of(call->args, [](const ast::Argument &argument) {
        return !argument.keyword.empty();
      }))
    return false;
  Meaning meaning = state.lookupLocal(name->name);
  if (meaning.kind != Meaning::Local || !meaning.local->atKernelLevel)
    return false;
  Meaning callee = ctx.names.resolve(call->callee);
  if (callee.kind != Meaning::Builtin || (callee.builtin != BuiltinName::Min &&
                                          callee.builtin != BuiltinName::Max))
    return false;
  BinaryOp op =
      callee.builtin == BuiltinName::Min ? BinaryOp::Min : BinaryOp::Max;
  SourceRange opRange = call->callee->range;
  bool isMin = op == BinaryOp::Min;
  for (size_t k = 0; k < call->args.size(); ++k) {
    if (!isSameLValue(program.sources, target, call->args[k].value))
      continue;
    if (target == name) {
      reduce(*meaning.local, op, opRange, othersOf(call, k, isMin),
             stmt->range);
      return true;
    }
    OpenLValue open = ctx.lvalues.checkLValue(target);
    // An element of a field that the kernel was given: a store like any other.
    if (!open.isBroken && !open.local)
      return false;
    Expr *value = othersOf(call, k, isMin);
    if (!open.isBroken && !isError(value) && open.swizzle.empty())
      reduceLValue(open, op, opRange, value, stmt->range);
    else if (!open.isBroken)
      ctx.assigns.mayAssign(*open.local, stmt->range);
    return true;
  }
  return false;
}
