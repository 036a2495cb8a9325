//===- Differentiate.cpp - chi-differentiate ------------------------------===//
#include "chi/AD/AdjointBuilder.h"
#include "chi/AD/Passes.h"
#include "chi/AD/PlainWhile.h"
#include "chi/AD/Recorded.h"
#include "chi/AD/Rules.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace chi::ad {
#define GEN_PASS_DEF_DIFFERENTIATEPASS
#include "chi/AD/Passes.h.inc"
} // namespace chi::ad

using namespace mlir;
using namespace chi;
using namespace chi::ad;

bool chi::ad::hasAdjoint(ir::TaskOp task) {
  return task
      .walk([](ir::FieldAccessOpInterface access) {
        return accessesFloat(access) && access.isWrite()
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Why `op` cannot be differentiated, in the user's words; empty if it can.
static StringRef obstacle(Operation *op, const Activity &activity) {
  if (auto accum = dyn_cast<ir::AccumOp>(op);
      accum && accessesFloat(op) && accum.getKind() != ir::AccumKind::add)
    return "an update by `*=`, `min` or `max` of an element that other "
           "iterations may update too";
  if (auto atomic = dyn_cast<ir::AtomicOp>(op)) {
    if (accessesFloat(op))
      return "the result of an atomic operation on floats";
    return atomic.getResult().use_empty()
               ? ""
               : "what hangs on the result of an atomic operation";
  }
  if (isa<func::CallOp>(op) && isUnknown(op))
    return "a call of a recursive function";
  bool isUsed =
      isUnknown(op) && llvm::any_of(op->getOperands(), [&](Value operand) {
        return activity.isActive(operand);
      });
  return isUsed ? "this operation" : "";
}

static LogicalResult checkObstacles(ir::TaskOp task, const Activity &activity) {
  return failure(task.walk([&](Operation *op) {
                       StringRef why = obstacle(op, activity);
                       if (why.empty())
                         return WalkResult::advance();
                       emitError(op->getLoc(), "[E1020] ")
                           << why << " is not differentiated yet";
                       return WalkResult::interrupt();
                     })
                     .wasInterrupted());
}

/// Differentiates a copy, whose loops are made plain.
static FailureOr<ir::TaskOp> differentiate(ir::TaskOp task) {
  OpBuilder builder(task->getContext());
  builder.setInsertionPointAfter(task);
  auto plain = cast<ir::TaskOp>(builder.clone(*task));
  makeWhilePlain(plain);
  Activity activity(plain);
  FailureOr<ir::TaskOp> made = failure();
  if (succeeded(checkObstacles(plain, activity)))
    made = AdjointBuilder(plain, activity, Plan(plain, activity))
               .build((task.getSymName() + ".adj").str());
  plain.erase();
  return made;
}

namespace {
struct DifferentiatePass : ad::impl::DifferentiatePassBase<DifferentiatePass> {
  using DifferentiatePassBase::DifferentiatePassBase;

  void runOnOperation() override {
    OpPassManager simplify;
    simplify.addPass(createCanonicalizerPass());
    simplify.addPass(createCSEPass());
    SmallVector<ir::TaskOp> tasks(getOperation().getOps<ir::TaskOp>());
    RecordedTasks recorded(getOperation());
    for (ir::TaskOp task : tasks) {
      if (!(all || recorded.contains(task)) || !hasAdjoint(task))
        continue;
      FailureOr<ir::TaskOp> made = differentiate(task);
      if (failed(made))
        return signalPassFailure();
      task.setAdjoint(made->getSymName());
      if (failed(runPipeline(simplify, *made)))
        return signalPassFailure();
    }
  }
};
} // namespace
