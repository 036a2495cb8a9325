//===- Differentiate.cpp - chi-differentiate ------------------------------===//
#include "chi/AD/AdjointBuilder.h"
#include "chi/AD/AtomicResults.h"
#include "chi/AD/FieldGraph.h"
#include "chi/AD/LoopOrder.h"
#include "chi/AD/Passes.h"
#include "chi/AD/PlainWhile.h"
#include "chi/AD/Rules.h"
#include "chi/Analysis/RecordedTasks.h"
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
using namespace chi::analysis;

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
  if (isa<func::CallOp>(op) && isUnknown(op))
    return "a call of a recursive function";
  bool isUsed =
      isUnknown(op) && llvm::any_of(op->getOperands(), [&](Value operand) {
        return activity.isActive(operand);
      });
  return isUsed ? "this operation" : "";
}

static LogicalResult refuse(Operation *op, StringRef what) {
  return emitError(op->getLoc(), "[E1020] ")
         << what << " is not differentiated yet";
}

static LogicalResult checkObstacles(ir::TaskOp task, const Activity &activity,
                                    const SharedUpdates &updates) {
  if (ir::AccumOp update = updates.findObstacle())
    return refuse(update, "an update by `*=`, `min` or `max` of an element "
                          "that the iteration may read or change otherwise "
                          "too");
  return failure(task.walk([&](Operation *op) {
                       StringRef why = obstacle(op, activity);
                       if (why.empty())
                         return WalkResult::advance();
                       (void)refuse(op, why);
                       return WalkResult::interrupt();
                     })
                     .wasInterrupted());
}

/// Results in the adjoint and the tasks that run before it.
static SmallVector<ir::TaskOp>
differentiatePlain(ir::TaskOp plain, StringRef name, Extras &extras,
                   const AtomicResults &results, const BitVector &passive) {
  SharedUpdates updates(plain, extras, passive);
  std::optional<Activity> activity(std::in_place, plain, passive);
  SmallVector<ir::TaskOp> made;
  if (failed(results.checkActivity(*activity)) ||
      failed(checkObstacles(plain, *activity, updates)))
    return made;
  if (!updates.empty()) {
    updates.prepare(name);
    activity.emplace(plain, passive);
  }
  made.push_back(
      AdjointBuilder(plain, updates, *activity, Plan(plain, *activity))
          .build(name));
  llvm::append_range(made, updates.getPriors());
  return made;
}

/// Differentiates a copy, whose loops are made plain. Results in the adjoint,
/// then what runs before it, then what runs in the place of the task.
/// `passive`: numbers of captured values.
static SmallVector<ir::TaskOp> differentiate(ir::TaskOp task,
                                             BitVector passive) {
  OpBuilder builder(task->getContext());
  builder.setInsertionPointAfter(task);
  auto plain = cast<ir::TaskOp>(builder.clone(*task));
  Extras extras(plain);
  AtomicResults results(task, plain, extras);
  SmallVector<ir::TaskOp> made;
  if (succeeded(results.prepare(passive))) {
    makeWhilePlain(plain);
    made = differentiatePlain(plain, (task.getSymName() + ".adj").str(), extras,
                              results, passive);
    if (!made.empty())
      llvm::append_range(made, results.getTasks());
  }
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
    std::optional<FieldGraph> graph;
    if (!all && !recorded.empty())
      graph.emplace(getOperation());
    for (ir::TaskOp task : tasks) {
      if (!(all || recorded.contains(task)) || !hasAdjoint(task))
        continue;
      SmallVector<ir::TaskOp> made =
          differentiate(task, graph ? graph->findPassive(task)
                                    : BitVector(task.getNumCaptured()));
      if (made.empty())
        return signalPassFailure();
      task.setAdjoint(made.front().getSymName());
      for (ir::TaskOp each : made) {
        if (failed(runPipeline(simplify, each)))
          return signalPassFailure();
        turnFreeLoops(each);
      }
    }
  }
};
} // namespace
