//===- OwnElements.cpp - What no other iteration touches ------------------===//
#include "chi/Transforms/OwnElements.h"

using namespace mlir;
using namespace chi;
using namespace chi::analysis;
using namespace chi::transforms;

/// More accesses of one field than are worth comparing each with each.
static constexpr size_t kMaxCompared = 400;

llvm::MapVector<Value, FieldAccesses>
transforms::accessesByField(const AccessMaps &maps) {
  llvm::MapVector<Value, FieldAccesses> byField;
  for (const Access &access : maps.getAccesses())
    byField[access.field].push_back(&access);
  return byField;
}

SmallVector<bool> transforms::findOwn(AccessMaps &maps,
                                      ArrayRef<const Access *> accesses) {
  SmallVector<unsigned> first = AccessMaps::firstAlike(accesses);
  FieldAccesses distinct; // one of those that are alike
  for (auto [k, access] : llvm::enumerate(accesses))
    if (first[k] == k)
      distinct.push_back(access);
  SmallVector<bool> own(accesses.size());
  if (distinct.size() > kMaxCompared)
    return own;
  for (auto [k, access] : llvm::enumerate(accesses))
    own[k] = first[k] == k
                 ? llvm::all_of(distinct,
                                [&, here = access](auto *other) {
                                  return maps.isDisjoint(*here, *other);
                                })
                 : own[first[k]];
  return own;
}

bool transforms::areOneAccumulation(ArrayRef<const Access *> accesses) {
  auto first = dyn_cast<ir::AccumOp>(accesses.front()->op.getOperation());
  return first && llvm::all_of(accesses, [&](const Access *access) {
           auto accum = dyn_cast<ir::AccumOp>(access->op.getOperation());
           return accum && accum.getKind() == first.getKind();
         });
}

bool transforms::areOneScalar(ArrayRef<const Access *> accesses) {
  auto type = cast<ir::FieldType>(accesses.front()->field.getType());
  return type.getRank() == 0 && llvm::all_of(accesses, [](auto *access) {
           return access->component.has_value();
         });
}
