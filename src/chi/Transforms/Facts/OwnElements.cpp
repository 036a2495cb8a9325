//===- OwnElements.cpp - What no other iteration touches ------------------===//
#include "chi/Transforms/Facts/OwnElements.h"

#include "chi/Dialect/Chi/Accumulations.h"

using namespace mlir;
using namespace chi;
using namespace chi::analysis;
using namespace chi::facts;

/// More accesses of one field than are worth comparing each with each.
static constexpr size_t kMaxCompared = 400;

llvm::MapVector<Value, FieldAccesses>
facts::accessesByField(const AccessMaps &maps) {
  llvm::MapVector<Value, FieldAccesses> byField;
  for (const Access &access : maps.getAccesses())
    byField[access.field].push_back(&access);
  return byField;
}

SmallVector<bool> facts::findOwn(AccessMaps &maps,
                                 ArrayRef<const Access *> accesses) {
  SmallVector<unsigned> first = AccessMaps::firstAlike(accesses);
  FieldAccesses noalias; // one of those that are alike
  for (auto [k, access] : llvm::enumerate(accesses))
    if (first[k] == k)
      noalias.push_back(access);
  SmallVector<bool> own(accesses.size());
  if (noalias.size() > kMaxCompared)
    return own;
  for (auto [k, access] : llvm::enumerate(accesses))
    own[k] = first[k] == k
                 ? llvm::all_of(noalias,
                                [&, here = access](auto *other) {
                                  return maps.isDisjoint(*here, *other);
                                })
                 : own[first[k]];
  return own;
}

bool facts::areOneAccumulation(ArrayRef<const Access *> accesses) {
  auto first = dyn_cast<ir::AccumOp>(accesses.front()->op.getOperation());
  return first && llvm::all_of(accesses, [&](const Access *access) {
           auto accum = dyn_cast<ir::AccumOp>(access->op.getOperation());
           return accum && accum.getKind() == first.getKind();
         });
}

/// Can an address be computed again after all iterations, also if none of them
/// executed the access?
static bool canRepeat(ir::FieldAccessOpInterface access) {
  SmallVector<Value> open(access.getIndices());
  if (Value dynamic = access.getDynamicComponent())
    open.push_back(dynamic);
  llvm::SmallPtrSet<Operation *, 8> seen;
  while (!open.empty()) {
    Operation *op = open.pop_back_val().getDefiningOp();
    if (!op || !seen.insert(op).second || isa<ir::CastFieldOp>(op))
      continue;
    if (!isa<ir::LoadOp>(op) && !isSpeculatable(op))
      return false;
    llvm::append_range(open, op->getOperands());
  }
  return true;
}

/// The kind of the accumulation to one address that `access` is; -1 if it is
/// none.
static int sharedKind(AccessMaps &maps, const Access &access) {
  auto accum = dyn_cast<ir::AccumOp>(access.op.getOperation());
  return accum && maps.isOneAddress(access) && canRepeat(access.op)
             ? int(accum.getKind())
             : -1;
}

SmallVector<bool> facts::findDeterministic(AccessMaps &maps,
                                           ArrayRef<const Access *> accesses) {
  constexpr int64_t kAny = -1; // a component that is found at run time
  constexpr int kSeveral = -2; // ways
  auto kinds = llvm::map_to_vector(accesses, [&](const Access *access) {
    return sharedKind(maps, *access);
  });
  // The one way in which each component is reached.
  llvm::DenseMap<int64_t, int> ways;
  for (auto [access, kind] : llvm::zip_equal(accesses, kinds)) {
    auto [way, isNew] =
        ways.try_emplace(access->component.value_or(kAny), kind);
    if (!isNew && way->second != kind)
      way->second = kSeveral;
  }
  auto any = ways.find(kAny);
  SmallVector<bool> result;
  for (auto [access, kind] : llvm::zip_equal(accesses, kinds)) {
    auto isOnly = [&, kind = kind](const auto &way) {
      return way.second == kind;
    };
    bool isDeterministic = kind >= 0 && (any == ways.end() || isOnly(*any));
    if (access->component)
      isDeterministic &= isOnly(*ways.find(*access->component));
    else
      isDeterministic &= llvm::all_of(ways, isOnly);
    result.push_back(isDeterministic);
  }
  return result;
}

bool facts::needsOrder(ir::AccumOp accum) {
  return ir::isRounded(accum.getKind(), accum.getValue().getType());
}
