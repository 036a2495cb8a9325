//===- LoopOrder.cpp - Loops that need not go backwards -------------------===//
#include "chi/AD/Reverse/LoopOrder.h"

#include "chi/Analysis/Ranges.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace chi;
using namespace chi::ad::reverse;

/// Does an iteration only compute, load, and add to fields that it does not
/// load?
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

namespace {
/// An integer as a sum, as arithmetic that wraps has it.
struct WrappedSum {
  llvm::SmallMapVector<Value, uint64_t, 4> terms;
  uint64_t constant = 0;

  void add(Value value, uint64_t factor, unsigned depth = 0);
  bool isZero(unsigned width) const;
};
} // namespace

void WrappedSum::add(Value value, uint64_t factor, unsigned depth) {
  constexpr unsigned kMaxDepth = 8;
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number))) {
    constant += factor * uint64_t(number.getSExtValue());
    return;
  }
  Operation *op = value.getDefiningOp();
  if (depth == kMaxDepth ||
      !isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op)) {
    terms[value] += factor;
    return;
  }
  add(op->getOperand(0), factor, depth + 1);
  add(op->getOperand(1), isa<arith::SubIOp>(op) ? -factor : factor, depth + 1);
}

bool WrappedSum::isZero(unsigned width) const {
  auto isNothing = [&](uint64_t number) {
    return APInt(64, number).trunc(width).isZero();
  };
  return isNothing(constant) && llvm::all_of(terms, [&](const auto &term) {
           return isNothing(term.second);
         });
}

/// Is `value` the sum of the first and the last value of the loop's variable?
static bool isSumOfEnds(scf::ForOp loop, Value value) {
  if (!value.getType().isInteger())
    return false;
  WrappedSum rest;
  rest.add(loop.getLowerBound(), 1);
  rest.add(loop.getUpperBound(), 1);
  rest.constant -= 1;
  rest.add(value, uint64_t(-1));
  return rest.isZero(value.getType().getIntOrFloatBitWidth());
}

/// The variable counted from the end, which replaces all uses of the variable
/// itself; null if it has another use.
static Value backwardsOf(scf::ForOp loop) {
  Value variable = loop.getInductionVar(), last;
  for (Operation *user : variable.getUsers()) {
    auto sub = dyn_cast<arith::SubIOp>(user);
    if (!sub || sub.getRhs() != variable || sub.getLhs() == variable)
      return {};
    if (isSumOfEnds(loop, sub.getLhs()))
      last = sub.getLhs();
  }
  return last;
}

static void reverseLoop(scf::ForOp loop) {
  if (!matchPattern(loop.getStep(), m_One()) || !onlyAdds(loop) ||
      !carriesSums(loop))
    return;
  Value last = backwardsOf(loop), variable = loop.getInductionVar();
  if (!last || !loop.isDefinedOutsideOfLoop(last))
    return; // it is not there for all users
  // `last - variable` is the variable now, and x - variable is x - (last -
  // variable).
  for (Operation *user : llvm::make_early_inc_range(variable.getUsers())) {
    auto sub = cast<arith::SubIOp>(user);
    if (sub.getLhs() == last || isSumOfEnds(loop, sub.getLhs())) {
      sub.getResult().replaceAllUsesWith(variable);
      sub.erase();
      continue;
    }
    OpBuilder b(sub);
    sub.setOperand(1, arith::SubIOp::create(b, sub.getLoc(), last, variable));
  }
}

void chi::ad::reverse::reverseFreeLoops(ir::TaskOp task) {
  SmallVector<scf::ForOp> loops;
  task.getBody().walk([&](scf::ForOp loop) { loops.push_back(loop); });
  for (scf::ForOp loop : loops)
    reverseLoop(loop);
}
