//===- TimeLimit.cpp - --time-limit ---------------------------------------===//
#include "chirt/program/TimeLimit.h"

#include "chirt/host.h"
#include "chirt/support/Settings.h"
#include "chirt/support/Signals.h"
#include "chirt/text/Text.h"

#include <csignal>
#include <cstdio>
#include <sys/time.h>

namespace chirt {

namespace {
/// Written by the thread that launches, read by the signal handler.
struct Limit {
  const chirt_site *volatile place = nullptr; ///< of the latest launch
  volatile sig_atomic_t isInside = 0;         ///< it has not ended
  const char *file = nullptr;
  char duration[32] = {};
  bool isOn = false;
};
constinit Limit limit;

/// A text in fixed memory: the handler must not allocate.
class FixedText {
public:
  FixedText &operator<<(const char *text) {
    while (*text && size < sizeof(bytes))
      bytes[size++] = *text++;
    return *this;
  }
  FixedText &operator<<(int32_t number) {
    char digits[12];
    int count = 0;
    for (auto left = uint32_t(number); left || !count; left /= 10)
      digits[count++] = char('0' + left % 10);
    while (count && size < sizeof(bytes))
      bytes[size++] = digits[--count];
    return *this;
  }
  std::string_view view() const { return {bytes, size}; }

private:
  char bytes[1024];
  size_t size = 0;
};

/// "a.chi:6: error: time limit of 2 s reached in kernel `step`", or which
/// kernel ran before, where the host was at work.
void appendMessage(FixedText &out) {
  const chirt_site *place = limit.place;
  bool isInside = place && limit.isInside;
  out << (isInside ? place->file : limit.file);
  if (isInside && place->line)
    out << ":" << place->line;
  out << ": error: time limit of " << limit.duration << " reached";
  if (!place) {
    out << " before the first kernel\n";
    return;
  }
  out << (isInside ? " in" : " in host code after");
  if (place->kernel)
    out << " kernel `" << place->kernel << "`";
  else
    out << " a loop";
  if (!isInside && place->line)
    out << " of line " << place->line;
  out << "\n";
}

extern "C" void chirtOnTimeLimit(int) {
  if (settings().endsAtLimit && settings().endsAtLimit())
    return;
  FixedText message;
  appendMessage(message);
  endInSignal(CHIRT_TIME_LIMIT_STATUS, message.view());
}

void setTimer(double seconds) {
  itimerval timer = {};
  timer.it_value.tv_sec = time_t(seconds);
  timer.it_value.tv_usec =
      suseconds_t((seconds - double(timer.it_value.tv_sec)) * 1e6);
  if (seconds > 0 && !timer.it_value.tv_sec && !timer.it_value.tv_usec)
    timer.it_value.tv_usec = 1; // 0 would be no limit
  setitimer(ITIMER_REAL, &timer, nullptr);
}

bool isWanted(const chirt_task *) { return limit.isOn; }

void begin(const chirt_task *task, const int64_t *, const chirt_domain *) {
  limit.place = task->site;
  limit.isInside = 1;
}

void end() { limit.isInside = 0; }
} // namespace

void limitTime(double seconds, const char *file) {
  bool wasOn = limit.isOn;
  limit.isOn = seconds > 0;
  if (!limit.isOn) {
    if (wasOn)
      setTimer(0);
    return;
  }
  limit.place = nullptr;
  limit.isInside = 0;
  limit.file = file ? file : "program";
  snprintf(limit.duration, sizeof(limit.duration), "%.6g s", seconds);
  settings().observedTasks |= kEveryTask;
  struct sigaction action = {};
  action.sa_handler = chirtOnTimeLimit;
  action.sa_flags = SA_RESTART;
  sigfillset(&action.sa_mask);
  sigaction(SIGALRM, &action, nullptr);
  setTimer(seconds);
}

constinit const LaunchObserver placeObserver = {
    .isWanted = isWanted,
    .begin = begin,
    .end = end,
    .access = nullptr,
};

} // namespace chirt
