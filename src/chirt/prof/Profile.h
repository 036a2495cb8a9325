//===- Profile.h - --profile: time of each task -----------------*- C++ -*-===//
#ifndef CHIRT_PROF_PROFILE_H
#define CHIRT_PROF_PROFILE_H

#include "chirt/launch/Observers.h"

namespace chirt {

/// Measures each launch while launches are profiled.
extern const LaunchObserver profileObserver;
/// From now on launches are profiled, or they are not. The table is printed at
/// the end of the run.
void profileLaunches(bool isOn);

} // namespace chirt
#endif // CHIRT_PROF_PROFILE_H
