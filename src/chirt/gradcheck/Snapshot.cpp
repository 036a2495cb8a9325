//===- Snapshot.cpp -------------------------------------------------------===//
#include "chirt/gradcheck/Snapshot.h"

#include "chirt/support/Settings.h"
#include "chirt/text/Output.h"
#include <cerrno>
#include <csignal>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace chirt {

/// In memory that the program and its probes share.
struct Answer {
  double value;
  bool isThere;
  char why[256]; ///< it is not there
};

namespace {
/// Of a probe: where its answer goes; null elsewhere.
constinit Answer *answerOfProbe = nullptr;

bool receive(int socket, void *data, size_t size) {
  ssize_t n;
  do
    n = recv(socket, data, size, MSG_WAITALL);
  while (n < 0 && errno == EINTR);
  return n == ssize_t(size);
}

void await(pid_t child) {
  while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
}

/// Waits for questions. Returns in a probe; ends when the pipe is closed.
void serve(Snapshot &snapshot, Question &question) {
  muteOutput(/*results=*/true, /*errors=*/true);
  settings().isQuiet = true;
  char done = 0;
  while (receive(snapshot.socket, &question, sizeof(question))) {
    pid_t probe = fork();
    if (probe == 0) {
      close(snapshot.socket);
      answerOfProbe = snapshot.shared;
      signal(SIGALRM, SIG_DFL);
      alarm(question.seconds);
      return;
    }
    if (probe > 0)
      await(probe);
    if (send(snapshot.socket, &done, 1, MSG_NOSIGNAL) != 1)
      break;
  }
  _exit(0);
}

void *mapShared() {
  void *memory = mmap(nullptr, sizeof(Answer), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}
} // namespace

bool takeSnapshot(Snapshot &snapshot, Question &question) {
  int ends[2];
  snapshot.shared = static_cast<Answer *>(mapShared());
  if (!snapshot.shared ||
      socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return true;
  // What is gathered would be written twice.
  flushOut();
  pid_t keeper = fork();
  if (keeper == 0) {
    close(ends[0]);
    snapshot.socket = ends[1];
    serve(snapshot, question);
    return false;
  }
  close(ends[1]);
  snapshot.socket = ends[0];
  snapshot.keeper = keeper;
  return true;
}

bool ask(Snapshot &snapshot, const Question &question, double &value,
         Text *why) {
  char done;
  snapshot.shared->isThere = false;
  snapshot.shared->why[0] = 0;
  if (send(snapshot.socket, &question, sizeof(question), MSG_NOSIGNAL) !=
          ssize_t(sizeof(question)) ||
      !receive(snapshot.socket, &done, 1))
    return false;
  value = snapshot.shared->value;
  if (why && !snapshot.shared->isThere)
    *why << snapshot.shared->why;
  return snapshot.shared->isThere;
}

void dropSnapshot(Snapshot &snapshot) {
  if (snapshot.socket >= 0) {
    // Later keepers have a copy of this end.
    shutdown(snapshot.socket, SHUT_RDWR);
    close(snapshot.socket);
  }
  if (snapshot.keeper > 0)
    await(snapshot.keeper);
  if (snapshot.shared)
    munmap(snapshot.shared, sizeof(Answer));
  snapshot = Snapshot();
}

bool isProbe() { return answerOfProbe != nullptr; }

void answer(double value) {
  answerOfProbe->value = value;
  answerOfProbe->isThere = true;
  _exit(0);
}

void giveUp(std::string_view why) {
  size_t length = why.find('\n');
  why = slice(why, 0, length);
  why = slice(why, 0, sizeof(answerOfProbe->why) - 1);
  memcpy(answerOfProbe->why, why.data(), why.size());
  answerOfProbe->why[why.size()] = 0;
  _exit(1);
}

} // namespace chirt
