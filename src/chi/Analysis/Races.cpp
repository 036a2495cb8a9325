//===- Races.cpp - Proofs that iterations race ----------------------------===//
//
// A race is proved by a witness: two iterations that were followed exactly.
// Indices and guards of programs are simple, so iterations next to each other,
// at the borders and in the middle of the domain show what there is: shifted,
// mirrored, transposed and folded indices, and red-black guards. What has no
// witness in the sample is accepted.
//
//===----------------------------------------------------------------------===//
#include "chi/Analysis/Races.h"

#include "chi/Analysis/Dependence.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallSet.h"

#include <unordered_map>

using namespace mlir;
using namespace chi;
using namespace chi::analysis;

namespace {
constexpr size_t kMaxCompared = 300;

class RaceFinder {
public:
  RaceFinder(ir::TaskOp task, Ranges &ranges)
      : task(task), ranges(ranges), maps(task, ranges), sampler(task, ranges),
        dependence(task) {
    SmallVector<const Access *> accesses;
    for (const Access &access : maps.getAccesses())
      accesses.push_back(&access);
    for (auto [k, first] : llvm::enumerate(AccessMaps::firstAlike(accesses)))
      if (first == k)
        all.push_back(accesses[k]);
  }

  std::vector<Race> find() {
    if (task.getRank() == 0 || !chooseSuspects())
      return {};
    makeSample();
    for (unsigned number = 0; number < sample.size(); ++number)
      if (!sampler.run(number, sample[number], touches))
        break;
    compareTouches();
    return std::move(races);
  }

private:
  bool chooseSuspects();
  bool mayConflict(ir::FieldAccessOpInterface a, ir::FieldAccessOpInterface b);
  SmallVector<int64_t> offsetsAlong(unsigned axis, int64_t size);
  void makeSample();
  void compareTouches();
  void compareBucket(ArrayRef<unsigned> bucket);
  bool conflict(const Touch &a, const Touch &b);
  bool storesSame(const Touch &a, const Touch &b);

  ir::TaskOp task;
  Ranges &ranges;
  AccessMaps maps;
  SmallVector<const Access *> all; ///< one of those that are alike
  Sampler sampler;
  llvm::SmallSetVector<Value, 4> suspects;
  std::vector<SmallVector<Linear, 0>> sample;
  std::vector<Touch> touches;
  std::vector<Race> races;
  Dependence dependence;
};
} // namespace

bool RaceFinder::mayConflict(ir::FieldAccessOpInterface a,
                             ir::FieldAccessOpInterface b) {
  auto isStore = [](auto op) {
    return op.getAccessKind() == ir::AccessKind::store;
  };
  if (isStore(a) || isStore(b))
    return true;
  auto first = updateKindOf(a), second = updateKindOf(b);
  if (!first && !second)
    return false;
  if (isAtomicLoad(a) || isAtomicLoad(b))
    return false;
  return first != second;
}

/// Fields of which two accesses could race and are not proved to be apart.
bool RaceFinder::chooseSuspects() {
  // Too many to compare each with each: the sample decides alone.
  if (all.size() > kMaxCompared) {
    for (const Access *access : all)
      if (access->op.isWrite())
        suspects.insert(access->field);
    return !suspects.empty();
  }
  for (unsigned i = 0; i < all.size(); ++i)
    for (unsigned j = i; j < all.size(); ++j) {
      const Access &a = *all[i], &b = *all[j];
      if (suspects.contains(a.field))
        break;
      if (AccessMaps::mayOverlap(a, b) && mayConflict(a.op, b.op) &&
          !maps.isDisjoint(a, b))
        suspects.insert(a.field);
    }
  return !suspects.empty();
}

/// Positions along an axis of `size` iterations: the borders, the middle, and
/// from both as far as the program's own constants reach.
SmallVector<int64_t> RaceFinder::offsetsAlong(unsigned axis, int64_t size) {
  int64_t rank = task.getRank();
  int64_t window = rank == 1 ? 6 : rank == 2 ? 4 : rank == 3 ? 2 : 1;
  llvm::SmallSet<int64_t, 32> chosen;
  SmallVector<int64_t> offsets;
  auto choose = [&](int64_t offset) {
    if (offset >= 0 && offset < size && chosen.insert(offset).second)
      offsets.push_back(offset);
  };
  for (int64_t i = 0; i < window; ++i)
    choose(i);
  if (rank > 4)
    return offsets;
  for (int64_t i = 0; i < window; ++i)
    choose(size / 2 + i);
  for (int64_t i = window; i-- > 0;)
    choose(size - 1 - i);
  Value index = task.getIndexVariables()[axis];
  unsigned more = 0;
  for (const Access *a : all)
    for (const Access *b : all) {
      if (a->field != b->field || !suspects.contains(a->field) || rank > 2)
        continue;
      for (auto [x, y] : llvm::zip(a->index, b->index)) {
        int64_t factor = x.factorOf({index});
        auto distance = x.plus(y, -1);
        if (factor == 0 || !distance || !distance->isConstant() ||
            distance->getConstant() == INT64_MIN || more > 6)
          continue;
        int64_t shift = std::abs(distance->getConstant() / factor);
        unsigned before = offsets.size();
        choose(shift);
        more += offsets.size() - before;
      }
    }
  return offsets;
}

void RaceFinder::makeSample() {
  const TaskDomain &domain = ranges.domainOf(task);
  sample.push_back({});
  for (auto [k, axis] : llvm::enumerate(domain.axes)) {
    // Without a start no index is known; the task is accepted then.
    if (!axis.from) {
      sample.clear();
      return;
    }
    // A size that only the run knows: a few iterations are taken for granted,
    // and what would need more is left to --check=races.
    int64_t size = 8;
    if (auto length = axis.to ? axis.to->plus(*axis.from, -1) : std::nullopt)
      if (length->isConstant())
        size = length->getConstant();
    // An end that is not known may be known to be near.
    size = std::min<Wide>(size, Wide(axis.values.hi) - axis.values.lo + 1);
    std::vector<SmallVector<Linear, 0>> longer;
    for (int64_t offset : offsetsAlong(k, size))
      for (const auto &shorter : sample) {
        auto value = axis.from->plusConstant(offset);
        if (!value || longer.size() > 1500)
          continue;
        longer.push_back(shorter);
        longer.back().push_back(*value);
      }
    sample = std::move(longer);
  }
}

void RaceFinder::compareTouches() {
  std::unordered_map<uint64_t, SmallVector<unsigned>> buckets;
  SmallVector<uint64_t> order;
  for (auto [number, touch] : llvm::enumerate(touches)) {
    Value field = fieldBelowCasts(touch.op.getField());
    if (!suspects.contains(field))
      continue;
    SmallVector<unsigned> &bucket = buckets[hashOf(field, touch.index)];
    if (bucket.empty())
      order.push_back(hashOf(field, touch.index));
    // A uniform element is touched by all: a few of them show it.
    if (bucket.size() < 64)
      bucket.push_back(number);
  }
  for (uint64_t key : order)
    compareBucket(buckets[key]);
}

void RaceFinder::compareBucket(ArrayRef<unsigned> bucket) {
  for (unsigned i = 0; i < bucket.size(); ++i)
    for (unsigned j = 0; j < bucket.size(); ++j) {
      const Touch &a = touches[bucket[i]], &b = touches[bucket[j]];
      Value field = fieldBelowCasts(a.op.getField());
      if (!suspects.contains(field))
        return;
      // The one that writes is the first of a pair; of two, the earlier.
      if (!a.op.isWrite() || (b.op.isWrite() && j < i) || !conflict(a, b))
        continue;
      races.push_back({a, b, sample[a.iteration], sample[b.iteration]});
      suspects.remove(field);
    }
}

bool RaceFinder::conflict(const Touch &a, const Touch &b) {
  if (a.iteration == b.iteration || a.index != b.index ||
      fieldBelowCasts(a.op.getField()) != fieldBelowCasts(b.op.getField()) ||
      !mayConflict(a.op, b.op))
    return false;
  // A run-time component: the two may be different ones.
  if (a.op.getDynamicComponent() || b.op.getDynamicComponent() ||
      a.op.getComponent() != b.op.getComponent())
    return false;
  bool bothStore = a.op.getAccessKind() == ir::AccessKind::store &&
                   b.op.getAccessKind() == ir::AccessKind::store;
  return !bothStore || !storesSame(a, b);
}

bool RaceFinder::storesSame(const Touch &a, const Touch &b) {
  Value x = cast<ir::StoreOp>(a.op.getOperation()).getValue();
  Value y = cast<ir::StoreOp>(b.op.getOperation()).getValue();
  Attribute first, second;
  if (matchPattern(x, m_Constant(&first)) &&
      matchPattern(y, m_Constant(&second)))
    return first == second;
  if (a.valueHash != 0 && a.valueHash == b.valueHash)
    return true;
  if (x != y)
    return false;
  AxisMask different = 0;
  for (auto [k, p, q] :
       llvm::enumerate(sample[a.iteration], sample[b.iteration]))
    if (p != q)
      different |= AxisMask(1) << k;
  // Indices that cannot be followed are not proved to differ.
  return (dependence.axesOf(x).value_or(0) & different) == 0;
}

std::vector<Race> analysis::findRaces(ir::TaskOp task, Ranges &ranges) {
  return RaceFinder(task, ranges).find();
}
