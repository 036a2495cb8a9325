//===- Scheduler.h - Commands of Slurm --------------------------*- C++ -*-===//
#ifndef CHI_SWEEP_SLURM_SCHEDULER_H
#define CHI_SWEEP_SLURM_SCHEDULER_H

#include "llvm/Support/Error.h"
#include <map>
#include <string>

namespace chi::sweep {

/// A task of an array that Slurm knows.
struct ArrayState {
  std::string job;           ///< its number
  std::string state, reason; ///< "RUNNING", "BeginTime"
  /// Whether it runs or will run.
  bool isAlive() const;
};

/// The states of tasks: by the name of the job and the task's number.
using ArrayStates = std::map<std::pair<std::string, int64_t>, ArrayState>;

/// Submits a script; returns the number of the job.
llvm::Expected<std::string> submit(const std::string &script);
/// All tasks of array jobs of these names, separated by commas. A job that
/// Slurm has forgotten has none.
llvm::Expected<ArrayStates> statesOf(const std::string &names);
/// Reads what `squeue` prints for `statesOf`.
ArrayStates readStates(llvm::StringRef text);
/// Lets a task that was queued again start at once.
void startNow(const std::string &job, int64_t task);
/// Cancels a task that counts as lost. It may have ended.
void cancel(const std::string &job, int64_t task);

} // namespace chi::sweep
#endif // CHI_SWEEP_SLURM_SCHEDULER_H
