//===- ExactFma.cpp - Fused operations that round once --------------------===//
// SPIR-V lets a driver make a product and a sum of `Fma`, and some do. Here a
// sum is rounded to odd first: towards that neighbour whose last bit is set, if
// it is not exact, so that the rounding behind it sees on which side the exact
// sum lies (S. Boldo and G. Melquiond, "Emulation of a FMA and Correctly
// Rounded Sums", 2008).

#include "chi/Conversion/Emitter.h"
#include "chi/Target/SPIRV/Steps.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv;
using arith::CmpFPredicate;
using arith::CmpIPredicate;

namespace {
/// Arithmetic that is not contracted.
class ExactSums {
public:
  ExactSums(OpBuilder &builder, Location loc)
      : b(builder), emit(builder, loc) {}

  Value add(Value x, Value y) { return make<arith::AddFOp>(x, y); }
  Value sub(Value x, Value y) { return make<arith::SubFOp>(x, y); }
  Value mul(Value x, Value y) { return make<arith::MulFOp>(x, y); }

  /// The rounded result, and what is missing of it.
  using Pair = std::pair<Value, Value>;
  Pair twoSum(Value x, Value y) {
    Value sum = add(x, y), ofY = sub(sum, x), ofX = sub(sum, ofY);
    return {sum, add(sub(x, ofX), sub(y, ofY))};
  }
  Pair twoProduct(Value x, Value y) {
    Value product = mul(x, y);
    auto [xHigh, xLow] = split(x);
    auto [yHigh, yLow] = split(y);
    Value rest = sub(mul(xHigh, yHigh), product);
    rest = add(add(rest, mul(xHigh, yLow)), mul(xLow, yHigh));
    return {product, add(rest, mul(xLow, yLow))};
  }

  /// Of f64: one further from zero or nearer to it, as its bits are.
  Value oddSum(Value x, Value y) {
    auto [sum, rest] = twoSum(x, y);
    Type i64 = b.getI64Type();
    Value bits = arith::BitcastOp::create(b, emit.loc, i64, sum);
    Value zero = emit.constant(i64, 0), one = emit.constant(i64, 1);
    Value isEven =
        emit.compare(CmpIPredicate::eq, make<arith::AndIOp>(bits, one), zero);
    Value none = emit.floatConstant(sum.getType(), 0);
    Value isInexact = compare(CmpFPredicate::ONE, rest, none);
    Value isNegative = emit.compare(CmpIPredicate::slt, bits, zero);
    Value lacks = compare(CmpFPredicate::OLT, rest, none);
    Value step = emit.select(make<arith::XOrIOp>(isNegative, lacks),
                             emit.constant(i64, -1), one);
    Value odd = make<arith::AddIOp>(bits, step);
    bits = emit.select(make<arith::AndIOp>(isEven, isInexact), odd, bits);
    return arith::BitcastOp::create(b, emit.loc, sum.getType(), bits);
  }

  Value compare(CmpFPredicate how, Value x, Value y) {
    return arith::CmpFOp::create(b, emit.loc, how, x, y);
  }

private:
  template <typename Op> Value make(Value x, Value y) {
    return Op::create(b, emit.loc, x, y);
  }
  /// An f64 in two parts of 26 bits.
  Pair split(Value x) {
    Value scaled = mul(x, emit.floatConstant(x.getType(), 134217729));
    Value high = sub(scaled, sub(scaled, x));
    return {high, sub(x, high)};
  }

  OpBuilder &b;
  Emitter emit;
};
} // namespace

/// In f64 the product is exact.
static Value narrowFma(OpBuilder &b, math::FmaOp op) {
  Location loc = op.getLoc();
  auto wide = [&](Value x) -> Value {
    return arith::ExtFOp::create(b, loc, b.getF64Type(), x);
  };
  ExactSums sums(b, loc);
  Value product = sums.mul(wide(op.getA()), wide(op.getB()));
  Value sum = sums.oddSum(product, wide(op.getC()));
  return arith::TruncFOp::create(b, loc, op.getType(), sum);
}

/// Where the parts of the product pass the range the driver's is taken.
static Value wideFma(OpBuilder &b, math::FmaOp op) {
  Location loc = op.getLoc();
  ExactSums sums(b, loc);
  auto [high, low] = sums.twoProduct(op.getA(), op.getB());
  auto [carry, rest] = sums.twoSum(op.getC(), low);
  auto [sum, left] = sums.twoSum(high, carry);
  Value exact = sums.add(sum, sums.oddSum(rest, left));
  Value plain = math::FmaOp::create(b, loc, op.getA(), op.getB(), op.getC());
  Value isNumber = sums.compare(CmpFPredicate::ORD, exact, exact);
  return arith::SelectOp::create(b, loc, isNumber, exact, plain);
}

Value chi::target::spv::exactFma(OpBuilder &builder, math::FmaOp op) {
  return op.getType().isF64() ? wideFma(builder, op) : narrowFma(builder, op);
}
