//===- RowPeriod.cpp - Rows whose values repeat ---------------------------===//
#include "chi/Transforms/Schedule/RowPeriod.h"

#include "chi/Analysis/Ranges.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <numeric>

using namespace mlir;
using namespace chi;
using namespace chi::analysis;

namespace {
/// How a value changes from an iteration to the one `period` further along the
/// innermost axis: by a constant, or not as simply as that.
class Shifts {
public:
  Shifts(ir::TaskOp task, int64_t period, const DenseSet<Value> &written)
      : task(task), period(period), written(written) {}
  std::optional<int64_t> of(Value value);

private:
  std::optional<int64_t> compute(Value value);
  std::optional<int64_t> ofInteger(Operation *op);

  ir::TaskOp task;
  int64_t period;
  const DenseSet<Value> &written; ///< fields
  llvm::DenseMap<Value, std::optional<int64_t>> known;
};
} // namespace

std::optional<int64_t> Shifts::of(Value value) {
  if (auto it = known.find(value); it != known.end())
    return it->second;
  std::optional<int64_t> result = compute(value);
  return known[value] = result;
}

std::optional<int64_t> Shifts::compute(Value value) {
  auto variables = task.getIndexVariables();
  if (value == Value(variables.back()))
    return period;
  Operation *op = value.getDefiningOp();
  if (!op)
    return 0;
  bool isLoad = isa<ir::LoadOp>(op);
  if (op->getNumRegions() != 0 || isa<ir::IterationOp>(op) ||
      (!isLoad && !isMemoryEffectFree(op)))
    return std::nullopt;
  if (isLoad &&
      written.contains(fieldBelowCasts(cast<ir::LoadOp>(op).getField())))
    return std::nullopt;
  bool isSame = true;
  for (Value operand : op->getOperands()) {
    if (isa<ir::FieldType>(operand.getType()))
      continue;
    auto shift = of(operand);
    if (!shift)
      return std::nullopt;
    isSame &= *shift == 0;
  }
  return isSame ? std::optional<int64_t>(0) : ofInteger(op);
}

/// Sums and products of integers that do not overflow, and floor divisions by
/// a divisor of the shift.
std::optional<int64_t> Shifts::ofInteger(Operation *op) {
  if (isa<arith::ExtSIOp>(op))
    return of(op->getOperand(0));
  if (op->getNumOperands() != 2)
    return std::nullopt;
  std::optional<int64_t> left = of(op->getOperand(0)),
                         right = of(op->getOperand(1));
  auto constant = constantOf(op->getOperand(1));
  constexpr int64_t kMost = 1 << 24; // products of two fit
  auto bounded = [&](int64_t shift) {
    return std::abs(shift) < kMost ? std::optional(shift) : std::nullopt;
  };
  if (auto sum = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op)) {
    if (!sum.hasNoSignedWrap())
      return std::nullopt;
    if (isa<arith::AddIOp>(op))
      return bounded(*left + *right);
    if (isa<arith::SubIOp>(op))
      return bounded(*left - *right);
    if (isa<arith::MulIOp>(op) && constant && std::abs(*constant) < kMost)
      return bounded(*left * *constant);
    return std::nullopt;
  }
  if (!constant || *constant <= 0 || *left % *constant != 0)
    return std::nullopt;
  if (auto div = dyn_cast<ir::FloorDivOp>(op); div && !div.getIsUnsigned())
    return *left / *constant;
  if (auto mod = dyn_cast<ir::FloorModOp>(op); mod && !mod.getIsUnsigned())
    return 0;
  return std::nullopt;
}

std::optional<int64_t>
schedule::periodOfDivisors(ir::TaskOp task, function_ref<bool(Value)> hangs) {
  constexpr int64_t kMost = 512;
  int64_t period = 1;
  bool hasDivisor = false;
  task.getBody().walk([&](Operation *op) {
    if (!isa<ir::FloorDivOp, ir::FloorModOp>(op) || period > kMost)
      return;
    auto divisor = constantOf(op->getOperand(1));
    if (!divisor || *divisor <= 1 || !hangs(op->getOperand(0)))
      return;
    hasDivisor = true;
    period = *divisor > kMost ? kMost + 1 : std::lcm(period, *divisor);
  });
  if (!hasDivisor || period > kMost)
    return std::nullopt;
  return period;
}

bool schedule::repeatAfter(ir::TaskOp task, int64_t period,
                           ArrayRef<Value> values,
                           const DenseSet<Value> &written) {
  Shifts shifts(task, period, written);
  return llvm::all_of(values,
                      [&](Value value) { return shifts.of(value) == 0; });
}
