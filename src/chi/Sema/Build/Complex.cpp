//===- Complex.cpp - Complex numbers --------------------------------------===//
// Note [Complex numbers]: complex64 and complex128 are a class of the library
// (stdlib/internal/complex.chi) whose one member is a vec of the real and the
// imaginary part; its methods are the operators. Sema knows the type
// (Type::isComplex): literals `2j` have no precision of their own, numbers
// become complex where one is asked for, and operands get one precision. Behind
// sema there are vecs only (docs/design/0140-complex-numbers.md).
#include "chi/Sema/Build/Complex.h"
#include <cmath>
#include <complex>

using namespace chi;
using namespace chi::sema;

Expr *sema::complexOf(Builder &build, Expr *parts) {
  if (isError(parts))
    return parts;
  TypeRef type = build.types.complexOf(parts->type->scalar());
  return type ? build.construct(parts->range, type, {parts})
              : build.error(parts->range);
}

Expr *sema::complexOf(Builder &build, SourceRange range, Expr *real,
                      Expr *imaginary) {
  return complexOf(build, build.construct(range, build.types.vec(2, real->type),
                                          {real, imaginary}));
}

Expr *sema::partsOf(Builder &build, Expr *number) {
  if (auto *construct = llvm::dyn_cast<ConstructExpr>(number))
    return construct->parts[0];
  auto *parts =
      build.make<ExtractExpr>(number->range, number->type->members[0]);
  parts->base = number;
  parts->path = {PathStep::ofMember(0)};
  return parts;
}

TypeRef sema::joinComplex(const Builder &build, TypeRef a, TypeRef b) {
  TypeRef scalar = nullptr;
  bool hasTypedInt = false;
  for (TypeRef type : {a, b}) {
    if (!type->isComplex && !type->isScalar())
      return nullptr;
    TypeRef part = type->scalar();
    hasTypedInt |= !part->isFloat() && part->bits != 0;
    if (part->isFloat())
      scalar = scalar ? build.joinScalars(scalar, part) : part;
  }
  if (isUntyped(scalar) && hasTypedInt)
    scalar = build.defaultFloat();
  if (scalar->bits == 16)
    scalar = build.types.f32;
  return build.types.complexOf(scalar);
}

Expr *sema::castComplex(Builder &build, Expr *number, TypeRef scalar) {
  SourceRange range = number->range;
  Expr *made = complexOf(build, build.cast(partsOf(build, number), scalar));
  made->range = range;
  return made;
}

Expr *sema::withoutImaginary(Builder &build, Expr *real, TypeRef scalar) {
  return complexOf(build, real->range, real,
                   build.realLiteral(real->range, 0, scalar));
}

/// The value of an untyped constant; none of anything else.
static std::optional<std::complex<double>> constantOf(Builder &build,
                                                      Expr *expr) {
  if (!isConstant(expr) || !isUntyped(expr->type))
    return std::nullopt;
  auto valueOf = [](const ExactLiteral *literal) {
    return literal->type->isFloat() ? literal->exactReal
                                    : double(literal->exact);
  };
  if (expr->type->isScalar())
    return valueOf(build.literalAt(expr, 0));
  if (!expr->type->isComplex)
    return std::nullopt;
  Expr *parts = partsOf(build, expr);
  return std::complex(valueOf(build.literalAt(parts, 0)),
                      valueOf(build.literalAt(parts, 1)));
}

/// a / b as `__truediv__` of the library computes it.
static std::complex<double> quotient(std::complex<double> a,
                                     std::complex<double> b) {
  bool isWide = std::abs(b.real()) >= std::abs(b.imag());
  double p = isWide ? b.real() : b.imag(), q = isWide ? b.imag() : -b.real();
  double x = isWide ? a.real() : a.imag(), y = isWide ? a.imag() : -a.real();
  double ratio = q / p, scale = p + q * ratio;
  return {(x + y * ratio) / scale, (y - x * ratio) / scale};
}

/// The product of `exponent` times `number`, at least one, by squares.
static std::complex<double> powerOf(std::complex<double> number,
                                    int64_t exponent) {
  auto times = [](std::complex<double> a, std::complex<double> b) {
    return std::complex(a.real() * b.real() - a.imag() * b.imag(),
                        a.real() * b.imag() + a.imag() * b.real());
  };
  if (exponent == 1)
    return number;
  std::complex<double> root = powerOf(times(number, number), exponent / 2);
  return exponent % 2 ? times(root, number) : root;
}

/// a ** b; none of 0, whose power the library has.
static std::optional<std::complex<double>>
power(std::complex<double> a, std::complex<double> b, bool isRealB) {
  constexpr double kMostFactors = 100;
  double factors = std::abs(b.real());
  if (isRealB && factors >= 1 && factors <= kMostFactors &&
      std::floor(factors) == factors) {
    std::complex<double> made = powerOf(a, int64_t(factors));
    return b.real() < 0 ? quotient(1, made) : made;
  }
  if (a == 0.0 || b == 0.0)
    return std::nullopt;
  double size = std::hypot(a.real(), a.imag());
  double angle = std::atan2(a.imag(), a.real());
  double phase = angle * b.real() + b.imag() * std::log(size);
  return std::polar(std::pow(size, b.real()) * std::exp(-angle * b.imag()),
                    phase);
}

/// Real numbers have no imaginary part, and none that is a zero with a sign.
static std::optional<std::complex<double>>
folded(BinaryOp op, std::complex<double> a, bool isRealA,
       std::complex<double> b, bool isRealB) {
  auto parts = [](double real, double imaginary) {
    return std::complex(real, imaginary);
  };
  switch (op) {
  case BinaryOp::Add:
    return parts(a.real() + b.real(), isRealA   ? b.imag()
                                      : isRealB ? a.imag()
                                                : a.imag() + b.imag());
  case BinaryOp::Sub:
    return parts(a.real() - b.real(), isRealA   ? -b.imag()
                                      : isRealB ? a.imag()
                                                : a.imag() - b.imag());
  case BinaryOp::Mul:
    if (isRealA)
      return parts(a.real() * b.real(), a.real() * b.imag());
    if (isRealB)
      return parts(a.real() * b.real(), a.imag() * b.real());
    return parts(a.real() * b.real() - a.imag() * b.imag(),
                 a.real() * b.imag() + a.imag() * b.real());
  case BinaryOp::Div:
    if (!isRealB)
      return quotient(a, b);
    if (b.real() != 0)
      return parts(a.real() / b.real(), a.imag() / b.real());
    return std::nullopt;
  case BinaryOp::Pow:
    return power(a, b, isRealB);
  default:
    return std::nullopt;
  }
}

Expr *sema::foldComplex(Builder &build, SourceRange range, BinaryOp op,
                        Expr *lhs, Expr *rhs) {
  auto a = constantOf(build, lhs), b = constantOf(build, rhs);
  if (!a || !b)
    return nullptr;
  auto made = folded(op, *a, lhs->type->isScalar(), *b, rhs->type->isScalar());
  if (!made || !std::isfinite(made->real()) || !std::isfinite(made->imag()))
    return nullptr;
  TypeRef type = build.types.untypedFloat;
  return complexOf(build, range, build.realLiteral(range, made->real(), type),
                   build.realLiteral(range, made->imag(), type));
}

Expr *sema::foldComplexMethod(Builder &build, SourceRange range,
                              llvm::StringRef method, Expr *number) {
  auto known =
      number->type->isComplex ? constantOf(build, number) : std::nullopt;
  TypeRef type = build.types.untypedFloat;
  auto literal = [&](double value) {
    return build.realLiteral(range, value, type);
  };
  if (!known)
    return nullptr;
  if (method == "__pos__")
    return number;
  if (method == "conjugate")
    return complexOf(build, range, literal(known->real()),
                     literal(-known->imag()));
  double size = std::hypot(known->real(), known->imag());
  return method == "__abs__" && std::isfinite(size) ? literal(size) : nullptr;
}
