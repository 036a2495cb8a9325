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
  // A file that grows too large is an error like a full disk.
  signal(SIGXFSZ, SIG_IGN);
}

void setUnfinishedFile(const char *path) {
  unfinished.isSet = 0;
  if (!path || strlen(path) >= sizeof(unfinished.path))
    return;
  strcpy(unfinished.path, path);
  unfinished.isSet = 1;
}

} // namespace chirt
