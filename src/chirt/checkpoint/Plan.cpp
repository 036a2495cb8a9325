//===- Plan.cpp - When checkpoints are taken ------------------------------===//
#include "chirt/checkpoint/Plan.h"
#include "chirt/checkpoint/Checkpoint.h"
#include "chirt/host.h"
#include "chirt/support/Signals.h"
#include "chirt/text/Output.h"
#include <csignal>
#include <cstdlib>
#include <sys/time.h>

namespace chirt {

namespace {
/// What handlers of signals write.
struct Wishes {
  volatile sig_atomic_t isDue = 0;  ///< at the next head
  volatile sig_atomic_t isLast = 0; ///< and the run ends there
};
constinit Wishes wishes;
[[clang::no_destroy]] constinit CheckpointPlan nextPlan, plan;

/// For tests of Chi: CHI_CHECKPOINT_AT=N ends the run at its N-th head as a
/// signal would; 0 counts the heads.
struct Heads {
  int64_t wanted = -1, passed = 0;
};
constinit Heads heads;

extern "C" void chirtOnWish(int number) {
  bool isLast = number == SIGTERM || number == SIGINT;
  if (isLast && wishes.isLast)
    endBySignal(number); // asked for twice: at once
  wishes.isLast = wishes.isLast || isLast;
  wishes.isDue = 1;
}

void listenTo(int number) {
  struct sigaction old = {}, action = {};
  if (number != SIGALRM && sigaction(number, nullptr, &old) == 0 &&
      old.sa_handler == SIG_IGN && number != SIGUSR1)
    return;
  action.sa_handler = chirtOnWish;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, nullptr);
}

void setTimer(double seconds) {
  itimerval timer = {};
  timer.it_value.tv_sec = time_t(seconds);
  timer.it_value.tv_usec =
      suseconds_t((seconds - double(timer.it_value.tv_sec)) * 1e6);
  if (seconds > 0 && timer.it_value.tv_sec == 0 && timer.it_value.tv_usec == 0)
    timer.it_value.tv_usec = 1;
  setitimer(ITIMER_REAL, &timer, nullptr);
}

void assign(Text &to, const char *from) {
  to.clear();
  to << (from ? from : "");
}

/// Of the next run to this one.
void take(Text &to, Text &from) {
  assign(to, from.c_str());
  from.clear();
}
} // namespace

CheckpointPlan &checkpointPlan() { return plan; }

bool endsAtCheckpoint() { return wishes.isLast != 0; }

void restartInterval() {
  wishes.isDue = 0;
  if (plan.interval > 0)
    setTimer(plan.interval);
}

void beginCheckpoints(const chirt_program *program) {
  plan.program = program;
  take(plan.path, nextPlan.path);
  take(plan.resume, nextPlan.resume);
  take(plan.mayChange, nextPlan.mayChange);
  plan.interval = nextPlan.interval;
  plan.anyProgram = nextPlan.anyProgram;
  wishes.isDue = 0;
  wishes.isLast = 0;
  heads = Heads();
  if (plan.path.empty())
    return;
  if (const char *value = getenv("CHI_CHECKPOINT_AT"))
    heads.wanted = strtoll(value, nullptr, 10);
  for (int number : {SIGUSR1, SIGTERM, SIGINT, SIGALRM})
    listenTo(number);
  restartInterval();
}

void endCheckpoints() {
  if (plan.path.empty())
    return;
  setTimer(0);
  signal(SIGALRM, SIG_DFL);
  signal(SIGUSR1, SIG_DFL);
  installSignalHandlers();
  if (heads.wanted != 0)
    return;
  Text line;
  line << "checkpoint: " << static_cast<long long>(heads.passed)
       << " loop heads\n";
  writeError(line);
}

} // namespace chirt

using namespace chirt;

void chirt_plan_checkpoints(const chirt_checkpoints *from) {
  assign(nextPlan.path, from->path);
  assign(nextPlan.resume, from->resume);
  assign(nextPlan.mayChange, from->may_change);
  nextPlan.interval = from->interval;
  nextPlan.anyProgram = from->any_program != 0;
}

int32_t chirt_checkpoint_due(void) {
  if (plan.path.empty())
    return 0;
  if (heads.wanted >= 0 && ++heads.passed == heads.wanted)
    chirtOnWish(SIGTERM);
  return wishes.isDue;
}
