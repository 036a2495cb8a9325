//===- ChooseStrategies.cpp - How each accumulation is carried out --------===//
#include "chi/Support/Optimisations.h"
#include "chi/Transforms/Passes.h"

#include "chi/Analysis/AccessMaps.h"
#include "llvm/ADT/MapVector.h"

namespace chi::transforms {
#define GEN_PASS_DEF_CHOOSESTRATEGIESPASS
#include "chi/Transforms/Passes.h.inc"
} // namespace chi::transforms

using namespace mlir;
using namespace chi;
using namespace chi::analysis;

/// More accesses of one field than are worth comparing each with each.
static constexpr size_t kMaxCompared = 400;

namespace {
/// Decides for the accumulations of one field in one task. They are decided
/// together, since private copies serve all of them or none.
class FieldChooser {
public:
  FieldChooser(AccessMaps &maps, ArrayRef<const Access *> accesses,
               OptimisationSet off)
      : maps(maps), accesses(accesses), off(off) {}

  void choose() {
    SmallVector<unsigned> first = AccessMaps::firstAlike(accesses);
    for (auto [k, access] : llvm::enumerate(accesses))
      if (first[k] == k)
        distinct.push_back(access);
    SmallVector<bool> alone;
    for (auto [k, access] : llvm::enumerate(accesses))
      alone.push_back(first[k] == k ? isAlone(*access) : alone[first[k]]);
    SmallVector<ir::AccumOp> shared;
    for (auto [k, access] : llvm::enumerate(accesses))
      if (auto accum = dyn_cast<ir::AccumOp>(access->op.getOperation())) {
        if (alone[k])
          accum.setStrategy(ir::AccumStrategy::plain);
        else
          shared.push_back(accum);
      }
    if (shared.empty())
      return;
    ir::AccumStrategy strategy = ir::AccumStrategy::atomic;
    if (areAllOneKind() && isOnePlace()) // its order is part of the language
      strategy = ir::AccumStrategy::tree;
    else if (areAllOneKind() && !off.has(Optimisation::Privatization))
      strategy = ir::AccumStrategy::privatized;
    for (ir::AccumOp accum : shared)
      accum.setStrategy(strategy);
  }

private:
  /// Does no other iteration touch what this access touches?
  bool isAlone(const Access &access) {
    if (distinct.size() > kMaxCompared || off.has(Optimisation::PlainUpdates))
      return false;
    return llvm::all_of(distinct, [&](const Access *other) {
      return maps.isDisjoint(access, *other);
    });
  }

  /// Only accumulations of one kind may meet in copies that are merged later.
  bool areAllOneKind() {
    auto first = dyn_cast<ir::AccumOp>(accesses.front()->op.getOperation());
    return first && llvm::all_of(accesses, [&](const Access *access) {
             auto accum = dyn_cast<ir::AccumOp>(access->op.getOperation());
             return accum && accum.getKind() == first.getKind();
           });
  }

  /// Does each accumulation always add to the same scalar?
  bool isOnePlace() {
    auto type = cast<ir::FieldType>(accesses.front()->field.getType());
    return type.getRank() == 0 && llvm::all_of(accesses, [](auto *access) {
             return access->component.has_value();
           });
  }

  AccessMaps &maps;
  ArrayRef<const Access *> accesses;
  OptimisationSet off;
  SmallVector<const Access *> distinct; ///< one of those that are alike
};

struct ChooseStrategiesPass
    : transforms::impl::ChooseStrategiesPassBase<ChooseStrategiesPass> {
  using ChooseStrategiesPassBase::ChooseStrategiesPassBase;

  void runOnOperation() override {
    Ranges ranges(getOperation());
    // Outside of parallel loops there is one worker.
    getOperation().walk(
        [](ir::AccumOp accum) { accum.setStrategy(ir::AccumStrategy::plain); });
    for (auto task : getOperation().getOps<ir::TaskOp>())
      choose(task, ranges);
  }

  void choose(ir::TaskOp task, Ranges &ranges) {
    bool accumulates =
        task.walk([](ir::AccumOp) { return WalkResult::interrupt(); })
            .wasInterrupted();
    if (task.getRank() == 0 || !accumulates)
      return;
    AccessMaps maps(task, ranges);
    if (maps.isSingle())
      return;
    llvm::MapVector<Value, SmallVector<const Access *>> byField;
    for (const Access &access : maps.getAccesses())
      byField[access.field].push_back(&access);
    for (auto &[field, accesses] : byField)
      FieldChooser(maps, accesses, OptimisationSet::of(without)).choose();
  }
};
} // namespace
