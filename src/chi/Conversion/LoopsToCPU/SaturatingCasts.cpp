//===- SaturatingCasts.cpp - From floats to integers ----------------------===//
// A float past the range of the integer gives the nearest one, NaN gives 0:
// LLVM's own conversion is poison there, and an index made of it could pass a
// bounds check that LLVM has removed. LLVM has intrinsics for this, but takes
// those of vectors apart, lane by lane with branches, and so a vectorised loop
// would cost more than the scalar loop. Comparisons and selects stay vectors.

#include "chi/Conversion/LoopsToCPU/LoopsToCPU.h"
#include "chi/Dialect/Chi/ChiDialect.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv;

static Type like(Type type, Type scalar) {
  if (auto vector = dyn_cast<VectorType>(type))
    return VectorType::get(vector.getShape(), scalar);
  return scalar;
}

namespace {
/// Writes one conversion.
class Saturation {
public:
  Saturation(OpBuilder &b, Location loc, bool isSigned)
      : b(b), loc(loc), isSigned(isSigned) {}
  Value convert(Value x, Type to);

private:
  Value direct(Value x, Type to);
  Value narrowed(Value x, Type to);
  /// `value` where the float is past `bound` on the side of `predicate`.
  Value bounded(Value result, Value x, LLVM::FCmpPredicate predicate,
                const APFloat &bound, const APInt &value);
  Value constant(Type type, const APInt &value) {
    Attribute attr = b.getIntegerAttr(getElementTypeOrSelf(type), value);
    return splat(type, attr);
  }
  Value splat(Type type, Attribute attr) {
    if (auto vector = dyn_cast<VectorType>(type))
      attr = SplatElementsAttr::get(vector, attr);
    return LLVM::ConstantOp::create(b, loc, type, attr);
  }

  OpBuilder &b;
  Location loc;
  bool isSigned;
};
} // namespace

Value Saturation::bounded(Value result, Value x, LLVM::FCmpPredicate predicate,
                          const APFloat &bound, const APInt &value) {
  Value limit = splat(x.getType(),
                      b.getFloatAttr(getElementTypeOrSelf(x.getType()), bound));
  Value past = LLVM::FCmpOp::create(b, loc, like(x.getType(), b.getI1Type()),
                                    predicate, x, limit);
  return LLVM::SelectOp::create(b, loc, past, constant(result.getType(), value),
                                result);
}

/// To 32 or 64 bits, of f32 or f64, which hold the power of two that is the
/// first number too large.
Value Saturation::direct(Value x, Type to) {
  unsigned width = getElementTypeOrSelf(to).getIntOrFloatBitWidth();
  auto scalar = cast<FloatType>(getElementTypeOrSelf(x.getType()));
  Value result = isSigned ? LLVM::FPToSIOp::create(b, loc, to, x).getResult()
                          : LLVM::FPToUIOp::create(b, loc, to, x).getResult();
  // The machine's result out of range does not matter: it is replaced.
  result = LLVM::FreezeOp::create(b, loc, result);
  APInt most =
      isSigned ? APInt::getSignedMaxValue(width) : APInt::getMaxValue(width);
  APInt least = isSigned ? APInt::getSignedMinValue(width) : APInt(width, 0);
  auto asFloat = [&](const APInt &value) {
    APFloat number(scalar.getFloatSemantics());
    number.convertFromAPInt(value, /*IsSigned=*/true,
                            APFloat::rmNearestTiesToEven);
    return number;
  };
  // One more bit than f32 may hold: -2^31 - 1 is -2^31 there, which is the
  // result that is wanted anyway.
  APFloat high = asFloat(most.zext(width + 2) + 1);
  APFloat low = asFloat(least.sext(width + 2) - 1);
  result = bounded(result, x, LLVM::FCmpPredicate::oge, high, most);
  result = bounded(result, x, LLVM::FCmpPredicate::ole, low, least);
  return bounded(result, x, LLVM::FCmpPredicate::uno,
                 APFloat::getZero(scalar.getFloatSemantics()), APInt(width, 0));
}

/// Through 32 bits with a sign, which hold every narrower number.
Value Saturation::narrowed(Value x, Type to) {
  unsigned width = getElementTypeOrSelf(to).getIntOrFloatBitWidth();
  Type i32 = like(to, b.getI32Type());
  APInt most = isSigned ? APInt::getSignedMaxValue(width).sext(32)
                        : APInt::getMaxValue(width).zext(32);
  APInt least =
      isSigned ? APInt::getSignedMinValue(width).sext(32) : APInt(32, 0);
  Value wide = Saturation(b, loc, /*isSigned=*/true).direct(x, i32);
  wide = LLVM::SMaxOp::create(b, loc, wide, constant(i32, least));
  wide = LLVM::SMinOp::create(b, loc, wide, constant(i32, most));
  return LLVM::TruncOp::create(b, loc, to, wide);
}

Value Saturation::convert(Value x, Type to) {
  if (getElementTypeOrSelf(x.getType()).isF16())
    x = LLVM::FPExtOp::create(b, loc, like(x.getType(), b.getF32Type()), x);
  unsigned width = getElementTypeOrSelf(to).getIntOrFloatBitWidth();
  return width < 32 ? narrowed(x, to) : direct(x, to);
}

namespace {
struct SaturatingCast : ConvertOpToLLVMPattern<ir::ToIntOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(ir::ToIntOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type to = getTypeConverter()->convertType(op.getType());
    if (!to)
      return failure();
    Value x = adaptor.getOperand();
    if (op.getInrange()) {
      if (op.getIsUnsigned())
        rewriter.replaceOpWithNewOp<LLVM::FPToUIOp>(op, to, x);
      else
        rewriter.replaceOpWithNewOp<LLVM::FPToSIOp>(op, to, x);
      return success();
    }
    Saturation saturation(rewriter, op.getLoc(), !op.getIsUnsigned());
    rewriter.replaceOp(op, saturation.convert(x, to));
    return success();
  }
};
} // namespace

void chi::conv::addSaturatingCasts(LLVMTypeConverter &types,
                                   RewritePatternSet &patterns) {
  patterns.add<SaturatingCast>(types);
}
