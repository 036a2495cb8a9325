//===- FieldDiscards.cpp - Elements that later tasks discard --------------===//
#include "chi/AD/Plan/FieldDiscards.h"

#include "chi/AD/Plan/Discards.h"
#include "chi/AD/Plan/PlainWhile.h"
#include "mlir/IR/Builders.h"

#include <list>

using namespace mlir;
using namespace chi;
using namespace chi::ad::plan;
using namespace chi::ad::activity;

namespace {
/// A copy of a task whose loops are plain.
struct Plain {
  Plain(ir::TaskOp task, const BitVector &passive)
      : task(task), copy(task->clone()) {
    makeWhilePlain(get());
    activity.emplace(get(), passive);
  }
  ir::TaskOp get() { return cast<ir::TaskOp>(copy.get()); }

  ir::TaskOp task;
  OwningOpRef<Operation *> copy;
  std::optional<Activity> activity;
};
} // namespace

/// The fields that are passive at each launch.
static BitVector passiveAlways(ir::TaskOp task, FieldGraph &graph) {
  BitVector always(task.getNumCaptured(), true);
  SmallVector<BitVector> sets = graph.findPassive(task);
  for (const BitVector &each : sets)
    always &= each;
  return sets.empty() ? BitVector(task.getNumCaptured()) : always;
}

FieldDiscards::FieldDiscards(ArrayRef<ir::TaskOp> tasks, FieldGraph &graph)
    : graph(graph) {
  std::list<Plain> copies;
  for (ir::TaskOp task : tasks)
    copies.emplace_back(task, passiveAlways(task, graph));
  auto copied = graph.copies();
  for (bool isChanging = true; isChanging;) {
    isChanging = false;
    for (Plain &plain : copies) {
      BitVector fields = of(plain.task);
      Discards discards(plain.get(), *plain.activity, fields);
      BitVector loaded = discards.discardedFields();
      for (unsigned launch : graph.launchesOf(plain.task))
        for (unsigned number : loaded.set_bits())
          isChanging |=
              nodes.insert(graph.nodeAt(launch, plain.task, number)).second;
    }
    for (auto &[from, to] : copied)
      if (nodes.contains(from))
        isChanging |= nodes.insert(to).second;
  }
}

BitVector FieldDiscards::of(ir::TaskOp task) const {
  BitVector result(task.getNumCaptured());
  for (unsigned launch : graph.launchesOf(task))
    for (unsigned number = 0; number < task.getNumCaptured(); ++number)
      if (isa<ir::FieldType>(task.getCaptured()[number].getType()) &&
          nodes.contains(graph.nodeAt(launch, task, number)))
        result.set(number);
  return result;
}
