//===- Rules.cpp - Derivatives of arithmetic ------------------------------===//
#include "chi/AD/Rules/Rules.h"
#include "chi/AD/Rules/Bounds.h"
#include "chi/AD/Rules/Floats.h"

#include "chi/Dialect/Chi/DiscardableAttrs.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace chi;
using namespace chi::ad::rules;

Type chi::ad::rules::adjointType(Type type) {
  auto scalar = dyn_cast<FloatType>(type);
  return scalar && scalar.getWidth() < 32 ? Float32Type::get(type.getContext())
                                          : type;
}

//===----------------------------------------------------------------------===//
// Known properties
//===----------------------------------------------------------------------===//

/// Constant between the points where it jumps.
static bool isStepwise(Operation *op) {
  return isa<math::FloorOp, math::CeilOp, math::RoundEvenOp, math::RoundOp,
             math::TruncOp, ir::StopGradientOp>(op);
}

static bool isExtreme(Operation *op) {
  return isa<arith::MaxNumFOp, arith::MinNumFOp, arith::MaximumFOp,
             arith::MinimumFOp>(op);
}

static bool isArithmetic(Operation *op) {
  return isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
             arith::NegFOp, arith::ExtFOp, arith::TruncFOp, arith::RemFOp,
             arith::SelectOp>(op) ||
         isExtreme(op);
}

static bool isElementary(Operation *op) {
  return isa<math::SinOp, math::CosOp, math::TanOp, math::AsinOp, math::AcosOp,
             math::AtanOp, math::SinhOp, math::CoshOp, math::TanhOp,
             math::AsinhOp, math::AcoshOp, math::AtanhOp, math::ExpOp,
             math::Exp2Op, math::ExpM1Op, math::LogOp, math::Log2Op,
             math::Log10Op, math::Log1pOp, math::SqrtOp, math::RsqrtOp,
             math::CbrtOp, math::ErfOp, math::ErfcOp, math::AbsFOp,
             math::CopySignOp, math::FmaOp, math::Atan2Op, math::PowFOp>(op);
}

bool chi::ad::rules::hasDerivative(Operation *op) {
  return op->getNumResults() == 1 && isFloat(op->getResult(0).getType()) &&
         (isArithmetic(op) || isElementary(op) ||
          isa<ir::RootOp, ir::HypotOp, ir::FFloorModOp>(op));
}

bool chi::ad::rules::discardsOperands(Operation *op) {
  return isExtreme(op) || isa<arith::SelectOp>(op);
}

bool chi::ad::rules::hasCustomAdjoint(Operation *op) {
  return isa<func::CallOp>(op) && op->hasAttr(ir::kCustomAdjointAttr);
}

bool chi::ad::rules::isUnknown(Operation *op) {
  auto areFloats = [](TypeRange types) { return llvm::any_of(types, isFloat); };
  return op->getNumRegions() == 0 && areFloats(op->getOperandTypes()) &&
         areFloats(op->getResultTypes()) && !isDifferentiable(op) &&
         !isStepwise(op) &&
         !isa<ir::FieldAccessOpInterface, ir::GetOp, ir::SetOp>(op);
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

Value RuleBuilder::converted(Value value, Type type) {
  return convertFloat(b, loc, value, type);
}

Value RuleBuilder::wide(Value value) {
  return converted(primalOf(value), adjointType(value.getType()));
}

Value RuleBuilder::number(double value) {
  return arith::ConstantOp::create(b, loc,
                                   b.getFloatAttr(adjoint.getType(), value));
}
Value RuleBuilder::times(Value x, Value y) {
  return arith::MulFOp::create(b, loc, x, y);
}
Value RuleBuilder::over(Value x, Value y) {
  return arith::DivFOp::create(b, loc, x, y);
}
Value RuleBuilder::plus(Value x, Value y) {
  return arith::AddFOp::create(b, loc, x, y);
}
Value RuleBuilder::minus(Value x, Value y) {
  return arith::SubFOp::create(b, loc, x, y);
}
Value RuleBuilder::negated(Value x) { return arith::NegFOp::create(b, loc, x); }
Value RuleBuilder::select(Value condition, Value x, Value y) {
  return arith::SelectOp::create(b, loc, condition, x, y);
}
Value RuleBuilder::compare(arith::CmpFPredicate how, Value x, Value y) {
  return arith::CmpFOp::create(b, loc, how, x, y);
}
Value RuleBuilder::isZero(Value x) {
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(x.getType()));
  return compare(arith::CmpFPredicate::OEQ, x, zero);
}
Value RuleBuilder::guarded(Value value, Value divisor) {
  if (!isDiscarded && divisor && isAwayFromZero(divisor))
    return value;
  isGuarded = true;
  return guardedBy(isZero(adjoint), value);
}

Value RuleBuilder::guardedBy(Value condition, Value value) {
  auto guard = arith::SelectOp::create(b, loc, condition, number(0), value);
  guard->setAttr(ir::kGuardAttr, b.getUnitAttr());
  return guard;
}

static bool isFiniteNumber(Value value) {
  APFloat number(0.0);
  return matchPattern(value, m_ConstantFloat(&number)) && number.isFinite();
}

/// Is the partial derivative by the operand finite, whatever the values are?
static bool isBounded(Operation *op, unsigned operand) {
  if (isa<arith::MulFOp, math::FmaOp>(op))
    return operand == 2 || isFiniteNumber(op->getOperand(1 - operand));
  if (isa<arith::RemFOp, ir::FFloorModOp>(op))
    return operand == 0;
  return discardsOperands(op) ||
         isa<arith::AddFOp, arith::SubFOp, arith::NegFOp, arith::ExtFOp,
             arith::TruncFOp, math::AbsFOp, math::CopySignOp>(op);
}

void RuleBuilder::add(unsigned number, Value contribution) {
  if (isDiscarded && !isBounded(op, number) && !isGuarded)
    contribution = guarded(contribution);
  isGuarded = false;
  Value target = op->getOperand(number);
  addTo(target, converted(contribution, adjointType(target.getType())));
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

void RuleBuilder::emitArith() {
  auto both = [&](function_ref<Value()> left, function_ref<Value()> right) {
    if (wants(0))
      add(0, left());
    if (wants(1))
      add(1, right());
  };
  TypeSwitch<Operation *>(op)
      .Case<arith::AddFOp>(
          [&](auto) { both([&] { return adjoint; }, [&] { return adjoint; }); })
      .Case<arith::SubFOp>([&](auto) {
        both([&] { return adjoint; }, [&] { return negated(adjoint); });
      })
      .Case<arith::MulFOp>([&](auto) {
        both([&] { return times(adjoint, operand(1)); },
             [&] { return times(adjoint, operand(0)); });
      })
      .Case<arith::DivFOp>([&](auto) {
        Value divisor = op->getOperand(1);
        // The quotient of a value that may be infinite may be infinite, too.
        bool isFinite = matchPattern(op->getOperand(0), m_Constant());
        auto quotient = [&] { return over(adjoint, operand(1)); };
        both([&] { return guarded(quotient(), divisor); },
             [&] {
               return guarded(negated(times(quotient(), result())),
                              isFinite ? divisor : Value());
             });
      })
      .Case<arith::NegFOp>([&](auto) { add(0, negated(adjoint)); })
      .Case<arith::ExtFOp, arith::TruncFOp>([&](auto) { add(0, adjoint); });
}

Value chi::ad::rules::conditionOf(OpBuilder &b, arith::SelectOp op,
                                  function_ref<Value(Value)> primal) {
  Value condition = primal(op.getCondition());
  if (!op->hasAttr(ir::kGuardAttr))
    return condition;
  Value value = primal(op.getFalseValue());
  Value isNone = arith::CmpFOp::create(b, op.getLoc(),
                                       arith::CmpFPredicate::UNO, value, value);
  return arith::AndIOp::create(b, op.getLoc(), condition, isNone);
}

/// To the side that was taken.
void RuleBuilder::emitSelect() {
  Value condition = conditionOf(b, cast<arith::SelectOp>(op), primalOf);
  if (wants(1))
    add(1, select(condition, adjoint, number(0)));
  if (wants(2))
    add(2, select(condition, number(0), adjoint));
}

/// The operand that gets all of it at a tie, where `op` was an update.
static std::optional<unsigned> oldOperand(Operation *op) {
  auto isNewVaried = op->getAttrOfType<BoolAttr>(ir::kOldWinsAttr);
  if (!isNewVaried)
    return std::nullopt;
  bool isConstant = matchPattern(op->getOperand(1), m_Constant());
  return isConstant && isNewVaried.getValue() ? 1 : 0;
}

/// To the operand that was taken. At a tie half to each, as of
/// (a + b + |a - b|) / 2; of an update all to the old value.
void RuleBuilder::emitExtreme() {
  auto old = oldOperand(op);
  unsigned first = old.value_or(0), second = 1 - first;
  auto isTaken = [&](unsigned operand) {
    return compare(arith::CmpFPredicate::OEQ, result(), this->operand(operand));
  };
  Value isFirst = isTaken(first), both = adjoint, tied = number(0);
  if (!old) {
    Value isTie = isTaken(second), half = times(adjoint, number(0.5));
    tied = select(isTie, half, tied);
    both = select(isTie, half, both);
  }
  if (wants(first))
    add(first, select(isFirst, both, number(0)));
  if (wants(second))
    add(second, select(isFirst, tied, adjoint));
}

/// x = n y + r: the divisor's partial is -n, a whole number.
void RuleBuilder::emitModulo() {
  if (wants(0))
    add(0, adjoint);
  if (!wants(1))
    return;
  Value n = over(minus(result(), operand(0)), operand(1));
  add(1, guarded(times(adjoint, math::RoundEvenOp::create(b, loc, n))));
}

void RuleBuilder::emit() {
  if (isa<arith::SelectOp>(op))
    return emitSelect();
  if (isExtreme(op))
    return emitExtreme();
  if (isa<arith::RemFOp, ir::FFloorModOp>(op))
    return emitModulo();
  if (isa<math::PowFOp>(op))
    return emitPower();
  if (isa<math::Atan2Op>(op))
    return emitAtan2();
  if (isa<ir::HypotOp>(op))
    return emitHypot();
  if (isa<math::FmaOp>(op)) {
    if (wants(0))
      add(0, times(adjoint, operand(1)));
    if (wants(1))
      add(1, times(adjoint, operand(0)));
    if (wants(2))
      add(2, adjoint);
    return;
  }
  if (!isElementary(op) && !isa<ir::RootOp>(op))
    return emitArith();
  if (wants(0))
    add(0, unaryMath());
}
