//===- Commit.cpp - A checkpoint on its way to the disk -------------------===//
#include "chirt/checkpoint/Commit.h"
#include "chirt/text/Output.h"
#include <csignal>
#include <cstdio>
#include <new>
#include <pthread.h>
#include <unistd.h>

namespace chirt {

namespace {
/// The latest checkpoint until it was awaited.
struct Commit {
  NpzWriter *file = nullptr; ///< null: none is on its way
  CommitPlan plan = {};
  pthread_t thread = {};
  bool hasThread = false;
  bool isGood = false;
  double end = 0;
  bool hasEnded = false; ///< set last, by the thread
};
[[clang::no_destroy]] constinit Commit commit;

/// The file that is there gets a second name, before the new one takes its own:
/// at each moment one of them is whole. Where there are no such names it is
/// moved.
void keepPrevious(const char *path) {
  Text previous, unfinished;
  previous << path << ".previous";
  unfinished << path << ".previous.tmp";
  unlink(unfinished.c_str());
  if (link(path, unfinished.c_str()) == 0)
    rename(unfinished.c_str(), previous.c_str());
  else if (access(path, F_OK) == 0)
    rename(path, previous.c_str());
}

void *run(void *) {
  commit.isGood = commit.plan.write(*commit.file);
  if (commit.isGood)
    keepPrevious(commit.plan.path);
  commit.isGood = commit.isGood && commit.file->commit();
  commit.end = chirt_time_now();
  __atomic_store_n(&commit.hasEnded, true, __ATOMIC_RELEASE);
  return nullptr;
}

void report() {
  Text line;
  line << "checkpoint: " << commit.plan.path << ", fields of ";
  line.appendBytes(uint64_t(commit.plan.bytes));
  line.appendf(" in %.3f s\n", commit.end - commit.plan.begin);
  writeError(line);
}
} // namespace

void startCommit(const CommitPlan &plan, bool isHere) {
  auto *file = static_cast<NpzWriter *>(malloc(sizeof(NpzWriter)));
  if (!file)
    outOfMemory();
  commit.file = new (file) NpzWriter(plan.path);
  commit.plan = plan;
  commit.hasEnded = false;
  // Signals are for the thread that runs the program.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  commit.hasThread =
      !isHere && pthread_create(&commit.thread, nullptr, run, nullptr) == 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (!commit.hasThread)
    run(nullptr);
}

bool isCommitEnded() {
  return commit.file && __atomic_load_n(&commit.hasEnded, __ATOMIC_ACQUIRE);
}

bool awaitCommit() {
  if (!commit.file)
    return true;
  if (commit.hasThread)
    pthread_join(commit.thread, nullptr);
  bool isGood = commit.isGood;
  if (isGood)
    report();
  else
    commit.file->fail(nullptr);
  commit.file->~NpzWriter();
  free(commit.file);
  commit.file = nullptr;
  commit.plan.giveBack();
  return isGood;
}

} // namespace chirt
