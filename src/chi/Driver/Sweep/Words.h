//===- Words.h - The command line of `chic sweep` ---------------*- C++ -*-===//
#ifndef CHI_DRIVER_SWEEP_WORDS_H
#define CHI_DRIVER_SWEEP_WORDS_H

#include "chi/Sweep/Workers/Request.h"
#include "llvm/Support/Error.h"

namespace chi::driver {

/// What the command line of `chic sweep` says.
struct SweepWords {
  std::string file;
  std::vector<std::string> overs, inputs, gpus;
  std::vector<std::string> fixed; ///< what follows FILE and is not ours
  bool zips = false, isMixed = false, retriesFailed = false;
  unsigned samples = 0;
  std::string out, resume;
  std::string worker; ///< the folder of a batch: this is a task of it
  std::optional<int> jobs, threads, retries;
  std::optional<std::string> every;
  uint64_t seed = 0;
  bool hasSameSeed = false, isSlurm = false;
  sweep::SlurmRequest slurm;
  std::string chunkTime;
};

/// Seconds of "10min", "90s", "1.5h", "2d" or a number of seconds. None if it
/// is no duration.
std::optional<double> readDuration(llvm::StringRef text);

/// Lets the words change a request; a new one, or that of a table that goes on.
llvm::Error applyWords(const SweepWords &words, sweep::Request &request);

} // namespace chi::driver
#endif // CHI_DRIVER_SWEEP_WORDS_H
