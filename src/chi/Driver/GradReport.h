//===- GradReport.h - What adjoints keep and how they add -------*- C++ -*-===//
#ifndef CHI_DRIVER_GRADREPORT_H
#define CHI_DRIVER_GRADREPORT_H

#include "mlir/IR/BuiltinOps.h"

namespace chi::driver {

/// Writes, for each task that has an adjoint, the cost of the adjoint, and for
/// each access to floats whether the adjoint needs the value, and how the
/// adjoint of that value is summed. The module is at stage `optimised`. False
/// if no task has an adjoint.
bool writeGradReport(mlir::ModuleOp module, llvm::raw_ostream &out);

} // namespace chi::driver
#endif // CHI_DRIVER_GRADREPORT_H
