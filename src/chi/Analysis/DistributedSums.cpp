//===- DistributedSums.cpp - Sums that meet along a row -------------------===//
//------------------===//
#include "chi/Analysis/DistributedSums.h"

#include "chi/Dialect/Chi/MemoryOrder.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace chi;
using namespace chi::analysis;

/// Longer bodies compute more than they add.
static constexpr size_t kMaxOperations = 256;
/// Loops of their own that a row may get.
static constexpr size_t kMaxSums = 12;

namespace {
/// How values differ from iteration to iteration of a row.
class RowSteps {
public:
  RowSteps(ir::TaskOp task, ArrayRef<Simpler> simpler)
      : inner(task.getIndexVariables().back()) {
    for (const Simpler &each : simpler)
      bySimpler[each.op] = &each;
  }

  /// 0: not; 1: by one; nothing: otherwise.
  std::optional<int64_t> stepOf(Value value) {
    if (value == inner)
      return 1;
    Operation *op = value.getDefiningOp();
    if (!op)
      return 0;
    auto [known, isNew] = steps.try_emplace(value);
    if (isNew) {
      std::optional<int64_t> step = compute(op);
      return steps[value] = step;
    }
    return known->second;
  }

private:
  std::optional<int64_t> compute(Operation *op) {
    if (const Simpler *simple = bySimpler.lookup(op))
      return simple->operand ? stepOf(op->getOperand(*simple->operand)) : 0;
    if (op->getNumRegions() || !isMemoryEffectFree(op))
      return std::nullopt;
    if (isa<arith::AddIOp, arith::SubIOp>(op)) {
      auto left = stepOf(op->getOperand(0)), right = stepOf(op->getOperand(1));
      if (!left || !right)
        return std::nullopt;
      int64_t step = isa<arith::AddIOp>(op) ? *left + *right : *left - *right;
      return step == 0 || step == 1 ? std::optional(step) : std::nullopt;
    }
    if (isa<arith::ExtSIOp>(op))
      return stepOf(op->getOperand(0));
    for (Value operand : op->getOperands())
      if (stepOf(operand) != 0)
        return std::nullopt;
    return 0;
  }

  Value inner;
  llvm::DenseMap<Operation *, const Simpler *> bySimpler;
  llvm::DenseMap<Value, std::optional<int64_t>> steps;
};
} // namespace

/// Is the accumulation one of a private copy, at a place that moves with the
/// row?
static bool walksWithRow(ir::AccumOp accum, RowSteps &steps) {
  ir::FieldType field = accum.getField().getType();
  std::optional<unsigned> last = ir::innermostAxis(field);
  if (accum.getStrategy() != ir::AccumStrategy::privatized ||
      accum.getDynamicComponent() || accum.getMask() || accum.getContiguous() ||
      !accum.getInbounds() || !last)
    return false;
  for (auto [axis, index] : llvm::enumerate(accum.getIndices()))
    if (steps.stepOf(index) != (axis == *last ? 1 : 0))
      return false;
  return true;
}

static bool isPlainBody(ir::TaskOp task) {
  Block &body = task.getBody().front();
  if (task.getRank() == 0 || task.getStrict() || !task.getWide().empty() ||
      body.getOperations().size() > kMaxOperations)
    return false;
  return llvm::none_of(body, [](Operation &op) {
    auto access = dyn_cast<ir::FieldAccessOpInterface>(op);
    return op.getNumRegions() ||
           (!isMemoryEffectFree(&op) &&
            !isa<ir::LoadOp, ir::StoreOp, ir::AccumOp, ir::NextOp>(op)) ||
           (access && access.getRaceKindAttr());
  });
}

std::vector<DistributedSum>
analysis::findDistributedSums(ir::TaskOp task, ArrayRef<Simpler> simpler) {
  if (!isPlainBody(task))
    return {};
  RowSteps steps(task, simpler);
  using Element = std::pair<Value, SmallVector<Value>>;
  std::vector<std::pair<Element, DistributedSum>> found;
  llvm::MapVector<Value, unsigned> perField;
  for (auto accum : task.getBody().getOps<ir::AccumOp>()) {
    if (!walksWithRow(accum, steps))
      continue;
    Element element{accum.getField(), llvm::to_vector(accum.getIndices())};
    auto same = llvm::find_if(
        found, [&](const auto &each) { return each.first == element; });
    if (same == found.end()) {
      ++perField[accum.getField()];
      found.push_back({std::move(element), {accum}});
    } else {
      same->second.push_back(accum);
    }
  }
  std::vector<DistributedSum> sums;
  for (auto &[element, sum] : found)
    if (perField[element.first] > 1)
      sums.push_back(std::move(sum));
  return sums.size() <= kMaxSums ? sums : std::vector<DistributedSum>();
}
