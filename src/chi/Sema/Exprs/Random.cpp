//===- Random.cpp - random and randn --------------------------------------===//
#include "chi/Sema/Exprs/BuiltinChecker.h"
#include "chi/Sema/Exprs/ExprChecker.h"
#include "chi/Sema/Exprs/TypeExprChecker.h"
#include "chi/Sema/Names/NameChecker.h"

using namespace chi;
using namespace chi::sema;

/// Words that draw no constant.
bool BuiltinChecker::mayDraw(SourceRange range, llvm::StringRef name) {
  if (state.where != Where::Constant)
    return true;
  diags.report(range, diag::NotConstant, ("`" + name + "`").str()).send();
  return false;
}

/// `random(low, high)`, `random(T, low, high)`.
Expr *BuiltinChecker::callRandomBetween(const ast::CallExpr *expr) {
  SourceRange range = expr->range;
  bool isTyped = expr->args.size() == 3;
  TypeRef type =
      isTyped ? ctx.typeExprs.checkType(expr->args[0].value) : nullptr;
  Expr *limits[2];
  for (auto [k, arg] : llvm::enumerate(expr->args.take_back(2)))
    limits[k] = ctx.exprs.checkExpr(arg.value);
  if (isError(limits[0]) || isError(limits[1]) || (type && type->isError()) ||
      !mayDraw(range, "random"))
    return fail(range);
  if (isTyped) {
    for (Expr *&limit : limits)
      limit = build.convert(limit, type, "a limit of `random`");
  } else if (build.unify(range, "random", limits)) {
    // A literal may need more bits than the other.
    for (Expr *&limit : limits)
      limit = build.withDefault(limit);
    if (!build.unify(range, "random", limits))
      return fail(range);
  } else {
    return fail(range);
  }
  if (isError(limits[0]) || isError(limits[1]))
    return fail(range);
  type = limits[0]->type;
  if (!hasNumbers(type) || type->scalar()->isBool()) {
    diags.report(range, diag::BadArgument, "random", "numbers", type->str())
        .send();
    return fail(range);
  }
  auto *random = build.make<RandomExpr>(range, type);
  random->low = limits[0];
  random->high = limits[1];
  return random;
}

/// `random(10)`: a number where the type stands. True after a report.
bool BuiltinChecker::refuseRandomOf(const ast::Expr *arg, bool isNormal) {
  Meaning::Kind kind = ctx.names.resolve(arg).kind;
  bool isValue =
      kind == Meaning::Local || kind == Meaning::Constant ||
      kind == Meaning::TopLevel || kind == Meaning::Const ||
      kind == Meaning::Param ||
      llvm::isa<ast::IntExpr, ast::FloatExpr, ast::BinaryExpr, ast::UnaryExpr>(
          arg);
  if (!isValue)
    return false;
  llvm::StringRef text = program.sources.text(arg->range);
  diags.report(arg->range, diag::NotAType, text)
      .note({}, diag::Advice,
            isNormal
                ? "`randn()` returns one number; fill a field in a loop: `for "
                  "i in x: x[i] = randn()`"
                : ("`random(0, " + text +
                   ")` is a number from 0 up to, but excluding, `" + text + "`")
                      .str())
      .send();
  return true;
}

Expr *BuiltinChecker::callRandom(const ast::CallExpr *expr, bool isNormal) {
  llvm::StringRef name = isNormal ? "randn" : "random";
  if (!onlyPositional(expr, 0, isNormal ? 1 : 3))
    return fail(expr->range);
  if (expr->args.size() > 1)
    return callRandomBetween(expr);
  TypeRef type = build.defaultFloat();
  if (expr->args.size() == 1) {
    if (refuseRandomOf(expr->args[0].value, isNormal))
      return fail(expr->range);
    type = ctx.typeExprs.checkType(expr->args[0].value);
    if (type->isError())
      return fail(expr->range);
  }
  if (!mayDraw(expr->range, name))
    return fail(expr->range);
  TypeRef scalar = type->scalarOrNull();
  bool ok = scalar && (type->isScalar() || type->isAggregate()) &&
            scalar->bits >= 32 &&
            (scalar->isFloat() || (!isNormal && scalar->isInt()));
  if (!ok) {
    diags
        .report(expr->range, diag::BadArgument, name,
                isNormal ? "`f32` or `f64`"
                         : "a float or an integer of 32 or 64 bits",
                type->str())
        .send();
    return fail(expr->range);
  }
  auto draw = [&]() -> Expr * {
    TypeRef drawn =
        scalar->isInt() ? types.intType(scalar->bits, false) : scalar;
    auto *random = build.make<RandomExpr>(expr->range, drawn);
    random->isNormal = isNormal;
    return build.cast(random, scalar);
  };
  if (type->isScalar())
    return draw();
  std::vector<Expr *> parts;
  for (int64_t k = 0; k < type->numScalars(); ++k)
    parts.push_back(draw());
  return build.construct(expr->range, type, std::move(parts));
}
