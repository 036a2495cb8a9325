//===- IndexCasts.cpp - Floats of indices of 64 bits ----------------------===//
// Axes of loaded fields count in i64 (docs/design/0014). Before AVX-512 there
// is no vector form of a cast from there to a float; of a number that f64's
// mantissa holds there is one by a sum (LoopsToCPU/SmallCasts.cpp).
#include "chi/Transforms/Scalar/Passes.h"

#include "chi/Analysis/Ranges.h"

namespace chi::scalar {
#define GEN_PASS_DEF_INDEXCASTSPASS
#include "chi/Transforms/Scalar/Passes.h.inc"
} // namespace chi::scalar

using namespace mlir;
using namespace chi;

static bool isSmall(analysis::Interval values) {
  constexpr int64_t kMost = (int64_t(1) << 51) - 1;
  return values.lo >= -kMost && values.hi <= kMost;
}

namespace {
struct IndexCastsPass : scalar::impl::IndexCastsPassBase<IndexCastsPass> {
  void runOnOperation() override {
    if (ir::deviceOf(getOperation()).getCastsLongs())
      return;
    analysis::Ranges ranges(getOperation());
    auto isInRange = UnitAttr::get(&getContext());
    for (auto task : getOperation().getOps<ir::TaskOp>())
      task.walk([&](arith::SIToFPOp cast) {
        Type to = cast.getType();
        bool isOfLong = cast.getIn().getType().isInteger(64);
        if (isOfLong && (to.isF32() || to.isF64()) &&
            isSmall(ranges.intervalAt(cast.getIn(), cast)))
          cast->setAttr(ir::kInRangeAttr, isInRange);
      });
  }
};
} // namespace
