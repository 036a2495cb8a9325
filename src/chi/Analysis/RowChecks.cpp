//===- RowChecks.cpp - Bounds checks of whole rows ------------------------===//

#include "chi/Analysis/RowChecks.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace chi;
using namespace chi::analysis;

/// Products of such a stride and the length of a row fit 64 bits.
static constexpr int64_t kMaxStride = 1 << 20;

namespace {
class RowStrides {
public:
  explicit RowStrides(ir::TaskOp task)
      : task(task), variable(task.getIndexVariables().back()) {}

  /// By how much a value grows from iteration to iteration, modulo its width;
  /// nothing if that is not known, or it cannot be computed before the row.
  std::optional<uint64_t> of(Value value);

private:
  std::optional<uint64_t> ofOperation(Operation *op);

  ir::TaskOp task;
  Value variable;
  DenseMap<Value, std::optional<uint64_t>> known;
};
} // namespace

std::optional<uint64_t> RowStrides::of(Value value) {
  if (value == variable)
    return 1;
  Operation *op = value.getDefiningOp();
  if (!op || !task->isProperAncestor(op))
    return 0;
  auto [slot, isNew] = known.try_emplace(value, std::nullopt);
  if (isNew) {
    std::optional<uint64_t> stride = ofOperation(op);
    known[value] = stride;
    return stride;
  }
  return slot->second;
}

std::optional<uint64_t> RowStrides::ofOperation(Operation *op) {
  SmallVector<uint64_t, 2> strides;
  for (Value operand : op->getOperands()) {
    std::optional<uint64_t> stride = of(operand);
    if (!stride)
      return std::nullopt;
    strides.push_back(*stride);
  }
  if (llvm::all_of(strides, [](uint64_t stride) { return stride == 0; })) {
    bool isPlain = isa<arith::ArithDialect>(op->getDialect()) &&
                   isMemoryEffectFree(op) && isSpeculatable(op);
    return isPlain || isa<ir::DimOp>(op) ? std::optional<uint64_t>(0)
                                         : std::nullopt;
  }
  if (isa<arith::AddIOp>(op))
    return strides[0] + strides[1];
  if (isa<arith::SubIOp>(op))
    return strides[0] - strides[1];
  if (isa<arith::MulIOp>(op))
    for (unsigned side : {0u, 1u})
      if (auto factor = getConstantIntValue(op->getOperand(side)))
        return strides[1 - side] * uint64_t(*factor);
  return std::nullopt;
}

/// Adds the requirement of a condition for the row; false if it is of another
/// kind.
static bool addConditions(Value condition, ir::CheckOp check,
                          RowStrides &strides, SmallVectorImpl<RowCheck> &to) {
  if (auto both = condition.getDefiningOp<arith::AndIOp>())
    return addConditions(both.getLhs(), check, strides, to) &&
           addConditions(both.getRhs(), check, strides, to);
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::ult)
    return false;
  auto type = dyn_cast<IntegerType>(compare.getLhs().getType());
  std::optional<uint64_t> limit = strides.of(compare.getRhs());
  std::optional<uint64_t> index = strides.of(compare.getLhs());
  if (!type || !limit || *limit != 0 || !index)
    return false;
  int64_t stride = llvm::SignExtend64(*index, type.getWidth());
  if (std::abs(stride) > (type.getWidth() == 32 ? kMaxStride : 1))
    return false;
  to.push_back({check, compare.getLhs(), compare.getRhs(), stride});
  return true;
}

std::optional<SmallVector<RowCheck>> analysis::findRowChecks(ir::TaskOp task) {
  if (task.getRank() == 0)
    return std::nullopt; // no rows
  SmallVector<RowCheck> checks;
  RowStrides strides(task);
  WalkResult walked = task.getBody().walk([&](ir::CheckOp check) {
    bool isOfRow = check->getBlock() == &task.getBody().front() &&
                   check.getKind() == ir::CheckKind::bounds &&
                   addConditions(check.getOk(), check, strides, checks);
    return isOfRow ? WalkResult::advance() : WalkResult::interrupt();
  });
  if (walked.wasInterrupted())
    return std::nullopt;
  return checks;
}

bool analysis::isCountable(const RowCheck &check) {
  return check.stride == 0 || check.stride == 1;
}
