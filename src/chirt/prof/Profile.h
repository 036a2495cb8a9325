//===- Profile.h - --profile: time of each task -----------------*- C++ -*-===//
#ifndef CHIRT_PROF_PROFILE_H
#define CHIRT_PROF_PROFILE_H

#include "chirt/chirt.h"

namespace chirt {

/// A launch of `task` by this thread begins. The table is printed at the end of
/// the run.
void beginProfile(const chirt_task *task);
/// The latest one that began has ended.
void endProfile();

} // namespace chirt
#endif // CHIRT_PROF_PROFILE_H
