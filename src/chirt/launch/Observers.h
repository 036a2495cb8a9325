//===- Observers.h - Who observes launches ----------------------*- C++ -*-===//
// This room does not know who observes launches: the table of observers stands
// in the room that puts the run time together (program/Observers.cpp). It is
// constant, so a launch neither takes a lock nor allocates, and one that nobody
// wants to hear of asks no observer.
//===----------------------------------------------------------------------===//
#ifndef CHIRT_LAUNCH_OBSERVERS_H
#define CHIRT_LAUNCH_OBSERVERS_H

#include "chirt/chirt.h"

namespace chirt {

/// Observes launches, in the thread that launches.
struct LaunchObserver {
  /// Whether it observes the launch of that task. Asked once a launch, and only
  /// if it is one of those in Settings::observedTasks.
  bool (*isWanted)(const chirt_task *task);
  /// Before and after the task. A failure that leaves the task skips the end.
  void (*begin)(const chirt_task *task, const chirt_domain *domain);
  void (*end)();
  /// A kernel of a device tells that its iteration did `kind` (as
  /// chirt_race_access has it) to a scalar. True if that is the launch's
  /// failure. Null if the observer does not care.
  bool (*access)(const chirt_site *site, const void *address, int64_t iteration,
                 int32_t kind);
};

/// There are as many places for observers.
constexpr int kMostLaunchObservers = 4;
/// The observers of the process, the first one outermost: it hears the
/// beginning first and the end last. Null from the end of the list on.
extern const LaunchObserver *const launchObservers[kMostLaunchObservers];

/// Tells the observers of an access (LaunchObserver::access). True if it is the
/// launch's failure.
bool noteAccess(const chirt_site *site, const void *address, int64_t iteration,
                int32_t kind);

/// Non-zero while an instrumented launch runs: launches stay on their caller
/// then.
extern int32_t instrumentedLaunches;

} // namespace chirt
#endif // CHIRT_LAUNCH_OBSERVERS_H
