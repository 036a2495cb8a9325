//===- Caches.h - The caches of this machine --------------------*- C++ -*-===//
#ifndef CHIRT_CPU_CACHES_H
#define CHIRT_CPU_CACHES_H

#include <cstdint>
#include <sched.h>

namespace chirt {

/// Sizes of the caches of one core, in bytes; 0: unknown.
struct CoreCaches {
  int64_t first = 0;  ///< of data
  int64_t second = 0; ///< 0 also if there is none
  int64_t last = 0;   ///< the largest that the core reaches
  cpu_set_t sharers;  ///< the cores that share it
};

/// As a folder laid out like /sys/devices/system/cpu/cpu0/cache tells them.
CoreCaches cachesOf(const char *folder);

/// Bytes of all last caches that `threads` threads reach on `cores`, of which
/// each has its own part of a launch. `folder` is as /sys/devices/system/cpu.
/// Returns 0 if that is unknown.
int64_t reachedCaches(const char *folder, const cpu_set_t &cores, int threads);

/// Do fields of so many bytes find no place in caches of `cache` bytes?
constexpr bool exceedsCaches(int64_t bytes, int64_t cache) {
  // What exceeds a last cache less than twofold is still found there in good
  // part, since it does not drop what was used first, but what lies in one set.
  return bytes / 2 > cache;
}

} // namespace chirt
#endif // CHIRT_CPU_CACHES_H
