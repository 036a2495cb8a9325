//===- HostCaches.cpp - The caches of this machine ------------------------===//
#include "chi/Driver/HostCaches.h"

#include "chirt/cpu/Caches.h"
#include <algorithm>

using namespace chi;

CacheSizes driver::cachesIn(const std::string &folder) {
  CacheSizes sizes;
  chirt::CoreCaches told = chirt::cachesOf(folder.c_str());
  if (!told.first)
    return sizes;
  sizes.l1 = told.first, sizes.last = told.last;
  sizes.l2 =
      told.second ? told.second : std::clamp(sizes.l2, told.first, told.last);
  return sizes;
}

CacheSizes driver::hostCaches() {
  return cachesIn("/sys/devices/system/cpu/cpu0/cache");
}
