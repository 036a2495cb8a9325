//===- Comparisons.cpp - Comparisons and their chains ---------------------===//
#include "chi/Sema/Exprs/ClassChecker.h"
#include "chi/Sema/Exprs/ExprChecker.h"
#include "chi/Sema/Exprs/IterableChecker.h"
#include "chi/Sema/Exprs/MethodChecker.h"
#include "chi/Sema/Exprs/ObjectChecker.h"
#include "chi/Sema/Exprs/SubscriptChecker.h"
#include "chi/Sema/Exprs/TypeExprChecker.h"
#include "chi/Sema/Names/NameChecker.h"

using namespace chi;
using namespace chi::sema;

/// `a == b`, of tuples member by member.
Expr *ExprChecker::compareEqual(SourceRange range, Expr *lhs, Expr *rhs) {
  if (isError(lhs) || isError(rhs))
    return fail(range);
  if (lhs->type->isOfClass() || rhs->type->isOfClass())
    return ctx.classes.compare(
        range, ast::CompareOp::Eq, lhs, rhs,
        [&](Expr *a, Expr *b) { return compareMembers(range, a, b); });
  if (Expr *made = ctx.objects.compare(range, CompareOp::Eq, lhs, rhs))
    return made;
  if (!lhs->type->isTuple() || !rhs->type->isTuple())
    return build.compare(range, CompareOp::Eq, lhs, rhs);
  return compareMembers(range, lhs, rhs);
}

/// Whether all elements of two arrays are equal, of members of objects.
Expr *ExprChecker::compareArrays(SourceRange range, Expr *lhs, Expr *rhs) {
  constexpr int64_t kMost = 64;
  TypeRef type = lhs->type;
  int64_t count = type->numScalars() / type->element->numScalars();
  if (count > kMost)
    return build.compare(range, CompareOp::Eq, lhs, rhs); // refused
  Expr *same = build.boolLiteral(range, true);
  for (int64_t k = 0; k < count; ++k) {
    std::vector<Expr *> indices;
    int64_t rest = k;
    for (int64_t extent : llvm::reverse(type->shape)) {
      indices.insert(indices.begin(),
                     build.intLiteral(range, rest % extent, types.i32));
      rest /= extent;
    }
    auto at = [&](Expr *array) {
      return ctx.subscripts.indexValue(build.clone(array), indices, range);
    };
    Expr *one = compareEqual(range, at(lhs), at(rhs));
    if (!isError(one) && one->type->isAggregate())
      one = ctx.methods.reduceVector(range, Builtin::All, one);
    same = build.logical(range, true, same, one);
  }
  return same;
}

/// Whether all members of two tuples or objects of one class are equal.
Expr *ExprChecker::compareMembers(SourceRange range, Expr *lhs, Expr *rhs) {
  size_t count = lhs->type->members.size();
  if (rhs->type->members.size() != count)
    return build.boolLiteral(range, false);
  std::vector<LetExpr *> lets;
  for (Expr **side : {&lhs, &rhs}) {
    auto *parts = llvm::dyn_cast<ConstructExpr>(*side);
    if (!parts)
      *side = build.reusable(*side, lets);
    else
      for (Expr *&part : parts->parts)
        if (!build.isCheap(part)) // evaluated, whatever the others are
          part = build.reusable(part, lets);
  }
  Expr *same = build.boolLiteral(range, true);
  for (size_t k = 0; k < count; ++k) {
    bool isClass = lhs->type->isOfClass();
    Expr *left = isClass ? ctx.classes.memberAt(build.clone(lhs), k, range)
                         : build.tupleMember(lhs, k);
    Expr *right = isClass ? ctx.classes.memberAt(build.clone(rhs), k, range)
                          : build.tupleMember(rhs, k);
    Expr *one = left->type->isArray() && left->type == right->type
                    ? compareArrays(range, left, right)
                    : compareEqual(range, left, right);
    if (!isError(one) && one->type->isAggregate())
      one = ctx.methods.reduceVector(range, Builtin::All, one);
    same = build.logical(range, true, same, one);
  }
  return build.closeLets(same, lets);
}

Expr *ExprChecker::compareOne(SourceRange range, ast::CompareOp op, Expr *lhs,
                              const ast::Expr *rhs, Expr *rhsValue) {
  bool isTuples = rhsValue && lhs->type->isTuple() && rhsValue->type->isTuple();
  bool isOrder = op != ast::CompareOp::Eq && op != ast::CompareOp::Ne;
  if (rhsValue && lhs->type->isStr() && rhsValue->type->isStr() && isOrder &&
      op != ast::CompareOp::In && op != ast::CompareOp::NotIn &&
      !(isConstant(lhs) && isConstant(rhsValue)) &&
      !state.hostOnly(range, "the order of two `str`s"))
    return fail(range);
  if (rhsValue && (lhs->type->isOfClass() || rhsValue->type->isOfClass()) &&
      !isError(lhs) && !isError(rhsValue) && op != ast::CompareOp::In &&
      op != ast::CompareOp::NotIn)
    return ctx.classes.compare(range, op, lhs, rhsValue, [&](Expr *a, Expr *b) {
      return compareMembers(range, a, b);
    });
  if (rhsValue && op < ast::CompareOp::In)
    if (Expr *made =
            ctx.objects.compare(range, CompareOp(int(op)), lhs, rhsValue))
      return made;
  switch (op) {
  case ast::CompareOp::In:
    return checkIn(range, lhs, rhs, rhsValue);
  case ast::CompareOp::NotIn:
    return build.unary(range, UnaryOp::Not, checkIn(range, lhs, rhs, rhsValue));
  case ast::CompareOp::Is:
  case ast::CompareOp::IsNot:
    break; // refused before
  case ast::CompareOp::Eq:
    return compareEqual(range, lhs, rhsValue);
  case ast::CompareOp::Ne:
    if (isTuples)
      return build.unary(range, UnaryOp::Not,
                         compareEqual(range, lhs, rhsValue));
    return build.compare(range, CompareOp::Ne, lhs, rhsValue);
  case ast::CompareOp::Lt:
    return build.compare(range, CompareOp::Lt, lhs, rhsValue);
  case ast::CompareOp::Le:
    return build.compare(range, CompareOp::Le, lhs, rhsValue);
  case ast::CompareOp::Gt:
    return build.compare(range, CompareOp::Gt, lhs, rhsValue);
  case ast::CompareOp::Ge:
    return build.compare(range, CompareOp::Ge, lhs, rhsValue);
  }
  llvm_unreachable("comparison");
}

/// Whether a range, stepped or not, has the number `value`.
Expr *ExprChecker::isInRange(SourceRange range, Expr *value,
                             const Iteration::Range &axis) {
  auto compare = [&](CompareOp op, Expr *a, Expr *b) {
    return build.compare(range, op, build.clone(a), build.clone(b));
  };
  auto both = [&](Expr *a, Expr *b) {
    return build.logical(range, true, a, b);
  };
  auto upward = [&] {
    return both(compare(CompareOp::Le, axis.begin, value),
                compare(CompareOp::Lt, value, axis.end));
  };
  auto downward = [&] {
    return both(compare(CompareOp::Ge, axis.begin, value),
                compare(CompareOp::Gt, value, axis.end));
  };
  bool isFloat =
      value->type->scalarOrNull() && value->type->scalar()->isFloat();
  if (!axis.step && !isFloat)
    return upward();
  Expr *zero = build.intLiteral(range, 0, types.untypedInt);
  Expr *step =
      axis.step ? axis.step : build.intLiteral(range, 1, types.untypedInt);
  Expr *between;
  if (auto known = constantInt(step))
    between = *known > 0 ? upward() : downward();
  else
    between = build.logical(
        range, false, both(compare(CompareOp::Gt, axis.step, zero), upward()),
        both(compare(CompareOp::Lt, axis.step, zero), downward()));
  Expr *distance = build.binary(range, range, BinaryOp::Sub, build.clone(value),
                                build.clone(axis.begin));
  Expr *rest =
      build.binary(range, range, BinaryOp::Mod, distance, build.clone(step));
  return both(between, compare(CompareOp::Eq, rest, zero));
}

/// `x in range(a, b)`, `x in (a, b, c)` and `x in [a, b, c]`. `rhsValue`: the
/// right side, if it was checked before.
Expr *ExprChecker::checkIn(SourceRange range, Expr *lhs, const ast::Expr *rhs,
                           Expr *rhsValue) {
  std::vector<LetExpr *> lets;
  Expr *value = isConstant(lhs) ? lhs : build.reusable(lhs, lets);
  auto *call = llvm::dyn_cast<ast::CallExpr>(rhs);
  if (call && !rhsValue) {
    Meaning callee = ctx.names.resolve(call->callee);
    if (callee.kind == Meaning::Builtin &&
        callee.builtin == BuiltinName::Range) {
      Iteration iteration;
      if (!ctx.iterables.checkRange(call, iteration))
        return fail(range);
      Iteration::Range axis = iteration.ranges[0];
      for (Expr **part : {&axis.begin, &axis.end, &axis.step})
        if (*part && !isConstant(*part))
          *part = build.reusable(*part, lets);
      return build.closeLets(isInRange(range, value, axis), lets);
    }
  }
  std::vector<Expr *> options;
  auto *tuple = llvm::dyn_cast<ast::TupleExpr>(rhs);
  auto *list = llvm::dyn_cast<ast::ListExpr>(rhs);
  if ((tuple || list) && !rhsValue) {
    // Brackets make no value here: what stands in them may be of any types.
    for (const ast::Expr *element : tuple ? tuple->elements : list->elements)
      options.push_back(checkExpr(element));
  } else {
    Expr *right = rhsValue ? rhsValue : checkExpr(rhs);
    if (isError(right))
      return right;
    if (Expr *found =
            ctx.classes.callNamed(range, "__contains__", right, value))
      return build.closeLets(found, lets);
    if (right->type->isStr() ||
        (right->type->isObject() && !right->type->isRef()))
      return ctx.objects.contains(range, lhs, right);
    if (!right->type->isTuple() && !right->type->isVec()) {
      diags
          .report(rhs->range, diag::NotSearchable,
                  build.defaulted(right->type)->str())
          .send();
      return fail(range);
    }
    right = build.reusable(right, lets);
    unsigned count = right->type->isVec() ? right->type->shape[0]
                                          : right->type->members.size();
    for (unsigned k = 0; k < count; ++k)
      options.push_back(right->type->isVec() ? build.component(right, k)
                                             : build.tupleMember(right, k));
  }
  Expr *found = build.boolLiteral(range, false);
  for (Expr *option : options) {
    Expr *same = compareEqual(range, build.clone(value), option);
    if (!isError(same) && same->type->isAggregate())
      same = ctx.methods.reduceVector(range, Builtin::All, same);
    found = build.logical(range, false, found, same);
  }
  return build.closeLets(found, lets);
}

/// `T == f64` with types on both sides.
std::optional<bool> ExprChecker::compareTypes(const ast::CompareExpr *expr) {
  if (expr->ops.size() != 1 || (expr->ops[0] != ast::CompareOp::Eq &&
                                expr->ops[0] != ast::CompareOp::Ne))
    return std::nullopt;
  if (!ctx.typeExprs.isTypeExpr(expr->operands[0]) ||
      !ctx.typeExprs.isTypeExpr(expr->operands[1]))
    return std::nullopt;
  TypeRef a = ctx.typeExprs.checkType(expr->operands[0]),
          b = ctx.typeExprs.checkType(expr->operands[1]);
  return (a == b) == (expr->ops[0] == ast::CompareOp::Eq);
}

Expr *ExprChecker::checkCompare(const ast::CompareExpr *expr) {
  if (auto same = compareTypes(expr))
    return build.boolLiteral(expr->range, *same);
  if (llvm::is_contained(expr->ops, ast::CompareOp::Is) ||
      llvm::is_contained(expr->ops, ast::CompareOp::IsNot)) {
    diags.report(expr->range, diag::NotInLanguage, "`is`", "compare with `==`")
        .send();
    return fail(expr->range);
  }
  return checkChain(expr, 0, checkExpr(expr->operands[0]));
}

/// The comparisons from number `at` on; `lhs` is the left side of the first. In
/// `a < b < c` b is evaluated once, behind a, and c only if a < b.
Expr *ExprChecker::checkChain(const ast::CompareExpr *expr, size_t at,
                              Expr *lhs) {
  ast::CompareOp op = expr->ops[at];
  const ast::Expr *right = expr->operands[at + 1];
  SourceRange range = expr->ops.size() == 1
                          ? expr->range
                          : expr->operands[at]->range.to(right->range);
  if (at + 1 == expr->ops.size()) {
    // What `in` searches is a value only where the chain goes on with it.
    bool isSearch = op == ast::CompareOp::In || op == ast::CompareOp::NotIn;
    return compareOne(range, op, lhs, right,
                      isSearch ? nullptr : checkExpr(right));
  }
  std::vector<LetExpr *> lets, middle;
  Expr *rhs = checkExpr(right);
  rhs = isConstant(rhs) ? rhs : build.reusable(rhs, middle);
  if (!middle.empty() && !isConstant(lhs))
    lhs = build.reusable(lhs, lets);
  llvm::append_range(lets, middle);
  Expr *next = build.clone(rhs);
  Expr *one = compareOne(range, op, lhs, right, rhs);
  Expr *rest = checkChain(expr, at + 1, next);
  return build.closeLets(build.logical(expr->range, true, one, rest), lets);
}
