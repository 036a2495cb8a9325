//===- Observers.cpp - Who observes launches ------------------------------===//
#include "chirt/launch/Observers.h"

#include "chirt/prof/LaunchSink.h"
#include "chirt/prof/Profile.h"
#include "chirt/program/TimeLimit.h"
#include "chirt/races/Races.h"

namespace chirt {

// The profiles are inside: they wait for the launch before the table of its
// accesses goes, and a time limit that passes meanwhile is one of this launch.
constinit const LaunchObserver *const launchObservers[kMostLaunchObservers] = {
    &raceObserver, &placeObserver, &profileObserver, &sinkObserver};

} // namespace chirt
