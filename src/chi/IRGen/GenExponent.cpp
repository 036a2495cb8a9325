//===- GenExponent.cpp - Functions made of the bits of floats -------------===//
#include "chi/IRGen/Gen.h"

using namespace mlir;
using namespace chi;
using namespace chi::irgen;
using sema::BinaryOp;

namespace {
/// The layout of an IEEE 754 type of 32 or 64 bits.
struct FloatLayout {
  explicit FloatLayout(Type type)
      : bits(type.getIntOrFloatBitWidth()), digits(bits == 32 ? 23 : 52),
        bias(bits == 32 ? 127 : 1023) {}

  unsigned bits;  ///< of a number
  int64_t digits; ///< bits of the fraction
  int64_t bias;   ///< of the exponent, the largest one, too
};
} // namespace

/// t * t * (3 - 2 * t) of t = (x - low) / (high - low), limited to [0, 1].
mlir::Value FunctionGen::genSmoothStep(sema::TypeRef scalar, mlir::Value low,
                                       mlir::Value high, mlir::Value x) {
  auto binary = [&](BinaryOp op, mlir::Value l, mlir::Value r) {
    return genScalarBinary(op, scalar, l, r);
  };
  mlir::Value t = binary(BinaryOp::Div, binary(BinaryOp::Sub, x, low),
                         binary(BinaryOp::Sub, high, low));
  t = genMinMax(true, scalar, t, constOf(scalar, 0));
  t = genMinMax(false, scalar, t, constOf(scalar, 1));
  mlir::Value falling = binary(BinaryOp::Sub, constOf(scalar, 3),
                               binary(BinaryOp::Mul, constOf(scalar, 2), t));
  return binary(BinaryOp::Mul, binary(BinaryOp::Mul, t, t), falling);
}

/// 2**exponent, which is that of a normal number.
mlir::Value FunctionGen::powerOfTwo(Type type, mlir::Value exponent) {
  FloatLayout layout(type);
  Type i32 = b.getI32Type(), bits = b.getIntegerType(layout.bits);
  mlir::Value number =
      arith::AddIOp::create(b, here, exponent, constInt(i32, layout.bias));
  if (layout.bits > 32)
    number = arith::ExtUIOp::create(b, here, bits, number);
  number =
      arith::ShLIOp::create(b, here, number, constInt(bits, layout.digits));
  return arith::BitcastOp::create(b, here, type, number);
}

/// x * 2**exponent by three factors. As in musl's scalbn the first two reach no
/// subnormal number from which the third one could come back, so that the
/// product is rounded once. A fused operation keeps the factors apart, which
/// products of fast arithmetic do not.
mlir::Value FunctionGen::genLdexp(mlir::Value x, mlir::Value exponent) {
  Type type = x.getType(), i32 = b.getI32Type();
  FloatLayout layout(type);
  int64_t least = 1 - layout.bias, down = least + layout.digits + 1;
  auto choose = [&](arith::CmpIPredicate is, int64_t bound, mlir::Value then,
                    mlir::Value other) -> mlir::Value {
    mlir::Value hit =
        arith::CmpIOp::create(b, here, is, exponent, constInt(i32, bound));
    return arith::SelectOp::create(b, here, hit, then, other);
  };
  auto scale = [&](mlir::Value by) {
    x = math::FmaOp::create(b, here, x, powerOfTwo(type, by),
                            constFloat(type, -0.0));
  };
  using Is = arith::CmpIPredicate;
  for (int k = 0; k < 2; ++k) {
    mlir::Value up = choose(Is::sgt, layout.bias, constInt(i32, layout.bias),
                            constInt(i32, 0));
    mlir::Value part = choose(Is::slt, least, constInt(i32, down), up);
    scale(part);
    exponent = arith::SubIOp::create(b, here, exponent, part);
  }
  exponent = choose(Is::slt, least, constInt(i32, least), exponent);
  exponent = choose(Is::sgt, layout.bias, constInt(i32, layout.bias), exponent);
  scale(exponent);
  return x;
}

/// The exponent of x = m * 2**e, 0.5 <= |m| < 1; that of 0, infinities and NaN
/// is 0.
mlir::Value FunctionGen::genExponent(mlir::Value x) {
  FloatLayout layout(x.getType());
  Type type = b.getIntegerType(layout.bits);
  auto number = [&](int64_t value) { return constInt(type, value); };
  auto is = [&](mlir::Value value, int64_t what) -> mlir::Value {
    return arith::CmpIOp::create(b, here, arith::CmpIPredicate::eq, value,
                                 number(what));
  };
  mlir::Value bits = arith::BitcastOp::create(b, here, type, x);
  mlir::Value fraction = arith::AndIOp::create(
      b, here, bits, number((int64_t(1) << layout.digits) - 1));
  mlir::Value field =
      arith::ShRUIOp::create(b, here, bits, number(layout.digits));
  field = arith::AndIOp::create(b, here, field, number(2 * layout.bias + 1));
  // A subnormal number is its fraction times the least one.
  mlir::Value zeros = math::CountLeadingZerosOp::create(b, here, fraction);
  mlir::Value small = arith::SubIOp::create(
      b, here, number(int64_t(layout.bits) + 1 - layout.bias - layout.digits),
      zeros);
  mlir::Value normal =
      arith::SubIOp::create(b, here, field, number(layout.bias - 1));
  mlir::Value hasNone = arith::OrIOp::create(
      b, here, is(field, 2 * layout.bias + 1),
      arith::AndIOp::create(b, here, is(field, 0), is(fraction, 0)));
  mlir::Value result =
      arith::SelectOp::create(b, here, is(field, 0), small, normal);
  result = arith::SelectOp::create(b, here, hasNone, number(0), result);
  if (layout.bits > 32)
    result = arith::TruncIOp::create(b, here, b.getI32Type(), result);
  return result;
}
