//===- MarkTurns.cpp - Where a tape may begin again in a kernel -----------===//
#include "chi/AD/Reverse/Passes.h"

#include "chi/Dialect/Chi/AdjointTasks.h"
#include "chi/Dialect/Chi/DiscardableAttrs.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"

namespace chi::ad::reverse {
#define GEN_PASS_DEF_MARKTURNSPASS
#include "chi/AD/Reverse/Passes.h.inc"
} // namespace chi::ad::reverse

using namespace mlir;
using namespace chi;

static bool launches(Operation *op) {
  return op->walk([](ir::LaunchOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

static bool isDifferentiated(func::FuncOp control, SymbolTable &symbols) {
  return control
      .walk([&](ir::LaunchOp launch) {
        auto task = symbols.lookup<ir::TaskOp>(launch.getTask());
        return task && ir::adjointOf(task) ? WalkResult::interrupt()
                                           : WalkResult::advance();
      })
      .wasInterrupted();
}

/// The number of turns as an i64; -1 where it is not known before.
static Value countTurns(OpBuilder &b, Operation *loop) {
  Location loc = loop->getLoc();
  auto isCounted = dyn_cast<scf::ForOp>(loop);
  if (!isCounted || !matchPattern(isCounted.getStep(), m_One()))
    return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(-1));
  auto wide = [&](Value bound) -> Value {
    if (bound.getType() == b.getI64Type())
      return bound;
    if (isa<IndexType>(bound.getType()))
      return arith::IndexCastOp::create(b, loc, b.getI64Type(), bound);
    return arith::ExtSIOp::create(b, loc, b.getI64Type(), bound);
  };
  return arith::SubIOp::create(b, loc, wide(isCounted.getUpperBound()),
                               wide(isCounted.getLowerBound()));
}

static void markTurns(Operation *loop, Block &body) {
  OpBuilder b(loop);
  auto call = [&](StringRef function, ValueRange inputs) {
    ir::RtOp::create(b, loop->getLoc(), TypeRange(), b.getStringAttr(function),
                     inputs, b.getStringAttr("loop"));
  };
  call("chirt_tape_loop", countTurns(b, loop));
  b.setInsertionPointToStart(&body);
  call("chirt_tape_turn", {});
}

namespace {
struct MarkTurnsPass : ad::reverse::impl::MarkTurnsPassBase<MarkTurnsPass> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (auto control : getOperation().getOps<func::FuncOp>()) {
      if (!control->hasAttr(ir::kControlAttr) || control.isExternal() ||
          !isDifferentiated(control, symbols))
        continue;
      SmallVector<Operation *> loops;
      control.walk([&](Operation *op) {
        if (isa<scf::ForOp, scf::WhileOp>(op) && launches(op))
          loops.push_back(op);
      });
      for (Operation *loop : loops) {
        auto other = dyn_cast<scf::WhileOp>(loop);
        markTurns(loop, other ? *other.getAfterBody()
                              : *cast<scf::ForOp>(loop).getBody());
      }
    }
  }
};
} // namespace
