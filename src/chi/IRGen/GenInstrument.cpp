//===- GenInstrument.cpp - --check=nan and --check=overflow ---------------===//
// Checks are put here: later stages know neither which integers have a sign
// nor which operations the user wrote. The pass chi-instrument-nan writes the
// conditions of floats and the checks of accumulations.

#include "chi/Dialect/Chi/Accumulations.h"
#include "chi/IRGen/Gen.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace chi;
using namespace chi::irgen;

bool FunctionGen::instrumentsNaN(Type type) const {
  return isInstrumenting && module.options.instrumentNaN &&
         isa<FloatType>(type);
}

bool FunctionGen::instrumentsOverflow(sema::TypeRef scalar) const {
  return (!isDevice || module.options.instrumentOverflow) && scalar->isInt() &&
         scalar->isSigned;
}

static mlir::Value isFinite(OpBuilder &b, Location loc, mlir::Value x) {
  mlir::Value size = math::AbsFOp::create(b, loc, x);
  mlir::Value inf = arith::ConstantOp::create(
      b, loc,
      b.getFloatAttr(x.getType(), std::numeric_limits<double>::infinity()));
  return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLT, size, inf);
}

mlir::Value FunctionGen::instrument(mlir::Value result, StringRef what,
                                    ArrayRef<mlir::Value> operands) {
  if (!instrumentsNaN(result.getType()))
    return result;
  // chi-instrument-nan has the whole rule; this part is always right, and folds
  // exactly the checks that can be folded.
  SmallVector<mlir::Value> values(operands);
  values.push_back(result);
  check(here, ir::CheckKind::nan, isFinite(b, here, result), values, what);
  return result;
}

/// Known operands whose result fits: most constants, of which a check would
/// only make work for later stages.
static bool isKnownToFit(ir::OverflowKind kind, mlir::Value lhs,
                         mlir::Value rhs) {
  APInt a, c;
  if (!matchPattern(lhs, m_ConstantInt(&a)) ||
      !matchPattern(rhs, m_ConstantInt(&c)))
    return false;
  bool overflows = false;
  if (kind == ir::OverflowKind::add)
    (void)a.sadd_ov(c, overflows);
  else if (kind == ir::OverflowKind::sub)
    (void)a.ssub_ov(c, overflows);
  else
    (void)a.smul_ov(c, overflows);
  return !overflows;
}

void FunctionGen::instrumentOverflow(ir::OverflowKind kind, mlir::Value lhs,
                                     mlir::Value rhs) {
  if (isKnownToFit(kind, lhs, rhs))
    return;
  mlir::Value over =
      ir::OverflowOp::create(b, here, b.getI1Type(), kind, lhs, rhs);
  mlir::Value ok =
      arith::XOrIOp::create(b, here, over, constInt(b.getI1Type(), 1));
  check(here, ir::CheckKind::overflow, ok, {lhs, rhs}, ir::spelling(kind));
}

bool FunctionGen::runsOnce() {
  Operation *op = b.getInsertionBlock()->getParentOp();
  while (isa<ir::IfOp, scf::IfOp>(op))
    op = op->getParentOp();
  auto script = dyn_cast<func::FuncOp>(op);
  return script && script.getSymName() == ir::kScriptName;
}

mlir::Value FunctionGen::genArith(ir::OverflowKind kind, sema::TypeRef scalar,
                                  mlir::Value lhs, mlir::Value rhs) {
  // [Num.4]: overflow stops host code, and wraps in kernels.
  bool isInstrumented = instrumentsOverflow(scalar);
  if (isInstrumented && runsOnce() && !isKnownToFit(kind, lhs, rhs))
    return ir::CheckedOp::create(b, here, lhs.getType(), kind, lhs, rhs);
  mlir::Value result;
  if (kind == ir::OverflowKind::add)
    result = arith::AddIOp::create(b, here, lhs, rhs);
  else if (kind == ir::OverflowKind::sub)
    result = arith::SubIOp::create(b, here, lhs, rhs);
  else
    result = arith::MulIOp::create(b, here, lhs, rhs);
  if (isInstrumented)
    instrumentOverflow(kind, lhs, rhs);
  return result;
}

static APInt leastOf(mlir::Value x) {
  return APInt::getSignedMinValue(x.getType().getIntOrFloatBitWidth());
}

void FunctionGen::instrumentLeast(mlir::Value x, StringRef what) {
  mlir::Value least = constInt(x.getType(), leastOf(x).getSExtValue());
  mlir::Value ok =
      arith::CmpIOp::create(b, here, arith::CmpIPredicate::ne, x, least);
  check(here, ir::CheckKind::overflow, ok, {x}, what);
}

/// The least value divided by -1 is the one quotient that does not fit.
void FunctionGen::instrumentQuotient(mlir::Value lhs, mlir::Value rhs) {
  APInt a, c;
  if ((matchPattern(rhs, m_ConstantInt(&c)) && !c.isAllOnes()) ||
      (matchPattern(lhs, m_ConstantInt(&a)) && !a.isMinSignedValue()))
    return;
  Type type = lhs.getType();
  auto differs = [&](mlir::Value x, int64_t from) -> mlir::Value {
    return arith::CmpIOp::create(b, here, arith::CmpIPredicate::ne, x,
                                 constInt(type, from));
  };
  mlir::Value ok = arith::OrIOp::create(
      b, here, differs(lhs, leastOf(lhs).getSExtValue()), differs(rhs, -1));
  check(here, ir::CheckKind::overflow, ok, {lhs, rhs}, "//");
}

/// By the power as an f64. It may be a few units in the last place off, but no
/// power of an integer lies that near to the limits, save the limits
/// themselves.
void FunctionGen::instrumentPower(mlir::Value base, mlir::Value exponent) {
  unsigned bits = base.getType().getIntOrFloatBitWidth();
  double limit = std::ldexp(1.0, int(bits) - 1);
  double slack = bits <= 32 ? 0.5 : std::ldexp(1.0, int(bits) - 51);
  Type f64 = b.getF64Type();
  mlir::Value power =
      math::PowFOp::create(b, here, arith::SIToFPOp::create(b, here, f64, base),
                           arith::SIToFPOp::create(b, here, f64, exponent));
  mlir::Value isBelow =
      arith::CmpFOp::create(b, here, arith::CmpFPredicate::OLT, power,
                            constFloat(f64, limit - slack));
  mlir::Value isAbove =
      arith::CmpFOp::create(b, here, arith::CmpFPredicate::OGT, power,
                            constFloat(f64, -limit - slack));
  // A base within the slack is no overflow by itself; squares and higher powers
  // of i64 lie outside of it.
  mlir::Value isItself =
      arith::CmpIOp::create(b, here, arith::CmpIPredicate::sle, exponent,
                            constInt(exponent.getType(), 1));
  mlir::Value ok = arith::AndIOp::create(b, here, isBelow, isAbove);
  ok = arith::OrIOp::create(b, here, ok, isItself);
  check(here, ir::CheckKind::overflow, ok, {base, exponent}, "**");
}

/// Makes an accumulation of integers check its old value, too. Those of floats
/// are left to chi-instrument-nan.
void FunctionGen::instrumentAccum(ir::AccumOp accum, sema::TypeRef scalar) {
  bool isSum = accum.getKind() == ir::AccumKind::add;
  if (!module.options.instrumentOverflow || !instrumentsOverflow(scalar) ||
      (!isSum && accum.getKind() != ir::AccumKind::mul))
    return;
  mlir::Value value = accum.getValue();
  auto combine = [&](OpBuilder &b, mlir::Value old) -> mlir::Value {
    // The result of an atomic sum is not used.
    return isSum ? mlir::Value()
                 : arith::MulIOp::create(b, here, old, value).getResult();
  };
  mlir::Value old = ir::updateShared(b, accum, combine).first;
  accum.erase();
  instrumentOverflow(isSum ? ir::OverflowKind::add : ir::OverflowKind::mul, old,
                     value);
}
