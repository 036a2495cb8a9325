//===- AccessMaps.cpp - Which elements the iterations touch ---------------===//
#include "chi/Analysis/AccessMaps.h"

#include "chi/Dialect/Chi/MemoryOrder.h"

using namespace mlir;
using namespace chi;
using namespace chi::analysis;

bool analysis::isAtomicLoad(ir::FieldAccessOpInterface op) {
  auto atomic = dyn_cast<ir::AtomicOp>(op.getOperation());
  return atomic && atomic.getKind() == ir::AtomicKind::load;
}

std::optional<ir::AtomicKind>
analysis::updateKindOf(ir::FieldAccessOpInterface op) {
  // The two enumerations have the same numbers, except for that of mul: it is
  // the one of sub, which counts as add.
  if (auto accum = dyn_cast<ir::AccumOp>(op.getOperation()))
    return static_cast<ir::AtomicKind>(accum.getKind());
  auto atomic = dyn_cast<ir::AtomicOp>(op.getOperation());
  if (!atomic || isAtomicLoad(op))
    return std::nullopt;
  return atomic.getKind() == ir::AtomicKind::sub ? ir::AtomicKind::add
                                                 : atomic.getKind();
}

AccessMaps::AccessMaps(ir::TaskOp task, Ranges &ranges)
    : task(task), ranges(ranges) {
  task.walk([&](ir::FieldAccessOpInterface op) {
    Access access{op, fieldBelowCasts(op.getField()), std::nullopt, {}};
    if (!op.getDynamicComponent())
      access.component = op.getComponent();
    for (Value index : op.getIndices())
      access.index.push_back(ranges.linearAt(index, op));
    accesses.push_back(std::move(access));
  });
}

static bool mayShareComponent(const Access &a, const Access &b) {
  return !a.component || !b.component || *a.component == *b.component;
}

bool AccessMaps::mayOverlap(const Access &a, const Access &b) {
  return a.field == b.field && mayShareComponent(a, b);
}

bool AccessMaps::isSingle() {
  return llvm::all_of(ranges.domainOf(task).axes,
                      [](const auto &axis) { return axis.values.isPoint(); });
}

/// A load of a value from before the task: from a field without axes that the
/// task does not write.
bool AccessMaps::isSharedLoad(Operation *op) {
  auto load = dyn_cast<ir::LoadOp>(op);
  if (!load || load.getField().getType().getRank() != 0)
    return false;
  auto field = dyn_cast<BlockArgument>(fieldBelowCasts(load.getField()));
  return field && llvm::none_of(accesses, [&](const Access &access) {
           auto other = dyn_cast<BlockArgument>(access.field);
           return access.op.isWrite() &&
                  (!other || other == field ||
                   task.mayAlias(other.getArgNumber(), field.getArgNumber()));
         });
}

bool AccessMaps::isOneAddress(const Access &access) {
  Value dynamic = access.op.getDynamicComponent();
  return (!dynamic || isUniform(dynamic)) &&
         llvm::all_of(access.op.getIndices(),
                      [&](Value index) { return isUniform(index); });
}

bool AccessMaps::isUniform(Value value) {
  if (auto it = uniform.find(value); it != uniform.end())
    return it->second;
  bool result = false;
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    result = arg.getOwner()->getParentOp() == task &&
             arg.getArgNumber() < task.getNumCaptured();
  } else {
    Operation *op = value.getDefiningOp();
    if (nesting > 200)
      return false;
    ++nesting;
    result = op->getNumRegions() == 0 &&
             (isMemoryEffectFree(op) || isSharedLoad(op)) &&
             !isa<ir::IterationOp>(op) &&
             llvm::all_of(op->getOperands(),
                          [&](Value operand) { return isUniform(operand); });
    --nesting;
  }
  return uniform[value] = result;
}

/// A sum by what its symbols are.
struct AccessMaps::Split {
  /// Factors of the task's index variables.
  SmallVector<int64_t, 3> factors;
  /// Symbols that all iterations share.
  Linear shared;
  /// Where the rest lies.
  Wide lo = 0, hi = 0;
  /// Is that so near that sums of such do not wrap?
  bool isNear = true;
};

AccessMaps::Split AccessMaps::split(const Linear &sum, Operation *at) {
  Split result;
  auto indices = task.getIndexVariables();
  for (Value index : indices)
    result.factors.push_back(sum.factorOf({index}));
  result.lo = result.hi = sum.getConstant();
  for (const Linear::Term &term : sum.getTerms()) {
    if (llvm::is_contained(indices, term.symbol.value))
      continue;
    if (term.symbol.isExtent() || isUniform(term.symbol.value)) {
      // One of a sum's terms alone cannot overflow.
      if (auto more = result.shared.plus(Linear(term.symbol), term.factor))
        result.shared = *more;
      continue;
    }
    Interval range = ranges.intervalAt(term.symbol, at);
    Wide a = Wide(term.factor) * range.lo, b = Wide(term.factor) * range.hi;
    result.lo += std::min(a, b);
    result.hi += std::max(a, b);
    constexpr Wide kMost = Wide(1) << 120;
    result.isNear &= result.lo > -kMost && result.hi < kMost;
    if (!result.isNear)
      break;
  }
  return result;
}

/// Substitutes in one sum the other's index variables that have one value where
/// the first is evaluated: after `i == 0`, `x[0]` is `x[i]`.
void AccessMaps::align(Split &sum, const Split &other, Operation *at) {
  for (auto [v, index] : llvm::enumerate(task.getIndexVariables())) {
    if (sum.factors[v] != 0 || other.factors[v] == 0)
      continue;
    Interval values = ranges.intervalAt(index, at);
    if (!values.isPoint())
      continue;
    Wide shift = Wide(other.factors[v]) * values.lo;
    sum.factors[v] = other.factors[v];
    sum.lo -= shift;
    sum.hi -= shift;
  }
}

/// If the two have equal indices on `axis`, which index variables are equal
/// too? Marks them. Returns true if the indices are never equal.
///
/// The difference of the two indices is Σ fᵥ · Δᵥ + r, with r in an interval
/// and |Δᵥ| below the extent of the domain. As in a number system, Δᵥ is 0 for
/// the largest factor if the rest together stays below it, and so on downwards.
bool AccessMaps::separatesAxis(const Access &a, const Access &b, unsigned axis,
                               SmallVectorImpl<bool> &isEqual) {
  Split x = split(a.index[axis], a.op), y = split(b.index[axis], b.op);
  align(x, y, a.op);
  align(y, x, b.op);
  if (!x.isNear || !y.isNear || x.factors != y.factors || x.shared != y.shared)
    return false;
  Wide lo = x.lo - y.hi, hi = x.hi - y.lo;
  Wide rest = std::max(lo < 0 ? -lo : lo, hi < 0 ? -hi : hi);
  SmallVector<unsigned> open;
  for (unsigned v = 0; v < x.factors.size(); ++v)
    if (x.factors[v] != 0 && !isEqual[v])
      open.push_back(v);
  if (open.empty())
    return lo > 0 || hi < 0;
  auto size = [&](unsigned v) { return std::abs(x.factors[v]); };
  llvm::sort(open, [&](unsigned v, unsigned w) { return size(v) < size(w); });
  const TaskDomain &domain = ranges.domainOf(task);
  // Wide enough: at most three products of 64-bit numbers.
  SmallVector<Wide> below;
  for (unsigned v : open) {
    below.push_back(rest);
    Interval values = domain.axes[v].values;
    Wide span = Wide(values.hi) - values.lo;
    if (span > (Wide(1) << 60) || rest > (Wide(1) << 120))
      return false;
    rest += Wide(size(v)) * span;
  }
  for (unsigned i = open.size(); i-- > 0;) {
    if (size(open[i]) <= below[i])
      break;
    isEqual[open[i]] = true;
  }
  return false;
}

uint64_t analysis::hashOf(Value field, ArrayRef<Linear> index) {
  auto hash = llvm::hash_combine(field.getAsOpaquePointer());
  for (const Linear &sum : index)
    hash = llvm::hash_combine(hash, sum.hash());
  return hash;
}

static bool areAlike(const Access &a, const Access &b) {
  return a.field == b.field && a.component == b.component &&
         a.op.getAccessKind() == b.op.getAccessKind() && a.index == b.index &&
         a.op->getBlock() == b.op->getBlock() &&
         a.op.getDynamicComponent() == b.op.getDynamicComponent() &&
         updateKindOf(a.op) == updateKindOf(b.op);
}

SmallVector<unsigned>
AccessMaps::firstAlike(ArrayRef<const Access *> accesses) {
  llvm::DenseMap<uint64_t, SmallVector<unsigned, 1>> buckets;
  SmallVector<unsigned> result;
  for (auto [number, access] : llvm::enumerate(accesses)) {
    auto &bucket = buckets[hashOf(access->field, access->index) >> 1];
    auto *known = llvm::find_if(bucket, [&](unsigned other) {
      return areAlike(*accesses[other], *access);
    });
    unsigned first = known == bucket.end() ? number : *known;
    if (first == number)
      bucket.push_back(number);
    result.push_back(first);
  }
  return result;
}

bool AccessMaps::isDisjoint(const Access &a, const Access &b) {
  return !mayOverlap(a, b) || haveDisjointIndices(a, b);
}

bool AccessMaps::isDisjointAsOneField(const Access &a, const Access &b) {
  auto typeOf = [](const Access &access) {
    return cast<ir::FieldType>(access.field.getType());
  };
  if (a.field != b.field && !ir::mayAliasByType(typeOf(a), typeOf(b)))
    return true;
  if (a.field != b.field && ir::mayBeShifted(typeOf(a), typeOf(b)))
    return false;
  return !mayShareComponent(a, b) || haveDisjointIndices(a, b);
}

bool AccessMaps::haveDisjointIndices(const Access &a, const Access &b) {
  const TaskDomain &domain = ranges.domainOf(task);
  SmallVector<bool> isEqual;
  for (const TaskDomain::Axis &axis : domain.axes)
    isEqual.push_back(axis.values.isPoint());
  // A fact about one axis may help another.
  for (unsigned round = 0; round < a.index.size() + 1; ++round) {
    if (llvm::all_of(isEqual, [](bool equal) { return equal; }))
      return true;
    for (unsigned axis = 0; axis < a.index.size(); ++axis)
      if (separatesAxis(a, b, axis, isEqual))
        return true;
  }
  // One condition that leaves a single value may guard both.
  for (auto [equal, index] : llvm::zip(isEqual, task.getIndexVariables())) {
    if (equal)
      continue;
    Interval values = ranges.intervalAt(index, a.op);
    if (!values.isPoint() || !(values == ranges.intervalAt(index, b.op)))
      return false;
  }
  return true;
}
