//===- LoopOrder.cpp - Loops that need not go backwards -------------------===//
#include "chi/AD/LoopOrder.h"

#include "chi/Analysis/Ranges.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace chi;
using namespace chi::ad;

/// Does an iteration compute, load, and add to what it does not load, and
/// nothing else?
static bool onlyAdds(scf::ForOp loop) {
  DenseSet<Value> loaded, added;
  bool isFree =
      !loop.getBody()
           ->walk([&](Operation *op) {
             auto load = dyn_cast<ir::LoadOp>(op);
             auto accum = dyn_cast<ir::AccumOp>(op);
             if (load)
               loaded.insert(analysis::fieldBelowCasts(load.getField()));
             if (accum)
               added.insert(analysis::fieldBelowCasts(accum.getField()));
             bool isAddition = accum && accum.getKind() == ir::AccumKind::add;
             return load || isAddition || isa<scf::IfOp, scf::ForOp>(op) ||
                            isMemoryEffectFree(op)
                        ? WalkResult::advance()
                        : WalkResult::interrupt();
           })
           .wasInterrupted();
  return isFree && llvm::none_of(added, [&](Value field) {
           return loaded.contains(field);
         });
}

/// Is all that it carries a sum?
static bool carriesSums(scf::ForOp loop) {
  for (auto [argument, yielded] :
       llvm::zip(loop.getRegionIterArgs(), loop.getYieldedValues())) {
    auto sum = yielded.getDefiningOp<arith::AddFOp>();
    bool isSum = sum && argument.hasOneUse() && yielded.hasOneUse() &&
                 *argument.user_begin() == sum &&
                 sum->getBlock() == loop.getBody() &&
                 sum.getLhs() != sum.getRhs();
    if (!isSum)
      return false;
  }
  return true;
}

/// Is `value` what the variable of the loop, which starts at 0, is last of all?
static bool isLastOf(scf::ForOp loop, Value value) {
  Value to = loop.getUpperBound();
  APInt end, last;
  if (matchPattern(to, m_ConstantInt(&end)))
    return matchPattern(value, m_ConstantInt(&last)) && last + 1 == end;
  auto isSumOf = [](Value sum, Value of, int64_t number) {
    auto add = sum.getDefiningOp<arith::AddIOp>();
    auto sub = sum.getDefiningOp<arith::SubIOp>();
    APInt constant;
    if (add && add.getLhs() == of)
      return matchPattern(add.getRhs(), m_ConstantInt(&constant)) &&
             constant.getSExtValue() == number;
    return sub && sub.getLhs() == of &&
           matchPattern(sub.getRhs(), m_ConstantInt(&constant)) &&
           constant.getSExtValue() == -number;
  };
  return isSumOf(to, value, 1) || isSumOf(value, to, -1);
}

/// The variable counted from the end, which stands in the place of all uses of
/// the variable itself; null if there is another one.
static Value backwardsOf(scf::ForOp loop) {
  Value variable = loop.getInductionVar(), last;
  for (Operation *user : variable.getUsers()) {
    auto sub = dyn_cast<arith::SubIOp>(user);
    if (!sub || sub.getRhs() != variable || sub.getLhs() == variable)
      return {};
    if (isLastOf(loop, sub.getLhs()))
      last = sub.getLhs();
  }
  return last;
}

static void turn(scf::ForOp loop) {
  if (!matchPattern(loop.getLowerBound(), m_Zero()) ||
      !matchPattern(loop.getStep(), m_One()) || !onlyAdds(loop) ||
      !carriesSums(loop))
    return;
  Value last = backwardsOf(loop), variable = loop.getInductionVar();
  if (!last || !loop.isDefinedOutsideOfLoop(last))
    return; // it is not there for all users
  // `last - variable` is the variable now, and x - variable is x - (last -
  // variable).
  for (Operation *user : llvm::make_early_inc_range(variable.getUsers())) {
    auto sub = cast<arith::SubIOp>(user);
    if (sub.getLhs() == last || isLastOf(loop, sub.getLhs())) {
      sub.getResult().replaceAllUsesWith(variable);
      sub.erase();
      continue;
    }
    OpBuilder b(sub);
    sub.setOperand(1, arith::SubIOp::create(b, sub.getLoc(), last, variable));
  }
}

void chi::ad::turnFreeLoops(ir::TaskOp task) {
  SmallVector<scf::ForOp> loops;
  task.getBody().walk([&](scf::ForOp loop) { loops.push_back(loop); });
  for (scf::ForOp loop : loops)
    turn(loop);
}
