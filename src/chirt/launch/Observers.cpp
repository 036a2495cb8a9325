//===- Observers.cpp - Who observes launches ------------------------------===//
#include "chirt/launch/Observers.h"

namespace chirt {

int32_t instrumentedLaunches = 0;

bool noteAccess(const chirt_site *site, const void *address, int64_t iteration,
                int32_t kind) {
  for (const LaunchObserver *observer : launchObservers)
    if (observer && observer->access &&
        observer->access(site, address, iteration, kind))
      return true;
  return false;
}

} // namespace chirt
