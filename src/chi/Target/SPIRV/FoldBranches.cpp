//===- FoldBranches.cpp - Conditions that are constants -------------------===//
#include "chi/Target/SPIRV/Passes.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/RegionUtils.h"

namespace chi::target::spv {
#define GEN_PASS_DEF_FOLDBRANCHESPASS
#include "chi/Target/SPIRV/Passes.h.inc"
} // namespace chi::target::spv

using namespace mlir;
using namespace chi;

/// The patterns of the canonicalizer, without those that change branches.
static FrozenRewritePatternSet patternsForValues(MLIRContext *context) {
  RewritePatternSet patterns(context);
  for (Dialect *dialect : context->getLoadedDialects())
    if (!isa<cf::ControlFlowDialect>(dialect))
      dialect->getCanonicalizationPatterns(patterns);
  for (RegisteredOperationName op : context->getRegisteredOperations())
    if (op.getDialectNamespace() !=
        cf::ControlFlowDialect::getDialectNamespace())
      op.getCanonicalizationPatterns(patterns, context);
  return std::move(patterns);
}

/// Replaces the branches under an operation whose condition is a constant. Were
/// there any?
static bool foldConstantBranches(Operation *root) {
  SmallVector<cf::CondBranchOp> branches;
  root->walk([&](cf::CondBranchOp branch) {
    if (matchPattern(branch.getCondition(), m_Constant()))
      branches.push_back(branch);
  });
  for (cf::CondBranchOp branch : branches) {
    bool isTaken = matchPattern(branch.getCondition(), m_One());
    OpBuilder b(branch);
    cf::BranchOp::create(b, branch.getLoc(),
                         isTaken ? branch.getTrueDest() : branch.getFalseDest(),
                         isTaken ? branch.getTrueOperands()
                                 : branch.getFalseOperands());
    branch.erase();
  }
  return !branches.empty();
}

namespace {
struct FoldBranchesPass
    : target::spv::impl::FoldBranchesPassBase<FoldBranchesPass> {
  LogicalResult initialize(MLIRContext *context) override {
    patterns = patternsForValues(context);
    return success();
  }

  void runOnOperation() override {
    GreedyRewriteConfig config;
    config.setUseTopDownTraversal(true).setRegionSimplificationLevel(
        GreedySimplifyRegionLevel::Disabled);
    IRRewriter rewriter(&getContext());
    do {
      for (Region &region : getOperation()->getRegions())
        (void)applyPatternsGreedily(region, patterns, config);
    } while (foldConstantBranches(getOperation()) &&
             succeeded(eraseAllUnreachable(rewriter)));
  }

private:
  /// In each region below the operation. Always succeeds.
  LogicalResult eraseAllUnreachable(IRRewriter &rewriter) {
    (void)eraseUnreachableBlocks(rewriter, getOperation()->getRegions());
    return success();
  }

  FrozenRewritePatternSet patterns;
};
} // namespace
