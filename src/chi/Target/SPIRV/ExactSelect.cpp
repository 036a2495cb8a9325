//===- ExactSelect.cpp - Selections of ones and zeros ---------------------===//
// Mesa replaces `c ? 1.0 : 0.0` by a conversion of the condition, and compares
// the constants as numbers: `c ? -1.0 : 0.0` becomes the negated conversion,
// whose other value is -0.0 (nir_opt_algebraic, seen in 22.3 and 25.0). The
// bits are selected by a mask instead.

#include "chi/Conversion/Emitter.h"
#include "chi/Target/SPIRV/Steps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv;

/// Is one of them a zero, and the other a one of the other sign?
static bool isMistaken(const APFloat &x, const APFloat &y) {
  auto isOne = [](const APFloat &number) {
    return number.isExactlyValue(1.0) || number.isExactlyValue(-1.0);
  };
  bool arePair = (x.isZero() && isOne(y)) || (y.isZero() && isOne(x));
  return arePair && x.isNegative() != y.isNegative();
}

Value chi::target::spv::exactSelect(OpBuilder &b, arith::SelectOp op) {
  APFloat x(0.0), y(0.0);
  if (!matchPattern(op.getTrueValue(), m_ConstantFloat(&x)) ||
      !matchPattern(op.getFalseValue(), m_ConstantFloat(&y)) ||
      !isMistaken(x, y))
    return {};
  auto type = cast<FloatType>(op.getType());
  Type bits = b.getIntegerType(type.getWidth());
  Location loc = op.getLoc();
  auto constant = [&](const APInt &value) -> Value {
    return arith::ConstantOp::create(b, loc, b.getIntegerAttr(bits, value));
  };
  APInt ofX = x.bitcastToAPInt(), ofY = y.bitcastToAPInt();
  Value all = arith::ExtSIOp::create(b, loc, bits, op.getCondition());
  Value differing = arith::AndIOp::create(b, loc, all, constant(ofX ^ ofY));
  Value selected = arith::XOrIOp::create(b, loc, differing, constant(ofY));
  return arith::BitcastOp::create(b, loc, type, selected);
}
