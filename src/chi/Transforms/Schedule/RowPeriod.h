//===- RowPeriod.h - Rows whose values repeat -------------------*- C++ -*-===//
#ifndef CHI_TRANSFORMS_SCHEDULE_ROWPERIOD_H
#define CHI_TRANSFORMS_SCHEDULE_ROWPERIOD_H

#include "chi/Dialect/Chi/ChiDialect.h"
#include "llvm/ADT/DenseSet.h"

namespace chi::schedule {

/// The least number of iterations that all divisors of divisions in the body
/// divide, of values that `hangs` says change along a row. Nothing if there are
/// none, or it is too long.
std::optional<int64_t>
periodOfDivisors(ir::TaskOp task, llvm::function_ref<bool(mlir::Value)> hangs);

/// Is it proved that `values` of a task's body are the same `period` iterations
/// further along the innermost axis? `written`: the fields that the task
/// writes.
bool repeatAfter(ir::TaskOp task, int64_t period,
                 llvm::ArrayRef<mlir::Value> values,
                 const llvm::DenseSet<mlir::Value> &written);

} // namespace chi::schedule
#endif // CHI_TRANSFORMS_SCHEDULE_ROWPERIOD_H
