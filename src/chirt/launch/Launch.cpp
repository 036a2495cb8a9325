//===- Launch.cpp - What hangs on a launch --------------------------------===//
#include "chirt/prof/Profile.h"
#include "chirt/races/Races.h"
#include "chirt/support/Device.h"
#include "chirt/support/Settings.h"
#include "chirt/tape/Record.h"

int32_t chirt_recording = 0;

using namespace chirt;

/// Messages of what the launch finds count as the source does.
static void tellRange(const chirt_domain *domain) {
  if (domain->step != 0)
    chirt_loop_values(domain->begin, domain->step);
}

static void beginInstrumented(const chirt_task *task,
                              const chirt_domain *domain) {
  int64_t bounds[2 * CHIRT_MAX_RANK];
  for (int axis = 0; axis < task->rank; ++axis) {
    int64_t from = domain->from[axis], to = domain->to[axis];
    bounds[2 * axis] = from;
    bounds[2 * axis + 1] = to > from ? to - from : 0;
  }
  beginRaces(task->rank, bounds);
  tellRange(domain);
}

void chirt::launchUnheard(const chirt_task *task, const int64_t *words,
                          const chirt_domain *domain) {
  // Asked once: what begins ends.
  const bool isProfiled = settings().isProfiling;
  // A check of gradients asks for the races of some tapes.
  const bool isWatched = !settings().gradCheck || areRacesLookedFor();
  const bool isInstrumented =
      isWatched && (task->flags & CHIRT_TASK_INSTRUMENTED) != 0;
  if (isProfiled)
    beginProfile(task);
  if (isInstrumented)
    beginInstrumented(task, domain);
  runTask(task, words, domain);
  if (isProfiled)
    chirt_sync(); // the time is that of this launch
  if (isInstrumented)
    endRaces();
  if (isProfiled)
    endProfile();
  if (__atomic_load_n(&chirt_failed, __ATOMIC_RELAXED) != 0) {
    tellRange(domain);
    chirt_check_launch();
  }
}

void chirt_launch(const chirt_task *task, const int64_t *words,
                  const chirt_domain *domain) {
  Launching running = recordLaunch({task, words}, domain);
  launchUnheard(running.task, running.words, domain);
}
