//===- TaskEffects.cpp - What each task does to its fields ----------------===//
#include "chi/Transforms/Facts/Passes.h"

#include "chi/Analysis/AccessMaps.h"
#include "llvm/ADT/MapVector.h"

namespace chi::facts {
#define GEN_PASS_DEF_TASKEFFECTSPASS
#include "chi/Transforms/Facts/Passes.h.inc"
} // namespace chi::facts

using namespace mlir;
using namespace chi;
using namespace chi::analysis;

namespace {
/// The effects of one task on the fields that it captures.
class EffectFinder {
public:
  EffectFinder(ir::TaskOp task, Ranges &ranges)
      : task(task), domain(ranges.domainOf(task)), maps(task, ranges) {}

  ir::EffectsAttr find();

private:
  using Accesses = SmallVector<const Access *>;

  bool storesAll(const Accesses &accesses);
  bool goesOver(const Access &store);

  ir::TaskOp task;
  const TaskDomain &domain;
  AccessMaps maps;
};
} // namespace

static Linear extentOf(Value field, unsigned axis) {
  auto type = cast<ir::FieldType>(field.getType());
  return type.isDynamicDim(axis) ? Linear(Symbol{field, int(axis)})
                                 : Linear(type.getShape()[axis]);
}

/// Does the store run in each iteration, at the element that the iteration's
/// indices name, and do these go over the whole field?
bool EffectFinder::goesOver(const Access &store) {
  if (store.op->getParentOp() != task.getOperation() ||
      store.index.size() != domain.axes.size())
    return false;
  for (auto [axis, index] : llvm::enumerate(store.index)) {
    const TaskDomain::Axis &bounds = domain.axes[axis];
    bool isOwn = index == Linear(Symbol{task.getIndexVariables()[axis]});
    if (!isOwn || bounds.from != Linear(0) ||
        bounds.to != extentOf(store.field, axis))
      return false;
  }
  return true;
}

/// Is each scalar of the field stored, and none looked at?
bool EffectFinder::storesAll(const Accesses &accesses) {
  auto type = cast<ir::FieldType>(accesses.front()->field.getType());
  if (type.getRank() == 0)
    return false; // several iterations store it, or none
  llvm::BitVector stored(type.getNumComponents());
  for (const Access *access : accesses) {
    if (access->op.getAccessKind() != ir::AccessKind::store)
      return false;
    if (access->component && goesOver(*access))
      stored.set(*access->component);
  }
  return stored.all();
}

ir::EffectsAttr EffectFinder::find() {
  llvm::MapVector<unsigned, Accesses> byField;
  for (const Access &access : maps.getAccesses())
    if (auto captured = dyn_cast<BlockArgument>(access.field))
      byField[captured.getArgNumber()].push_back(&access);
  SmallVector<int64_t> reads, writes, overwrites;
  for (auto &[number, accesses] : byField) {
    bool isWritten = llvm::any_of(
        accesses, [](const Access *access) { return access->op.isWrite(); });
    bool isStored = isWritten && storesAll(accesses);
    bool isRead = llvm::any_of(accesses, [](const Access *access) {
      return access->op.getAccessKind() != ir::AccessKind::store;
    });
    if (isWritten)
      writes.push_back(number);
    if (isRead)
      reads.push_back(number);
    if (isStored)
      overwrites.push_back(number);
  }
  for (SmallVector<int64_t> *numbers : {&reads, &writes, &overwrites})
    llvm::sort(*numbers);
  return ir::EffectsAttr::get(task.getContext(), reads, writes, overwrites);
}

namespace {
struct TaskEffectsPass : facts::impl::TaskEffectsPassBase<TaskEffectsPass> {
  void runOnOperation() override {
    Ranges ranges(getOperation());
    for (auto task : getOperation().getOps<ir::TaskOp>())
      task.setEffectsAttr(EffectFinder(task, ranges).find());
  }
};
} // namespace
