//===- WarnGradients.cpp - Gradients that are surely zero -----------------===//
// A graph of fields: an edge where a task that a tape may record stores to one
// what it reads of the other. Fields that a name may stand for are one node,
// and what is not known leads everywhere, so that a gradient which is said to
// be zero is.
#include "chi/AD/Activity.h"
#include "chi/AD/Passes.h"
#include "chi/Analysis/Ranges.h"
#include "chi/Analysis/RecordedTasks.h"
#include "chi/Dialect/Chi/CustomAdjoint.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace chi::ad {
#define GEN_PASS_DEF_WARNGRADIENTSPASS
#include "chi/AD/Passes.h.inc"
} // namespace chi::ad

using namespace mlir;
using namespace chi;
using namespace chi::ad;
using namespace chi::analysis;

static bool isField(Value value) { return isa<ir::FieldType>(value.getType()); }

//===----------------------------------------------------------------------===//
// Inside a task
//===----------------------------------------------------------------------===//

namespace {
/// Follows floats from what a task reads of one field. Of loops and branches
/// that get one, all floats count.
class FloatFlow {
public:
  FloatFlow(ir::TaskOp task, BlockArgument from);
  /// Does one of them get to what is stored to the field?
  bool reaches(BlockArgument field) const { return stored.contains(field); }

private:
  void visit(Operation *op);
  void add(Value value) { isChanging |= tainted.insert(value).second; }
  bool hasTainted(Operation *op) const {
    return llvm::any_of(op->getOperands(),
                        [&](Value each) { return tainted.contains(each); });
  }

  BlockArgument from;
  llvm::DenseSet<Value> tainted, stored;
  bool isChanging = true;
};
} // namespace

FloatFlow::FloatFlow(ir::TaskOp task, BlockArgument from) : from(from) {
  while (std::exchange(isChanging, false))
    task.getBody().walk([&](Operation *op) { visit(op); });
}

void FloatFlow::visit(Operation *op) {
  if (auto access = dyn_cast<ir::FieldAccessOpInterface>(op)) {
    Value field = analysis::fieldBelowCasts(access.getField());
    if (field == from && op->getNumResults())
      add(op->getResult(0));
    if (access.isWrite() && hasTainted(op))
      stored.insert(field);
    return;
  }
  if (isa<ir::StopGradientOp>(op) || !hasTainted(op))
    return;
  // What leaves a region comes out of the operation, or goes round again.
  Operation *around =
      op->hasTrait<OpTrait::IsTerminator>() ? op->getParentOp() : op;
  for (Operation *each : {op, around}) {
    for (Value result : each->getResults())
      if (isFloat(result.getType()))
        add(result);
    if (isa<ir::TaskOp>(each))
      continue;
    for (Region &region : each->getRegions())
      for (Value argument : region.getArguments())
        if (isFloat(argument.getType()))
          add(argument);
  }
  if (auto set = dyn_cast<ir::SetOp>(op))
    if (tainted.contains(set.getValue()))
      add(set.getSlot());
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

namespace {
class FieldGraph {
public:
  explicit FieldGraph(ModuleOp module);
  void warn();

private:
  using Node = const void *;
  using Edges = llvm::DenseMap<Node, llvm::SetVector<Node>>;

  void visit(Operation *op);
  void visitOther(Operation *op);
  void visitCall(Operation *call, StringRef callee);
  void visitEntry(StringRef callee);
  void visitRuntime(ir::RtOp call);
  void joinAll(ArrayRef<Value> fields);
  void join(Value a, Node b) {
    if (isField(a))
      nodes.unionSets(nodeOf(a), b);
  }
  static Node nodeOf(Value field) { return field.getAsOpaquePointer(); }
  void addTask(ir::TaskOp task);
  bool reachesLoss(Node from, const Edges &edges) const;
  Node leaderOf(Node node) const { return nodes.getLeaderValue(node); }

  SymbolTable symbols;
  llvm::EquivalenceClasses<Node> nodes;
  llvm::DenseSet<Operation *> entries; ///< functions with an adjoint
  /// Between fields, then between leaders: of floats, and of anything.
  SmallVector<std::pair<Node, Node>> floats, others;
  SmallVector<Node> losses, watched;
  SmallVector<ir::RtOp> marked;
  bool asksKernels = false;
};
} // namespace

FieldGraph::FieldGraph(ModuleOp module) : symbols(module) {
  RecordedTasks recorded(module);
  module.walk([&](Operation *op) { visit(op); });
  for (auto task : module.getOps<ir::TaskOp>())
    if (recorded.contains(task))
      addTask(task);
}

void FieldGraph::joinAll(ArrayRef<Value> fields) {
  for (Value field : fields)
    nodes.unionSets(nodeOf(field), nodeOf(fields.front()));
}

void FieldGraph::visitCall(Operation *call, StringRef callee) {
  if (call->hasAttr(ir::kOneEntryAttr))
    visitEntry(callee);
  auto function = symbols.lookup<func::FuncOp>(callee);
  if (!function || function.isExternal())
    return;
  for (auto [operand, argument] :
       llvm::zip(call->getOperands(), function.getArguments()))
    join(operand, nodeOf(argument));
  for (Value result : call->getResults())
    join(result, function.getOperation());
}

/// What stands in a call with an adjoint is no task of the tape's: each field
/// that it touches may lead to each.
void FieldGraph::visitEntry(StringRef callee) {
  llvm::SetVector<Operation *> open;
  auto call = [&](StringRef name) {
    if (auto function = symbols.lookup<func::FuncOp>(name))
      open.insert(function);
  };
  call(callee);
  if (open.empty() || !entries.insert(open.front()).second)
    return;
  Node entry = open.front();
  auto touch = [&](Value field) {
    if (!isField(field))
      return;
    floats.push_back({nodeOf(field), entry});
    floats.push_back({entry, nodeOf(field)});
  };
  for (size_t k = 0; k < open.size(); ++k)
    open[k]->walk([&](Operation *op) {
      llvm::for_each(op->getOperands(), touch);
      llvm::for_each(op->getResults(), touch);
      if (auto inner = dyn_cast<func::CallOp>(op))
        call(inner.getCallee());
      if (auto inner = dyn_cast<ir::CallOp>(op))
        call(inner.getCallee());
    });
}

void FieldGraph::visitRuntime(ir::RtOp call) {
  StringRef name = call.getFunction();
  SmallVector<Value> fields;
  for (Value operand : call.getInputs()) {
    if (isField(operand))
      fields.push_back(operand);
    auto text = operand.getDefiningOp<ir::StrOp>();
    if (text && text.getValue().contains(";grad") && call->getNumResults())
      marked.push_back(call);
  }
  asksKernels |= name == "chirt_kernel_grad";
  if (name == "chirt_tape_begin")
    losses.push_back(nodeOf(fields.front()));
  if (name == "chirt_tape_watch")
    watched.push_back(nodeOf(fields.front()));
  llvm::append_range(fields,
                     llvm::make_filter_range(call.getOutputs(), isField));
  for (Value a : fields)
    for (Value b : fields)
      floats.push_back({nodeOf(a), nodeOf(b)});
}

/// Which names are one.
void FieldGraph::visit(Operation *op) {
  if (auto call = dyn_cast<ir::RtOp>(op))
    return visitRuntime(call);
  if (auto load = dyn_cast<ir::GlobalLoadOp>(op))
    return join(load.getResult(), symbols.lookup(load.getGlobal()));
  if (auto store = dyn_cast<ir::GlobalStoreOp>(op))
    return join(store.getValue(), symbols.lookup(store.getGlobal()));
  if (auto call = dyn_cast<func::CallOp>(op))
    return visitCall(op, call.getCallee());
  if (auto call = dyn_cast<ir::CallOp>(op))
    return visitCall(op, call.getCallee());
  if (auto launch = dyn_cast<ir::LaunchOp>(op)) {
    auto task = symbols.lookup<ir::TaskOp>(launch.getTask());
    for (auto [input, argument] :
         llvm::zip(launch.getInputs(), task.getCaptured()))
      join(input, nodeOf(argument));
    return;
  }
  if (!isa<ir::FieldAccessOpInterface, ir::CompanionOp, ir::TaskOp,
           func::FuncOp, ModuleOp>(op))
    visitOther(op);
}

/// What hands fields on: a choice, a loop, a branch, a local.
void FieldGraph::visitOther(Operation *op) {
  SmallVector<Value> fields;
  auto add = [&](ValueRange values) {
    llvm::append_range(fields, llvm::make_filter_range(values, isField));
  };
  add(op->getOperands()), add(op->getResults());
  for (Region &region : op->getRegions())
    for (Block &block : region)
      add(block.getArguments());
  for (Block *next : op->getSuccessors())
    add(next->getArguments());
  Operation *parent = op->getParentOp();
  // A local that holds one.
  for (Value operand : op->getOperands())
    if (!fields.empty() && isa<ir::LocalType>(operand.getType()))
      fields.push_back(operand);
  if (fields.empty() || !op->hasTrait<OpTrait::IsTerminator>())
    return joinAll(fields);
  if (auto function = dyn_cast<func::FuncOp>(parent)) {
    if (isa<func::ReturnOp>(op))
      for (Value field : fields)
        join(field, function.getOperation());
    return op->getNumSuccessors() ? joinAll(fields) : void();
  }
  add(parent->getResults());
  joinAll(fields);
}

void FieldGraph::addTask(ir::TaskOp task) {
  llvm::SetVector<Value> read, written;
  bool calls = false;
  task.getBody().walk([&](Operation *op) {
    calls |= isa<func::CallOp>(op) && llvm::any_of(op->getOperands(), isField);
    auto access = dyn_cast<ir::FieldAccessOpInterface>(op);
    if (!access)
      return;
    Value field = analysis::fieldBelowCasts(access.getField());
    if (op->getNumResults())
      read.insert(field);
    if (access.isWrite())
      written.insert(field);
  });
  if (calls) // what a function does with a field is not looked at
    for (Value argument : task.getCaptured())
      if (isField(argument))
        read.insert(argument), written.insert(argument);
  for (Value from : read) {
    auto argument = dyn_cast<BlockArgument>(from);
    std::optional<FloatFlow> flow;
    if (argument && !calls)
      flow.emplace(task, argument);
    for (Value to : written) {
      others.push_back({nodeOf(from), nodeOf(to)});
      auto target = dyn_cast<BlockArgument>(to);
      if (!flow || !target || flow->reaches(target))
        floats.push_back({nodeOf(from), nodeOf(to)});
    }
  }
}

bool FieldGraph::reachesLoss(Node from, const Edges &edges) const {
  llvm::SetVector<Node> open;
  open.insert(from);
  for (size_t k = 0; k < open.size(); ++k) {
    if (llvm::is_contained(losses, open[k]))
      return true;
    auto next = edges.find(open[k]);
    if (next != edges.end())
      open.insert_range(next->second);
  }
  return false;
}

/// The name of the variable that a field goes to.
static std::string nameOf(ir::RtOp made) {
  for (Operation *user : made->getResult(0).getUsers())
    if (auto store = dyn_cast<ir::GlobalStoreOp>(user))
      return ("`" + store.getGlobal() + "`").str();
  return "this field";
}

void FieldGraph::warn() {
  if (losses.empty() || asksKernels)
    return;
  auto toLeader = [&](Node &node) {
    nodes.insert(node);
    node = leaderOf(node);
  };
  for (SmallVector<Node> *list : {&losses, &watched})
    llvm::for_each(*list, toLeader);
  Edges ofFloats, ofAll;
  auto add = [&](std::pair<Node, Node> edge, Edges &edges) {
    toLeader(edge.first), toLeader(edge.second);
    edges[edge.first].insert(edge.second);
  };
  for (auto edge : floats)
    add(edge, ofFloats), add(edge, ofAll);
  for (auto edge : others)
    add(edge, ofAll);
  for (ir::RtOp made : marked) {
    Node node = nodeOf(made->getResult(0));
    toLeader(node);
    if (llvm::is_contained(watched, node) || reachesLoss(node, ofFloats))
      continue;
    if (reachesLoss(node, ofAll))
      emitWarning(made.getLoc(), "[W1013] ")
          << "the loss depends on " << nameOf(made)
          << " through integers and conditions only: its gradient is zero";
    else
      emitWarning(made.getLoc(), "[W1012] ")
          << "the gradient of " << nameOf(made)
          << " is zero: nothing that a tape records leads from it to the loss";
  }
}

namespace {
struct WarnGradientsPass : ad::impl::WarnGradientsPassBase<WarnGradientsPass> {
  void runOnOperation() override {
    auto begins = getOperation().walk([](ir::RtOp call) {
      return call.getFunction() == "chirt_tape_begin" ? WalkResult::interrupt()
                                                      : WalkResult::advance();
    });
    if (begins.wasInterrupted())
      FieldGraph(getOperation()).warn();
  }
};
} // namespace
