//===- RecordedForms.h - Kernels that launch by chirt_launch ----*- C++ -*-===//
// A kernel has two forms. `@k` calls its tasks; `@k.rec` passes each launch to
// the run time: a static `chirt_task`, the arguments as words, the domain. The
// flag `chirt_recording`, tested once at the entry of `@k`, chooses.
//===----------------------------------------------------------------------===//
#ifndef CHI_CONVERSION_CHITOLOOPS_RECORDEDFORMS_H
#define CHI_CONVERSION_CHITOLOOPS_RECORDEDFORMS_H

#include "chi/Conversion/ChiToLoops/TaskShape.h"
#include "chi/Conversion/Runtime.h"

namespace chi::conv {

/// Gives each control function that launches tasks its second form, and returns
/// these. One whose tasks are instrumented has no direct form any more.
llvm::SmallVector<mlir::func::FuncOp> addRecordedForms(mlir::ModuleOp module);

/// What tells tapes where turns of a kernel's loops begin goes
/// (chi-mark-turns): of what no tape hears.
void dropMarks(mlir::func::FuncOp control);

/// Quotients of a recorded form whose divisor may be 0 take 1 in its place:
/// see GuardedDivisions.cpp.
void guardDivisions(mlir::func::FuncOp recorded);

/// The place of a task's loop. `axes` are the names of its variables
/// (axesText), which must outlive the result.
Site siteOf(ir::TaskOp task, llvm::StringRef axes);

/// Makes `@t.launch`, the entry of a task, and the constant `@t.task`, its
/// descriptor. The functions of the task exist.
void addTaskEntry(const TaskShape &shape);

/// Declares the descriptor of a task that another unit has.
void declareDescriptor(ir::TaskOp task);

/// A launch of a recorded form becomes a call of chirt_launch.
void lowerRecordedLaunch(ir::LaunchOp launch, const TaskShape &shape);

/// The cells of a recorded form become fields that the run time makes and
/// frees. Its launches are lowered.
void makeCellsFields(mlir::func::FuncOp recorded);

/// Makes `@k.table`, the `chirt_kernel` of a control function that launches
/// these tasks.
void addKernelTable(mlir::func::FuncOp control,
                    llvm::ArrayRef<mlir::StringAttr> tasks);

} // namespace chi::conv
#endif // CHI_CONVERSION_CHITOLOOPS_RECORDEDFORMS_H
