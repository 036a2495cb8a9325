//===- WorkOfTask.h - The work of tasks from their code ---------*- C++ -*-===//
#ifndef CHI_PROFILE_WORKOFTASK_H
#define CHI_PROFILE_WORKOFTASK_H

#include "chi/Profile/Work.h"
#include "mlir/IR/BuiltinOps.h"

namespace chi::profile {

/// The work of each task of a module at stage `optimised`. A flop is an
/// addition, subtraction, multiplication, division, remainder, minimum,
/// maximum or square root of floats, or a call of an elementary function; a
/// fused multiply-add is two. Comparisons, negations, absolute values,
/// roundings and conversions are none.
std::vector<TaskWork> workOfTasks(mlir::ModuleOp module);

} // namespace chi::profile
#endif // CHI_PROFILE_WORKOFTASK_H
