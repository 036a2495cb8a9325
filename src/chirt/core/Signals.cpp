//===- Signals.cpp --------------------------------------------------------===//
#include "chirt/core/Signals.h"

#include "chirt/core/Output.h"
#include <climits>
#include <csignal>
#include <cstring>
#include <unistd.h>

namespace chirt {

namespace {
/// Fixed memory, for the handler.
struct Unfinished {
  volatile sig_atomic_t isSet = 0;
  bool isClaimed = false;
  char path[PATH_MAX] = {};
};
constinit Unfinished unfinished;

extern "C" void chirtOnSignal(int number) {
  flushOutInSignal();
  if (unfinished.isSet)
    unlink(unfinished.path);
  if (isatty(2))
    (void)!write(2, "\n", 1);
  _exit(128 + number);
}

void install(int number) {
  struct sigaction old = {}, action = {};
  if (sigaction(number, nullptr, &old) == 0 && old.sa_handler == SIG_IGN)
    return;
  action.sa_handler = chirtOnSignal;
  sigfillset(&action.sa_mask);
  sigaction(number, &action, nullptr);
}
} // namespace

void installSignalHandlers() {
  install(SIGINT);
  install(SIGTERM);
  install(SIGHUP);
  // A file that grows too large is an error like a full disk.
  signal(SIGXFSZ, SIG_IGN);
}

bool claimUnfinishedFile(const char *path) {
  if (strlen(path) >= sizeof(unfinished.path) ||
      __atomic_exchange_n(&unfinished.isClaimed, true, __ATOMIC_ACQUIRE))
    return false;
  strcpy(unfinished.path, path);
  unfinished.isSet = 1;
  return true;
}

void releaseUnfinishedFile() {
  unfinished.isSet = 0;
  __atomic_store_n(&unfinished.isClaimed, false, __ATOMIC_RELEASE);
}

} // namespace chirt
