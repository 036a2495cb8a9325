//===- Request.h - How the points of a sweep are run ------------*- C++ -*-===//
#ifndef CHI_SWEEP_WORKERS_REQUEST_H
#define CHI_SWEEP_WORKERS_REQUEST_H

#include "chi/Sweep/Points/Points.h"
#include "chi/Sweep/Store/Ledger.h"
#include "chi/Sweep/Workers/Task.h"

namespace chi::sweep {

/// What Slurm gets to know, apart from the tasks.
struct SlurmRequest {
  bool isUsed = false;
  std::string time, partition, account, gpus, cpus; ///< "" is not passed
  std::vector<std::string> sbatch; ///< further lines of #SBATCH
  double chunkTime = 600;          ///< seconds that a task should take
  int chunk = 0;                   ///< points of a task; 0: by their times
};

/// All that a sweep was asked for, apart from its points; kept with the table.
struct Request {
  std::string program;            ///< absolute path
  bool isExecutable = false;      ///< no source file
  std::vector<std::string> fixed; ///< words of all points: params, flags
  std::string hash; ///< content of program, imports, inputs, fixed
  std::vector<std::string> inputs; ///< absolute paths; linked into the folders
  std::vector<std::string> specialized; ///< params that are compiled in
  uint64_t seed = 0;
  bool hasSameSeed = false;
  bool hasCheckpoints = false; ///< the program takes --checkpoint
  std::string every = "10min"; ///< between checkpoints
  int retries = 2;
  int jobs = 0, threads = 0; ///< 0: by the number of cores
  std::vector<std::string> gpus;
  SlurmRequest slurm;
};

/// As JSON, for the table's properties.
std::string textOf(const Request &request);
/// Fails if the text is of another version.
llvm::Expected<Request> readRequest(llvm::StringRef text);

/// The values of a row, in the order of --over.
Point pointOf(const Row &row);
/// A new row, without its number.
Row rowOf(const Point &point, const Request &request);

/// The working folder of a point: OUT/points/00012.
std::string folderOf(const std::string &out, int64_t point);

/// What runs a point. `chic`: the path of this program, `threads`: of a point,
/// `gpu`: a device number, or "".
Task taskOf(const Row &row, const Request &request, const std::string &out,
            const std::string &chic, int threads, const std::string &gpu);

/// The values of the params that are compiled in: points of the same text share
/// code.
std::string compiledInto(const Row &row, const Request &request);

} // namespace chi::sweep
#endif // CHI_SWEEP_WORKERS_REQUEST_H
