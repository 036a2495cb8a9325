//===- OwnElements.h - What no other iteration touches ----------*- C++ -*-===//
#ifndef CHI_TRANSFORMS_FACTS_OWNELEMENTS_H
#define CHI_TRANSFORMS_FACTS_OWNELEMENTS_H

#include "chi/Analysis/AccessMaps.h"
#include "llvm/ADT/MapVector.h"

namespace chi::facts {

/// The accesses of a task to one field.
using FieldAccesses = llvm::SmallVector<const analysis::Access *>;

/// All accesses of a task, by the argument that is their field.
llvm::MapVector<mlir::Value, FieldAccesses>
accessesByField(const analysis::AccessMaps &maps);

/// For each of the accesses to a field: is it proved that no other iteration
/// of the task touches its element?
llvm::SmallVector<bool>
findOwn(analysis::AccessMaps &maps,
        llvm::ArrayRef<const analysis::Access *> accesses);

/// Are all accesses to a field accumulations of one kind? Only such accesses
/// may go to copies that are merged later.
bool areOneAccumulation(llvm::ArrayRef<const analysis::Access *> accesses);

/// For each of the accesses to a field: is it an accumulation to an address
/// that all iterations share, and do only such accumulations of its kind reach
/// that address? These are summed in a tree of fixed shape.
llvm::SmallVector<bool>
findDeterministic(analysis::AccessMaps &maps,
                  llvm::ArrayRef<const analysis::Access *> accesses);

/// Do the bits of the accumulated value depend on the order?
bool needsOrder(ir::AccumOp accum);

} // namespace chi::facts
#endif // CHI_TRANSFORMS_FACTS_OWNELEMENTS_H
