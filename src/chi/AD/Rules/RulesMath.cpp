//===- RulesMath.cpp - Derivatives of elementary functions ----------------===//
// Formulas from the NIST Digital Library of Mathematical Functions
// (https://dlmf.nist.gov), chapters 4 and 7. A rule reads the value of the
// primal that makes it more accurate: the result where no cancellation occurs,
// else the operand.
#include "chi/AD/Rules/Rules.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>
#include <numbers>

using namespace mlir;
using namespace chi;
using namespace chi::ad::rules;

template <typename Op> static Value call(OpBuilder &b, Location loc, Value x) {
  return Op::create(b, loc, x);
}

/// asin, acos, atan and the inverse hyperbolic functions; null for others.
Value RuleBuilder::inverseFunction(Value x) {
  auto rootOf = [&](Value square) {
    return call<math::SqrtOp>(b, loc, square);
  };
  // 1 - x^2 without cancellation near 1.
  auto below = [&] { return times(minus(number(1), x), plus(number(1), x)); };
  if (isa<math::AsinOp>(op))
    return guarded(over(adjoint, rootOf(below())));
  if (isa<math::AcosOp>(op))
    return guarded(negated(over(adjoint, rootOf(below()))));
  if (isa<math::AtanOp>(op))
    return over(adjoint, plus(number(1), times(x, x)));
  if (isa<math::AsinhOp>(op))
    return over(adjoint, ir::HypotOp::create(b, loc, number(1), x));
  if (isa<math::AcoshOp>(op))
    // Two roots, since the product overflows where its root does not.
    return guarded(over(adjoint, times(rootOf(minus(x, number(1))),
                                       rootOf(plus(x, number(1))))));
  if (isa<math::AtanhOp>(op))
    return guarded(over(adjoint, below()));
  return {};
}

Value RuleBuilder::logarithm(Value x) {
  if (isa<math::LogOp>(op))
    return guarded(over(adjoint, x), op->getOperand(0));
  if (isa<math::Log2Op>(op))
    return guarded(over(times(adjoint, number(std::numbers::log2e)), x));
  if (isa<math::Log10Op>(op))
    return guarded(over(times(adjoint, number(std::numbers::log10e)), x));
  if (isa<math::Log1pOp>(op))
    return guarded(over(adjoint, plus(number(1), x)));
  return {};
}

Value RuleBuilder::hyperbolic(Value x, Value r) {
  if (isa<math::SinhOp>(op))
    return times(adjoint, call<math::CoshOp>(b, loc, x));
  if (isa<math::CoshOp>(op))
    return times(adjoint, call<math::SinhOp>(b, loc, x));
  if (isa<math::TanhOp>(op))
    return times(adjoint, times(minus(number(1), r), plus(number(1), r)));
  return {};
}

/// Does the derivative follow from the result alone?
static bool readsResultOnly(Operation *op) {
  return isa<math::ExpOp, math::Exp2Op, math::SqrtOp, ir::RootOp, math::TanOp,
             math::TanhOp, math::CbrtOp>(op);
}

/// Is it a sum of squares, so that its root is a norm?
static bool isSquared(Value value) {
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<arith::AddFOp>(op))
    return isSquared(op->getOperand(0)) && isSquared(op->getOperand(1));
  bool isSquare = isa_and_nonnull<arith::MulFOp, math::FmaOp>(op) &&
                  op->getOperand(0) == op->getOperand(1);
  return isSquare &&
         (op->getNumOperands() == 2 || isSquared(op->getOperand(2)));
}

/// The contribution to the operand's adjoint.
Value RuleBuilder::unaryMath() {
  bool isByResult = readsResultOnly(op);
  Value x = isByResult ? Value() : operand(0);
  Value r = isByResult || isa<math::RsqrtOp>(op) ? result() : Value();
  if (Value made = inverseFunction(x))
    return made;
  if (Value made = logarithm(x))
    return made;
  if (Value made = hyperbolic(x, r))
    return made;
  if (isa<math::SinOp>(op))
    return times(adjoint, call<math::CosOp>(b, loc, x));
  if (isa<math::CosOp>(op))
    return negated(times(adjoint, call<math::SinOp>(b, loc, x)));
  if (isa<math::TanOp>(op))
    return times(adjoint, plus(number(1), times(r, r)));
  if (isa<math::ExpOp>(op))
    return times(adjoint, r);
  if (isa<math::Exp2Op>(op))
    return times(times(adjoint, number(std::numbers::ln2)), r);
  if (isa<math::ExpM1Op>(op))
    return times(adjoint, call<math::ExpOp>(b, loc, x));
  bool isSqrt = isa<math::SqrtOp>(op);
  if (isSqrt && !isSquared(op->getOperand(0)))
    return guarded(over(times(adjoint, number(0.5)), r), op->getOperand(0));
  if (isSqrt || isa<ir::RootOp>(op))
    return select(isZero(r), number(0), over(times(adjoint, number(0.5)), r));
  if (isa<math::RsqrtOp>(op))
    return guarded(over(times(times(adjoint, number(-0.5)), r), x),
                   op->getOperand(0));
  if (isa<math::CbrtOp>(op))
    return guarded(over(adjoint, times(number(3), times(r, r))));
  if (isa<math::ErfOp, math::ErfcOp>(op)) {
    double factor = 2 / std::sqrt(std::numbers::pi);
    Value bell = call<math::ExpOp>(b, loc, negated(times(x, x)));
    return times(
        times(adjoint, number(isa<math::ErfOp>(op) ? factor : -factor)), bell);
  }
  // abs, and copysign by what its size comes from: the sign, 0 at 0.
  Value sign = math::CopySignOp::create(b, loc, number(1), x);
  if (isa<math::CopySignOp>(op))
    sign = times(sign, math::CopySignOp::create(b, loc, number(1), operand(1)));
  return select(isZero(x), number(0), times(adjoint, sign));
}

/// x^y: y x^(y-1), and x^y log x. Of a base of 0 the limits from above. By the
/// exponent there is none for x < 0, where the power is one only at integers.
void RuleBuilder::emitPower() {
  Value x = operand(0), y = operand(1);
  if (wants(0)) {
    Value less = math::PowFOp::create(b, loc, x, minus(y, number(1)));
    Value product = times(times(adjoint, y), less);
    add(0, guarded(guardedBy(isZero(y), product)));
  }
  if (!wants(1))
    return;
  Value exists = arith::OrIOp::create(
      b, loc, compare(arith::CmpFPredicate::UGE, x, number(0)),
      isZero(adjoint));
  auto kind = ir::CheckKindAttr::get(b.getContext(), ir::CheckKind::power);
  ir::CheckOp::create(b, loc, kind, exists, ValueRange{x, y},
                      b.getStringAttr("**"), b.getI64IntegerAttr(0),
                      ArrayAttr(), IntegerAttr());
  Value product = times(times(adjoint, result()), call<math::LogOp>(b, loc, x));
  // For y > 0; a power of 0 that is no number has no derivative either.
  Value isFlat = arith::AndIOp::create(
      b, loc, isZero(x), compare(arith::CmpFPredicate::OGT, y, number(0)));
  add(1, guarded(select(isFlat, number(0), product)));
}

/// 0 at the origin, where no direction is, and at infinity, where it is flat.
void RuleBuilder::emitAtan2() {
  Value y = operand(0), x = operand(1);
  // By the distance twice: its square may overflow or vanish.
  Value r = ir::HypotOp::create(b, loc, x, y);
  Value isFlat = arith::OrIOp::create(
      b, loc, isZero(r),
      compare(arith::CmpFPredicate::OEQ, r, number(HUGE_VAL)));
  auto part = [&](Value value) {
    return select(isFlat, number(0), over(times(adjoint, over(value, r)), r));
  };
  if (wants(0))
    add(0, part(x));
  if (wants(1))
    add(1, negated(part(y)));
}

/// As a norm: 0 at the origin.
void RuleBuilder::emitHypot() {
  Value r = result();
  for (unsigned side : {0u, 1u})
    if (wants(side))
      add(side,
          select(isZero(r), number(0), over(times(adjoint, operand(side)), r)));
}
