//===- Profile.h - --profile: time of each task -----------------*- C++ -*-===//
#ifndef CHIRT_PROF_PROFILE_H
#define CHIRT_PROF_PROFILE_H

#include "chirt/launch/Observers.h"

namespace chirt {

/// Measures each launch of a run with --profile. The table is printed at the
/// end of the run.
extern const LaunchObserver profileObserver;

} // namespace chirt
#endif // CHIRT_PROF_PROFILE_H
