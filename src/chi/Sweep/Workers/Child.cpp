//===- Child.cpp - Processes of points ------------------------------------===//
#include "chi/Sweep/Workers/Child.h"
#include <cerrno>
#include <csignal>
#include <ctime>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <unistd.h>

using namespace chi;
using namespace chi::sweep;

static void openAs(const char *file, int flags, int target) {
  int opened = ::open(file, flags, 0666);
  if (opened < 0)
    ::_exit(126);
  if (opened != target) {
    ::dup2(opened, target);
    ::close(opened);
  }
}

/// Waits until no process of an earlier attempt is in the folder. A process
/// that was killed may still live for a moment, for example in `fsync`. The
/// lock goes to the program and ends with it; who cannot have it in time goes
/// on.
static void lockFolder() {
  constexpr int kTries = 2000;
  timespec pause = {0, 5000000};
  int folder = ::open(".", O_RDONLY | O_DIRECTORY);
  for (int k = 0; k < kTries && folder >= 0; ++k) {
    if (::flock(folder, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
      return;
    ::nanosleep(&pause, nullptr);
  }
}

/// In the child, which shares the memory of its parent until it has another
/// program: only system calls.
[[noreturn]] static void become(char *const *arguments, const ChildPlace &place,
                                pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) // gone before the call
    ::_exit(126);
  ::setpgid(0, 0);
  if (place.folder && ::chdir(place.folder) != 0)
    ::_exit(126);
  if (place.folder)
    lockFolder();
  int flags = O_WRONLY | O_CREAT | (place.appends ? O_APPEND : O_TRUNC);
  openAs("/dev/null", O_RDONLY, STDIN_FILENO);
  openAs(place.out, flags, STDOUT_FILENO);
  openAs(place.err, flags, STDERR_FILENO);
  for (int each : {SIGTERM, SIGINT, SIGUSR1, SIGALRM, SIGPIPE, SIGXFSZ})
    ::signal(each, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::execve(arguments[0], arguments, place.environment);
  ::_exit(127);
}

// Not posix_spawn, which cannot set the signal of the parent's death.
pid_t sweep::startChild(const std::vector<std::string> &command,
                        const ChildPlace &place) {
  std::vector<char *> arguments;
  for (const std::string &word : command)
    arguments.push_back(const_cast<char *>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t parent = ::getpid();
  pid_t child = ::vfork();
  if (child == 0)
    become(arguments.data(), place, parent);
  return child;
}
