//===- Worker.h - Runs points one after another -----------------*- C++ -*-===//
#ifndef CHI_SWEEP_WORKERS_WORKER_H
#define CHI_SWEEP_WORKERS_WORKER_H

#include "chi/Sweep/Store/Line.h"
#include "chi/Sweep/Workers/Task.h"

namespace chi::sweep {

struct WorkerOptions {
  int tasks = -1; ///< where lines of tasks are read from
  int lines = -1; ///< the file that lines are appended to
  int wakes = -1; ///< gets a byte after each end, or -1
  /// Seconds that a point gets after SIGTERM, for its checkpoint.
  unsigned grace = 30;
  std::string lockFile; ///< whose first line must stay `lockText`; or ""
  std::string lockText;
};

/// Runs the tasks until there are no more, and appends what happens. SIGTERM
/// and SIGUSR1 stop it: the running point gets SIGTERM, and SIGKILL after the
/// grace. To be called in a process of its own. Returns 0 if all tasks ran,
/// else the signal, or -1 if the lines are of no account any more.
int runWorker(const WorkerOptions &options);

/// First line of an error message of a program: one with the word `error`, else
/// the first that is not empty; at most 300 bytes.
std::string errorLine(llvm::StringRef log);

} // namespace chi::sweep
#endif // CHI_SWEEP_WORKERS_WORKER_H
