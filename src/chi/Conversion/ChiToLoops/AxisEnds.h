//===- AxisEnds.h - Where the axes of a recorded task begin -----*- C++ -*-===//
#ifndef CHI_CONVERSION_CHITOLOOPS_AXISENDS_H
#define CHI_CONVERSION_CHITOLOOPS_AXISENDS_H

#include "chi/Conversion/Emitter.h"
#include "chi/Dialect/Chi/ChiDialect.h"

namespace chi::conv {

/// The first iteration along an axis and the one after the last, of type i64.
/// The axis is empty unless `from` is less than `to`.
struct AxisEnds {
  mlir::Value from, to;
};

/// The ends of axis `number` of a task that has captured `inputs`, for the
/// launch of a tape. `domain` gives those of an axis of the launch's domain;
/// the facts or bounds of the task give all others. They fit into the type of
/// the axis.
AxisEnds axisEnds(Emitter &emit, ir::TaskOp task, unsigned number,
                  llvm::ArrayRef<mlir::Value> inputs,
                  llvm::function_ref<AxisEnds(int64_t)> domain);

} // namespace chi::conv
#endif // CHI_CONVERSION_CHITOLOOPS_AXISENDS_H
