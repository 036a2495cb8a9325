//===- FieldGraph.cpp - Which fields depend on which ----------------------===//
#include "chi/AD/Activity/FieldGraph.h"

#include "chi/AD/Activity/FloatFlow.h"
#include "chi/Analysis/RecordedTasks.h"
#include "chi/Dialect/Chi/DiscardableAttrs.h"

using namespace mlir;
using namespace chi;
using namespace chi::ad::activity;

/// More instances than these are shared.
static constexpr size_t kMostInstances = 512;

static bool isField(Value value) { return isa<ir::FieldType>(value.getType()); }

FieldGraph::FieldGraph(ModuleOp module) : symbols(module) {
  analysis::RecordedTasks recorded(module);
  findCalled(module);
  visitAll(module);
  for (auto task : module.getOps<ir::TaskOp>())
    if (recorded.contains(task))
      addTask(task);
  for (unsigned entry : entries)
    linkEntry(entry);
  linkLeaders();
}

//===----------------------------------------------------------------------===//
// Instances
//===----------------------------------------------------------------------===//

void FieldGraph::findCalled(ModuleOp module) {
  module.walk([&](Operation *op) {
    StringRef callee;
    if (auto call = dyn_cast<func::CallOp>(op))
      callee = call.getCallee();
    else if (auto call = dyn_cast<ir::CallOp>(op))
      callee = call.getCallee();
    if (auto function = symbols.lookup<func::FuncOp>(callee))
      called.insert(function);
  });
}

/// Fields from outside may be marked.
void FieldGraph::addRoot(func::FuncOp function) {
  current = 0;
  current = instantiate(function);
  for (Value argument : function.getArguments())
    if (isField(argument))
      sources.push_back(nodeOf(argument));
}

void FieldGraph::visitAll(ModuleOp module) {
  instances.push_back({module, 0, {}});
  unsigned next = 1; // visited are all before it
  auto visitNew = [&] {
    for (; next < instances.size(); ++next) {
      current = next;
      instances[next].body->walk([&](Operation *op) { visit(op); });
    }
  };
  for (auto function : module.getOps<func::FuncOp>())
    if (!called.contains(function) && !function.isExternal())
      addRoot(function);
  visitNew();
  // Those that only call each other.
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal() && !instancesOf.contains(function)) {
      addRoot(function);
      visitNew();
    }
}

/// Is the visited instance one of `body`?
bool FieldGraph::isAround(Operation *body) const {
  for (unsigned each = current; each != 0; each = instances[each].caller)
    if (instances[each].body == body)
      return true;
  return false;
}

/// The callees and launched tasks of `current`.
unsigned FieldGraph::instantiate(Operation *body) {
  auto made = unsigned(instances.size());
  if (made >= kMostInstances || isAround(body)) {
    auto [known, isNew] = shared.try_emplace(body, made);
    if (!isNew) {
      instances[current].callees.push_back(known->second);
      return known->second;
    }
  }
  instances[current].callees.push_back(made);
  instances.push_back({body, current, {}});
  instancesOf[body].push_back(made);
  return made;
}

void FieldGraph::visitCall(Operation *call, StringRef callee) {
  auto function = symbols.lookup<func::FuncOp>(callee);
  if (!function || function.isExternal())
    return;
  unsigned inner = instantiate(function);
  if (call->hasAttr(ir::kOneEntryAttr))
    entries.insert(inner);
  for (auto [operand, argument] :
       llvm::zip(call->getOperands(), function.getArguments()))
    join(operand, {inner, argument.getAsOpaquePointer()});
  for (Value result : call->getResults())
    join(result, {inner, function.getOperation()});
}

void FieldGraph::visitLaunch(ir::LaunchOp launch) {
  auto task = symbols.lookup<ir::TaskOp>(launch.getTask());
  unsigned inner = instantiate(task);
  for (auto [input, argument] :
       llvm::zip(launch.getInputs(), task.getCaptured()))
    join(input, {inner, argument.getAsOpaquePointer()});
}

/// A call with an adjoint launches no task of the tape: each field that it
/// touches may lead to each other one.
void FieldGraph::linkEntry(unsigned entry) {
  const Node all(entry, instances[entry].body);
  auto touch = [&](Value field) {
    if (!isField(field))
      return;
    floats.push_back({nodeOf(field), all});
    floats.push_back({all, nodeOf(field)});
  };
  llvm::SetVector<unsigned> open;
  open.insert(entry);
  for (size_t k = 0; k < open.size(); ++k) {
    current = open[k];
    open.insert_range(instances[current].callees);
    instances[current].body->walk([&](Operation *op) {
      llvm::for_each(op->getOperands(), touch);
      llvm::for_each(op->getResults(), touch);
    });
  }
}

//===----------------------------------------------------------------------===//
// Which names are one
//===----------------------------------------------------------------------===//

void FieldGraph::join(Value a, Node b) {
  if (isField(a))
    nodes.unionSets(nodeOf(a), b);
}

void FieldGraph::joinAll(ArrayRef<Value> fields) {
  for (Value field : fields)
    nodes.unionSets(nodeOf(field), nodeOf(fields.front()));
}

/// A field in a list or object: those of one member of a class are one node,
/// and so are those in all lists and dicts. False if the call is another one.
bool FieldGraph::visitWord(ir::RtOp call) {
  Value field;
  if (call.getFunction() == "chirt_word_of_field")
    field = call.getInputs().front();
  else if (call.getFunction() == "chirt_field_of_word")
    field = call.getOutputs().front();
  else
    return false;
  Attribute member = call->getAttr(ir::kMemberAttr);
  join(field, {0, member ? member.getAsOpaquePointer() : nullptr});
  return true;
}

void FieldGraph::visitRuntime(ir::RtOp call) {
  if (visitWord(call))
    return;
  StringRef name = call.getFunction();
  SmallVector<Value> fields;
  bool isMarked = false;
  for (Value operand : call.getInputs()) {
    if (isField(operand))
      fields.push_back(operand);
    auto text = operand.getDefiningOp<ir::StrOp>();
    isMarked |= text && text.getValue().contains(";grad");
  }
  if (isMarked && call->getNumResults()) {
    marked.insert(call);
    markedNodes[call].push_back(nodeOf(call->getResult(0)));
  }
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
    for (Value b : fields) {
      floats.push_back({nodeOf(a), nodeOf(b)});
      if (a != b)
        copied.push_back(floats.back());
    }
}

void FieldGraph::visit(Operation *op) {
  if (auto call = dyn_cast<ir::RtOp>(op))
    return visitRuntime(call);
  if (auto load = dyn_cast<ir::GlobalLoadOp>(op))
    return join(load.getResult(), globalOf(load.getGlobal()));
  if (auto store = dyn_cast<ir::GlobalStoreOp>(op))
    return join(store.getValue(), globalOf(store.getGlobal()));
  if (auto call = dyn_cast<func::CallOp>(op))
    return visitCall(op, call.getCallee());
  if (auto call = dyn_cast<ir::CallOp>(op))
    return visitCall(op, call.getCallee());
  if (auto launch = dyn_cast<ir::LaunchOp>(op))
    return visitLaunch(launch);
  // The value of a gradient may come from a tape inside of the current one; it
  // then depends on the inputs of that tape.
  if (auto companion = dyn_cast<ir::CompanionOp>(op))
    return sources.push_back(nodeOf(companion.getResult()));
  if (!isa<ir::FieldAccessOpInterface, ir::TaskOp, func::FuncOp>(op))
    visitOther(op);
}

/// Operations that pass fields on: a select, a loop, a branch, a local.
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
        join(field, nodeOf(function.getOperation()));
    return op->getNumSuccessors() ? joinAll(fields) : void();
  }
  add(parent->getResults());
  joinAll(fields);
}

void FieldGraph::addTask(ir::TaskOp task) {
  auto launches = instancesOf.find(task);
  if (launches == instancesOf.end())
    return;
  SmallVector<FieldFlow> flows = findFlows(task);
  for (unsigned launch : launches->second) {
    current = launch;
    for (const FieldFlow &flow : flows)
      (flow.byFloats ? floats : others)
          .push_back({nodeOf(flow.from), nodeOf(flow.to)});
  }
}

//===----------------------------------------------------------------------===//
// Queries
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

SmallVector<std::pair<FieldGraph::Node, FieldGraph::Node>>
FieldGraph::copies() {
  return llvm::map_to_vector(copied, [&](const auto &edge) {
    return std::pair(leaderOf(edge.first), leaderOf(edge.second));
  });
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

bool FieldGraph::leads(ir::RtOp made, const Edges &edges) {
  SmallVector<Node> from;
  for (Node node : markedNodes.lookup(made))
    from.push_back(leaderOf(node));
  Nodes reached = reachedFrom(from, edges);
  return llvm::any_of(losses,
                      [&](Node loss) { return reached.contains(loss); });
}

bool FieldGraph::isWatched(ir::RtOp made) {
  return llvm::any_of(markedNodes.lookup(made), [&](Node node) {
    return llvm::is_contained(watched, leaderOf(node));
  });
}

ArrayRef<unsigned> FieldGraph::launchesOf(ir::TaskOp task) const {
  auto found = instancesOf.find(task);
  return found == instancesOf.end() ? ArrayRef<unsigned>() : found->second;
}

FieldGraph::Node FieldGraph::nodeAt(unsigned launch, ir::TaskOp task,
                                    unsigned captured) {
  current = launch;
  return leaderOf(nodeOf(task.getCaptured()[captured]));
}

SmallVector<BitVector> FieldGraph::findPassive(ir::TaskOp task) {
  SmallVector<BitVector> sets;
  for (unsigned launch : instancesOf.lookup(task)) {
    current = launch;
    BitVector passive(task.getNumCaptured());
    for (auto [number, field] : llvm::enumerate(task.getCaptured()))
      if (isField(field) && !hasKernelGrads &&
          !varied.contains(leaderOf(nodeOf(field))))
        passive.set(number);
    if (!llvm::is_contained(sets, passive))
      sets.push_back(passive);
  }
  return sets;
}
