//===- DeviceData.h - Code for devices as constants -------------*- C++ -*-===//
#ifndef CHI_OFFLOAD_DEVICEDATA_H
#define CHI_OFFLOAD_DEVICEDATA_H

#include "chi/Target/NVVM/PTX.h"

namespace chi::offload {

/// Replaces the module's kernels, in the SPIR-V dialect or those of NVPTX, by
/// constants of the LLVM dialect that a unit's object holds: a
/// `chirt_device_code` named `T.device` of each task T. `target`: what PTX is
/// made for. Fails if there is no binary of them.
llvm::Error makeDeviceData(mlir::ModuleOp module,
                           const target::nvvm::PTXTarget &target);

} // namespace chi::offload
#endif // CHI_OFFLOAD_DEVICEDATA_H
