//===- States.cpp - Cutting recursive functions into states ---------------===//
#include "chi/Transforms/Outline/States.h"

using namespace mlir;
using namespace chi::outline;

unsigned States::add() {
  states.emplace_back();
  states.back().function = function;
  return states.size() - 1;
}

bool States::isCut(Operation *op) const { return cutOps.contains(op); }

std::optional<unsigned> States::stateOf(Operation *op) const {
  for (; op; op = op->getParentOp())
    if (auto found = stateOfOp.find(op); found != stateOfOp.end())
      return found->second;
  return std::nullopt;
}

std::optional<unsigned> States::readerOf(Operation *op) const {
  auto found = enders.find(op);
  return found == enders.end() ? stateOf(op) : std::optional(found->second);
}

/// The values of `to` take those of `from`.
static void addMoves(Step &step, ValueRange to, ValueRange from) {
  for (auto [target, source] : llvm::zip_equal(to, from))
    step.moves.push_back({target, source});
}

/// Cuts a block that begins in the state `first`; `finish` ends the last state
/// as the terminator says.
void States::cutBlock(Block &block, unsigned first, Finish finish) {
  unsigned state = first;
  for (Operation &op : block.without_terminator()) {
    if (isCut(&op)) {
      state = cut(&op, state);
      continue;
    }
    states[state].ops.push_back(&op);
    stateOfOp[&op] = state;
  }
  enders[block.getTerminator()] = state;
  finish(state, block.getTerminator());
}

/// Ends a state where a cut operation begins; the state behind it.
unsigned States::cut(Operation *op, unsigned state) {
  if (!isa<scf::ForOp>(op)) // its bounds are read by other states, too
    enders[op] = state;
  if (auto call = dyn_cast<func::CallOp>(op))
    return cutCall(call, state);
  if (auto choice = dyn_cast<scf::IfOp>(op))
    return cutIf(choice, state);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return cutFor(loop, state);
  return cutWhile(cast<scf::WhileOp>(op), state);
}

unsigned States::cutCall(func::CallOp op, unsigned state) {
  unsigned after = add();
  states[state].end = State::Call;
  states[state].last = op;
  states[state].steps[0].target = after;
  states[after].resumed = op;
  return after;
}

unsigned States::cutIf(scf::IfOp op, unsigned state) {
  states[state].end = State::Choose;
  states[state].condition = op.getCondition();
  unsigned after = 0;
  SmallVector<unsigned> ends;
  SmallVector<Operation *> yields;
  auto branch = [&](Region &region, unsigned number) {
    if (region.empty())
      return;
    unsigned first = add();
    states[state].steps[number].target = first;
    cutBlock(region.front(), first, [&](unsigned end, Operation *yield) {
      ends.push_back(end);
      yields.push_back(yield);
    });
  };
  branch(op.getThenRegion(), 0);
  branch(op.getElseRegion(), 1);
  after = add();
  if (op.getElseRegion().empty())
    states[state].steps[1].target = after;
  for (auto [end, yield] : llvm::zip(ends, yields)) {
    states[end].steps[0].target = after;
    addMoves(states[end].steps[0], op.getResults(), yield->getOperands());
  }
  return after;
}

unsigned States::cutFor(scf::ForOp op, unsigned state) {
  unsigned head = add(), body = add();
  Step &begin = states[state].steps[0];
  begin.target = head;
  begin.moves.push_back({op.getInductionVar(), op.getLowerBound()});
  addMoves(begin, op.getRegionIterArgs(), op.getInitArgs());
  cutBlock(*op.getBody(), body, [&](unsigned end, Operation *yield) {
    states[end].end = State::ForNext;
    states[end].last = op;
    states[end].steps[0].target = head;
    addMoves(states[end].steps[0], op.getRegionIterArgs(),
             yield->getOperands());
  });
  unsigned after = add();
  states[head].end = State::ForHead;
  states[head].last = op;
  states[head].steps[0].target = body;
  states[head].steps[1].target = after;
  addMoves(states[head].steps[1], op.getResults(), op.getRegionIterArgs());
  return after;
}

unsigned States::cutWhile(scf::WhileOp op, unsigned state) {
  unsigned head = add();
  states[state].steps[0].target = head;
  addMoves(states[state].steps[0], op.getBeforeArguments(), op.getInits());
  unsigned body = 0, end = 0;
  scf::ConditionOp condition;
  cutBlock(*op.getBeforeBody(), head, [&](unsigned last, Operation *exit) {
    end = last;
    condition = cast<scf::ConditionOp>(exit);
  });
  body = add();
  states[end].end = State::Choose;
  states[end].condition = condition.getCondition();
  states[end].steps[0].target = body;
  addMoves(states[end].steps[0], op.getAfterArguments(), condition.getArgs());
  cutBlock(*op.getAfterBody(), body, [&](unsigned last, Operation *yield) {
    states[last].steps[0].target = head;
    addMoves(states[last].steps[0], op.getBeforeArguments(),
             yield->getOperands());
  });
  unsigned after = add();
  states[end].steps[1].target = after;
  addMoves(states[end].steps[1], op.getResults(), condition.getArgs());
  return after;
}

bool States::build(const Cycle &functions) {
  cycle = functions;
  for (Operation *each : cycle) {
    bool isGood = true;
    each->walk([&](func::CallOp call) {
      auto *callee =
          SymbolTable::lookupNearestSymbolFrom(each, call.getCalleeAttr());
      if (!cycle.contains(callee))
        return;
      for (Operation *op = call; op != each; op = op->getParentOp()) {
        isGood &= isa<func::CallOp, scf::IfOp, scf::ForOp, scf::WhileOp>(op);
        cutOps.insert(op);
      }
    });
    function = cast<func::FuncOp>(each);
    if (!isGood || !function.getBody().hasOneBlock())
      return false;
    unsigned entry = add();
    entries[each] = entry;
    cutBlock(function.getBody().front(), entry,
             [&](unsigned end, Operation *exit) {
               states[end].end = State::Return;
               states[end].last = exit;
             });
  }
  return true;
}
