//===- ComplexChecker.cpp - Complex numbers -------------------------------===//
#include "chi/Sema/Exprs/ComplexChecker.h"
#include "chi/Sema/Exprs/ClassChecker.h"
#include "chi/Sema/Exprs/ExprChecker.h"
#include "chi/Sema/Exprs/SubscriptChecker.h"

using namespace chi;
using namespace chi::sema;

Expr *ComplexChecker::literal(const ast::FloatExpr *expr) {
  SourceRange range = expr->range;
  return complexOf(build, range,
                   build.realLiteral(range, 0, types.untypedFloat),
                   build.realLiteral(range, expr->value, types.untypedFloat));
}

//===----------------------------------------------------------------------===//
// complex64(x, y)
//===----------------------------------------------------------------------===//

/// The real and the imaginary part as they are given, null where they are not;
/// false after a report.
bool ComplexChecker::takeArguments(const ast::CallExpr *expr, TypeRef type,
                                   Expr *(&given)[2]) {
  if (expr->args.size() > 2) {
    diags
        .report(expr->range, diag::ArgCountRange, type->str(), size_t(0),
                size_t(2), expr->args.size())
        .send();
    return false;
  }
  bool ok = true;
  for (auto [k, arg] : llvm::enumerate(expr->args)) {
    auto number = arg.keyword.empty() ? unsigned(k) : partNamed(arg.keyword);
    Expr *value = ctx.exprs.checkExpr(arg.value);
    if (!number) {
      diags
          .report(arg.keywordRange, diag::UnknownKeyword, type->str(),
                  arg.keyword)
          .send();
      ok = false;
      continue;
    }
    bool mayBeComplex = expr->args.size() == 1 && *number == 0;
    bool isNumber =
        value->type->isScalar() || (mayBeComplex && value->type->isComplex);
    if (!isError(value) && !isNumber)
      diags
          .report(arg.value->range, diag::NotConvertible,
                  build.defaulted(value->type)->str(), type->str())
          .send();
    if (given[*number])
      diags.report(arg.value->range, diag::ArgTwice, arg.keyword).send();
    ok &= !isError(value) && isNumber && !given[*number];
    given[*number] = value;
  }
  return ok;
}

Expr *ComplexChecker::fromParts(SourceRange range, TypeRef type,
                                bool isFlexible, Expr *real, Expr *imaginary) {
  Expr *parts[] = {real, imaginary};
  for (Expr *&part : parts) {
    if (!part)
      part = build.realLiteral(range, 0, types.untypedFloat);
    if (isFlexible && !part->type->isFloat())
      part = build.promote(part, types.untypedFloat);
  }
  TypeRef scalar = type->scalar();
  if (isFlexible)
    scalar = build.joinScalars(parts[0]->type, parts[1]->type);
  if (scalar->bits == 16)
    scalar = types.f32;
  for (Expr *&part : parts) {
    part = isFlexible ? build.promote(part, scalar)
                      : build.pin(build.cast(part, scalar));
    if (isError(part))
      return fail(range);
  }
  return complexOf(build, range, parts[0], parts[1]);
}

Expr *ComplexChecker::construct(const ast::CallExpr *expr, TypeRef type,
                                bool isFlexible) {
  Expr *given[2] = {nullptr, nullptr};
  if (!takeArguments(expr, type, given))
    return fail(expr->range);
  if (!given[0] || !given[0]->type->isComplex)
    return fromParts(expr->range, type, isFlexible, given[0], given[1]);
  Expr *number =
      isFlexible ? given[0] : build.pin(build.cast(given[0], type->scalar()));
  if (!isError(number))
    number->range = expr->range;
  return number;
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

Expr *ComplexChecker::unify(SourceRange range, ast::BinaryOp op, Expr *&lhs,
                            Expr *&rhs) {
  TypeRef type = joinComplex(build, lhs->type, rhs->type);
  if (!type)
    return nullptr; // no method takes the other
  if (Expr *known = foldComplex(build, range, binaryOpOf(op), lhs, rhs))
    return known;
  type = build.defaulted(type);
  for (Expr **side : {&lhs, &rhs}) {
    *side = build.promote(*side, type->scalar());
    if (isError(*side))
      return fail(range);
  }
  return nullptr;
}

Expr *ComplexChecker::power(SourceRange range, Expr *number, Expr *exponent) {
  constexpr int64_t kMost = 64;
  auto known = constantInt(exponent);
  if (!known || *known < 1 || *known > kMost || !number->type->isComplex)
    return nullptr;
  std::vector<LetExpr *> lets;
  Expr *square = build.reusable(build.withDefault(number), lets);
  Expr *product = nullptr;
  for (int64_t left = *known; left; left /= 2) {
    if (left % 2)
      product = product ? ctx.classes.callNamed(range, "__mul__",
                                                build.clone(product),
                                                build.clone(square))
                        : square;
    if (left % 2)
      product = build.reusable(product, lets);
    if (left > 1)
      square = build.reusable(ctx.classes.callNamed(range, "__mul__",
                                                    build.clone(square),
                                                    build.clone(square)),
                              lets);
  }
  return build.closeLets(build.clone(product), lets);
}

bool ComplexChecker::makeAlike(Expr *&lhs, Expr *&rhs) {
  TypeRef type = joinComplex(build, lhs->type, rhs->type);
  if (!type)
    return false;
  type = build.defaulted(type);
  for (Expr **side : {&lhs, &rhs}) {
    *side = build.promote(*side, type->scalar());
    if (!isError(*side) && !(*side)->type->isComplex)
      *side = withoutImaginary(build, *side, type->scalar());
  }
  return true;
}

Expr *ComplexChecker::negated(SourceRange range, Expr *operand) {
  if (!isUntyped(operand->type) || !isConstant(operand))
    return nullptr;
  Expr *made = complexOf(
      build, build.unary(range, UnaryOp::Neg, sema::partsOf(build, operand)));
  made->range = range;
  return made;
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

std::optional<unsigned> ComplexChecker::partNamed(llvm::StringRef name) {
  if (name == "real")
    return 0;
  if (name == "imag")
    return 1;
  return std::nullopt;
}

Expr *ComplexChecker::partsOf(Expr *number) {
  return ctx.classes.memberAt(number, 0, number->range);
}

Expr *ComplexChecker::part(Expr *number, unsigned part, SourceRange range) {
  Expr *index = build.intLiteral(range, part, types.i32);
  return ctx.subscripts.indexValue(partsOf(number), index, range);
}

Expr *ComplexChecker::fieldOfParts(Expr *field) {
  return ctx.classes.fieldOfMember(field, 0, field->range);
}
