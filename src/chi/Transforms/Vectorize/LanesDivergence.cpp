//===- LanesDivergence.cpp - What differs between lanes -------------------===//
#include "chi/Transforms/Vectorize/Lanes.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace chi;
using namespace chi::vectorize;

/// The depth to which sums are searched for the lanes' start.
static constexpr unsigned kMaxDepth = 8;

Divergence::Divergence(ir::TaskOp task)
    : Divergence(task, task.getRank() - 1) {}

Divergence::Divergence(ir::TaskOp task, unsigned axis)
    : Divergence(task, axis, /*isDescending=*/false) {}

Divergence::Divergence(ir::TaskOp task, unsigned axis, bool isDescending)
    : index(task.getIndexVariables()[axis]), isDescending(isDescending) {
  varying.insert(index);
  // Grows until nothing changes: a loop-carried value may become varying by its
  // body.
  do {
    changed = false;
    task.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) { visit(op); });
  } while (changed);
  findSteps(task);
}

void Divergence::visit(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](scf::IfOp op) { visitIf(op); })
      .Case([&](scf::WhileOp op) { visitWhile(op); })
      .Case([&](scf::ForOp op) { visitFor(op); })
      .Default([&](Operation *op) { visitLeaf(op); });
}

void Divergence::visitLeaf(Operation *op) {
  // Iterations of a task without races find the same value at one place.
  if (llvm::any_of(op->getOperands(),
                   [&](Value operand) { return isVarying(operand); }))
    for (Value result : op->getResults())
      vary(result);
}

void Divergence::visitIf(scf::IfOp op) {
  if (isVarying(op.getCondition())) {
    diverge(op);
    for (Value result : op.getResults())
      vary(result);
    return;
  }
  for (auto [number, result] : llvm::enumerate(op.getResults()))
    if (isVarying(op.thenYield().getOperand(number)) ||
        isVarying(op.elseYield().getOperand(number)))
      vary(result);
}

void Divergence::visitWhile(scf::WhileOp op) {
  auto yield = op.getYieldOp();
  for (auto [number, argument] : llvm::enumerate(op.getBeforeArguments()))
    if (isVarying(op.getInits()[number]) || isVarying(yield.getOperand(number)))
      vary(argument);
  auto condition = op.getConditionOp();
  if (isVarying(condition.getCondition()))
    diverge(op);
  for (auto [number, value] : llvm::enumerate(condition.getArgs())) {
    if (isVarying(value))
      vary(op.getAfterArguments()[number]);
    // Lanes that left at different iterations took different values along.
    if (isVarying(value) || isDivergent(op))
      vary(op.getResult(number));
  }
}

/// Only grows: a loop is uniform, then of non-uniform bounds, then divergent.
void Divergence::visitFor(scf::ForOp op) {
  bool start = isVarying(op.getLowerBound()) || isVarying(op.getStep());
  bool isUneven = start || isVarying(op.getUpperBound());
  bool together = isUneven && !isDivergent(op) && canHaveNonUniformBounds(op);
  if (together) {
    changed |= nonUniform.insert(op).second;
  } else if (isUneven) {
    changed |= nonUniform.erase(op);
    diverge(op);
    if (start)
      vary(op.getInductionVar());
  }
  auto yield = cast<scf::YieldOp>(op.getBody()->getTerminator());
  for (auto [number, argument] : llvm::enumerate(op.getRegionIterArgs())) {
    if (together || isVarying(op.getInitArgs()[number]) ||
        isVarying(yield.getOperand(number)))
      vary(argument);
    if (isVarying(argument) || isUneven)
      vary(op.getResult(number));
  }
}

/// Is it the index, up to sums and choices that keep neighbours close?
bool Divergence::isNear(Value value, unsigned depth) const {
  if (!isVarying(value) || value == index)
    return true;
  Operation *op = value.getDefiningOp();
  return depth < kMaxDepth &&
         isa_and_nonnull<arith::AddIOp, arith::SubIOp, arith::MinSIOp,
                         arith::MaxSIOp, arith::ExtSIOp>(op) &&
         llvm::all_of(
             op->getOperands(),
             [&](Value operand) { return isNear(operand, depth + 1); });
}

/// The offset of a bound from the index, up to clamps by uniform values.
std::optional<int64_t> Divergence::offsetOf(Value value, unsigned depth) const {
  if (value == index)
    return 0;
  Operation *op = value.getDefiningOp();
  if (depth == kMaxDepth ||
      !isa_and_nonnull<arith::AddIOp, arith::SubIOp, arith::MinSIOp,
                       arith::MaxSIOp>(op))
    return std::nullopt;
  bool isFirst = isVarying(op->getOperand(0));
  if (isFirst == isVarying(op->getOperand(1)))
    return std::nullopt;
  std::optional<int64_t> inner =
      offsetOf(op->getOperand(isFirst ? 0 : 1), depth + 1);
  if (!inner || isa<arith::MinSIOp, arith::MaxSIOp>(op))
    return inner;
  APInt number;
  if (!matchPattern(op->getOperand(isFirst ? 1 : 0), m_ConstantInt(&number)) ||
      (!isFirst && isa<arith::SubIOp>(op)))
    return std::nullopt;
  int64_t step = number.getSExtValue();
  return isa<arith::AddIOp>(op) ? *inner + step : *inner - step;
}

/// A window of few iterations round the index: away from the ends of a row they
/// are known, and LLVM unrolls them (`LoopPeeling`).
bool Divergence::isWindow(scf::ForOp op) const {
  constexpr int64_t kMostIterations = 64;
  std::optional<int64_t> low = offsetOf(op.getLowerBound());
  std::optional<int64_t> high = offsetOf(op.getUpperBound());
  return low && high && *high - *low <= kMostIterations;
}

/// All lanes enter the loop, and run each value of its variable together.
bool Divergence::canHaveNonUniformBounds(scf::ForOp op) const {
  if (op.getUnsignedCmp() || !matchPattern(op.getStep(), m_One()) ||
      !isNear(op.getLowerBound()) || !isNear(op.getUpperBound()) ||
      isWindow(op))
    return false;
  Operation *parent = op->getParentOp();
  for (; !isa<ir::TaskOp>(parent); parent = parent->getParentOp())
    if (isDivergent(parent) || hasNonUniformBounds(parent))
      return false;
  return true;
}

/// The index itself, and its sums and differences with uniform values, in one
/// width: a wider sum could differ where the narrow one wraps.
void Divergence::findSteps(ir::TaskOp task) {
  const int own = isDescending ? -1 : 1;
  steps[index] = own;
  task.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<arith::ExtSIOp>(op) && op->getOperand(0) == index)
      steps[op->getResult(0)] = own;
    if (!isa<arith::AddIOp, arith::SubIOp>(op))
      return;
    Value left = op->getOperand(0), right = op->getOperand(1);
    int step = 0;
    if (!isVarying(right))
      step = stepOf(left);
    else if (!isVarying(left))
      step = isa<arith::AddIOp>(op) ? stepOf(right) : -stepOf(right);
    if (step)
      steps[op->getResult(0)] = step;
  });
}
