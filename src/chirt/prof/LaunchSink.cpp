//===- LaunchSink.cpp - The launches of a run for its host ----------------===//
#include "chirt/prof/LaunchSink.h"

#include "chirt/support/Settings.h"

namespace chirt {

namespace {
/// Launches nest at most in control functions; deeper ones are left out.
constexpr int kDeepest = 16;

struct Sink {
  chirt_launch_sink to = {};
  chirt_launch_record stack[kDeepest] = {};
  int depth = 0;
};
constinit Sink sink;

bool isWanted(const chirt_task *) { return sink.to.take != nullptr; }

void begin(const chirt_task *task, const int64_t *words,
           const chirt_domain *domain) {
  if (sink.depth < kDeepest)
    sink.stack[sink.depth] = {task, words, domain, chirt_time_now(), 0};
  ++sink.depth;
}

void end() {
  chirt_sync(); // the time is that of this launch
  double now = chirt_time_now();
  if (--sink.depth >= kDeepest)
    return;
  chirt_launch_record record = sink.stack[sink.depth];
  record.seconds = now - record.begin;
  sink.to.take(sink.to.context, &record);
}
} // namespace

void passLaunches(const chirt_launch_sink *to) {
  sink = Sink();
  if (!to)
    return;
  sink.to = *to;
  settings().observedTasks |= kEveryTask;
}

constinit const LaunchObserver sinkObserver = {
    .isWanted = isWanted,
    .begin = begin,
    .end = end,
    .access = nullptr,
};

} // namespace chirt
