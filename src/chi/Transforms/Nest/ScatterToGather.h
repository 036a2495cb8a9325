//===- ScatterToGather.h - Scatters become gathers --------------*- C++ -*-===//
#ifndef CHI_TRANSFORMS_NEST_SCATTERTOGATHER_H
#define CHI_TRANSFORMS_NEST_SCATTERTOGATHER_H

#include "chi/Transforms/Nest/GatherSpace.h"

namespace chi::nest {

/// Accumulations in one nest that go to the elements of one space.
struct GatherGroup {
  const Nest *nest;
  const GatherSpace *space;
  llvm::SmallVector<ir::AccumOp> accums;
};

/// Operations of one iteration that a group's values and conditions depend on.
using Slice = llvm::SetVector<mlir::Operation *>;

/// Nothing if an iteration of the group's space cannot compute them by itself:
/// values that a loop carries, loads of elements that the task has written
/// before, local memory, random numbers.
std::optional<Slice> sliceOf(const GatherGroup &group,
                             analysis::Ranges &ranges);

/// Makes a task before that of the group, over the axes of its space, that adds
/// up what goes to an element and adds it once. The accumulations stay where
/// they are.
ir::TaskOp gather(const GatherGroup &group, const Slice &slice,
                  analysis::Ranges &ranges, llvm::StringRef name);

/// Leaves out the bounds and conditions of the task that others imply.
void dropNeedlessBounds(ir::TaskOp task);

} // namespace chi::nest
#endif // CHI_TRANSFORMS_NEST_SCATTERTOGATHER_H
