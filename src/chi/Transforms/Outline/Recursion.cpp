//===- Recursion.cpp - Recursive functions of kernels become loops --------===//
// See Note [States]. A cycle that has what cannot lie on the stack stays, and
// chi-inline refuses it.
#include "chi/Dialect/Chi/DiscardableAttrs.h"
#include "chi/Transforms/Outline/Passes.h"
#include "chi/Transforms/Outline/StackMachine.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/SymbolTable.h"

namespace chi::outline {
#define GEN_PASS_DEF_RECURSIONPASS
#include "chi/Transforms/Outline/Passes.h.inc"
} // namespace chi::outline

using namespace mlir;
using namespace chi::ir;
using namespace chi::outline;

namespace {
/// The calls between functions that are no host code.
class CallGraph {
public:
  explicit CallGraph(ModuleOp module);

  /// The functions that `function` reaches and that reach it; none if it does
  /// not reach itself.
  Cycle cycleOf(Operation *function) const;
  /// The calls of a function, by others and by itself.
  SmallVector<func::CallOp> callsOf(Operation *function) const {
    return callers.lookup(function);
  }

  /// What a function calls, and so on.
  SetVector<Operation *> reachable(Operation *from) const;

private:
  DenseMap<Operation *, SetVector<Operation *>> callees;
  DenseMap<Operation *, SmallVector<func::CallOp>> callers;
};
} // namespace

static Operation *functionOf(Operation *op) {
  return op->getParentOfType<FunctionOpInterface>();
}

CallGraph::CallGraph(ModuleOp module) {
  SymbolTable symbols(module);
  module.walk([&](func::CallOp call) {
    Operation *callee = symbols.lookup(call.getCallee());
    Operation *caller = functionOf(call);
    if (!callee || callee->hasAttr(kHostAttr))
      return;
    callees[caller].insert(callee);
    callers[callee].push_back(call);
  });
}

SetVector<Operation *> CallGraph::reachable(Operation *from) const {
  SetVector<Operation *> found;
  SmallVector<Operation *> open = {from};
  while (!open.empty())
    for (Operation *callee : callees.lookup(open.pop_back_val()))
      if (found.insert(callee))
        open.push_back(callee);
  return found;
}

Cycle CallGraph::cycleOf(Operation *function) const {
  Cycle cycle;
  SetVector<Operation *> below = reachable(function);
  if (!below.contains(function))
    return cycle;
  for (Operation *each : below)
    if (reachable(each).contains(function))
      cycle.insert(each);
  return cycle;
}

/// Calls of functions with adjoints of their own stay as they are.
static bool isOrdinary(const CallGraph &graph, const Cycle &cycle) {
  for (Operation *each : cycle)
    for (func::CallOp call : graph.callsOf(each))
      if (call->hasAttr(kCustomAdjointAttr))
        return false;
  return true;
}

/// Gives calls of the cycle from outside of it another callee; false if one of
/// them stays.
static bool replaceCycle(const CallGraph &graph, const Cycle &cycle) {
  States states;
  Frames frames;
  if (!isOrdinary(graph, cycle) || !states.build(cycle) ||
      !frames.build(cycle, states))
    return false;
  bool isGone = true;
  for (Operation *entry : cycle) {
    func::FuncOp machine;
    for (func::CallOp call : graph.callsOf(entry)) {
      if (cycle.contains(functionOf(call)))
        continue;
      if (!machine)
        machine = StackMachine(cycle, states, frames)
                      .write(cast<func::FuncOp>(entry));
      if (machine)
        call.setCallee(machine.getName());
      isGone &= bool(machine);
    }
  }
  return isGone;
}

namespace {
/// Replaces all cycles, inner ones before those that call them.
class Replacer {
public:
  explicit Replacer(ModuleOp module) : graph(module) {}

  void replace(Operation *function);
  void eraseReplaced() {
    for (Operation *each : gone)
      each->erase();
  }

private:
  CallGraph graph;
  DenseSet<Operation *> seen;
  SmallVector<Operation *> gone;
};

struct RecursionPass : chi::outline::impl::RecursionPassBase<RecursionPass> {
  void runOnOperation() override {
    Replacer replacer(getOperation());
    for (auto function : llvm::to_vector(getOperation().getOps<func::FuncOp>()))
      if (!function->hasAttr(kHostAttr))
        replacer.replace(function);
    replacer.eraseReplaced();
  }
};
} // namespace

void Replacer::replace(Operation *function) {
  if (seen.contains(function))
    return;
  Cycle cycle = graph.cycleOf(function);
  seen.insert(function);
  seen.insert_range(cycle);
  for (Operation *callee : graph.reachable(function))
    replace(callee);
  if (!cycle.empty() && replaceCycle(graph, cycle))
    llvm::append_range(gone, cycle);
}
