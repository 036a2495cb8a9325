//===- DeadValues.cpp - Erase what nothing reads --------------------------===//
// Mark and sweep over structured control (as in Cytron et al., "Efficiently
// computing static single assignment form", TOPLAS 1991, section 7.1): an op
// with an effect is live, and so are the operands of a live op. A loop-carried
// value is live if an op other than its own update reads it.
//===----------------------------------------------------------------------===//

#include "chi/Dialect/Chi/ChiDialect.h"
#include "chi/Transforms/Outline/Promote.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace chi::ir;

namespace {
class DeadValues {
public:
  explicit DeadValues(Operation *function) : function(function) {}
  void run();

private:
  bool isRoot(Operation *op);
  void markOp(Operation *op);
  void markValue(Value value);
  void spread(Value value);
  void spreadResult(OpResult result);
  void spreadArgument(BlockArgument argument);
  void sweep(Block &block);
  void narrow(Operation *op);

  Operation *function;
  DenseSet<Operation *> liveOps;
  DenseSet<Value> liveValues;
  SmallVector<Value> worklist;
};
} // namespace

static bool isYield(Operation *op) {
  return isa<scf::YieldOp, scf::ConditionOp>(op);
}

bool DeadValues::isRoot(Operation *op) {
  if (isYield(op))
    return false; // lives by operands
  if (isa<scf::IfOp, scf::ForOp>(op))
    return false; // live by what is inside, or a result
  return op->hasTrait<OpTrait::IsTerminator>() || op->getNumRegions() != 0 ||
         !wouldOpBeTriviallyDead(op);
}

/// Marks an op, the ops that decide whether it is executed, and the operands
/// that it always reads.
void DeadValues::markOp(Operation *op) {
  if (op == function || !liveOps.insert(op).second)
    return;
  if (Operation *parent = op->getParentOp())
    markOp(parent);
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    markValue(loop.getLowerBound());
    markValue(loop.getUpperBound());
    markValue(loop.getStep());
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    markValue(loop.getConditionOp().getCondition());
  } else {
    for (Value operand : op->getOperands())
      markValue(operand);
  }
}

void DeadValues::markValue(Value value) {
  if (liveValues.insert(value).second)
    worklist.push_back(value);
}

void DeadValues::spread(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return spreadArgument(argument);
  auto result = cast<OpResult>(value);
  markOp(result.getOwner());
  spreadResult(result);
}

void DeadValues::spreadResult(OpResult result) {
  Operation *op = result.getOwner();
  unsigned number = result.getResultNumber();
  if (isa<scf::IfOp>(op)) {
    for (Region &region : op->getRegions())
      markValue(region.front().getTerminator()->getOperand(number));
  } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
    markValue(loop.getRegionIterArg(number));
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    markValue(loop.getConditionOp().getArgs()[number]);
  }
}

void DeadValues::spreadArgument(BlockArgument argument) {
  Operation *op = argument.getOwner()->getParentOp();
  if (op == function)
    return;
  markOp(op);
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    if (argument.getArgNumber() == 0)
      return;
    unsigned number = argument.getArgNumber() - 1;
    markValue(loop.getInitArgs()[number]);
    markValue(loop.getBody()->getTerminator()->getOperand(number));
    markValue(loop.getResult(number));
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    unsigned number = argument.getArgNumber();
    if (argument.getOwner() == loop.getAfterBody()) {
      markValue(loop.getConditionOp().getArgs()[number]);
      return;
    }
    markValue(loop.getInits()[number]);
    markValue(loop.getYieldOp().getOperand(number));
  }
}

void DeadValues::run() {
  function->walk([&](Operation *op) {
    if (op != function && isRoot(op))
      markOp(op);
  });
  while (!worklist.empty())
    spread(worklist.pop_back_val());
  for (Block &block : function->getRegion(0))
    sweep(block);
}

void DeadValues::sweep(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
    if (isYield(&op))
      continue; // narrowed with its loop or if
    if (!liveOps.contains(&op)) {
      op.dropAllUses();
      op.erase();
      continue;
    }
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        sweep(inner);
    narrow(&op);
  }
}

/// Erases the operands from `first` on whose bit in `keep` is not set.
static void narrowOperands(Operation *op, unsigned first,
                           const llvm::BitVector &keep) {
  for (unsigned number = keep.size(); number-- > 0;)
    if (!keep[number])
      op->eraseOperand(first + number);
}

static void narrowArguments(Block &block, unsigned first,
                            const llvm::BitVector &keep) {
  for (unsigned number = keep.size(); number-- > 0;)
    if (!keep[number]) {
      block.getArgument(first + number).dropAllUses();
      block.eraseArgument(first + number);
    }
}

static SmallVector<Type> kept(TypeRange types, const llvm::BitVector &keep) {
  SmallVector<Type> result;
  for (unsigned number : keep.set_bits())
    result.push_back(types[number]);
  return result;
}

static void replaceByNarrower(Operation *op, Operation *made,
                              const llvm::BitVector &keep) {
  made->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  for (auto [position, number] : llvm::enumerate(keep.set_bits()))
    op->getResult(number).replaceAllUsesWith(made->getResult(position));
  op->dropAllUses();
  op->erase();
}

/// Drops the dead results of `op` and the values carried for them.
void DeadValues::narrow(Operation *op) {
  if (!isa<scf::IfOp, scf::ForOp, scf::WhileOp>(op))
    return;
  auto alive = [&](ValueRange values) {
    llvm::BitVector bits(values.size());
    for (auto [number, value] : llvm::enumerate(values))
      bits[number] = liveValues.contains(value);
    return bits;
  };
  llvm::BitVector keep = alive(op->getResults());
  OpBuilder builder(op);
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    if (keep.all())
      return;
    auto made = scf::IfOp::create(builder, op->getLoc(),
                                  kept(op->getResultTypes(), keep),
                                  branch.getCondition(), false, false);
    for (auto [from, to] : llvm::zip(op->getRegions(), made->getRegions())) {
      if (from.empty())
        continue;
      narrowOperands(from.front().getTerminator(), 0, keep);
      to.takeBody(from);
    }
    replaceByNarrower(op, made, keep);
  } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
    // Argument and result are alive together or not at all.
    keep |= alive(loop.getRegionIterArgs());
    if (keep.all())
      return;
    narrowOperands(loop.getBody()->getTerminator(), 0, keep);
    narrowArguments(*loop.getBody(), 1, keep);
    SmallVector<Value> inits;
    for (unsigned number : keep.set_bits())
      inits.push_back(loop.getInitArgs()[number]);
    auto made = scf::ForOp::create(builder, op->getLoc(), loop.getLowerBound(),
                                   loop.getUpperBound(), loop.getStep(), inits,
                                   nullptr, loop.getUnsignedCmp());
    made.getRegion().takeBody(loop.getRegion());
    replaceByNarrower(op, made, keep);
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    keep |= alive(loop.getAfterArguments());
    llvm::BitVector enter = alive(loop.getBeforeArguments());
    if (keep.all() && enter.all())
      return;
    narrowOperands(loop.getConditionOp(), 1, keep);
    narrowArguments(*loop.getAfterBody(), 0, keep);
    narrowOperands(loop.getYieldOp(), 0, enter);
    narrowArguments(*loop.getBeforeBody(), 0, enter);
    SmallVector<Value> inits;
    for (unsigned number : enter.set_bits())
      inits.push_back(loop.getInits()[number]);
    auto made = scf::WhileOp::create(builder, op->getLoc(),
                                     kept(op->getResultTypes(), keep), inits);
    made.getBefore().takeBody(loop.getBefore());
    made.getAfter().takeBody(loop.getAfter());
    replaceByNarrower(op, made, keep);
  }
}

void chi::outline::eraseDeadValues(Operation *function) {
  DeadValues(function).run();
}
