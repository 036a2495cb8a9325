//===- TaskFacts.h - What launches need to know of a task -------*- C++ -*-===//
#ifndef CHI_CONVERSION_CHITOGPU_TASKFACTS_H
#define CHI_CONVERSION_CHITOGPU_TASKFACTS_H

#include "chi/Dialect/Chi/ChiDialect.h"

namespace chi::conv::kernels {

/// The most words that an iteration logs; 0 if it logs nothing, negative if the
/// number is unbounded.
int64_t loggedWords(ir::TaskOp task);

/// The maximal trip count of loops in a region, up to CHIRT_FEW_ITERATIONS;
/// nothing if it is unknown, or larger.
std::optional<int64_t> tripCountOf(mlir::Region &region);

} // namespace chi::conv::kernels
#endif // CHI_CONVERSION_CHITOGPU_TASKFACTS_H
