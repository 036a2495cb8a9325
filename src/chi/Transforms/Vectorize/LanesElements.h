//===- LanesElements.h - Lanes take whole elements --------------*- C++ -*-===//
#ifndef CHI_TRANSFORMS_VECTORIZE_LANESELEMENTS_H
#define CHI_TRANSFORMS_VECTORIZE_LANESELEMENTS_H

#include "chi/Dialect/Chi/ChiDialect.h"

namespace chi::vectorize {

/// Elements of more scalars stay as they are: each scalar is a choice from as
/// many registers.
inline constexpr int64_t kMaxComponents = 9;

/// In a task's wide body, makes one contiguous load, and one contiguous store,
/// of what lanes do with all scalars of neighbouring elements.
void joinElements(ir::TaskOp task);

/// Moves accumulations of a wide body whose lanes may touch one element
/// together, so that one loop over the lanes executes them all.
void sinkSums(ir::TaskOp task);

} // namespace chi::vectorize
#endif // CHI_TRANSFORMS_VECTORIZE_LANESELEMENTS_H
