//===- Git.cpp - The commit that a program is of --------------------------===//
#include "chi/Launch/Git.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>

using namespace chi;
using launch::GitQuery;

extern char **environ;

/// Starts git with its standard output in `out`. -1 if that fails.
static pid_t startGit(const std::string &folder, int out) {
  // A repository may name programs that git runs (fsmonitor): it runs none.
  const char *words[] = {
      "git",      "--no-optional-locks",  "-c",     "core.fsmonitor=false",
      "-C",       folder.c_str(),         "status", "--porcelain=v2",
      "--branch", "--untracked-files=no", nullptr};
  posix_spawn_file_actions_t actions;
  if (::posix_spawn_file_actions_init(&actions) != 0)
    return -1;
  ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, out, 1);
  ::posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  pid_t child = -1;
  if (::posix_spawnp(&child, "git", &actions, nullptr,
                     const_cast<char **>(words), environ) != 0)
    child = -1;
  ::posix_spawn_file_actions_destroy(&actions);
  return child;
}

GitQuery::GitQuery(const std::string &folder) {
  if (std::getenv("CHI_GIT"))
    return;
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return;
  answer = Descriptor(ends[0]);
  Descriptor out(ends[1]);
  child = startGit(folder, out.get());
}

GitQuery::~GitQuery() { end(/*isKilled=*/true); }

void GitQuery::end(bool isKilled) {
  if (child < 0)
    return;
  if (isKilled)
    ::kill(child, SIGKILL);
  while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR)
    ;
  child = -1;
}

/// Reads all that git writes. False if it takes too long.
bool GitQuery::readAnswer(std::string &text) {
  using Clock = std::chrono::steady_clock;
  auto deadline = Clock::now() + std::chrono::seconds(10);
  for (;;) {
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - Clock::now());
    pollfd wait = {answer.get(), POLLIN, 0};
    int ready = left.count() > 0 ? ::poll(&wait, 1, int(left.count())) : 0;
    if (ready == 0)
      return false;
    char part[4096];
    ssize_t got = ready > 0 ? ::read(answer.get(), part, sizeof(part)) : -1;
    if (got == 0)
      return true;
    if (got < 0 && errno != EINTR)
      return false;
    if (got > 0)
      text.append(part, size_t(got));
  }
}

/// Of `git status --porcelain=v2 --branch`.
static std::string memberOf(const std::string &answer) {
  std::istringstream lines(answer);
  std::string line, commit;
  bool isClean = true;
  constexpr std::string_view start = "# branch.oid ";
  while (std::getline(lines, line)) {
    if (line.starts_with(start))
      commit = line.substr(start.size());
    isClean &= line.starts_with('#');
  }
  bool isCommit = !commit.empty() &&
                  commit.find_first_not_of("0123456789abcdef") == commit.npos;
  if (!isCommit)
    return "";
  return "\"git\": {\"commit\": \"" + commit +
         "\", \"clean\": " + (isClean ? "true" : "false") + "}";
}

std::string GitQuery::member() {
  if (const char *known = std::getenv("CHI_GIT"))
    return known;
  std::string text;
  if (child < 0)
    return "";
  bool isWhole = readAnswer(text);
  end(/*isKilled=*/!isWhole);
  return isWhole ? memberOf(text) : "";
}

std::string launch::folderOfProgram(const std::string &file) {
  size_t slash = file.rfind('/');
  if (slash == file.npos)
    return ".";
  return slash == 0 ? "/" : file.substr(0, slash);
}
