//===- Differentiate.cpp - chi-differentiate ------------------------------===//
#include "chi/AD/Activity/Variants.h"
#include "chi/AD/Plan/FieldDiscards.h"
#include "chi/AD/Plan/PlainWhile.h"
#include "chi/AD/Prologue/AtomicResults.h"
#include "chi/AD/Reverse/AdjointBuilder.h"
#include "chi/AD/Reverse/InlineAdjoints.h"
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

namespace {
/// What a task does that has no derivative.
struct Obstacle {
  Operation *op = nullptr; ///< null: there is none
  StringRef what;
};

/// Of which task an adjoint is made, and what is known of it.
struct Request {
  ir::TaskOp task;
  /// Numbers of captured values (FieldGraph::findPassive, FieldDiscards).
  BitVector passive, discarded;
  /// The task is an adjoint. What has no derivative then is no error: a tape
  /// reports it if a loss depends on it.
  bool isAgain = false;
};
} // namespace

static Obstacle findObstacle(ir::TaskOp task, const Activity &activity,
                             const SharedUpdates &updates, bool isAgain) {
  if (ir::AccumOp update = updates.findObstacle())
    return {update, "an update by `*=`, `min` or `max` of an element "
                    "that the iteration may also access otherwise"};
  Obstacle found;
  task.walk([&](Operation *op) {
    // The adjoint of a product has quotients by the factors other than zero:
    // its derivative by those that are zero is not that of the quotients.
    bool isProduct = isAgain && isSharedUpdate(op);
    StringRef why =
        isProduct ? "the derivative of `*=`" : obstacle(op, activity);
    if (why.empty())
      return WalkResult::advance();
    found = {op, why};
    return WalkResult::interrupt();
  });
  return found;
}

/// Results in the adjoint and the tasks that run before it.
static SmallVector<ir::TaskOp>
differentiatePlain(ir::TaskOp plain, StringRef name, Workspace &workspace,
                   const AtomicResults &results, const Request &asked) {
  const BitVector &passive = asked.passive;
  SharedUpdates updates(plain, workspace, passive);
  std::optional<Activity> activity(std::in_place, plain, passive);
  SmallVector<ir::TaskOp> made;
  if (failed(results.checkActivity(*activity)))
    return made;
  if (Obstacle found = findObstacle(plain, *activity, updates, asked.isAgain);
      found.op) {
    if (!asked.isAgain)
      (void)refuse(found.op, found.what);
    return made;
  }
  if (!updates.empty()) {
    updates.prepare(name);
    activity.emplace(plain, passive);
  }
  made.push_back(AdjointBuilder(plain, updates, *activity,
                                Plan(plain, *activity),
                                Discards(plain, *activity, asked.discarded))
                     .build(name));
  llvm::append_range(made, updates.getPrologue());
  return made;
}

/// Differentiates a copy, whose loops are made plain. Returns the adjoint, then
/// the tasks that run before it, then the task that runs instead of `task`.
static SmallVector<ir::TaskOp> differentiate(Request asked, StringRef name) {
  ir::TaskOp task = asked.task;
  OpBuilder builder(task->getContext());
  builder.setInsertionPointAfter(task);
  auto plain = cast<ir::TaskOp>(builder.clone(*task));
  plain.removeAdjointAttr();
  if (asked.isAgain)
    inlineAdjointCalls(plain);
  Workspace workspace(plain);
  AtomicResults results(task, plain, workspace);
  SmallVector<ir::TaskOp> made;
  if (succeeded(results.prepare(asked.passive))) {
    makeWhilePlain(plain);
    made = differentiatePlain(plain, name, workspace, results, asked);
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
      // Their number is also that of adjoints in a row.
      unsigned depth = std::max(recorded.depthOf(task), 1u);
      if (failed(addAdjoints(task, passive, discarded, depth)))
        return signalPassFailure();
    }
  }

  /// The adjoint of a task; null after an error.
  ir::TaskOp addAdjoint(const Request &asked, StringRef name) {
    OpPassManager simplify;
    simplify.addPass(createCanonicalizerPass());
    simplify.addPass(createCSEPass());
    SmallVector<ir::TaskOp> made = differentiate(asked, name);
    for (ir::TaskOp each : made) {
      if (failed(runPipeline(simplify, each)))
        return nullptr;
      reverseFreeLoops(each);
    }
    return made.empty() ? nullptr : made.front();
  }

  /// `passive`: at each of its launches. `depth`: so many adjoints are made,
  /// each one of the one before it.
  LogicalResult addAdjoints(ir::TaskOp task, ArrayRef<BitVector> passive,
                            const BitVector &discarded, unsigned depth) {
    std::string name = (task.getSymName() + ".adj").str();
    BitVector always = passive.front();
    for (const BitVector &each : passive.drop_front())
      always &= each;
    Request asked{task, always, discarded};
    ir::TaskOp adjoint = addAdjoint(asked, name);
    if (!adjoint)
      return failure();
    ir::TaskOp last = adjoint;
    SmallVector<SmallVector<int64_t>> variants =
        findVariants(task, adjoint, passive);
    addAgain(asked, adjoint, depth);
    for (auto [number, more] : llvm::enumerate(variants)) {
      Request less = asked;
      for (int64_t argument : more)
        less.passive.set(argument);
      ir::TaskOp variant =
          addAdjoint(less, name + "." + std::to_string(number + 1));
      if (!variant)
        return failure();
      ir::changeAdjoint(last, [&](ir::Adjoint &attribute) {
        attribute.variant = ir::referenceTo(variant);
      });
      ir::changeAdjoint(variant, [&, more = more](ir::Adjoint &attribute) {
        attribute.passive = DenseI64ArrayAttr::get(&getContext(), more);
      });
      addAgain(less, variant, depth);
      last = variant;
    }
    ir::changeAdjoint(task, [&](ir::Adjoint &attribute) {
      attribute.task = ir::referenceTo(adjoint);
    });
    return success();
  }

  /// The adjoint of an adjoint, which the outer one of nested tapes runs, and
  /// so on.
  void addAgain(const Request &of, ir::TaskOp adjoint, unsigned depth) {
    if (depth <= 1 || !hasAdjoint(adjoint))
      return;
    Request asked{adjoint, passiveAgain(of, adjoint), of.discarded,
                  /*isAgain=*/true};
    ir::TaskOp made = addAdjoint(asked, (adjoint.getSymName() + ".adj").str());
    if (!made)
      return;
    ir::changeAdjoint(adjoint, [&](ir::Adjoint &attribute) {
      attribute.task = ir::referenceTo(made);
    });
    addAgain(asked, made, depth - 1);
  }

  /// What an adjoint captures is passive where the primal's fields are. So is
  /// what its prologue found: it is compared, or counted.
  static BitVector passiveAgain(const Request &of, ir::TaskOp adjoint) {
    BitVector passive = of.passive;
    ir::TaskOp task = of.task;
    passive.resize(task.getNumCaptured());
    BitVector ofAdjoints;
    for (auto [number, value] : llvm::enumerate(task.getCaptured()))
      if (auto field = dyn_cast<ir::FieldType>(value.getType());
          field && isFloat(field.getScalar())) {
        ofAdjoints.resize(ofAdjoints.size() + 1);
        if (passive.test(number))
          ofAdjoints.set(ofAdjoints.size() - 1);
      }
    unsigned first = adjoint.getNumCaptured() - ofAdjoints.size();
    passive.resize(first, true);
    passive.resize(adjoint.getNumCaptured());
    for (unsigned number : ofAdjoints.set_bits())
      passive.set(first + number);
    return passive;
  }
};
} // namespace
