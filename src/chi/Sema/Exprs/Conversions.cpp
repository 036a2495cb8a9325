//===- Conversions.cpp - i32(x), vec2(x, y), mat2([[a, b], [c, d]]) -------===//
#include "chi/Sema/Exprs/CallChecker.h"
#include "chi/Sema/Exprs/ClassChecker.h"
#include "chi/Sema/Exprs/ComplexChecker.h"
#include "chi/Sema/Exprs/ExprChecker.h"
#include "chi/Sema/Exprs/ObjectChecker.h"

using namespace chi;
using namespace chi::sema;

/// `vec2(…)` and `mat2(…)` take the precision of their arguments ([Inf.2]);
/// a type that names its precision, or an integer one, converts.
Expr *CallChecker::toScalar(Expr *value, TypeRef scalar, bool isFlexible) {
  if (isError(value))
    return value;
  TypeRef from = value->type->scalar();
  if (!isFlexible)
    return build.pin(build.cast(value, scalar));
  if (from->isFloat())
    return value;
  return build.promote(value, types.untypedFloat);
}

/// Gives all parts one scalar type, which is returned; null after an error.
TypeRef CallChecker::joinParts(std::vector<Expr *> &parts, TypeRef element,
                               bool isFlexible) {
  TypeRef scalar = nullptr;
  for (Expr *&part : parts) {
    part = toScalar(part, element, isFlexible);
    if (isError(part))
      return nullptr;
    scalar = scalar ? build.joinScalars(scalar, part->type->scalar())
                    : part->type->scalar();
  }
  for (Expr *&part : parts) {
    part = build.promote(part, scalar);
    if (isError(part))
      return nullptr;
  }
  return scalar;
}

static int64_t numScalarsOf(llvm::ArrayRef<Expr *> parts) {
  int64_t count = 0;
  for (const Expr *part : parts)
    count += part->type->numScalars();
  return count;
}

Expr *CallChecker::vectorFrom(SourceRange range, TypeRef type,
                              std::vector<Expr *> parts, bool isFlexible) {
  TypeRef scalar = joinParts(parts, type->element, isFlexible);
  if (!scalar)
    return fail(range);
  int64_t count = numScalarsOf(parts);
  bool isFill = parts.size() == 1 && parts[0]->type->isScalar();
  if (!isFill && count != type->shape[0]) {
    diags
        .report(range, diag::ComponentCount, type->str(),
                size_t(type->shape[0]), size_t(count))
        .send();
    return fail(range);
  }
  TypeRef result = types.vec(type->shape[0], scalar);
  if (isFill) {
    Expr *filled = build.splat(parts[0], result);
    filled->range = range;
    return filled;
  }
  if (parts.size() == 1)
    return parts[0];
  return build.construct(range, result, std::move(parts));
}

Expr *CallChecker::matrixFrom(SourceRange range, TypeRef type,
                              std::vector<Expr *> parts, bool isFlexible) {
  TypeRef scalar = joinParts(parts, type->element, isFlexible);
  if (!scalar)
    return fail(range);
  int64_t count = numScalarsOf(parts);
  TypeRef result = types.withScalar(type, scalar);
  if (parts.size() == 1 && parts[0]->type == result)
    return parts[0];
  if (parts.size() == 1 && parts[0]->type->isScalar()) {
    Expr *filled = build.splat(parts[0], result);
    filled->range = range;
    return filled;
  }
  bool shapesFit = count == type->numScalars() &&
                   !(parts.size() == 1 && parts[0]->type->isMat());
  if (!shapesFit) {
    diags
        .report(range, diag::ComponentCount, type->str(),
                size_t(type->numScalars()), size_t(count))
        .send();
    return fail(range);
  }
  return build.construct(range, result, std::move(parts));
}

Expr *CallChecker::convertCall(const ast::CallExpr *expr, TypeRef type,
                               bool isShort) {
  if (type->isComplex) {
    auto *name =
        isShort ? llvm::dyn_cast<ast::NameExpr>(expr->callee) : nullptr;
    return ctx.complexes.construct(expr, type, name && name->name == "complex");
  }
  if (type->isOfClass())
    return ctx.classes.construct(expr, type);
  std::vector<Expr *> parts;
  bool ok = !type->isError(), isText = false;
  for (const ast::Argument &arg : expr->args) {
    if (!arg.keyword.empty()) {
      diags
          .report(arg.keywordRange, diag::UnknownKeyword, type->str(),
                  arg.keyword)
          .send();
      ok = false;
    }
    Expr *part = ctx.exprs.checkExpr(arg.value);
    bool hasNumbers = part->type->isScalar() || part->type->isAggregate();
    // `str(x)` of anything, `int("12")`
    isText = expr->args.size() == 1 &&
             (type->isStr() || (type->isScalar() && part->type->isStr()));
    hasNumbers |= isText;
    if (!isError(part) && !hasNumbers && !type->isError()) {
      diags
          .report(arg.value->range, diag::NotConvertible,
                  build.defaulted(part->type)->str(), type->str())
          .send();
      ok = false;
    }
    ok &= !isError(part);
    parts.push_back(part);
  }
  if (!ok)
    return fail(expr->range);
  if (isText)
    return type->isStr() ? ctx.exprs.textOf(expr->range, parts[0])
                         : ctx.objects.toNumber(expr->range, parts[0], type);
  llvm::StringRef written =
      isShort ? llvm::cast<ast::NameExpr>(expr->callee)->name : "";
  bool isFlexible = written.starts_with("vec") || written.starts_with("mat");
  if (type->isScalar()) {
    if (parts.size() != 1) {
      diags
          .report(expr->range, diag::ArgCountMismatch, type->str(), size_t(1),
                  parts.size())
          .send();
      return fail(expr->range);
    }
    Expr *result = build.pin(build.cast(parts[0], type));
    if (result == parts[0] && isError(result))
      return result;
    result->range = expr->range;
    result->isWritten = true;
    return result;
  }
  if (parts.empty() && (type->isAggregate() || type->isArray())) {
    diags.report(expr->range, diag::MissingFill, type->str()).send();
    return fail(expr->range);
  }
  if (type->isVec() || type->isMat()) {
    Expr *made =
        type->isVec()
            ? vectorFrom(expr->range, type, std::move(parts), isFlexible)
            : matrixFrom(expr->range, type, std::move(parts), isFlexible);
    made->isWritten |= !isFlexible;
    return made;
  }
  if (type->isStr())
    diags
        .report(expr->range, diag::ArgCountMismatch, "str", size_t(1),
                parts.size())
        .send();
  else
    diags.report(expr->range, diag::NotCallable, type->str()).send();
  return fail(expr->range);
}
