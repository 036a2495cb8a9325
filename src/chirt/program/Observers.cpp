//===- Observers.cpp - Who observes launches ------------------------------===//
#include "chirt/launch/Observers.h"

#include "chirt/prof/Profile.h"
#include "chirt/races/Races.h"

namespace chirt {

// The profile is inside: it waits for the launch before the table of its
// accesses goes.
constinit const LaunchObserver *const launchObservers[kMostLaunchObservers] = {
    &raceObserver, &profileObserver};

} // namespace chirt
