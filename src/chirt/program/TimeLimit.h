//===- TimeLimit.h - --time-limit -------------------------------*- C++ -*-===//
#ifndef CHIRT_PROGRAM_TIMELIMIT_H
#define CHIRT_PROGRAM_TIMELIMIT_H

#include "chirt/launch/Observers.h"

namespace chirt {

/// Notes which launch runs while there is a time limit: the message names it.
extern const LaunchObserver placeObserver;
/// The process ends that many seconds from now with CHIRT_TIME_LIMIT_STATUS,
/// unless Settings::endsAtLimit says that the run ends by itself. 0: there is
/// no limit (any more). `file` is the program's, for the message.
void limitTime(double seconds, const char *file);

} // namespace chirt
#endif // CHIRT_PROGRAM_TIMELIMIT_H
