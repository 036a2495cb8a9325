//===- HostMachine.cpp - The machine that code is made for ----------------===//
#include "chi/Driver/Compile/HostMachine.h"

#include "chi/Launch/RunOptions.h"
#include "chirt/cpu/Caches.h"
#include <algorithm>
#include <limits>
#include <thread>
#include <tuple>

using namespace chi;

CacheSizes driver::cachesIn(const std::string &folder) {
  CacheSizes sizes;
  chirt::CoreCaches caches = chirt::cachesOf(folder.c_str());
  if (!caches.first)
    return sizes;
  sizes.l1 = caches.first, sizes.last = caches.last;
  sizes.l2 = caches.second ? caches.second
                           : std::clamp(sizes.l2, caches.first, caches.last);
  return sizes;
}

Machine driver::hostMachine() {
  Machine machine;
  machine.caches = cachesIn("/sys/devices/system/cpu/cpu0/cache");
  machine.cores = std::thread::hardware_concurrency();
  return machine;
}

Machine driver::described(const Machine &system,
                          const MachineDescription &named) {
  Machine result = system;
  if (named.vector)
    result.vectorBits = named.vector;
  if (named.cores)
    result.cores = named.cores;
  CacheSizes &caches = result.caches;
  caches.line = named.line ? named.line : caches.line;
  // A named size is a bound for those that are not.
  auto [l1, l2, l3] = std::tuple(named.l1, named.l2, named.l3);
  int64_t first = l1 ? l1 : 1, second = std::max(first, l2);
  int64_t last = l3 ? l3 : std::numeric_limits<int64_t>::max(),
          middle = l2 ? l2 : last;
  caches.l1 = l1 ? l1 : std::min(caches.l1, middle);
  caches.l2 = l2 ? l2 : std::clamp(caches.l2, first, last);
  caches.last = l3 ? l3 : std::max(caches.last, second);
  return result;
}

Machine driver::machineOf(const launch::CompileOptions &options) {
  Machine system = hostMachine();
  if (options.targetCPU != "native")
    system.caches = CacheSizes();
  return described(system, options.machine);
}
