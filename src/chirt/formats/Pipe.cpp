//===- Pipe.cpp - A program that is given bytes ---------------------------===//
#include "chirt/containers/Object.h"
#include "chirt/field/Copies.h"
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace chirt {

namespace {
struct Pipe {
  pid_t process;
  int fd;
};

/// Starts a program whose standard input is `from`; its output goes nowhere.
bool start(const char *const *words, int from, pid_t &process) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, from, 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  int error = posix_spawnp(&process, words[0], &actions, nullptr,
                           const_cast<char *const *>(words), environ);
  posix_spawn_file_actions_destroy(&actions);
  return error == 0;
}

/// Writes all, or as much as is taken; a pipe without a reader is no signal.
bool writeAll(int fd, const char *data, size_t size) {
  struct sigaction ignored = {}, before = {};
  ignored.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &ignored, &before);
  ssize_t part = 1;
  while (size > 0 && part > 0) {
    do
      part = write(fd, data, size);
    while (part < 0 && errno == EINTR);
    if (part > 0)
      data += part, size -= size_t(part);
  }
  sigaction(SIGPIPE, &before, nullptr);
  return size == 0;
}
} // namespace

} // namespace chirt

using namespace chirt;

int64_t chirt_pipe_open(const chirt_object *words) {
  const List &list = listOf(words);
  Array<const char *> texts;
  for (int64_t k = 0; k < list.size(); ++k) {
    const char *text = chirt_str_of_word(*list.at(k));
    texts.push(text ? text : "");
  }
  texts.push(nullptr);
  int ends[2];
  if (list.size() == 0 || pipe2(ends, O_CLOEXEC) != 0)
    return 0;
  pid_t process = 0;
  bool isStarted = start(texts.data(), ends[0], process);
  close(ends[0]);
  if (!isStarted) {
    close(ends[1]);
    return 0;
  }
  auto *made = static_cast<Pipe *>(malloc(sizeof(Pipe)));
  if (!made)
    outOfMemory();
  *made = {process, ends[1]};
  return int64_t(reinterpret_cast<intptr_t>(made));
}

int32_t chirt_pipe_write(int64_t pipe, const chirt_field *bytes,
                         int64_t count) {
  auto *to = reinterpret_cast<Pipe *>(intptr_t(pipe));
  return to && count <= bytes->elements &&
         writeAll(to->fd, hostCopy(bytes), size_t(count));
}

int32_t chirt_pipe_close(int64_t pipe) {
  auto *to = reinterpret_cast<Pipe *>(intptr_t(pipe));
  if (!to)
    return -1;
  close(to->fd);
  int status = 0;
  pid_t ended;
  do
    ended = waitpid(to->process, &status, 0);
  while (ended < 0 && errno == EINTR);
  free(to);
  return ended >= 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
