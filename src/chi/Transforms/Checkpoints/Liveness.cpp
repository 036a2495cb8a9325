//===- Liveness.cpp - What is alive at the heads of loops -----------------===//
#include "chi/Transforms/Checkpoints/Liveness.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace chi;
using namespace chi::checkpoints;

/// Whether a value is read in order to be released only.
static bool isReleasedOnly(Value value) {
  return llvm::all_of(value.getUsers(), [](Operation *user) {
    auto call = dyn_cast<ir::RtOp>(user);
    return call && ir::isRelease(call.getFunction());
  });
}

Liveness::Liveness(ModuleOp module) : module(module), symbols(module) {}

void Liveness::collect(func::FuncOp function) {
  variables.clear();
  numbers.clear();
  // Globals have the same numbers in all functions.
  for (auto global : module.getOps<ir::GlobalOp>())
    if (!global.getParam())
      variables.push_back(global);
  for (auto slot : function.getBody().front().getOps<ir::LocalOp>())
    variables.push_back(slot);
  for (auto [number, variable] : llvm::enumerate(variables)) {
    numbers[variable] = unsigned(number);
    live.try_emplace(variable, 0);
  }
}

void Liveness::add(func::FuncOp function, const Heads &given) {
  heads = &given;
  collect(function);
  if (heads->size() > kMostLoops) {
    for (Operation *variable : variables)
      live[variable] = ~LoopSet(0);
    return;
  }
  Variables none(unsigned(variables.size()));
  before(function.getBody().front(), {none, none, none});
}

//===----------------------------------------------------------------------===//
// What functions read
//===----------------------------------------------------------------------===//

/// The globals that a function reads, or any function that it calls.
const Liveness::Variables &Liveness::readBy(StringAttr symbol) {
  auto [known, isNew] = reads.try_emplace(symbol);
  Variables &read = known->second;
  if (!isNew)
    return read;
  llvm::SmallSetVector<StringAttr, 8> callees;
  callees.insert(symbol);
  for (size_t k = 0; k < callees.size(); ++k) {
    Operation *callee = symbols.lookup(callees[k]);
    if (!callee || isa<ir::GlobalOp>(callee))
      continue;
    callee->walk([&](Operation *op) {
      auto load = dyn_cast<ir::GlobalLoadOp>(op);
      auto number =
          numbers.find(load ? globalOf(load.getGlobalAttr()) : nullptr);
      if (number != numbers.end() && !isReleasedOnly(load.getResult())) {
        read.resize(std::max<size_t>(read.size(), number->second + 1));
        read.set(number->second);
      }
      op->getAttrDictionary().walk(
          [&](SymbolRefAttr used) { callees.insert(used.getRootReference()); });
    });
  }
  return read;
}

/// Adds what an operation may read by the symbols that it names.
void Liveness::readSymbols(Operation *op, Variables &set) {
  op->getAttrDictionary().walk([&](SymbolRefAttr used) {
    touch(globalOf(used), true, set);
    Variables read = readBy(used.getRootReference());
    read.resize(set.size());
    set |= read;
  });
}

/// Null if it is no global's.
Operation *Liveness::globalOf(SymbolRefAttr symbol) const {
  return symbols.lookup<ir::GlobalOp>(symbol.getRootReference());
}

//===----------------------------------------------------------------------===//
// Operations, from the last to the first
//===----------------------------------------------------------------------===//

/// A variable is read, or written as a whole.
void Liveness::touch(Operation *variable, bool isRead, Variables &set) const {
  auto number = numbers.find(variable);
  if (number == numbers.end())
    return;
  set[number->second] = isRead;
}

void Liveness::note(Operation *loop, const Variables &set) {
  int32_t head = heads->numbersOf(loop).first;
  if (head > 0)
    for (unsigned number : set.set_bits())
      live[variables[number]] |= LoopSet(1) << head;
}

Liveness::Variables Liveness::before(Block &block, const Exits &exits) {
  Variables set(unsigned(variables.size()));
  for (Operation &op : llvm::reverse(block))
    beforeOp(&op, exits, set);
  return set;
}

void Liveness::beforeOp(Operation *op, const Exits &exits, Variables &set) {
  if (isa<ir::NextOp, ir::ConditionOp>(op)) {
    set = exits.next;
  } else if (isa<ir::BreakOp>(op)) {
    set = exits.broken;
  } else if (isa<ir::ContinueOp>(op)) {
    set = exits.continued;
  } else if (isa<ir::ReturnOp>(op)) {
    set.reset();
  } else if (auto branch = dyn_cast<ir::IfOp>(op)) {
    beforeIf(branch, exits, set);
  } else if (auto loop = dyn_cast<ir::ForOp>(op)) {
    beforeFor(loop, set);
  } else if (auto loop = dyn_cast<ir::WhileOp>(op)) {
    beforeWhile(loop, set);
  } else if (auto assign = dyn_cast<ir::SetOp>(op);
             assign && assign.getIndices().empty()) {
    touch(assign.getSlot().getDefiningOp(), false, set);
  } else if (auto get = dyn_cast<ir::GetOp>(op)) {
    if (!isReleasedOnly(get.getResult()))
      touch(get.getSlot().getDefiningOp(), true, set);
  } else if (auto load = dyn_cast<ir::GlobalLoadOp>(op)) {
    if (!isReleasedOnly(load.getResult()))
      touch(globalOf(load.getGlobalAttr()), true, set);
  } else if (auto store = dyn_cast<ir::GlobalStoreOp>(op)) {
    touch(globalOf(store.getGlobalAttr()), false, set);
  } else {
    op->walk([&](Operation *inner) {
      readSymbols(inner, set);
      for (Value value : inner->getOperands())
        touch(value.getDefiningOp(), true, set);
    });
  }
}

void Liveness::beforeIf(ir::IfOp op, const Exits &exits, Variables &set) {
  Exits inside = {set, exits.broken, exits.continued};
  if (!op.getElseRegion().empty())
    set = before(op.getElseRegion().front(), inside);
  set |= before(op.getThenRegion().front(), inside);
}

/// At the head stands the next iteration, or what follows the loop.
void Liveness::beforeFor(ir::ForOp loop, Variables &set) {
  Variables head = set;
  for (bool isNew = true; isNew;) {
    Variables last = head;
    head |= before(loop.getBody().front(), {head, set, head});
    isNew = head != last;
  }
  note(loop, head);
  set = head;
}

void Liveness::beforeWhile(ir::WhileOp loop, Variables &set) {
  Variables head(unsigned(variables.size()));
  for (bool isNew = true; isNew;) {
    Variables onward = set;
    onward |= before(loop.getBody().front(), {head, set, head});
    Variables next = before(loop.getBefore().front(), {onward, set, set});
    next |= head;
    isNew = next != head;
    head = next;
  }
  note(loop, head);
  set = head;
}
