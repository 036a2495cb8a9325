//===- Signals.cpp --------------------------------------------------------===//
#include "chirt/support/Signals.h"

#include "chirt/text/Output.h"
#include <climits>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <sched.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace chirt {

namespace {
/// Fixed memory, for the handler.
struct Unfinished {
  volatile sig_atomic_t isSet = 0;
  bool isClaimed = false;
  char path[PATH_MAX] = {};
  alignas(16) char stack[1 << 14] = {}; ///< of a second process
};
constinit Unfinished unfinished;

/// Lives until its parent has ended.
int outlive(void *parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  while (getppid() == pid_t(reinterpret_cast<intptr_t>(parent)))
    pause();
  _exit(0);
}

/// A process ends when the system has taken back its pages, and those of a file
/// that has no name any more: some 100 ms for a gigabyte. A second process that
/// has them too, and ends a moment later, takes that time. What waits for the
/// end of our output does not wait for it.
void leaveMemoryBehind() {
#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
  auto *top = unfinished.stack + sizeof(unfinished.stack);
  auto self = reinterpret_cast<void *>(intptr_t(getpid()));
  if (clone(outlive, top, CLONE_VM | CLONE_FILES, self) < 0)
    return;
  for (int fd = 0; fd < 3; ++fd)
    close(fd);
#endif
}

extern "C" void chirtOnSignal(int number) { endBySignal(number); }

void install(int number) {
  struct sigaction old = {}, action = {};
  // Neither for a signal that is ignored, nor for one that the process handles
  // itself, as Python does that has loaded this library.
  if (sigaction(number, nullptr, &old) == 0 && old.sa_handler != SIG_DFL)
    return;
  action.sa_handler = chirtOnSignal;
  sigfillset(&action.sa_mask);
  sigaction(number, &action, nullptr);
}
} // namespace

void endBySignal(int number) { endInSignal(128 + number, ""); }

void endInSignal(int status, std::string_view message) {
  flushOutInSignal();
  bool isSaving = unfinished.isSet;
  if (isSaving)
    unlink(unfinished.path);
  if (isatty(2))
    (void)!write(2, "\n", 1);
  (void)!write(2, message.data(), message.size());
  if (isSaving)
    leaveMemoryBehind();
  _exit(status);
}

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
