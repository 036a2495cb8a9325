//===- Child.h - Processes of points ----------------------------*- C++ -*-===//
#ifndef CHI_SWEEP_WORKERS_CHILD_H
#define CHI_SWEEP_WORKERS_CHILD_H

#include "chi/Sweep/Workers/Task.h"
#include <sys/types.h>

namespace chi::sweep {

/// How a child is started.
struct ChildPlace {
  const char *folder;    ///< null: that of this process
  const char *out, *err; ///< files of its output, relative to the folder
  bool appends;          ///< to these files
  char *const *environment;
};

/// Starts a command as the leader of a new process group. It gets SIGKILL when
/// the calling thread ends, however that happens, so that no point runs without
/// a worker. It begins when processes of an earlier attempt have left the
/// folder, or after 10 s. Standard input is empty. Returns its id; -1 with
/// errno set. Signals must be blocked by the caller; the child has none
/// blocked.
pid_t startChild(const std::vector<std::string> &command,
                 const ChildPlace &place);

} // namespace chi::sweep
#endif // CHI_SWEEP_WORKERS_CHILD_H
