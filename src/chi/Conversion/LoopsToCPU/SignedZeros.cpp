//===- SignedZeros.cpp - min and max of IEEE 754-2019 ---------------------===//
// LLVM's minnum and maxnum ignore a NaN, but may return either of two zeros,
// and the choice depends on the level of optimisation. Those of IEEE 754-2019
// (minimumNumber) order them; they take a few more instructions, unless one
// side is known not to be zero or the program is fast. LLVM's vectoriser leaves
// the vectors of a reduction by minnum or maxnum at the first NaN; one by
// minimumNumber it makes without that exit, so fast programs use it there. It
// knows less of minimumNumber elsewhere: that a clamped number is in its range.

#include "chi/Conversion/LoopsToCPU/LoopsToCPU.h"
#include "mlir/Conversion/ArithCommon/AttrToLLVMConverter.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv;

/// Is the value carried by a loop, through operations of this kind at most?
template <typename Op> static bool isCarried(Value value, unsigned depth = 0) {
  constexpr unsigned kMaxDepth = 8;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    // A block that the conversion has replaced has no region.
    Block *owner = argument.getOwner();
    Region *region = owner->getParent();
    return region && (owner != &region->front() ||
                      isa<LoopLikeOpInterface>(region->getParentOp()));
  }
  auto op = value.getDefiningOp<Op>();
  return op && depth < kMaxDepth &&
         (isCarried<Op>(op.getLhs(), depth + 1) ||
          isCarried<Op>(op.getRhs(), depth + 1));
}

namespace {
template <typename Op> struct OrderedZeros : ConvertOpToLLVMPattern<Op> {
  OrderedZeros(LLVMTypeConverter &types, StringRef intrinsic,
               PatternBenefit benefit)
      : ConvertOpToLLVMPattern<Op>(types, benefit), intrinsic(intrinsic) {}

  LogicalResult
  matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    bool isUnsigned =
        arith::bitEnumContainsAll(op.getFastmath(), arith::FastMathFlags::nsz);
    Value x = adaptor.getLhs(), y = adaptor.getRhs();
    Type type = x.getType(), wide = type;
    // Halves have no instruction of their own on most machines.
    bool isHalf = getElementTypeOrSelf(type).isF16();
    if (isUnsigned && (isHalf || !isCarried<Op>(op.getResult())))
      return failure();
    Location loc = op.getLoc();
    if (isHalf) {
      wide = rewriter.getF32Type();
      if (auto lanes = dyn_cast<VectorType>(type))
        wide = lanes.clone(wide);
      x = LLVM::FPExtOp::create(rewriter, loc, wide, x);
      y = LLVM::FPExtOp::create(rewriter, loc, wide, y);
    }
    auto call = LLVM::CallIntrinsicOp::create(rewriter, loc, wide,
                                              rewriter.getStringAttr(intrinsic),
                                              ValueRange{x, y});
    call.setFastmathFlags(
        arith::convertArithFastMathFlagsToLLVM(op.getFastmath()));
    Value result = call.getResults();
    if (isHalf)
      result = LLVM::FPTruncOp::create(rewriter, loc, type, result);
    rewriter.replaceOp(op, result);
    return success();
  }

  StringRef intrinsic;
};
} // namespace

void chi::conv::addSignedZeros(LLVMTypeConverter &types,
                               RewritePatternSet &patterns) {
  patterns.add<OrderedZeros<arith::MinNumFOp>>(types, "llvm.minimumnum", 10);
  patterns.add<OrderedZeros<arith::MaxNumFOp>>(types, "llvm.maximumnum", 10);
}
