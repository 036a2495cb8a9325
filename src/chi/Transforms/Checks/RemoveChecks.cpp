//===- RemoveChecks.cpp - Drop, merge and hoist checks --------------------===//
#include "chi/Transforms/Checks/Passes.h"

#include "chi/Support/Optimisations.h"
#include "chi/Transforms/Checks/CheckMoves.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"
#include "llvm/ADT/SetVector.h"

namespace chi::checks {
#define GEN_PASS_DEF_REMOVECHECKSPASS
#include "chi/Transforms/Checks/Passes.h.inc"
} // namespace chi::checks

using namespace mlir;
using namespace chi;
using namespace chi::analysis;
using namespace chi::checks;

/// Integer operations that indices are computed from.
static llvm::SetVector<Operation *> indexArithmetic(Operation *task) {
  llvm::SetVector<Operation *> ops;
  SmallVector<Value> pending;
  task->walk([&](ir::FieldAccessOpInterface access) {
    pending.append(access.getIndices().begin(), access.getIndices().end());
  });
  while (!pending.empty()) {
    Operation *op = pending.pop_back_val().getDefiningOp();
    if (op &&
        isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::ShLIOp,
            arith::ExtSIOp>(op) &&
        ops.insert(op))
      pending.append(op->operand_begin(), op->operand_end());
  }
  return ops;
}

namespace {
struct RemoveChecksPass : checks::impl::RemoveChecksPassBase<RemoveChecksPass> {
  using RemoveChecksPassBase::RemoveChecksPassBase;

  void runOnOperation() override {
    off = OptimisationSet::of(without);
    {
      Ranges ranges(getOperation());
      removeProved(ranges);
    }
    {
      Ranges ranges(getOperation());
      markExact(ranges);
    }
    bool moved = merge();
    moved |= hoist();
    if (!moved)
      return;
    {
      Ranges ranges(getOperation());
      removeProved(ranges);
    }
    Ranges ranges(getOperation());
    markExact(ranges);
  }

  void removeProved(Ranges &ranges) {
    if (off.has(Optimisation::RemovedChecks))
      return;
    SmallVector<ir::CheckOp> proved;
    getOperation().walk([&](ir::CheckOp check) {
      if (ranges.provesTrue(check.getOk(), check))
        proved.push_back(check);
    });
    for (ir::CheckOp check : proved)
      eraseCheck(check);
  }

  /// Says of operations in tasks that they do not overflow.
  void markExact(Ranges &ranges) {
    if (off.has(Optimisation::OverflowFlags))
      return;
    for (auto task : getOperation().getOps<ir::TaskOp>()) {
      auto ofIndices = indexArithmetic(task);
      task.walk([&](arith::ArithIntegerOverflowFlagsInterface op) {
        if (op.hasNoSignedWrap() ||
            !ranges.neverWraps(op, ofIndices.contains(op)))
          return;
        auto flags =
            op.getOverflowAttr().getValue() | arith::IntegerOverflowFlags::nsw;
        op->setAttr(op.getIntegerOverflowAttrName(),
                    arith::IntegerOverflowFlagsAttr::get(&getContext(), flags));
      });
    }
  }

  bool merge() {
    if (off.has(Optimisation::MergedChecks))
      return false;
    unsigned gone = 0;
    getOperation().walk([&](Block *block) { gone += mergeChecks(*block); });
    return gone != 0;
  }

  bool hoist() {
    if (off.has(Optimisation::HoistedChecks))
      return false;
    // Inner loops first, so that their checks can move on.
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) {
      if (llvm::any_of(*loop.getBody(), [](Operation &op) {
            return isa<ir::CheckOp, scf::ForOp>(op);
          }))
        loops.push_back(loop);
    });
    unsigned moved = 0;
    std::optional<Ranges> ranges;
    for (scf::ForOp loop : loops) {
      if (loop.getBody()->getOps<ir::CheckOp>().empty())
        continue;
      moveLoopInvariantCode(cast<LoopLikeOpInterface>(loop.getOperation()));
      ranges.emplace(getOperation());
      moved += hoistChecks(loop, *ranges);
    }
    return moved != 0;
  }

  OptimisationSet off;
};
} // namespace
