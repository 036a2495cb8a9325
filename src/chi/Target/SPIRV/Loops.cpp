//===- Loops.cpp - Loops that end at their head ---------------------------===//
// A thread that has left a loop keeps, on some drivers, only the arguments of
// the loop's header: the iterations of the remaining threads overwrite the
// values of the loop's body (Mesa's processor devices compute all lanes, and
// write by the lanes' mask only where values join). So the loop's condition is
// an argument of its header, which ends the loop, and its results are arguments
// of its header.

#include "chi/Target/SPIRV/Steps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace chi;

/// do { values = body(values) } while (condition): all loops are made so.
static bool endsAtItsEnd(scf::WhileOp loop) {
  auto yield = cast<scf::YieldOp>(loop.getAfterBody()->getTerminator());
  return llvm::hasSingleElement(*loop.getAfterBody()) &&
         llvm::equal(yield.getOperands(), loop.getAfterArguments());
}

namespace {
/// while (goesOn) { … }
struct LoopPattern : OpConversionPattern<scf::WhileOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(scf::WhileOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Region &before = op.getBefore();
    if (!endsAtItsEnd(op) ||
        failed(rewriter.convertRegionTypes(&before, *getTypeConverter())))
      return failure();
    Location loc = op.getLoc();
    auto condition = op.getConditionOp();
    SmallVector<Value> next{
        rewriter.getRemappedValue(condition.getCondition())};
    if (failed(rewriter.getRemappedValues(condition.getArgs(), next)))
      return failure();
    // The block before the header contains only the branch.
    SmallVector<Value> first{
        spirv::ConstantOp::getOne(rewriter.getI1Type(), loc, rewriter)};
    llvm::append_range(first, adaptor.getInits());
    auto loop = spirv::LoopOp::create(rewriter, loc, spirv::LoopControl::None);
    loop.addEntryAndMergeBlock(rewriter);
    Block *merge = loop.getMergeBlock(), *body = &before.front();
    rewriter.inlineRegionBefore(before, merge);
    SmallVector<Type> types = llvm::to_vector(ValueRange(next).getTypes());
    SmallVector<Location> locs(types.size(), loc);
    Block *head =
        rewriter.createBlock(loop.getEntryBlock()->getNextNode(), types, locs);
    Block *again = rewriter.createBlock(merge, types, locs);
    spirv::BranchOp::create(rewriter, loc, head, again->getArguments());
    rewriter.setInsertionPoint(condition);
    rewriter.replaceOpWithNewOp<spirv::BranchOp>(condition, again, next);
    ValueRange values = head->getArguments().drop_front();
    rewriter.replaceOp(op, keepResults(op, values, loop, head, rewriter));
    rewriter.setInsertionPointToEnd(head);
    spirv::BranchConditionalOp::create(rewriter, loc, head->getArgument(0),
                                       body, values, merge, ValueRange());
    rewriter.setInsertionPointToEnd(loop.getEntryBlock());
    spirv::BranchOp::create(rewriter, loc, head, first);
    return success();
  }

private:
  /// Values leave a `spirv.mlir.loop` by variables.
  static SmallVector<Value> keepResults(scf::WhileOp op, ValueRange values,
                                        spirv::LoopOp loop, Block *head,
                                        ConversionPatternRewriter &rewriter) {
    Location loc = op.getLoc();
    SmallVector<Value> results;
    for (Value value : values) {
      auto pointer = spirv::PointerType::get(value.getType(),
                                             spirv::StorageClass::Function);
      rewriter.setInsertionPoint(loop);
      Value variable = spirv::VariableOp::create(
          rewriter, loc, pointer, spirv::StorageClass::Function, nullptr);
      rewriter.setInsertionPointToEnd(head);
      spirv::StoreOp::create(rewriter, loc, variable, value);
      rewriter.setInsertionPointAfter(loop);
      results.push_back(spirv::LoadOp::create(rewriter, loc, variable));
    }
    return results;
  }
};
} // namespace

void chi::target::spv::addLoopPattern(const SPIRVTypeConverter &types,
                                      RewritePatternSet &patterns) {
  patterns.add<LoopPattern>(types, patterns.getContext(), PatternBenefit(2));
}
