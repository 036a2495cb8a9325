//===- GatherSlice.cpp - What the terms of a sum depend on ----------------===//
#include "chi/Transforms/Nest/ScatterToGather.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace chi;
using namespace chi::analysis;
using namespace chi::nest;

namespace {
class SliceFinder {
public:
  SliceFinder(const GatherGroup &group, Ranges &ranges)
      : group(group), ranges(ranges),
        task(group.accums.front()->getParentOfType<ir::TaskOp>()) {}

  std::optional<Slice> find();

private:
  bool visit(Value value, Operation *at);
  bool visitOp(Operation *op);
  bool canLoad(ir::LoadOp load);

  const GatherGroup &group;
  Ranges &ranges;
  ir::TaskOp task;
  Slice slice;
};
} // namespace

/// Is the load before all writes of the task to the field? Then the new task
/// finds the same value: no other iteration touches the elements that an
/// iteration stores to.
bool SliceFinder::canLoad(ir::LoadOp load) {
  Value field = fieldBelowCasts(load.getField());
  bool isFirst = true;
  task.getBody().walk([&](ir::FieldAccessOpInterface access) {
    if (isa<ir::LoadOp>(access) || fieldBelowCasts(access.getField()) != field)
      return;
    Operation *other = access;
    while (other->getParentOp() != task)
      other = other->getParentOp();
    isFirst &= isa<ir::StoreOp>(access) && load->getParentOp() == task &&
               load->isBeforeInBlock(other);
  });
  return isFirst && !load.getRaceKindAttr();
}

bool SliceFinder::visitOp(Operation *op) {
  if (auto load = dyn_cast<ir::LoadOp>(op))
    return canLoad(load);
  if (isa<scf::IfOp, scf::YieldOp>(op))
    return llvm::none_of(
        group.accums, [&](ir::AccumOp accum) { return op->isAncestor(accum); });
  return op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
         !isa<ir::IterationOp, ir::RandomOp>(op);
}

bool SliceFinder::visit(Value value, Operation *at) {
  auto isCaptured = [&](Value value) {
    return llvm::is_contained(task.getCaptured(), value);
  };
  if (isa<ir::FieldType>(value.getType()))
    return isCaptured(fieldBelowCasts(value));
  if (isCaptured(value) || linearIn(*group.nest, value, at, ranges))
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || !slice.insert(op))
    return op;
  return !op->walk([&](Operation *inner) {
              for (Value operand : inner->getOperands())
                if (!op->isAncestor(operand.getParentBlock()->getParentOp()) &&
                    !visit(operand, op))
                  return WalkResult::interrupt();
              return visitOp(inner) ? WalkResult::advance()
                                    : WalkResult::interrupt();
            }).wasInterrupted();
}

std::optional<Slice> SliceFinder::find() {
  for (ir::AccumOp accum : group.accums) {
    if (!visit(accum.getValue(), accum) || !visit(accum.getField(), accum))
      return std::nullopt;
    for (Operation *op = accum->getParentOp(); op != task;
         op = op->getParentOp())
      if (auto branch = dyn_cast<scf::IfOp>(op);
          branch && !visit(branch.getCondition(), branch))
        return std::nullopt;
  }
  return std::move(slice);
}

std::optional<Slice> nest::sliceOf(const GatherGroup &group, Ranges &ranges) {
  return SliceFinder(group, ranges).find();
}
