//===- EndedLoops.h - Launches whose loops the driver ends ------*- C++ -*-===//
// Note [Loops that the driver ends] of chi/Target/SPIRV/FindEndedLoops.cpp: on
// such a driver a launch that may take too many iterations is waited for. If
// loops of it were ended, what it wrote is put back, and the processor's code
// of the task runs over the device's memory, which is the host's there.
//===----------------------------------------------------------------------===//
#ifndef CHIRT_VULKAN_ENDEDLOOPS_H
#define CHIRT_VULKAN_ENDEDLOOPS_H

#include "chirt/device/Kernels.h"

namespace chirt {

/// Turns that a group of threads may take on a driver that ends loops.
constexpr int64_t kMostIterations = 65'535;

/// The error message for a device, where the processor cannot run the loop.
constexpr const char *kExceedsIterations =
    "ends the loops of a thread after 65,535 "
    "iterations, which this one exceeds";

/// Whether a kernel asks if loops of it were ended, and the driver may do so.
bool mayBeEnded(const chirt_device_code *code);

/// Runs a task by the processor's code; nothing else is on the queue. Failed
/// checks are recorded. Null, or the end of a sentence that begins with the
/// device.
const char *runByProcessor(const chirt_task *task, const KernelLaunch &launch);

} // namespace chirt
#endif // CHIRT_VULKAN_ENDEDLOOPS_H
