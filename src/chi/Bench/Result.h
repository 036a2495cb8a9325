//===- Result.h - What `chic bench` measured --------------------*- C++ -*-===//
#ifndef CHI_BENCH_RESULT_H
#define CHI_BENCH_RESULT_H

#include "chi/Bench/Statistics.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace chi::bench {

/// Time of one kernel in a run, in seconds: the median of a few runs.
struct KernelTime {
  std::string name; ///< "step:12"
  int64_t launches = 0;
  double seconds = 0;
};

/// The runs on one target.
struct Series {
  std::string arch, device; ///< "cpu"; "cpu, 2 threads"
  double compileSeconds = 0;
  std::vector<double> runs; ///< seconds of each
  std::vector<KernelTime> kernels;
};

/// The machine that measured.
struct MachineFacts {
  std::string processor, system, host;
  int cores = 0;
};

/// All that was measured of a program.
struct Result {
  std::string program, version;
  std::vector<std::string> arguments; ///< of the program
  MachineFacts machine;
  std::vector<Series> series;
};

/// Writes one object; its members are those of docs/measuring.md.
void writeJson(const Result &result, llvm::raw_ostream &out);
/// Reads what writeJson wrote. Fails with a sentence if it is none.
llvm::Expected<Result> readJson(llvm::StringRef text);

/// The verdict on one target.
struct Comparison {
  std::string arch;
  double before = 0, after = 0; ///< medians in seconds
  double probability = 1;       ///< of no regression, if there is none
  bool isRegression = false;
};

/// Compares each target that both have. It is a regression if the median grew
/// by more than `tolerance` (0.05: 5 per cent), and if the times of `after` are
/// significantly longer than those of `before` times 1 + tolerance, with a
/// probability of error below 1 per cent (probabilityOfNoIncrease).
std::vector<Comparison> compare(const Result &before, const Result &after,
                                double tolerance);

} // namespace chi::bench
#endif // CHI_BENCH_RESULT_H
