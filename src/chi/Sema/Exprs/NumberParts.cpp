//===- NumberParts.cpp - Exponents, bits, choices, atomics ----------------===//
#include "chi/Sema/Exprs/BuiltinChecker.h"
#include "chi/Sema/Exprs/ClassChecker.h"
#include "chi/Sema/Exprs/ExprChecker.h"
#include "chi/Sema/Exprs/TypeExprChecker.h"
#include <bit>

using namespace chi;
using namespace chi::sema;

static Expr *makeCall(Builder &build, SourceRange range, Builtin op,
                      TypeRef type, std::vector<Expr *> args) {
  auto *call = build.make<BuiltinExpr>(range, type);
  call->op = op;
  call->args = std::move(args);
  return call;
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

Expr *BuiltinChecker::callWhere(const ast::CallExpr *expr) {
  std::vector<Expr *> args;
  if (!builtinArgs(expr, 3, 3, args))
    return fail(expr->range);
  if (!hasNumbers(args[0]->type) || !args[0]->type->scalar()->isBool()) {
    diags
        .report(args[0]->range, diag::NotABool, "the first argument of `where`",
                build.defaulted(args[0]->type)->str())
        .send();
    return fail(expr->range);
  }
  return chooseBy(expr->range, "where", args[0], args[1], args[2]);
}

Expr *BuiltinChecker::chooseBy(SourceRange range, llvm::StringRef what,
                               Expr *mask, Expr *first, Expr *second) {
  if (isError(mask) || isError(first) || isError(second))
    return fail(range);
  Expr *sides[] = {first, second};
  if (!build.unify(range, what, sides))
    return fail(range);
  // Scalars beside a vec or mat stand for each of its components.
  TypeRef type = sides[0]->type;
  if (type->isScalar() && mask->type->isAggregate()) {
    type = types.withScalar(mask->type, type);
    for (Expr *&side : sides)
      side = build.splat(side, mask->type);
  }
  bool fits = mask->type->isScalar() || (mask->type->kind == type->kind &&
                                         mask->type->shape == type->shape);
  if (!fits) {
    diags
        .report(range, diag::OperatorTypes, what, mask->type->str(),
                build.defaulted(type)->str())
        .send();
    return fail(range);
  }
  Expr *choice =
      makeCall(build, range, Builtin::Choose, type, {mask, sides[0], sides[1]});
  build.markFlexible(choice, sides);
  return choice;
}

//===----------------------------------------------------------------------===//
// Exponents
//===----------------------------------------------------------------------===//

/// A value of floats, with a type; an error expression after a report.
Expr *BuiltinChecker::floatOf(Expr *value) {
  if (!hasNumbers(value->type)) {
    diags
        .report(value->range, diag::NotConvertible,
                build.defaulted(value->type)->str(), "float")
        .send();
    return fail(value->range);
  }
  if (!value->type->scalar()->isFloat())
    value = build.promote(value, types.untypedFloat);
  value = build.withDefault(value);
  return value;
}

/// value * 2**exponent, both with a type. Short floats are scaled as f32, which
/// holds all their products.
Expr *BuiltinChecker::scaled(SourceRange range, Expr *value, Expr *exponent) {
  TypeRef scalar = value->type->scalar(), whole = exponent->type->scalar();
  // Numbers beyond these give 0 or infinity as well.
  bool isWide = whole->bits > 32 || (whole->bits == 32 && !whole->isSigned);
  if (isWide) {
    auto limit = [&](int64_t bound) -> Expr * {
      Expr *one = build.intLiteral(range, bound, whole);
      return exponent->type->isScalar() ? one
                                        : build.splat(one, exponent->type);
    };
    exponent = build.elementwise(
        range, Builtin::Clamp,
        {exponent, limit(whole->isSigned ? -8192 : 0), limit(8192)},
        exponent->type);
  }
  exponent = build.cast(exponent, types.i32);
  if (scalar->bits < 32)
    value = build.cast(value, types.f32);
  if (exponent->type->isScalar() && value->type->isAggregate())
    exponent = build.splat(exponent, value->type);
  else if (value->type->isScalar() && exponent->type->isAggregate())
    value = build.splat(value, exponent->type);
  Expr *product =
      makeCall(build, range, Builtin::Ldexp, value->type, {value, exponent});
  return build.cast(product, scalar);
}

Expr *BuiltinChecker::callLdexp(const ast::CallExpr *expr) {
  std::vector<Expr *> args;
  if (!builtinArgs(expr, 2, 2, args))
    return fail(expr->range);
  Expr *value = floatOf(args[0]), *exponent = build.withDefault(args[1]);
  if (isError(value) || isError(exponent))
    return fail(expr->range);
  bool isWhole =
      hasNumbers(exponent->type) && exponent->type->scalar()->isInt();
  if (!isWhole) {
    diags
        .report(args[1]->range, diag::BadArgument, "ldexp",
                "an integer as the exponent", exponent->type->str())
        .send();
    return fail(expr->range);
  }
  bool fits = value->type->isScalar() || exponent->type->isScalar() ||
              (value->type->kind == exponent->type->kind &&
               value->type->shape == exponent->type->shape);
  if (!fits) {
    diags
        .report(expr->range, diag::OperatorTypes, "ldexp", value->type->str(),
                exponent->type->str())
        .send();
    return fail(expr->range);
  }
  return scaled(expr->range, value, exponent);
}

/// `m, e = frexp(x)`: x * 2**-e has the derivative of m.
Expr *BuiltinChecker::callFrexp(const ast::CallExpr *expr) {
  std::vector<Expr *> args;
  SourceRange range = expr->range;
  if (!builtinArgs(expr, 1, 1, args))
    return fail(range);
  Expr *value = floatOf(args[0]);
  if (isError(value))
    return fail(range);
  std::vector<LetExpr *> lets;
  value = build.reusable(value, lets);
  Expr *wide = build.clone(value);
  if (wide->type->scalar()->bits < 32)
    wide = build.cast(wide, types.f32);
  Expr *exponent = makeCall(build, range, Builtin::Exponent,
                            types.withScalar(value->type, types.i32), {wide});
  exponent = build.reusable(exponent, lets);
  Expr *opposite = build.unary(range, UnaryOp::Neg, build.clone(exponent));
  Expr *part = scaled(range, value, opposite);
  Expr *parts = build.construct(
      range, types.tuple({part->type, exponent->type}), {part, exponent});
  return build.closeLets(parts, lets);
}

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

/// `bit_cast(T, x)`: the same bits as another type of as many.
Expr *BuiltinChecker::callBitCast(const ast::CallExpr *expr,
                                  BuiltinName builtin) {
  if (!onlyPositional(expr, 2, 2))
    return fail(expr->range);
  TypeRef type = ctx.typeExprs.checkType(expr->args[0].value);
  Expr *value = ctx.exprs.checkTyped(expr->args[1].value);
  if (type->isError() || isError(value))
    return fail(expr->range);
  TypeRef from = value->type->scalarOrNull();
  bool isNumber = type->isScalar() && !type->isBool();
  bool fits = from && !from->isBool() && isNumber && from->bits == type->bits;
  if (!fits) {
    auto report =
        isNumber
            ? diags.report(expr->range, diag::BadArgument, builtinText(builtin),
                           "a value of " + std::to_string(type->bits) + " bits",
                           value->type->str())
            : diags.report(expr->args[0].value->range, diag::BadArgument,
                           builtinText(builtin), "the type of a number",
                           type->str());
    return fail(expr->range);
  }
  auto *cast =
      build.make<CastExpr>(expr->range, types.withScalar(value->type, type));
  cast->operand = value;
  cast->isBitcast = true;
  return cast;
}

static int64_t foldBits(Builtin op, uint64_t value, unsigned bits) {
  switch (op) {
  case Builtin::PopCount:
    return std::popcount(value);
  case Builtin::CountLeadingZeros:
    return std::countl_zero(value) - int64_t(64 - bits);
  default:
    return value ? std::countr_zero(value) : bits;
  }
}

/// `popcount`, `clz`, `ctz` of integers, in the type of the integer.
Expr *BuiltinChecker::callBitCount(const ast::CallExpr *expr,
                                   BuiltinName builtin) {
  std::vector<Expr *> args;
  if (!builtinArgs(expr, 1, 1, args))
    return fail(expr->range);
  Expr *value = build.withDefault(args[0]);
  if (isError(value))
    return fail(expr->range);
  TypeRef scalar = value->type->scalarOrNull();
  if (!scalar || !scalar->isInt()) {
    diags
        .report(expr->range, diag::BadArgument, builtinText(builtin),
                "integers", value->type->str())
        .send();
    return fail(expr->range);
  }
  Builtin op = builtin == BuiltinName::PopCount ? Builtin::PopCount
               : builtin == BuiltinName::LeadingZeros
                   ? Builtin::CountLeadingZeros
                   : Builtin::CountTrailingZeros;
  auto known = value->type->isScalar() ? constantInt(value) : std::nullopt;
  if (!known)
    return makeCall(build, expr->range, op, value->type, {value});
  uint64_t mask = ~uint64_t(0) >> (64 - scalar->bits);
  return build.intLiteral(
      expr->range, foldBits(op, uint64_t(*known) & mask, scalar->bits), scalar);
}

//===----------------------------------------------------------------------===//
// Atomic operations
//===----------------------------------------------------------------------===//

/// `atomic_add(x[i], v)`: the element, then the operands.
Expr *BuiltinChecker::callAtomic(const ast::CallExpr *expr, AtomicOp op) {
  bool isLoad = op == AtomicOp::Load;
  unsigned count = op == AtomicOp::Cas ? 3 : isLoad ? 1 : 2;
  if (!onlyPositional(expr, count, count))
    return fail(expr->range);
  std::vector<LetExpr *> lets;
  Expr *target = ctx.exprs.checkExpr(expr->args[0].value);
  std::vector<Expr *> values;
  bool ok = !isError(target);
  for (const ast::Argument &arg : expr->args.drop_front()) {
    values.push_back(ctx.exprs.checkExpr(arg.value));
    ok &= !isError(values.back());
  }
  if (!ok)
    return fail(expr->range);
  // An index with effects is evaluated before the element.
  while (auto *let = llvm::dyn_cast<LetExpr>(target)) {
    lets.push_back(let);
    target = let->body;
  }
  bool isSum = op == AtomicOp::Add || op == AtomicOp::Sub;
  if (isSum && llvm::isa<LoadExpr>(target) && target->type->isComplex) {
    Expr *value = build.convert(values[0], target->type, "the operand");
    if (isError(value))
      return fail(expr->range);
    values[0] = ctx.complexes.partsOf(value);
    Expr *parts = ctx.complexes.partsOf(target);
    Expr *old = atomicOf(expr, op, llvm::cast<LoadExpr>(parts), values);
    return build.closeLets(complexOf(build, old), lets);
  }
  auto *load = llvm::dyn_cast<LoadExpr>(target);
  if (!load || load->type->isStruct()) {
    llvm::StringRef name = program.sources.text(expr->callee->range);
    bool isVariable =
        llvm::isa<ast::NameExpr, ast::AttributeExpr, ast::SubscriptExpr>(
            expr->args[0].value) &&
        !target->type->holdsField() && !target->type->isStruct();
    if (isVariable)
      diags.report(expr->range, diag::AtomicInside, name).send();
    else
      diags.report(expr->args[0].value->range, diag::NotAnElement, name).send();
    return fail(expr->range);
  }
  TypeRef scalar = load->type->scalar();
  bool isBits =
      op == AtomicOp::And || op == AtomicOp::Or || op == AtomicOp::Xor;
  bool isWhole = op == AtomicOp::Cas || op == AtomicOp::Exchange;
  bool fitsNot = (isBits && scalar->isFloat()) ||
                 (!isBits && scalar->isBool()) ||
                 (isWhole && !load->type->isScalar());
  if (fitsNot && !isLoad) {
    diags
        .report(expr->args[0].value->range, diag::OperatorTypes,
                program.sources.text(expr->callee->range), load->type->str(),
                build.defaulted(values[0]->type)->str())
        .send();
    return fail(expr->range);
  }
  for (Expr *&value : values) {
    value = build.convert(value, load->type, "the operand");
    if (isError(value))
      return fail(expr->range);
  }
  return build.closeLets(atomicOf(expr, op, load, values), lets);
}

/// The operation on an element, with operands of its type.
Expr *BuiltinChecker::atomicOf(const ast::CallExpr *expr, AtomicOp op,
                               const LoadExpr *load,
                               llvm::ArrayRef<Expr *> values) {
  auto *atomic = build.make<AtomicExpr>(expr->range, load->type);
  atomic->op = op;
  atomic->field = load->field;
  atomic->indices = load->indices;
  atomic->path = load->path;
  atomic->value = op == AtomicOp::Load ? nullptr : values.back();
  if (op == AtomicOp::Cas)
    atomic->expected = values.front();
  return atomic;
}
