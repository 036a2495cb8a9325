//===- Fold.cpp - Arithmetic on constants ---------------------------------===//
#include "chi/Sema/Build/Folding.h"
#include "llvm/ADT/APFloat.h"
#include <cmath>

using namespace chi;
using namespace chi::sema;

bool sema::fits(__int128 value, TypeRef type) {
  if (type->isBool())
    return value == 0 || value == 1;
  if (type->bits == 0)
    return true;
  __int128 one = 1;
  if (!type->isSigned)
    return value >= 0 && value < one << type->bits;
  __int128 half = one << (type->bits - 1);
  return value >= -half && value < half;
}

__int128 sema::wrapTo(__int128 value, TypeRef type) {
  if (type->bits == 0 || fits(value, type))
    return value;
  __int128 modulus = __int128(1) << type->bits;
  __int128 rest = value % modulus;
  if (rest < 0)
    rest += modulus;
  if (type->isSigned && rest >= modulus / 2)
    rest -= modulus;
  return rest;
}

double sema::roundTo(double value, TypeRef type) {
  if (type->bits == 32)
    return float(value);
  if (type->bits == 16) {
    llvm::APFloat half(value);
    bool loses;
    half.convert(type->isBrain ? llvm::APFloat::BFloat()
                               : llvm::APFloat::IEEEhalf(),
                 llvm::APFloat::rmNearestTiesToEven, &loses);
    half.convert(llvm::APFloat::IEEEdouble(),
                 llvm::APFloat::rmNearestTiesToEven, &loses);
    return half.convertToDouble();
  }
  return value;
}

static __int128 floorDiv(__int128 a, __int128 b) {
  __int128 quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

static std::optional<__int128> intPower(__int128 base, __int128 exponent) {
  if (exponent < 0)
    return std::nullopt;
  __int128 result = 1;
  if (base == 0 || base == 1)
    return exponent == 0 ? 1 : base;
  if (base == -1)
    return exponent % 2 ? -1 : 1;
  for (; exponent > 0; --exponent)
    if (__builtin_mul_overflow(result, base, &result))
      return std::nullopt;
  return result;
}

static std::optional<__int128> shiftLeft(__int128 a, __int128 b, TypeRef type) {
  if (b < 0)
    return std::nullopt;
  if (type->bits != 0)
    return b >= type->bits ? 0 : a << b;
  if (b > 120 || (a >> (120 - b)) > 0 || (-a >> (120 - b)) > 0)
    return std::nullopt;
  return a << b;
}

std::optional<__int128> sema::foldInt(BinaryOp op, __int128 a, __int128 b,
                                      TypeRef type) {
  __int128 result = 0;
  std::optional<__int128> value;
  switch (op) {
  case BinaryOp::Add:
    if (__builtin_add_overflow(a, b, &result))
      return std::nullopt;
    value = result;
    break;
  case BinaryOp::Sub:
    if (__builtin_sub_overflow(a, b, &result))
      return std::nullopt;
    value = result;
    break;
  case BinaryOp::Mul:
    if (__builtin_mul_overflow(a, b, &result))
      return std::nullopt;
    value = result;
    break;
  case BinaryOp::FloorDiv:
    if (b == 0)
      return std::nullopt;
    value = floorDiv(a, b);
    break;
  case BinaryOp::Mod:
    if (b == 0)
      return std::nullopt;
    value = a - floorDiv(a, b) * b;
    break;
  case BinaryOp::Pow:
    value = intPower(a, b);
    break;
  case BinaryOp::BitAnd:
    value = a & b;
    break;
  case BinaryOp::BitOr:
    value = a | b;
    break;
  case BinaryOp::BitXor:
    value = a ^ b;
    break;
  case BinaryOp::Shl:
    value = shiftLeft(a, b, type);
    break;
  case BinaryOp::Shr:
    if (b < 0)
      return std::nullopt;
    value = b > 126 ? (a < 0 ? -1 : 0) : a >> int(b);
    break;
  case BinaryOp::Min:
    value = a < b ? a : b;
    break;
  case BinaryOp::Max:
    value = a > b ? a : b;
    break;
  default:
    return std::nullopt;
  }
  if (!value)
    return std::nullopt;
  // Signed overflow is left to run time, which reports it in host code.
  if (type->bits && type->isSigned && !fits(*value, type))
    return std::nullopt;
  return wrapTo(*value, type);
}

void sema::reportNoValue(Builder &build, SourceRange range, BinaryOp op,
                         __int128 a, __int128 b, TypeRef type) {
  bool isDivision = op == BinaryOp::FloorDiv || op == BinaryOp::Mod;
  bool isShift = op == BinaryOp::Shl || op == BinaryOp::Shr;
  if (isDivision && b == 0)
    return build.diags.report(range, diag::ConstantDivisionByZero).send();
  if (isShift && b < 0)
    return build.diags.report(range, diag::NegativeShift).send();
  if (auto exact = foldInt(op, a, b, build.types.untypedInt);
      exact && type->bits)
    build.diags
        .report(range, diag::LiteralOutOfRange, intText(*exact), type->str())
        .send();
  else
    build.diags.report(range, diag::ConstantTooLarge).send();
}

bool Builder::reportUndefined(Expr *expr) {
  bool isReported = false;
  forEachOperand(expr, [&](Expr *&operand) {
    isReported = isReported || reportUndefined(operand);
  });
  TypeRef type = expr->type->scalarOrNull();
  if (isReported || !type || !type->isInt())
    return isReported;
  auto at = [&](Expr *operand, unsigned k) {
    return static_cast<ExactLiteral *>(component(operand, k))->exact;
  };
  auto *unary = llvm::dyn_cast<UnaryExpr>(expr);
  auto *binary = llvm::dyn_cast<BinaryExpr>(expr);
  if (unary && unary->op == UnaryOp::Neg && isConstant(unary->operand)) {
    for (int64_t k = 0; k < expr->type->numScalars(); ++k)
      if (!foldInt(BinaryOp::Sub, 0, at(unary->operand, k), type)) {
        reportNoValue(*this, expr->range, BinaryOp::Sub, 0,
                      at(unary->operand, k), type);
        return true;
      }
  } else if (binary && binary->op != BinaryOp::MatMul &&
             isConstant(binary->lhs) && isConstant(binary->rhs)) {
    for (int64_t k = 0; k < expr->type->numScalars(); ++k) {
      __int128 a = at(binary->lhs, k), b = at(binary->rhs, k);
      if (!foldInt(binary->op, a, b, type)) {
        reportNoValue(*this, expr->range, binary->op, a, b, type);
        return true;
      }
    }
  }
  return false;
}

/// As at run time: a NaN is passed over, and -0 is less than +0.
static double least(double a, double b) {
  if (a != a || b != b)
    return a != a ? b : a;
  return a < b || (a == b && std::signbit(a)) ? a : b;
}
static double greatest(double a, double b) { return -least(-a, -b); }

/// Python's %: with the sign of `b`, a zero too.
static double floorMod(double a, double b) {
  double rest = std::fmod(a, b);
  if (rest == 0)
    return std::copysign(rest, b);
  return (rest < 0) != (b < 0) ? rest + b : rest;
}

std::optional<double> sema::foldReal(BinaryOp op, double a, double b,
                                     TypeRef type) {
  auto rounded = [&](double value) { return roundTo(value, type); };
  switch (op) {
  case BinaryOp::Add:
    return rounded(a + b);
  case BinaryOp::Sub:
    return rounded(a - b);
  case BinaryOp::Mul:
    return rounded(a * b);
  case BinaryOp::Div:
    return rounded(a / b);
  case BinaryOp::FloorDiv:
    return rounded(std::floor(rounded(a / b)));
  case BinaryOp::Mod: // f64 is wide enough that rounding twice is once
    return rounded(floorMod(a, b));
  case BinaryOp::Pow:
    return rounded(std::pow(a, b));
  case BinaryOp::Min:
    return least(a, b);
  case BinaryOp::Max:
    return greatest(a, b);
  default:
    return std::nullopt;
  }
}

static double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }

/// Functions of one argument.
static std::optional<double> foldMathOne(Builtin op, double x) {
  switch (op) {
#define CHI_FOLD(Name, function)                                               \
  case Builtin::Name:                                                          \
    return function(x);
    CHI_FOLD(Sqrt, std::sqrt)
    CHI_FOLD(Rsqrt, 1 / std::sqrt)
    CHI_FOLD(Exp, std::exp)
    CHI_FOLD(Exp2, std::exp2)
    CHI_FOLD(Expm1, std::expm1)
    CHI_FOLD(Log, std::log)
    CHI_FOLD(Log2, std::log2)
    CHI_FOLD(Log10, std::log10)
    CHI_FOLD(Log1p, std::log1p)
    CHI_FOLD(Sin, std::sin)
    CHI_FOLD(Cos, std::cos)
    CHI_FOLD(Tan, std::tan)
    CHI_FOLD(Asin, std::asin)
    CHI_FOLD(Acos, std::acos)
    CHI_FOLD(Atan, std::atan)
    CHI_FOLD(Sinh, std::sinh)
    CHI_FOLD(Cosh, std::cosh)
    CHI_FOLD(Tanh, std::tanh)
    CHI_FOLD(Asinh, std::asinh)
    CHI_FOLD(Acosh, std::acosh)
    CHI_FOLD(Atanh, std::atanh)
    CHI_FOLD(Cbrt, std::cbrt)
    CHI_FOLD(Erf, std::erf)
    CHI_FOLD(Erfc, std::erfc)
    CHI_FOLD(Floor, std::floor)
    CHI_FOLD(Ceil, std::ceil)
    CHI_FOLD(Round, std::nearbyint)
    CHI_FOLD(Trunc, std::trunc)
    CHI_FOLD(Abs, std::fabs)
    CHI_FOLD(Sign, sign)
#undef CHI_FOLD
  default:
    return std::nullopt;
  }
}

std::optional<double> sema::foldMath(Builtin op, llvm::ArrayRef<double> x) {
  if (x.size() == 1)
    return foldMathOne(op, x[0]);
  switch (op) {
  case Builtin::Atan2:
    return std::atan2(x[0], x[1]);
  case Builtin::Hypot:
    return std::hypot(x[0], x[1]);
  case Builtin::Copysign:
    return std::copysign(x[0], x[1]);
  case Builtin::Fmod:
    return std::fmod(x[0], x[1]);
  case Builtin::Min:
    return least(x[0], x[1]);
  case Builtin::Max:
    return greatest(x[0], x[1]);
  case Builtin::Clamp:
    return least(greatest(x[0], x[1]), x[2]);
  case Builtin::Mix:
    return x[0] + (x[1] - x[0]) * x[2];
  case Builtin::Step:
    return x[1] < x[0] ? 0.0 : 1.0;
  case Builtin::SmoothStep: {
    double t = least(greatest((x[2] - x[0]) / (x[1] - x[0]), 0.0), 1.0);
    return t * t * (3 - 2 * t);
  }
  case Builtin::Fma:
    return std::fma(x[0], x[1], x[2]);
  default:
    return std::nullopt;
  }
}
