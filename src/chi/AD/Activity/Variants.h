//===- Variants.h - Adjoints for launches with less to do ------*- C++ -*-===//
#ifndef CHI_AD_ACTIVITY_VARIANTS_H
#define CHI_AD_ACTIVITY_VARIANTS_H

#include "chi/Dialect/Chi/ChiDialect.h"
#include "llvm/ADT/BitVector.h"

namespace chi::ad::activity {

/// Which adjoints a task has beside `adjoint`, which is right for all of its
/// launches: for each one the numbers of captured values that have no
/// derivative at some launches. They are only read, and `adjoint` adds to their
/// adjoints. If there are too many there is none. `passive`: the values that
/// have no derivative at any launch.
llvm::SmallVector<llvm::SmallVector<int64_t>>
findVariants(ir::TaskOp task, ir::TaskOp adjoint,
             llvm::ArrayRef<llvm::BitVector> passive);

} // namespace chi::ad::activity
#endif // CHI_AD_ACTIVITY_VARIANTS_H
