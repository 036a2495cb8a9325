//===- StructuredToBranches.cpp - Structured control flow as branches -----===//
// MLIR's own pass lowers the operations of a block from its front. Each splits
// the block after itself, which moves all that follows: n conditions in a row
// move n² operations. From the back each split moves only the operations
// between two of them. docs/design/0063.
#include "chi/Conversion/Passes.h"

#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Rewrite/PatternApplicator.h"

namespace chi::conv {
#define GEN_PASS_DEF_STRUCTUREDTOBRANCHESPASS
#include "chi/Conversion/Passes.h.inc"
} // namespace chi::conv

using namespace mlir;
using namespace chi;

/// All structured operations: an outer one before those inside, so that blocks
/// move once, and of one block the last one first.
static SmallVector<Operation *> structuredIn(ModuleOp module) {
  SmallVector<Operation *> found;
  module->walk<WalkOrder::PreOrder, ReverseIterator>([&](Operation *op) {
    if (isa_and_present<scf::SCFDialect>(op->getDialect()) &&
        !op->hasTrait<OpTrait::IsTerminator>())
      found.push_back(op);
  });
  return found;
}

namespace {
struct StructuredToBranchesPass
    : conv::impl::StructuredToBranchesPassBase<StructuredToBranchesPass> {
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet list(context);
    populateSCFToControlFlowConversionPatterns(list);
    patterns = std::move(list);
    return success();
  }

  void runOnOperation() override {
    PatternApplicator applicator(patterns);
    applicator.applyDefaultCostModel();
    // No listener: a split of a block is one splice.
    PatternRewriter rewriter(&getContext());
    SmallVector<Operation *> found;
    // Some become others: a `parallel` a nest of `for`.
    while (!(found = structuredIn(getOperation())).empty())
      for (Operation *op : found) {
        rewriter.setInsertionPoint(op);
        if (succeeded(applicator.matchAndRewrite(op, rewriter)))
          continue;
        op->emitError(
            "this structured operation cannot be lowered to branches");
        return signalPassFailure();
      }
  }

  FrozenRewritePatternSet patterns;
};
} // namespace
