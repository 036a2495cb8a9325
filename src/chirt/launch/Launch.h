//===- Launch.h - Running a task where its fields are -----------*- C++ -*-===//
#ifndef CHIRT_LAUNCH_LAUNCH_H
#define CHIRT_LAUNCH_LAUNCH_H

#include "chirt/chirt.h"

namespace chirt {

/// A field that a launch uses, and for what.
struct LaunchField {
  chirt_field *field;
  chirt_acquire_mode mode;
};

/// What a launch does before and after. `shadows` gets a handle for each field,
/// as tasks see it: with the device's address in the place of the host's.
void beginLaunch(const LaunchField *fields, int count, chirt_field *shadows);
void endLaunch(const LaunchField *fields, int count);

/// Runs a task where its fields are, acquiring them as its descriptor says.
/// Raises if memory is short.
void runTask(const chirt_task *task, const int64_t *words,
             const chirt_domain *domain);
/// The same, heard by the observers of launches but not by the thread's
/// observer of changes; raises what failed.
void launchUnheard(const chirt_task *task, const int64_t *words,
                   const chirt_domain *domain);

} // namespace chirt
#endif // CHIRT_LAUNCH_LAUNCH_H
