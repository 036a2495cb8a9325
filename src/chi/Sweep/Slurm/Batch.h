//===- Batch.h - One array job of a sweep -----------------------*- C++ -*-===//
// OUT/slurm/batch-0001/ has a file of tasks for each task of the array
// ("0.tasks"), the lock of each ("0.lock"), their logs ("0.log"), the script
// that is submitted ("run.sh") and the number of the job ("job").
//
#ifndef CHI_SWEEP_SLURM_BATCH_H
#define CHI_SWEEP_SLURM_BATCH_H

#include "chi/Sweep/Workers/Request.h"

namespace chi::sweep {

/// How many points a task of an array should take: as many as take
/// `chunkTime` seconds, at most so many that `count` points are one task; 1 if
/// the time of a point is not known (0).
int64_t chunkOf(double chunkTime, double pointTime, int64_t count);

/// The seconds before the time limit at which a task gets its signal: 60, less
/// for limits below five minutes. `time` is a limit of Slurm: "30" (minutes),
/// "02:00:00", "1-12". None if it has another form.
std::optional<int> signalLead(llvm::StringRef time);

/// The script of a batch.
std::string scriptOf(const SlurmRequest &request, const std::string &name,
                     const std::string &folder, const std::string &chic,
                     int64_t numTasks);

/// The folder of a batch, by its number from 1.
std::string batchFolder(const std::string &out, int number);
/// The file of lines of a task of a batch, in OUT/workers; files of restarts
/// sort behind those before.
std::string linesName(int batch, int64_t task, int restart);

/// Reads the tasks of one task of an array.
std::vector<Task> readTasks(const std::string &file);

} // namespace chi::sweep
#endif // CHI_SWEEP_SLURM_BATCH_H
