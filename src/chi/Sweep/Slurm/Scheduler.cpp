//===- Scheduler.cpp - Commands of Slurm ----------------------------------===//
#include "chi/Sweep/Slurm/Scheduler.h"
#include "chi/Sweep/Points/Failure.h"
#include "chi/Sweep/Workers/Command.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace chi;
using namespace chi::sweep;

bool ArrayState::isAlive() const {
  constexpr llvm::StringLiteral living[] = {
      "PENDING",   "RUNNING",      "SUSPENDED",   "CONFIGURING",   "COMPLETING",
      "REQUEUED",  "REQUEUE_HOLD", "REQUEUE_FED", "RESV_DEL_HOLD", "SIGNALING",
      "STAGE_OUT", "STOPPED",      "SPECIAL_EXIT"};
  return llvm::is_contained(living, state);
}

llvm::Expected<std::string> sweep::submit(const std::string &script) {
  auto output = outputOf({"sbatch", "--parsable", script});
  if (!output)
    return output.takeError();
  // With several clusters the name of one follows.
  std::string job =
      llvm::StringRef(*output).split('\n').first.split(';').first.trim().str();
  if (job.empty())
    return failure("sbatch printed no number of a job");
  return job;
}

ArrayStates sweep::readStates(llvm::StringRef text) {
  ArrayStates states;
  llvm::SmallVector<llvm::StringRef> lines, words;
  text.split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef line : lines) {
    words.clear();
    line.split(words, '|');
    int64_t task = 0;
    if (words.size() < 5 || words[1].trim().getAsInteger(10, task))
      continue;
    ArrayState &one = states[{words[0].trim().str(), task}];
    one.job = words[2].trim().str();
    one.state = words[3].trim().str();
    one.reason = words[4].trim().str();
  }
  return states;
}

llvm::Expected<ArrayStates> sweep::statesOf(const std::string &names) {
  auto output = outputOf({"squeue", "--noheader", "--array", "--states=all",
                          "--name", names, "--format=%j|%K|%F|%T|%r"});
  if (!output)
    return output.takeError();
  return readStates(*output);
}

static std::string nameOf(const std::string &job, int64_t task) {
  return job + "_" + std::to_string(task);
}

void sweep::startNow(const std::string &job, int64_t task) {
  auto done = outputOf(
      {"scontrol", "update", "JobId=" + nameOf(job, task), "StartTime=now"});
  if (!done) // it may have started meanwhile
    llvm::consumeError(done.takeError());
}

void sweep::cancel(const std::string &job, int64_t task) {
  auto done = outputOf({"scancel", nameOf(job, task)});
  if (!done)
    llvm::consumeError(done.takeError());
}
