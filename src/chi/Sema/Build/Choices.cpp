//===- Choices.cpp - Comparisons, logic, choice ---------------------------===//
#include "chi/Sema/Build/Folding.h"

using namespace chi;
using namespace chi::sema;

template <typename T> static bool holds(CompareOp op, T a, T b) {
  switch (op) {
  case CompareOp::Eq:
    return a == b;
  case CompareOp::Ne:
    return a != b;
  case CompareOp::Lt:
    return a < b;
  case CompareOp::Le:
    return a <= b;
  case CompareOp::Gt:
    return a > b;
  case CompareOp::Ge:
    return a >= b;
  }
  return false;
}

static Expr *foldCompare(Builder &build, CompareExpr *expr) {
  if (!isConstant(expr->lhs) || !isConstant(expr->rhs) ||
      expr->lhs->type->isStr())
    return expr;
  Expr *folded =
      mapConstant(build, expr->lhs, expr->type, [&](unsigned k) -> Expr * {
        ExactLiteral *a = build.literalAt(expr->lhs, k);
        ExactLiteral *b = build.literalAt(expr->rhs, k);
        bool value = a->type->isFloat() ? holds(expr->op, a->real, b->real)
                                        : holds(expr->op, a->exact, b->exact);
        return build.boolLiteral(expr->range, value);
      });
  if (folded)
    folded->range = expr->range;
  return folded ? folded : expr;
}

Expr *Builder::compare(SourceRange range, CompareOp op, Expr *lhs, Expr *rhs) {
  if (isError(lhs) || isError(rhs) || reportNothing(*this, {lhs, rhs}))
    return error(range);
  TypeRef result = types.boolTy;
  Expr *operands[] = {lhs, rhs};
  if (lhs->type->isStr() && rhs->type->isStr()) {
    if (auto *a = llvm::dyn_cast<StringLiteralExpr>(lhs))
      if (auto *b = llvm::dyn_cast<StringLiteralExpr>(rhs))
        return boolLiteral(range, holds(op, a->value.compare(b->value), 0));
  } else {
    if (!unify(range, spelling(op), operands))
      return error(range);
    for (Expr *&operand : operands)
      if (!isConstant(lhs) || !isConstant(rhs))
        operand = withDefault(operand);
    if (isError(operands[0]) || isError(operands[1]))
      return error(range);
    result = types.withScalar(operands[0]->type, types.boolTy);
  }
  auto *expr = make<CompareExpr>(range, result);
  expr->op = op;
  expr->lhs = operands[0];
  expr->rhs = operands[1];
  return foldCompare(*this, expr);
}

Expr *Builder::logical(SourceRange range, bool isAnd, Expr *lhs, Expr *rhs) {
  for (Expr *operand : {lhs, rhs}) {
    if (isError(operand) || reportNothing(*this, operand))
      return error(range);
    if (!operand->type->isBool()) {
      diags
          .report(operand->range, diag::NotABool,
                  isAnd ? "an operand of `and`" : "an operand of `or`",
                  defaulted(operand->type)->str())
          .send();
      return error(range);
    }
  }
  if (auto known = constantInt(lhs)) {
    if (bool(*known) != isAnd)
      return lhs;
    return rhs;
  }
  auto *expr = make<LogicalExpr>(range, types.boolTy);
  expr->isAnd = isAnd;
  expr->lhs = lhs;
  expr->rhs = rhs;
  for (const Expr *operand : {lhs, rhs}) {
    auto *inner = llvm::dyn_cast<LogicalExpr>(operand);
    auto known = constantInt(operand);
    if ((inner && inner->outcome == !isAnd) || (known && bool(*known) != isAnd))
      expr->outcome = !isAnd;
  }
  return expr;
}

Expr *Builder::select(SourceRange range, Expr *condition, Expr *thenValue,
                      Expr *elseValue) {
  if (isError(condition) || isError(thenValue) || isError(elseValue) ||
      reportNothing(*this, {condition, thenValue, elseValue}))
    return error(range);
  Expr *sides[] = {thenValue, elseValue};
  if (hasNumbers(thenValue->type) && hasNumbers(elseValue->type)) {
    if (!unify(range, "if … else", sides))
      return error(range);
  } else {
    TypeRef type =
        joinTypes(defaulted(thenValue->type), defaulted(elseValue->type));
    if (!type) {
      auto [then, other] =
          distinctNames(defaulted(thenValue->type), defaulted(elseValue->type));
      diags.report(range, diag::OperatorTypes, "if … else", then, other).send();
      return error(range);
    }
    for (Expr *&side : sides)
      side = convert(side, type, "the value");
  }
  if (auto known = constantInt(condition))
    return sides[*known ? 0 : 1];
  auto *expr = make<SelectExpr>(range, sides[0]->type);
  expr->condition = condition;
  expr->thenValue = sides[0];
  expr->elseValue = sides[1];
  markFlexible(expr, sides);
  return expr;
}
