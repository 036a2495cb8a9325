//===- OverflowFlags.cpp - Does signed arithmetic overflow? ---------------===//

#include "chi/Conversion/LoopsToCPU/LoopsToCPU.h"
#include "chi/Dialect/Chi/ChiDialect.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv;

namespace {
/// By the processor's flag, as LLVM's intrinsics give it.
struct OverflowFlag : ConvertOpToLLVMPattern<ir::OverflowOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(ir::OverflowOp op, OpAdaptor operands,
                                ConversionPatternRewriter &b) const override {
    Location loc = op.getLoc();
    Type pair = LLVM::LLVMStructType::getLiteral(
        b.getContext(), {operands.getLhs().getType(), b.getI1Type()});
    auto make = [&]<typename Op>() -> Value {
      return Op::create(b, loc, pair, operands.getLhs(), operands.getRhs());
    };
    Value both;
    switch (op.getKind()) {
    case ir::OverflowKind::add:
      both = make.operator()<LLVM::SAddWithOverflowOp>();
      break;
    case ir::OverflowKind::sub:
      both = make.operator()<LLVM::SSubWithOverflowOp>();
      break;
    case ir::OverflowKind::mul:
      both = make.operator()<LLVM::SMulWithOverflowOp>();
      break;
    }
    b.replaceOpWithNewOp<LLVM::ExtractValueOp>(op, both, ArrayRef<int64_t>{1});
    return success();
  }
};
} // namespace

void chi::conv::addOverflowFlags(LLVMTypeConverter &types,
                                 RewritePatternSet &patterns) {
  patterns.add<OverflowFlag>(types);
}
