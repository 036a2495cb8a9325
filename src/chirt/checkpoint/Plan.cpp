//===- Plan.cpp - When checkpoints are taken ------------------------------===//
#include "chirt/checkpoint/Plan.h"
#include "chirt/checkpoint/Checkpoint.h"
#include "chirt/checkpoint/Commit.h"
#include "chirt/host.h"
#include "chirt/support/Settings.h"
#include "chirt/support/Signals.h"
#include "chirt/text/Output.h"
#include <csignal>
#include <cstdlib>
#include <limits>

namespace chirt {

namespace {
/// What handlers of signals write.
struct Wishes {
  volatile sig_atomic_t isDue = 0;  ///< at the next head
  volatile sig_atomic_t isLast = 0; ///< and the run ends there: which signal
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
  if (isLast)
    wishes.isLast = number;
  wishes.isDue = 1;
}

void listenTo(int number) {
  struct sigaction old = {}, action = {};
  if (number != SIGUSR1 && sigaction(number, nullptr, &old) == 0 &&
      old.sa_handler == SIG_IGN)
    return;
  action.sa_handler = chirtOnWish;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, nullptr);
}

/// Seconds of the system's clock, which a resumed run does not shift.
double now() { return chirt_time_now() - settings().clockShift; }

/// The time limit has passed: the run ends at its next head, if it has heads.
bool endAtNextHead() {
  wishes.isLast = SIGALRM;
  wishes.isDue = 1;
  return plan.loops > 0;
}

/// The signal has the action again that it had.
void stopListening(int number) {
  struct sigaction old = {};
  if (sigaction(number, nullptr, &old) == 0 && old.sa_handler == chirtOnWish)
    signal(number, SIG_DFL);
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

const char *endsAtCheckpoint() {
  switch (wishes.isLast) {
  case 0:
    return nullptr;
  case SIGALRM:
    return "time limit";
  case SIGINT:
    return "SIGINT";
  default:
    return "SIGTERM";
  }
}

void restartInterval() {
  wishes.isDue = 0;
  plan.nextTime = plan.interval > 0 ? now() + plan.interval
                                    : std::numeric_limits<double>::infinity();
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
  for (int number : {SIGUSR1, SIGTERM, SIGINT})
    listenTo(number);
  settings().endsAtLimit = endAtNextHead;
  restartInterval();
}

void endCheckpoints() {
  if (plan.path.empty())
    return;
  finishCheckpoint();
  settings().endsAtLimit = nullptr;
  for (int number : {SIGUSR1, SIGTERM, SIGINT})
    stopListening(number);
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
  if (isCommitEnded())
    finishCheckpoint();
  return wishes.isDue || now() >= plan.nextTime;
}
