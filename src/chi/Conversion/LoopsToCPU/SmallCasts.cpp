//===- SmallCasts.cpp - From small integers of 64 bits to floats ----------===//
// The lowest bit of 2^52 + 2^51 as an f64 is worth 1: an integer that is added
// to its bits is added to its value. The sum is exact, and so is the
// subtraction of the constant; an f32 rounds once.

#include "chi/Conversion/LoopsToCPU/LoopsToCPU.h"
#include "chi/Dialect/Chi/ChiDialect.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv;

static Value splat(OpBuilder &b, Location loc, Type type, TypedAttr scalar) {
  Attribute value = scalar;
  if (auto vector = dyn_cast<VectorType>(type))
    value = SplatElementsAttr::get(vector, scalar);
  return LLVM::ConstantOp::create(b, loc, type, value);
}

namespace {
struct SmallCast : ConvertOpToLLVMPattern<arith::SIToFPOp> {
  using ConvertOpToLLVMPattern<arith::SIToFPOp>::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(arith::SIToFPOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &b) const override {
    constexpr double kShift = 0x1.8p52;
    Value x = adaptor.getIn();
    Type to = getTypeConverter()->convertType(op.getType());
    if (!op->hasAttr(ir::kInRangeAttr) || !to ||
        !getElementTypeOrSelf(x.getType()).isInteger(64))
      return failure();
    Location loc = op.getLoc();
    Type f64 = b.getF64Type();
    if (auto vector = dyn_cast<VectorType>(x.getType()))
      f64 = vector.clone(f64);
    auto bits = b.getI64IntegerAttr(llvm::bit_cast<int64_t>(kShift));
    // No flags: the rounding of the sum is intended.
    Value sum =
        LLVM::AddOp::create(b, loc, x, splat(b, loc, x.getType(), bits));
    Value shifted = LLVM::BitcastOp::create(b, loc, f64, sum);
    Value exact = LLVM::FSubOp::create(
        b, loc, shifted, splat(b, loc, f64, b.getF64FloatAttr(kShift)));
    if (to != f64)
      exact = LLVM::FPTruncOp::create(b, loc, to, exact);
    b.replaceOp(op, exact);
    return success();
  }
};
} // namespace

void chi::conv::addSmallCasts(LLVMTypeConverter &types,
                              RewritePatternSet &patterns) {
  patterns.add<SmallCast>(types, /*benefit=*/10);
}
