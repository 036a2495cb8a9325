//===- HostMachine.h - The machine that code is made for --------*- C++ -*-===//
#ifndef CHI_DRIVER_COMPILE_HOSTMACHINE_H
#define CHI_DRIVER_COMPILE_HOSTMACHINE_H

#include "chi/Support/Machine.h"

namespace chi::launch {
struct CompileOptions;
}

namespace chi::driver {

/// The machine that code is compiled for with these options: this machine, or a
/// usual one for another processor, with the properties that the options
/// describe.
Machine machineOf(const launch::CompileOptions &options);

/// `system`, with the named properties replaced. Caches that are not named
/// become as small, or as large, as the named ones require.
Machine described(const Machine &system, const MachineDescription &named);

/// This machine. Caches are those of the first core, as Linux reports them,
/// usual ones where it does not. A core reaches one cache of the last level,
/// though the processor may have several.
Machine hostMachine();

/// The caches of a folder laid out as /sys/devices/system/cpu/cpu0/cache.
CacheSizes cachesIn(const std::string &folder);

} // namespace chi::driver
#endif // CHI_DRIVER_COMPILE_HOSTMACHINE_H
