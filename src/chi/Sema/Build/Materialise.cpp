//===- Materialise.cpp - The precision of literals ------------------------===//
// See Note [Untyped] in Build.h and [Inf.2] of the language.
#include "chi/Sema/Build/Complex.h"
#include "chi/Sema/Build/Folding.h"
#include "chi/Sema/Build/Objects.h"
#include <cmath>

using namespace chi;
using namespace chi::sema;

TypeRef Builder::defaulted(TypeRef type) const {
  if (type->isTuple()) {
    std::vector<TypeRef> members;
    for (TypeRef member : type->members)
      members.push_back(defaulted(member));
    return types.tuple(members);
  }
  if (type->isContainer())
    return defaultedObject(*this, type);
  if (!isUntyped(type))
    return type;
  return types.withScalar(type, type->scalar()->isInt() ? defaultInt()
                                                        : defaultFloat());
}

bool sema::isRoundedToInfinity(const ExactLiteral &literal) {
  return std::isinf(literal.real) && !std::isinf(literal.exactReal);
}

static Expr *materialiseLiteral(Builder &build, ExactLiteral *literal,
                                TypeRef scalar) {
  bool wasInt = !literal->type->isFloat();
  if (scalar->isFloat()) {
    if (wasInt)
      literal->exactReal = double(literal->exact);
    literal->real = roundTo(literal->exactReal, scalar);
    literal->isTooLarge = isRoundedToInfinity(*literal);
  } else if (!wasInt) {
    return build.error(literal->range); // the caller has seen to it
  } else if (!fits(literal->exact, scalar)) {
    build.diags
        .report(literal->range, diag::LiteralOutOfRange,
                intText(literal->exact), scalar->str())
        .send();
    return build.error(literal->range);
  }
  literal->integer = int64_t(literal->exact);
  literal->type = scalar;
  literal->isFlexible = true;
  return literal;
}

void sema::noteOrigin(Builder &build, ExactLiteral *result,
                      llvm::ArrayRef<const ExactLiteral *> operands,
                      SourceRange range) {
  if (std::isfinite(result->real))
    return;
  for (const ExactLiteral *operand : operands) {
    bool isOld = operand->type->isFloat() &&
                 (std::isnan(result->real) ? std::isnan(operand->real)
                                           : !std::isfinite(operand->real));
    if (!isOld)
      continue;
    result->madeAt = operand->madeAt;
    result->madeOf = operand->madeOf;
    return;
  }
  result->madeAt = range;
  result->madeOf = build.sources.text(range);
}

/// Folds a node whose operands have become literals.
static bool hasConstantOperands(Expr *expr) {
  bool all = true;
  forEachOperand(expr, [&](Expr *&operand) { all &= isConstant(operand); });
  return all;
}

static Expr *foldCast(Builder &build, CastExpr *expr) {
  TypeRef to = expr->type->scalar();
  if (isUntyped(to) || !isConstant(expr->operand) || expr->isBitcast)
    return expr;
  return mapConstant(
             build, expr->operand, expr->type,
             [&](unsigned k) -> Expr * {
               Expr *part = build.component(expr->operand, k);
               auto *from = static_cast<ExactLiteral *>(part);
               bool fromFloat = from->type->isFloat();
               if (to->isFloat()) {
                 auto *made = build.realLiteral(
                     part->range, fromFloat ? from->real : double(from->exact),
                     to);
                 noteOrigin(build, made, from, expr->range);
                 return made;
               }
               if (to->isBool())
                 return build.boolLiteral(part->range, fromFloat
                                                           ? from->real != 0
                                                           : from->exact != 0);
               if (fromFloat && !(std::abs(from->real) < 9.2e18))
                 return nullptr;
               __int128 value = fromFloat ? __int128(from->real) : from->exact;
               if (fromFloat && !fits(value, to))
                 return nullptr;
               return build.intLiteral(part->range, wrapTo(value, to), to);
             })
             ?: expr;
}

Expr *Builder::materialise(Expr *expr, TypeRef scalar) {
  if (isError(expr) || !isUntyped(expr->type) || expr->type->scalar() == scalar)
    return expr;
  if (auto *literal = llvm::dyn_cast<LiteralExpr>(expr))
    return materialiseLiteral(*this, static_cast<ExactLiteral *>(literal),
                              scalar);
  bool toFloat = scalar->isFloat() && expr->type->scalar()->isInt();
  if (toFloat && !llvm::isa<ConstructExpr, SplatExpr, SelectExpr>(expr)) {
    // Integer operators on values (a `static` aside) stay integer.
    if (llvm::isa<UnaryExpr, BinaryExpr, BuiltinExpr, CastExpr, VariableExpr,
                  ExtractExpr>(expr))
      return promote(materialise(expr, defaultInt()), scalar);
  }
  expr->type = types.withScalar(expr->type, scalar);
  bool failed = false;
  auto go = [&](Expr *&operand) {
    operand = materialise(operand, scalar);
    failed |= isError(operand);
  };
  switch (expr->kind) {
  case ExprKind::Select:
    go(llvm::cast<SelectExpr>(expr)->thenValue);
    go(llvm::cast<SelectExpr>(expr)->elseValue);
    break;
  case ExprKind::Extract: {
    // Of a tuple only a variable is left, which has no types yet in this round.
    Expr *&base = llvm::cast<ExtractExpr>(expr)->base;
    if (!base->type->isTuple())
      go(base);
    break;
  }
  case ExprKind::Let:
    go(llvm::cast<LetExpr>(expr)->body);
    break;
  case ExprKind::Cast: {
    auto *cast = llvm::cast<CastExpr>(expr);
    if (cast->operand->type->scalar() == scalar)
      return cast->operand;
    return foldCast(*this, cast);
  }
  default:
    forEachOperand(expr, go);
    break;
  }
  if (failed)
    return error(expr->range);
  flexibleTrees.insert(expr);
  if (!hasConstantOperands(expr))
    return expr;
  if (auto *unary = llvm::dyn_cast<UnaryExpr>(expr))
    return foldUnary(*this, unary);
  if (auto *binary = llvm::dyn_cast<BinaryExpr>(expr))
    return foldBinary(*this, binary);
  if (auto *call = llvm::dyn_cast<BuiltinExpr>(expr))
    return foldBuiltin(*this, call);
  return expr;
}

/// The default type of an integer literal: wider if it needs to be.
static TypeRef literalInt(const Builder &build, const Expr *expr) {
  bool needsWide = false, needsUnsigned = false;
  auto visit = [&](auto &self, const Expr *at) -> void {
    if (llvm::isa<LiteralExpr>(at)) {
      __int128 value = static_cast<const ExactLiteral *>(at)->exact;
      needsWide |= !fits(value, build.defaultInt());
      needsUnsigned |= value > INT64_MAX;
    }
    if (isUntyped(at->type) && llvm::isa<ConstructExpr, SplatExpr>(at))
      forEachOperand(const_cast<Expr *>(at),
                     [&](Expr *&operand) { self(self, operand); });
  };
  visit(visit, expr);
  if (needsUnsigned)
    return build.types.u64;
  return needsWide ? build.types.i64 : build.defaultInt();
}

Expr *Builder::withDefault(Expr *expr) {
  if (isError(expr) || !isUntyped(expr->type))
    return expr;
  if (expr->type->isTuple()) {
    auto *construct = llvm::dyn_cast<ConstructExpr>(expr);
    if (!construct)
      return expr->type = defaulted(expr->type), expr;
    std::vector<TypeRef> members;
    for (Expr *&part : construct->parts) {
      part = withDefault(part);
      members.push_back(part->type);
    }
    expr->type = types.tuple(members);
    return expr;
  }
  // The literal that a variable was given is converted where it is.
  if (expr->type->isObject() && llvm::isa<VariableExpr>(expr))
    return expr->type = defaulted(expr->type), expr;
  if (expr->type->isObject())
    return convertObject(*this, expr, defaulted(expr->type), "the list");
  TypeRef scalar = expr->type->scalar();
  return materialise(expr, scalar->isInt() ? literalInt(*this, expr)
                                           : defaultFloat());
}

bool Builder::isFlexible(const Expr *expr) const {
  if (llvm::isa<LiteralExpr>(expr))
    return static_cast<const ExactLiteral *>(expr)->isFlexible;
  return flexibleTrees.contains(expr);
}

void Builder::markFlexible(Expr *expr, llvm::ArrayRef<Expr *> parts) {
  if (isUntyped(expr->type) || !expr->type->scalarOrNull())
    return;
  for (Expr *part : parts)
    if (isFlexible(part)) {
      flexibleTrees.insert(expr);
      return;
    }
}

Expr *Builder::pin(Expr *expr) {
  if (isError(expr) || isUntyped(expr->type))
    return expr;
  flexibleTrees.erase(expr);
  if (auto *literal = llvm::dyn_cast<LiteralExpr>(expr)) {
    auto *exact = static_cast<ExactLiteral *>(literal);
    exact->isFlexible = false;
    exact->isRounded |= exact->exactReal != exact->real;
    exact->exactReal = exact->real;
  } else if (isConstant(expr)) {
    forEachOperand(expr, [&](Expr *&operand) { operand = pin(operand); });
  }
  return expr;
}

/// A tree with literals in it is computed in the wider precision throughout.
static Expr *widen(Builder &build, Expr *expr, TypeRef scalar) {
  if (auto *literal = llvm::dyn_cast<LiteralExpr>(expr)) {
    auto *exact = static_cast<ExactLiteral *>(literal);
    auto *wide = build.realLiteral(expr->range, exact->exactReal, scalar);
    noteOrigin(build, wide, exact, expr->range);
    return wide;
  }
  auto go = [&](Expr *&operand) {
    if (operand->type->scalarOrNull() && operand->type->scalar()->isFloat())
      operand = build.promote(operand, scalar);
  };
  switch (expr->kind) {
  case ExprKind::Unary:
  case ExprKind::Binary:
  case ExprKind::Splat:
  case ExprKind::Construct:
    forEachOperand(expr, go);
    break;
  case ExprKind::Select:
    go(llvm::cast<SelectExpr>(expr)->thenValue);
    go(llvm::cast<SelectExpr>(expr)->elseValue);
    break;
  case ExprKind::Builtin: // the mask of a choice has no precision
    if (auto op = llvm::cast<BuiltinExpr>(expr)->op;
        op > Builtin::StopGradient && op != Builtin::Choose)
      return nullptr;
    forEachOperand(expr, go);
    break;
  default:
    return nullptr;
  }
  expr->type = build.types.withScalar(expr->type, scalar);
  return expr;
}

Expr *Builder::promote(Expr *expr, TypeRef scalar) {
  if (isError(expr) || expr->type->scalar() == scalar)
    return expr;
  if (isUntyped(expr->type))
    return materialise(expr, scalar);
  TypeRef from = expr->type->scalar();
  if (from->isFloat() && scalar->isFloat() && scalar->bits > from->bits &&
      isFlexible(expr))
    if (Expr *wide = widen(*this, expr, scalar))
      return wide;
  return cast(expr, scalar);
}

/// A float that an integer type does not hold becomes its nearest value, as
/// at run time.
static __int128 saturated(double value, TypeRef type) {
  __int128 whole = __int128(value);
  if (fits(whole, type))
    return whole;
  __int128 one = 1;
  if (value > 0)
    return (one << (type->bits - type->isSigned)) - 1;
  return type->isSigned ? -(one << (type->bits - 1)) : 0;
}

Expr *Builder::cast(Expr *expr, TypeRef scalar) {
  if (isError(expr) || expr->type->scalar() == scalar)
    return expr;
  if (isUntyped(expr->type)) {
    bool toFloat = scalar->isFloat();
    if (toFloat) {
      Expr *made = materialise(expr, scalar);
      // A cast gives infinity; an operand beneath it has no cast of its own.
      auto *literal = llvm::dyn_cast<LiteralExpr>(made);
      if (literal && static_cast<ExactLiteral *>(literal)->isTooLarge) {
        static_cast<ExactLiteral *>(literal)->isTooLarge = false;
        literal->madeAt = expr->range;
        literal->madeOf = sources.text(expr->range);
      }
      return made;
    }
    if (auto *literal = llvm::dyn_cast<LiteralExpr>(expr)) {
      auto *exact = static_cast<ExactLiteral *>(literal);
      __int128 value = exact->exact;
      if (expr->type->isFloat()) {
        if (!(std::abs(exact->exactReal) < 1e37)) {
          diags
              .report(expr->range, diag::LiteralOutOfRange,
                      sources.text(expr->range), scalar->str())
              .send();
          return error(expr->range);
        }
        value = saturated(exact->exactReal, scalar);
      }
      if (scalar->isBool())
        value = expr->type->isFloat() ? exact->exactReal != 0 : value != 0;
      return intLiteral(expr->range, wrapTo(value, scalar), scalar);
    }
    if (expr->type->scalar()->isInt() && scalar->isInt() && !isConstant(expr))
      return materialise(expr, scalar);
    expr = withDefault(expr);
    if (isError(expr) || expr->type->scalar() == scalar)
      return expr;
  }
  if (expr->type->isComplex)
    return castComplex(*this, expr, scalar);
  auto *node =
      make<CastExpr>(expr->range, types.withScalar(expr->type, scalar));
  node->operand = expr;
  return foldCast(*this, node);
}

Expr *sema::mapConstant(Builder &build, Expr *like, TypeRef type,
                        llvm::function_ref<Expr *(unsigned)> element) {
  if (type->isScalar()) {
    Expr *value = element(0);
    if (value)
      value->range = like->range;
    return value;
  }
  if (!type->isAggregate())
    return nullptr;
  auto *result = build.make<ConstructExpr>(like->range, type);
  for (unsigned k = 0; k < type->numScalars(); ++k) {
    Expr *part = element(k);
    if (!part)
      return nullptr;
    result->parts.push_back(part);
  }
  build.markFlexible(result, result->parts);
  return result;
}
