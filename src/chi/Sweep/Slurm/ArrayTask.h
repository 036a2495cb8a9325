//===- ArrayTask.h - A worker under Slurm -----------------------*- C++ -*-===//
#ifndef CHI_SWEEP_SLURM_ARRAYTASK_H
#define CHI_SWEEP_SLURM_ARRAYTASK_H

#include "llvm/Support/Error.h"
#include <string>

namespace chi::sweep {

/// What the script of a batch runs: the points of one task of the array, which
/// SLURM_ARRAY_TASK_ID names. After a restart it goes on behind what the lost
/// worker ended, whose later lines are ignored. Before the time limit it stops,
/// and has Slurm queue it again. Returns the exit status.
llvm::Expected<int> runArrayTask(const std::string &folder);

} // namespace chi::sweep
#endif // CHI_SWEEP_SLURM_ARRAYTASK_H
