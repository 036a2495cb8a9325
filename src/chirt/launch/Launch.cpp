//===- Launch.cpp - What happens around a launch --------------------------===//
#include "chirt/launch/Launch.h"

#include "chirt/field/Changes.h"
#include "chirt/launch/Observers.h"
#include "chirt/support/Settings.h"

int32_t chirt_recording = 0;

using namespace chirt;

static bool isObserved(const chirt_task *task) {
  return ((task->flags | kEveryTask) & settings().observedTasks) != 0;
}

static void runObserved(const chirt_task *task, const int64_t *words,
                        const chirt_domain *domain) {
  // Asked once: an observer that saw the beginning sees the end.
  bool isSeen[kMostLaunchObservers] = {};
  for (int k = 0; k < kMostLaunchObservers && launchObservers[k]; ++k)
    if ((isSeen[k] = launchObservers[k]->isWanted(task)))
      launchObservers[k]->begin(task, words, domain);
  runTask(task, words, domain);
  for (int k = kMostLaunchObservers; k-- > 0;)
    if (isSeen[k])
      launchObservers[k]->end();
}

void chirt::launchUnheard(const chirt_task *task, const int64_t *words,
                          const chirt_domain *domain) {
  if (isObserved(task)) [[unlikely]]
    runObserved(task, words, domain);
  else
    runTask(task, words, domain);
  if (__atomic_load_n(&chirt_failed, __ATOMIC_RELAXED) != 0) {
    // Messages of what the launch finds count as the source does.
    if (domain->step != 0)
      chirt_loop_values(domain->begin, domain->step);
    chirt_check_launch();
  }
}

bool chirt::takesViews(const chirt_task *task, const int64_t *words) {
  for (int k = 0; k < task->num_arguments; ++k)
    if (task->arguments[k].is_field && task->arguments[k].uses && words[k] &&
        reinterpret_cast<const chirt_field *>(words[k])->base)
      return true;
  return false;
}

void chirt_launch(const chirt_task *task, const int64_t *words,
                  const chirt_domain *domain) {
  if (changeObserver && changeObserver->launchOverViews({task, words}, domain))
    return;
  Launching running = noteLaunch({task, words}, domain);
  launchUnheard(running.task, running.words, domain);
}
