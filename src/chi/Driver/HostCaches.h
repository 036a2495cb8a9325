//===- HostCaches.h - The caches of this machine ----------------*- C++ -*-===//
#ifndef CHI_DRIVER_HOSTCACHES_H
#define CHI_DRIVER_HOSTCACHES_H

#include "chi/Support/DeviceTraits.h"

namespace chi::driver {

/// As Linux tells them of the first core; usual sizes where it does not. A
/// core of this processor reaches one cache of the last level, though the
/// processor may have several.
CacheSizes hostCaches();

/// The same of a folder laid out as /sys/devices/system/cpu/cpu0/cache.
CacheSizes cachesIn(const std::string &folder);

} // namespace chi::driver
#endif // CHI_DRIVER_HOSTCACHES_H
