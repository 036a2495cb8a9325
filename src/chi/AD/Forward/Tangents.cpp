//===- Tangents.cpp - chi-tangents ----------------------------------------===//
#include "chi/AD/Forward/Passes.h"
#include "chi/AD/Forward/TangentBuilder.h"
#include "chi/AD/Plan/PlainWhile.h"
#include "chi/AD/Plan/Plan.h"
#include "chi/AD/Rules/Floats.h"
#include "chi/AD/Rules/Rules.h"
#include "chi/Analysis/RecordedTasks.h"
#include "chi/Dialect/Chi/AdjointTasks.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/SetVector.h"

namespace chi::ad::forward {
#define GEN_PASS_DEF_TANGENTSPASS
#include "chi/AD/Forward/Passes.h.inc"
} // namespace chi::ad::forward

using namespace mlir;
using namespace chi;
using namespace chi::ad::activity;
using namespace chi::ad::forward;
using namespace chi::ad::plan;
using namespace chi::ad::prologue;
using namespace chi::ad::rules;
using namespace chi::analysis;

/// Why `op` has no tangent, in the user's words; empty if it has one.
static StringRef obstacle(Operation *op, const Activity &activity) {
  if (isa<ir::AtomicOp>(op))
    return accessesFloat(op)
               ? "an atomic operation on a float whose result is used"
               : "";
  if (isa<func::CallOp>(op) && isUnknown(op))
    return "a call of a recursive function";
  bool isUsed =
      isUnknown(op) && llvm::any_of(op->getOperands(), [&](Value operand) {
        return activity.isActive(operand);
      });
  return isUsed ? "this operation" : "";
}

static LogicalResult refuse(Operation *op, StringRef what) {
  return emitError(op->getLoc(), "[E1021] ") << what << " has no tangent yet";
}

static LogicalResult checkObstacles(ir::TaskOp task, const Activity &activity) {
  LogicalResult result = success();
  task.walk([&](Operation *op) {
    StringRef why = obstacle(op, activity);
    if (why.empty())
      return WalkResult::advance();
    result = refuse(op, why);
    return WalkResult::interrupt();
  });
  return result;
}

static bool hasSharedUpdates(ir::TaskOp task) {
  return task
      .walk([](ir::AccumOp update) {
        return isSharedUpdate(update) ? WalkResult::interrupt()
                                      : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Of updates that iterations share, `min` and `max` have a winner, which tasks
/// that run before can find.
static LogicalResult checkUpdates(ir::TaskOp task,
                                  const SharedUpdates &updates) {
  if (ir::AccumOp update = updates.findObstacle())
    return refuse(update, "an update by `*=`, `min` or `max` of an element "
                          "that the iteration may also access otherwise");
  LogicalResult result = success();
  // The order of atomic operations would be another one.
  task.walk([&](ir::AtomicOp atomic) {
    if (!updates.empty() && succeeded(result))
      result =
          refuse(atomic, "the result of an atomic operation, beside an "
                         "update by `min` or `max` that iterations share,");
  });
  task.walk([&](ir::AccumOp update) {
    bool isProduct = accessesFloat(update) && isSharedUpdate(update) &&
                     update.getKind() == ir::AccumKind::mul;
    if (isProduct && succeeded(result))
      result = refuse(update, "an update by `*=` of an element that other "
                              "iterations may access, too,");
  });
  return result;
}

namespace {
struct TangentsPass : ad::forward::impl::TangentsPassBase<TangentsPass> {
  using TangentsPassBase::TangentsPassBase;

  void runOnOperation() override {
    llvm::SetVector<Operation *> tasks;
    RecordedTasks inForward(getOperation(), Mode::Forward);
    for (auto task : getOperation().getOps<ir::TaskOp>())
      if ((all || inForward.contains(task)) && !task.getNumPrimal()) {
        tasks.insert(task);
        if (all || inForward.hasTapes())
          addBackward(task, tasks);
      }
    for (Operation *op : tasks)
      if (auto task = cast<ir::TaskOp>(op);
          writesFloats(task) && failed(addTangent(task)))
        return signalPassFailure();
  }

  /// The tasks that a tape in forward mode launches for a task.
  void addBackward(ir::TaskOp task, llvm::SetVector<Operation *> &tasks) {
    auto named = [&](FlatSymbolRefAttr name) {
      return name ? getOperation().lookupSymbol<ir::TaskOp>(name)
                  : ir::TaskOp();
    };
    if (ir::TaskOp recorder = named(ir::recorderOf(task)))
      tasks.insert(recorder);
    for (ir::TaskOp adjoint = named(ir::adjointOf(task)); adjoint;
         adjoint = named(ir::variantOf(adjoint))) {
      tasks.insert(adjoint);
      addBackward(adjoint, tasks);
    }
  }

  /// Works on a copy, in which winners of updates are stored.
  LogicalResult addTangent(ir::TaskOp task) {
    // What runs before an adjoint task has none.
    if (task.getNumPrimal() && ir::prologueOf(task))
      return refuse(task, "the derivative of an update by `*=`, `min` or `max` "
                          "of an element that iterations share");
    OpBuilder builder(task);
    builder.setInsertionPointAfter(task);
    auto plain = cast<ir::TaskOp>(builder.clone(*task));
    plain.removeAdjointAttr();
    ir::TaskOp tangent = addTangentOf(plain);
    plain.erase();
    if (!tangent)
      return failure();
    task->setAttr(ir::kTangentAttr, ir::referenceTo(tangent));
    return success();
  }

  /// Null after an error.
  ir::TaskOp addTangentOf(ir::TaskOp plain) {
    if (hasSharedUpdates(plain))
      makeWhilePlain(plain); // the tasks that find winners are slices of it
    Workspace workspace(plain);
    BitVector passive(plain.getNumCaptured());
    SharedUpdates updates(plain, workspace, passive);
    if (failed(checkUpdates(plain, updates)))
      return {};
    std::string name = (plain.getSymName() + ".tan").str();
    if (!updates.empty())
      updates.prepare(name);
    // The workspace has no tangents.
    passive.resize(plain.getNumCaptured(), true);
    Activity activity(plain, passive);
    if (failed(checkObstacles(plain, activity)))
      return {};
    ir::TaskOp tangent = TangentBuilder(plain, updates, activity).build(name);
    OpPassManager simplify;
    simplify.addPass(createCanonicalizerPass());
    simplify.addPass(createCSEPass());
    for (ir::TaskOp before : updates.getPrologue())
      if (failed(runPipeline(simplify, before)))
        return {};
    if (failed(runPipeline(simplify, tangent)))
      return {};
    // No choice is at the place of a conditional expression: tangents of both
    // sides are computed, and may be infinite where the side is not taken.
    tangent.walk([&](Operation *op) {
      if (isa<arith::SelectOp, scf::IfOp>(op))
        op->setLoc(tangent.getLoc());
    });
    return tangent;
  }
};
} // namespace
