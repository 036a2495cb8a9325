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
/// as tasks see it: with the device's address instead of the host's.
void beginLaunch(const LaunchField *fields, int count, chirt_field *shadows);
/// Notes what the launch wrote. The fields are those of beginLaunch.
void endLaunch(const LaunchField *fields, int count);

/// Runs a task where its fields are, acquiring them as its descriptor says.
/// Raises if memory is short.
void runTask(const chirt_task *task, const int64_t *words,
             const chirt_domain *domain);
/// The same. The observers of launches are notified, the thread's observer of
/// changes is not. Raises what failed.
void launchUnheard(const chirt_task *task, const int64_t *words,
                   const chirt_domain *domain);

/// Does the task use elements of a view?
bool takesViews(const chirt_task *task, const int64_t *words);

} // namespace chirt
#endif // CHIRT_LAUNCH_LAUNCH_H
