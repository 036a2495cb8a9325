//===- FieldGraph.cpp - Which fields hang on which ------------------------===//
#include "chi/AD/FieldGraph.h"

#include "chi/AD/Activity.h"
#include "chi/Analysis/Ranges.h"
#include "chi/Analysis/RecordedTasks.h"
#include "chi/Dialect/Chi/CustomAdjoint.h"

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

FieldGraph::FieldGraph(ModuleOp module) : symbols(module) {
  RecordedTasks recorded(module);
  module.walk([&](Operation *op) { visit(op); });
  for (auto task : module.getOps<ir::TaskOp>())
    if (recorded.contains(task))
      addTask(task);
  for (auto function : module.getOps<func::FuncOp>())
    addUnknownArguments(function);
  linkLeaders();
}

void FieldGraph::join(Value a, Node b) {
  if (isField(a))
    nodes.unionSets(nodeOf(a), b);
}

/// What comes from outside may be marked.
void FieldGraph::addUnknownArguments(func::FuncOp function) {
  if (called.contains(function.getSymName()))
    return;
  for (Value argument : function.getArguments())
    if (isField(argument))
      sources.push_back(nodeOf(argument));
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
  called.insert(function.getSymName());
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
  bool isMarked = !marked.empty() && marked.back() == call;
  if (isMarked || name != "chirt_field_new")
    for (Value output : llvm::make_filter_range(call.getOutputs(), isField))
      sources.push_back(nodeOf(output));
  hasKernelGrads |= name == "chirt_kernel_grad";
  if (name == "chirt_tape_begin")
    losses.push_back(nodeOf(fields.front()));
  if (name == "chirt_tape_watch")
    watched.push_back(nodeOf(fields.front())),
        sources.push_back(watched.back());
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
  // What a gradient holds may come of a tape inside of the one that hears of it
  // here, and then hangs on what that one starts from.
  if (auto companion = dyn_cast<ir::CompanionOp>(op))
    return sources.push_back(nodeOf(companion.getResult()));
  if (!isa<ir::FieldAccessOpInterface, ir::TaskOp, func::FuncOp, ModuleOp>(op))
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

//===----------------------------------------------------------------------===//
// What is asked
//===----------------------------------------------------------------------===//

FieldGraph::Node FieldGraph::leaderOf(Node node) {
  nodes.insert(node);
  return nodes.getLeaderValue(node);
}

void FieldGraph::linkLeaders() {
  for (SmallVector<Node> *list : {&losses, &watched, &sources})
    for (Node &node : *list)
      node = leaderOf(node);
  auto add = [&](std::pair<Node, Node> edge, Edges &edges) {
    edges[leaderOf(edge.first)].insert(leaderOf(edge.second));
  };
  for (auto edge : floats)
    add(edge, ofFloats), add(edge, ofAll);
  for (auto edge : others)
    add(edge, ofAll);
  varied = reachedFrom(sources, ofFloats);
}

FieldGraph::Nodes FieldGraph::reachedFrom(ArrayRef<Node> from,
                                          const Edges &edges) const {
  Nodes open(from.begin(), from.end());
  for (size_t k = 0; k < open.size(); ++k) {
    auto next = edges.find(open[k]);
    if (next != edges.end())
      open.insert_range(next->second);
  }
  return open;
}

bool FieldGraph::leads(Value field, const Edges &edges) {
  Nodes reached = reachedFrom(leaderOf(nodeOf(field)), edges);
  return llvm::any_of(losses,
                      [&](Node loss) { return reached.contains(loss); });
}

bool FieldGraph::leadsToLossByFloats(Value field) {
  return leads(field, ofFloats);
}

bool FieldGraph::leadsToLoss(Value field) { return leads(field, ofAll); }

bool FieldGraph::isWatched(Value field) {
  return llvm::is_contained(watched, leaderOf(nodeOf(field)));
}

BitVector FieldGraph::findPassive(ir::TaskOp task) {
  BitVector passive(task.getNumCaptured());
  if (!hasKernelGrads)
    for (auto [number, field] : llvm::enumerate(task.getCaptured()))
      if (isField(field) && !varied.contains(leaderOf(nodeOf(field))))
        passive.set(number);
  return passive;
}
