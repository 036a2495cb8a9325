//===- Observers.h - Who observes launches ----------------------*- C++ -*-===//
// This room does not know who observes launches: the table of observers stands
// in the room that puts the run time together (program/Observers.cpp). It is
// constant, so a launch neither takes a lock nor allocates, and a launch that
// is not observed calls no observer.
//===----------------------------------------------------------------------===//
#ifndef CHIRT_LAUNCH_OBSERVERS_H
#define CHIRT_LAUNCH_OBSERVERS_H

#include "chirt/chirt.h"

namespace chirt {

/// Observes launches, in the thread that launches. What `begin` is given lives
/// until `end` has returned.
struct LaunchObserver {
  /// Whether it observes the launch of that task. Called once a launch, and
  /// only for tasks in Settings::observedTasks.
  bool (*isWanted)(const chirt_task *task);
  /// Before and after the task. A failure that leaves the task skips the end.
  void (*begin)(const chirt_task *task, const int64_t *words,
                const chirt_domain *domain);
  void (*end)();
  /// A kernel of a device reports that its iteration did `kind` (as
  /// chirt_race_access has it) to a scalar. True if that is the launch's
  /// failure. May be null.
  bool (*access)(const chirt_site *site, const void *address, int64_t iteration,
                 int32_t kind);
};

/// There are as many places for observers.
constexpr int kMostLaunchObservers = 4;
/// The observers of the process, the first one outermost: its `begin` is called
/// first and its `end` last. Null from the end of the list on.
extern const LaunchObserver *const launchObservers[kMostLaunchObservers];

/// Passes an access to the observers (LaunchObserver::access). True if it is
/// the launch's failure.
bool noteAccess(const chirt_site *site, const void *address, int64_t iteration,
                int32_t kind);

/// Non-zero while an instrumented launch runs: launches stay on their caller
/// then.
extern int32_t instrumentedLaunches;

} // namespace chirt
#endif // CHIRT_LAUNCH_OBSERVERS_H
