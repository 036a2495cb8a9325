//===- LaunchSink.h - The launches of a run for its host --------*- C++ -*-===//
#ifndef CHIRT_PROF_LAUNCHSINK_H
#define CHIRT_PROF_LAUNCHSINK_H

#include "chirt/host.h"
#include "chirt/launch/Observers.h"

namespace chirt {

/// Passes each launch to the sink, if there is one.
extern const LaunchObserver sinkObserver;
/// From now on launches wait for their end and go to `sink`, which is copied;
/// null: they do not.
void passLaunches(const chirt_launch_sink *sink);

} // namespace chirt
#endif // CHIRT_PROF_LAUNCHSINK_H
