//===- DeviceData.h - Code for devices as constants -------------*- C++ -*-===//
#ifndef CHI_OFFLOAD_DEVICEDATA_H
#define CHI_OFFLOAD_DEVICEDATA_H

#include "mlir/IR/BuiltinOps.h"

namespace chi::offload {

/// Replaces the module's kernels, in the SPIR-V dialect, by constants of the
/// LLVM dialect that a unit's object holds: a `chirt_device_code` named
/// `T.device` of each task T. Fails if there is no binary of them.
mlir::LogicalResult makeDeviceData(mlir::ModuleOp module);

} // namespace chi::offload
#endif // CHI_OFFLOAD_DEVICEDATA_H
