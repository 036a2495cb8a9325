//===- ExpandUpdates.cpp - Updates of one's own elements ------------------===//
// `x[i] *= a` where no other iteration touches `x[i]` becomes a load, a product
// and a store: these can be forwarded, and have known derivatives. A sum that
// the iteration does not read again stays unchanged: its derivative needs no
// load of the element at all.
#include "chi/Analysis/RecordedTasks.h"
#include "chi/Dialect/Chi/Accumulations.h"
#include "chi/Dialect/Chi/DiscardableAttrs.h"
#include "chi/Transforms/Facts/OwnElements.h"
#include "chi/Transforms/Scalar/Passes.h"
#include "mlir/IR/Matchers.h"

namespace chi::scalar {
#define GEN_PASS_DEF_EXPANDUPDATESPASS
#include "chi/Transforms/Scalar/Passes.h.inc"
} // namespace chi::scalar

using namespace mlir;
using namespace chi;
using namespace chi::analysis;
using namespace chi::scalar;
using namespace chi::facts;

/// At a tie the derivative is the old value's.
static Value combine(OpBuilder &b, ir::AccumOp accum, Value old) {
  Value value = accum.getValue();
  Value made = ir::combined(b, accum.getLoc(), accum.getKind(), old, value,
                            arith::FastMathFlags::none);
  if (ir::adjointOf(accum.getKind()) == ir::AccumAdjoint::winner &&
      isa<FloatType>(value.getType()))
    made.getDefiningOp()->setAttr(
        ir::kOldWinsAttr, b.getBoolAttr(!matchPattern(value, m_Constant())));
  return made;
}

static void copyFacts(ir::FieldAccessOpInterface from,
                      ir::FieldAccessOpInterface to) {
  to.setFieldNameAttr(from.getFieldNameAttr());
  to.setUnsignedAxesAttr(from.getUnsignedAxesAttr());
}

static void expand(ir::AccumOp accum) {
  OpBuilder b(accum);
  Location loc = accum.getLoc();
  auto inbounds = accum.getInboundsAttr();
  auto old = ir::LoadOp::create(
      b, loc, accum.getValue().getType(), accum.getField(), accum.getIndices(),
      accum.getDynamic(), accum.getComponentAttr(), inbounds);
  auto store = ir::StoreOp::create(
      b, loc, combine(b, accum, old), accum.getField(), accum.getIndices(),
      accum.getDynamic(), accum.getComponentAttr(), inbounds);
  copyFacts(accum, old);
  copyFacts(accum, store);
  accum.erase();
}

/// Does the access load the element that `sum` adds to, after it in its block
/// or deeper?
static bool readsBehind(const Access &load, const Access &sum) {
  if (load.op.getAccessKind() != ir::AccessKind::load || !sum.component ||
      load.component != sum.component || load.index != sum.index)
    return false;
  Operation *at = sum.op->getBlock()->findAncestorOpInBlock(*load.op);
  return at && sum.op->isBeforeInBlock(at);
}

/// Every update but a sum that the iteration does not look at again.
static bool isWanted(const Access &access, ArrayRef<const Access *> others) {
  auto accum = dyn_cast<ir::AccumOp>(access.op.getOperation());
  if (!accum || accum.getMask())
    return false;
  return accum.getKind() != ir::AccumKind::add ||
         llvm::any_of(others, [&](const Access *other) {
           return readsBehind(*other, access);
         });
}

/// Can a task have such updates? The proofs are not for nothing.
static bool mayHaveUpdates(ir::TaskOp task) {
  llvm::SmallPtrSet<Value, 4> added, loaded;
  bool hasOther = false;
  task.walk([&](ir::FieldAccessOpInterface op) {
    auto accum = dyn_cast<ir::AccumOp>(op.getOperation());
    if (accum && accum.getKind() != ir::AccumKind::add)
      hasOther = true;
    else if (accum)
      added.insert(fieldBelowCasts(op.getField()));
    else if (isa<ir::LoadOp>(op))
      loaded.insert(fieldBelowCasts(op.getField()));
  });
  return hasOther || llvm::any_of(added, [&](Value field) {
           return loaded.contains(field);
         });
}

namespace {
struct ExpandUpdatesPass
    : scalar::impl::ExpandUpdatesPassBase<ExpandUpdatesPass> {
  using ExpandUpdatesPassBase::ExpandUpdatesPassBase;

  void runOnOperation() override {
    // All conditions are tested before any change.
    Ranges ranges(getOperation());
    RecordedTasks recorded(getOperation());
    RecordedTasks inForward(getOperation(), Mode::Forward);
    auto isDifferentiated = [&](ir::TaskOp task) {
      return recorded.contains(task) || inForward.contains(task);
    };
    SmallVector<ir::AccumOp> found;
    for (auto task : getOperation().getOps<ir::TaskOp>())
      if (mayHaveUpdates(task) && (!onlyRecorded || isDifferentiated(task)))
        find(task, ranges, found);
    for (ir::AccumOp accum : found)
      expand(accum);
  }

  void find(ir::TaskOp task, Ranges &ranges,
            SmallVectorImpl<ir::AccumOp> &found) {
    AccessMaps maps(task, ranges);
    bool isAlone = task.getRank() == 0 || maps.isSingle();
    for (auto &[field, accesses] : accessesByField(maps)) {
      FieldAccesses wanted;
      llvm::copy_if(accesses, std::back_inserter(wanted),
                    [&, &all = accesses](const Access *access) {
                      return isWanted(*access, all);
                    });
      if (wanted.empty())
        continue;
      SmallVector<bool> own(accesses.size(), true);
      if (!isAlone)
        own = findOwn(maps, accesses);
      for (auto [access, isOwn] : llvm::zip_equal(accesses, own))
        if (isOwn && llvm::is_contained(wanted, access))
          found.push_back(cast<ir::AccumOp>(access->op.getOperation()));
    }
  }
};
} // namespace
