//===- Differentiate.cpp - chi-differentiate ------------------------------===//
#include "chi/AD/Activity/Variants.h"
#include "chi/AD/Plan/FieldDiscards.h"
#include "chi/AD/Plan/PlainWhile.h"
#include "chi/AD/Prologue/AtomicResults.h"
#include "chi/AD/Reverse/AdjointBuilder.h"
#include "chi/AD/Reverse/LoopOrder.h"
#include "chi/AD/Reverse/Passes.h"
#include "chi/AD/Rules/Floats.h"
#include "chi/AD/Rules/Rules.h"
#include "chi/Analysis/RecordedTasks.h"
#include "chi/Dialect/Chi/AdjointTasks.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace chi::ad::reverse {
#define GEN_PASS_DEF_DIFFERENTIATEPASS
#include "chi/AD/Reverse/Passes.h.inc"
} // namespace chi::ad::reverse

using namespace mlir;
using namespace chi;
using namespace chi::ad::reverse;
using namespace chi::ad::rules;
using namespace chi::ad::activity;
using namespace chi::ad::plan;
using namespace chi::ad::prologue;
using namespace chi::analysis;

bool chi::ad::reverse::hasAdjoint(ir::TaskOp task) {
  return writesFloats(task);
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
                          "that the iteration may also access otherwise");
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
differentiatePlain(ir::TaskOp plain, StringRef name, Workspace &workspace,
                   const AtomicResults &results, const BitVector &passive,
                   const BitVector &discarded) {
  SharedUpdates updates(plain, workspace, passive);
  std::optional<Activity> activity(std::in_place, plain, passive);
  SmallVector<ir::TaskOp> made;
  if (failed(results.checkActivity(*activity)) ||
      failed(checkObstacles(plain, *activity, updates)))
    return made;
  if (!updates.empty()) {
    updates.prepare(name);
    activity.emplace(plain, passive);
  }
  made.push_back(AdjointBuilder(plain, updates, *activity,
                                Plan(plain, *activity),
                                Discards(plain, *activity, discarded))
                     .build(name));
  llvm::append_range(made, updates.getPrologue());
  return made;
}

/// Differentiates a copy, whose loops are made plain. Returns the adjoint, then
/// the tasks that run before it, then the task that runs instead of `task`.
/// `passive`, `discarded` (FieldDiscards): numbers of captured values.
static SmallVector<ir::TaskOp> differentiate(ir::TaskOp task, StringRef name,
                                             BitVector passive,
                                             const BitVector &discarded) {
  OpBuilder builder(task->getContext());
  builder.setInsertionPointAfter(task);
  auto plain = cast<ir::TaskOp>(builder.clone(*task));
  Workspace workspace(plain);
  AtomicResults results(task, plain, workspace);
  SmallVector<ir::TaskOp> made;
  if (succeeded(results.prepare(passive))) {
    makeWhilePlain(plain);
    made =
        differentiatePlain(plain, name, workspace, results, passive, discarded);
    if (!made.empty())
      llvm::append_range(made, results.getTasks());
  }
  plain.erase();
  return made;
}

namespace {
struct DifferentiatePass
    : ad::reverse::impl::DifferentiatePassBase<DifferentiatePass> {
  using DifferentiatePassBase::DifferentiatePassBase;

  void runOnOperation() override {
    SmallVector<ir::TaskOp> tasks;
    RecordedTasks recorded(getOperation());
    // A task that has a role already is not differentiated again.
    for (auto task : getOperation().getOps<ir::TaskOp>())
      if (!task.getAdjointAttr() && (all || recorded.contains(task)) &&
          hasAdjoint(task))
        tasks.push_back(task);
    std::optional<FieldGraph> graph;
    std::optional<FieldDiscards> discards;
    if (!all && !tasks.empty()) {
      graph.emplace(getOperation());
      discards.emplace(tasks, *graph);
    }
    for (ir::TaskOp task : tasks) {
      SmallVector<BitVector> passive{BitVector(task.getNumCaptured())};
      if (graph)
        passive = graph->findPassive(task);
      BitVector discarded = discards ? discards->of(task) : BitVector();
      if (failed(addAdjoints(task, passive, discarded)))
        return signalPassFailure();
    }
  }

  /// The adjoint of a task; null after an error.
  ir::TaskOp addAdjoint(ir::TaskOp task, StringRef name,
                        const BitVector &passive, const BitVector &discarded) {
    OpPassManager simplify;
    simplify.addPass(createCanonicalizerPass());
    simplify.addPass(createCSEPass());
    SmallVector<ir::TaskOp> made =
        differentiate(task, name, passive, discarded);
    for (ir::TaskOp each : made) {
      if (failed(runPipeline(simplify, each)))
        return nullptr;
      reverseFreeLoops(each);
    }
    return made.empty() ? nullptr : made.front();
  }

  /// `passive`: at each of its launches.
  LogicalResult addAdjoints(ir::TaskOp task, ArrayRef<BitVector> passive,
                            const BitVector &discarded) {
    std::string name = (task.getSymName() + ".adj").str();
    BitVector always = passive.front();
    for (const BitVector &each : passive.drop_front())
      always &= each;
    ir::TaskOp adjoint = addAdjoint(task, name, always, discarded);
    if (!adjoint)
      return failure();
    ir::TaskOp last = adjoint;
    for (auto [number, more] :
         llvm::enumerate(findVariants(task, adjoint, passive))) {
      BitVector both = always;
      for (int64_t argument : more)
        both.set(argument);
      ir::TaskOp variant = addAdjoint(
          task, name + "." + std::to_string(number + 1), both, discarded);
      if (!variant)
        return failure();
      ir::changeAdjoint(last, [&](ir::Adjoint &attribute) {
        attribute.variant = ir::referenceTo(variant);
      });
      ir::changeAdjoint(variant, [&, more = more](ir::Adjoint &attribute) {
        attribute.passive = DenseI64ArrayAttr::get(&getContext(), more);
      });
      last = variant;
    }
    ir::changeAdjoint(task, [&](ir::Adjoint &attribute) {
      attribute.task = ir::referenceTo(adjoint);
    });
    return success();
  }
};
} // namespace
