//===- GradReport.h - What adjoints keep and how they add -------*- C++ -*-===//
#ifndef CHI_DRIVER_GRADREPORT_H
#define CHI_DRIVER_GRADREPORT_H

#include "mlir/IR/BuiltinOps.h"

namespace chi::driver {

/// Writes, for each task that has an adjoint, what the adjoint costs, and for
/// each access to floats whether the adjoint needs what it read, and how the
/// adjoint of what was read is added up. The module is at stage `optimised`.
/// False if no task has an adjoint.
bool writeGradReport(mlir::ModuleOp module, llvm::raw_ostream &out);

} // namespace chi::driver
#endif // CHI_DRIVER_GRADREPORT_H
