//===- TripCount.cpp - How often a counted loop iterates ------------------===//

#include "chi/Transforms/Outline/TripCount.h"
#include "chi/Transforms/Outline/SlotBuilder.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace chi::outline;

std::optional<APInt> chi::outline::constantInt(Value value) {
  APInt result;
  if (matchPattern(value, m_ConstantInt(&result)))
    return result;
  return std::nullopt;
}

/// Iterations of a loop that goes up from `low` to `high` by `stride`.
static Value tripCountBetween(OpBuilder &builder, Location loc, Value low,
                              Value high, Value stride) {
  Type type = low.getType();
  Value zero = makeInt(builder, loc, type, 0);
  Value one = makeInt(builder, loc, type, 1);
  Value some = builder.createOrFold<arith::CmpIOp>(
      loc, arith::CmpIPredicate::slt, low, high);
  // Unsigned: the distance may be more than the largest signed number.
  Value distance = builder.createOrFold<arith::SubIOp>(loc, high, low);
  Value last = builder.createOrFold<arith::SubIOp>(loc, distance, one);
  Value quotient = builder.createOrFold<arith::DivUIOp>(loc, last, stride);
  Value tripCount = builder.createOrFold<arith::AddIOp>(loc, quotient, one);
  return builder.createOrFold<arith::SelectOp>(loc, some, tripCount, zero);
}

Value chi::outline::tripCountOf(OpBuilder &builder, Location loc, Value from,
                                Value to, Value step) {
  Type type = from.getType();
  if (std::optional<APInt> constant = constantInt(step)) {
    if (constant->isStrictlyPositive())
      return tripCountBetween(builder, loc, from, to, step);
    APInt stride = constant->isZero() ? *constant + 1 : -*constant;
    Value magnitude =
        arith::ConstantOp::create(builder, loc, IntegerAttr::get(type, stride));
    return tripCountBetween(builder, loc, to, from, magnitude);
  }
  Value zero = makeInt(builder, loc, type, 0);
  Value one = makeInt(builder, loc, type, 1);
  Value up = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sgt,
                                   step, zero);
  Value down = arith::SubIOp::create(builder, loc, zero, step);
  Value stride = arith::SelectOp::create(builder, loc, up, step, down);
  // A step of zero was refused before; one keeps the division defined where
  // the loop is in dead code.
  stride = arith::MaxUIOp::create(builder, loc, stride, one);
  Value low = arith::SelectOp::create(builder, loc, up, from, to);
  Value high = arith::SelectOp::create(builder, loc, up, to, from);
  return tripCountBetween(builder, loc, low, high, stride);
}
