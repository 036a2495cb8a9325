//===- Bounds.cpp - Floats that stay away from zero -----------------------===//
#include "chi/AD/Rules/Bounds.h"

#include "chi/Dialect/Chi/ChiDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace chi;

/// Operations that are looked through.
static constexpr unsigned kMaxDepth = 16;

static constexpr double kNothing = -HUGE_VAL;

static double leastOf(Value value, unsigned depth);

/// A lower bound of a value that is not negative; otherwise nothing.
static std::optional<double> positive(Value value, unsigned depth) {
  double least = leastOf(value, depth);
  return least >= 0 ? std::optional(least) : std::nullopt;
}

/// For a product: a square is not negative.
static double leastOfProduct(Operation *op, unsigned depth) {
  auto a = positive(op->getOperand(0), depth);
  auto b = positive(op->getOperand(1), depth);
  if (a && b)
    return *a * *b;
  return op->getOperand(0) == op->getOperand(1) ? 0 : kNothing;
}

/// For a sum of values that are not negative: otherwise rounding may cancel all
/// of a difference.
static double leastOfSum(std::optional<double> a, std::optional<double> b) {
  return a && b ? *a + *b : kNothing;
}

/// As `leastOf`, computed in f64, without what underflows in the value's type.
static double wideLeastOf(Value value, unsigned depth) {
  APFloat number(0.0);
  if (matchPattern(value, m_ConstantFloat(&number)))
    return number.isNaN() ? kNothing : number.convertToDouble();
  Operation *op = value.getDefiningOp();
  if (!op || depth == 0)
    return kNothing;
  --depth;
  auto least = [&](unsigned k) { return leastOf(op->getOperand(k), depth); };
  if (isa<arith::AddFOp>(op))
    return leastOfSum(positive(op->getOperand(0), depth),
                      positive(op->getOperand(1), depth));
  if (isa<arith::MulFOp>(op))
    return leastOfProduct(op, depth);
  if (isa<math::FmaOp>(op)) {
    double product = leastOfProduct(op, depth);
    return leastOfSum(product >= 0 ? std::optional(product) : std::nullopt,
                      positive(op->getOperand(2), depth));
  }
  if (isa<arith::MaximumFOp, arith::MaxNumFOp>(op))
    return std::max(least(0), least(1));
  if (isa<arith::ExtFOp>(op))
    return least(0);
  if (isa<math::SqrtOp, ir::RootOp>(op))
    return std::sqrt(std::max(least(0), 0.0));
  if (isa<math::AbsFOp, math::ExpOp, math::Exp2Op, ir::HypotOp>(op))
    return 0;
  return kNothing;
}

/// A lower bound of a float, unless it is NaN. Rounding keeps the order.
static double leastOf(Value value, unsigned depth) {
  auto type = dyn_cast<FloatType>(value.getType());
  if (!type)
    return kNothing;
  double least = wideLeastOf(value, depth);
  double smallest = APFloat::getSmallestNormalized(type.getFloatSemantics())
                        .convertToDouble();
  return least > 0 && least < smallest ? 0 : least;
}

/// The third power of the reciprocal is finite in the type: partial derivatives
/// have the second one, in whatever order their factors are taken.
bool chi::ad::rules::isAwayFromZero(Value value) {
  auto type = dyn_cast<FloatType>(value.getType());
  if (!type)
    return false;
  int exponent = APFloat::semanticsMaxExponent(type.getFloatSemantics()) / 4;
  return leastOf(value, kMaxDepth) >= std::ldexp(1.0, -exponent);
}
