//===- GenRandom.cpp - Random numbers between two limits ------------------===//
#include "chi/IRGen/Gen.h"

using namespace mlir;
using namespace chi;
using namespace chi::irgen;

/// `floor(r * span / 2^64)` of 64 random bits and a span below 2^32. All
/// products fit, and multiply 32 bits by 32.
static mlir::Value scaleWord(OpBuilder &b, Location loc, mlir::Value bits,
                             mlir::Value span) {
  auto constant = [&](int64_t v) -> mlir::Value {
    return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(v));
  };
  mlir::Value half = constant(32);
  mlir::Value high = arith::ShRUIOp::create(b, loc, bits, half);
  mlir::Value low =
      arith::AndIOp::create(b, loc, bits, constant(int64_t(0xffffffff)));
  mlir::Value carry = arith::ShRUIOp::create(
      b, loc, arith::MulIOp::create(b, loc, low, span), half);
  mlir::Value sum = arith::AddIOp::create(
      b, loc, arith::MulIOp::create(b, loc, high, span), carry);
  return arith::ShRUIOp::create(b, loc, sum, half);
}

/// `floor(r * span / 2^128)` of 128 random bits.
static mlir::Value scaleWide(OpBuilder &b, Location loc, mlir::Value lowBits,
                             mlir::Value highBits, mlir::Value span) {
  mlir::Value carry =
      arith::MulUIExtendedOp::create(b, loc, lowBits, span).getHigh();
  auto product = arith::MulUIExtendedOp::create(b, loc, highBits, span);
  mlir::Value sum = arith::AddIOp::create(b, loc, product.getLow(), carry);
  mlir::Value wrapped =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, sum, carry);
  return arith::AddIOp::create(
      b, loc, product.getHigh(),
      arith::ExtUIOp::create(b, loc, b.getI64Type(), wrapped));
}

/// The next 64 bits of the iteration, or of the host's own stream.
mlir::Value FunctionGen::drawBits() {
  Type i64 = b.getI64Type();
  if (!isDevice)
    return rt(here, "chirt_random_host", i64, {});
  return ir::RandomOp::create(b, here);
}

/// An integer of [low, high): `low` plus the random bits times the span, of
/// which the high part counts. Of 64 bits for spans below 2^32, of 128 for
/// others, so no number is likelier than another by more than 2^-32 of it, of
/// 64-bit types 2^-64.
mlir::Value FunctionGen::genRandomInteger(sema::TypeRef scalar, mlir::Value low,
                                          mlir::Value high) {
  Type i64 = b.getI64Type();
  bool isWide = scalar->bits == 64;
  auto widen = [&](mlir::Value value) -> mlir::Value {
    if (isWide)
      return value;
    if (scalar->isSigned)
      return arith::ExtSIOp::create(b, here, i64, value);
    return arith::ExtUIOp::create(b, here, i64, value);
  };
  low = widen(low), high = widen(high);
  bool isUnsigned = isWide && !scalar->isSigned;
  mlir::Value ok = arith::CmpIOp::create(b, here,
                                         isUnsigned ? arith::CmpIPredicate::ult
                                                    : arith::CmpIPredicate::slt,
                                         low, high);
  check(here, ir::CheckKind::divide, ok, {low, high}, "random", 0, isUnsigned);
  mlir::Value span = arith::SubIOp::create(b, here, high, low);
  mlir::Value bits = drawBits();
  mlir::Value offset = isWide ? scaleWide(b, here, bits, drawBits(), span)
                              : scaleWord(b, here, bits, span);
  mlir::Value result = arith::AddIOp::create(b, here, low, offset);
  if (isWide)
    return result;
  return arith::TruncIOp::create(b, here, module.scalarType(scalar), result);
}

/// `random(low, high)`: each component on its own.
ProgramValue FunctionGen::genRandomBetween(const sema::RandomExpr &expr) {
  ProgramValue low = genExpr(expr.low), high = genExpr(expr.high);
  sema::TypeRef scalar = expr.type->scalar();
  return map(expr.type, [&](Index k) -> mlir::Value {
    mlir::Value from = get(low, k), to = get(high, k);
    if (scalar->isInt())
      return genRandomInteger(scalar, from, to);
    sema::RandomExpr unit;
    unit.type = scalar;
    mlir::Value u = genRandom(unit).single();
    mlir::Value span = genScalarBinary(sema::BinaryOp::Sub, scalar, to, from);
    mlir::Value offset = genScalarBinary(sema::BinaryOp::Mul, scalar, span, u);
    return genScalarBinary(sema::BinaryOp::Add, scalar, from, offset);
  });
}
