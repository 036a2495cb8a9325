//===- InstrumentRaces.cpp - Mark accesses that could race ----------------===//
#include "chi/Transforms/Checks/Passes.h"

#include "chi/Analysis/AccessMaps.h"
#include "chi/Analysis/Dependence.h"
#include "chirt/chirt.h"

namespace chi::checks {
#define GEN_PASS_DEF_INSTRUMENTRACESPASS
#include "chi/Transforms/Checks/Passes.h.inc"
} // namespace chi::checks

using namespace mlir;
using namespace chi;
using namespace chi::analysis;

/// Above this number accesses are not compared pairwise: all are instrumented.
static constexpr size_t kMaxCompared = 400;

static int32_t kindOf(const Access &access, Dependence &dependence) {
  Operation *op = access.op;
  if (isa<ir::LoadOp>(op))
    return CHIRT_RACE_READ;
  if (auto store = dyn_cast<ir::StoreOp>(op))
    return dependence.axesOf(store.getValue()) == AxisMask(0)
               ? CHIRT_RACE_STORE_SAME
               : CHIRT_RACE_STORE;
  auto kind = updateKindOf(access.op);
  return CHIRT_RACE_UPDATE +
         static_cast<int32_t>(kind.value_or(ir::AtomicKind::load));
}

static bool needsInstrumentation(const Access &access, AccessMaps &maps) {
  if (maps.getAccesses().size() > kMaxCompared)
    return true;
  return llvm::any_of(maps.getAccesses(), [&](const Access &other) {
    bool oneWrites = access.op.isWrite() || other.op.isWrite();
    return oneWrites && !maps.isDisjointAsOneField(access, other);
  });
}

namespace {
struct InstrumentRacesPass
    : checks::impl::InstrumentRacesPassBase<InstrumentRacesPass> {
  void runOnOperation() override {
    Ranges ranges(getOperation());
    Builder builder(&getContext());
    for (auto task : getOperation().getOps<ir::TaskOp>()) {
      if (task.getRank() == 0)
        continue;
      AccessMaps maps(task, ranges);
      Dependence dependence(task);
      for (const Access &access : maps.getAccesses())
        if (needsInstrumentation(access, maps))
          access.op.setRaceKindAttr(
              builder.getI32IntegerAttr(kindOf(access, dependence)));
    }
  }
};
} // namespace
