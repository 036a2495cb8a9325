//===- Rule.h - When enough was measured ------------------------*- C++ -*-===//
#ifndef CHI_BENCH_RULE_H
#define CHI_BENCH_RULE_H

#include "chi/Bench/Statistics.h"

namespace chi::bench {

/// When runs end, after Futhark's `bench`.
struct Rule {
  size_t leastRuns = 10;     ///< and
  double leastSeconds = 0.5; ///< in all runs
  double mostSeconds = 300;  ///< but no more than these in all
  double precision = 0.01;   ///< half of the interval over the median
};

/// Whether these runs are enough.
bool isEnough(const Rule &rule, llvm::ArrayRef<double> runs);
/// How many runs there must be before it is worth asking again.
size_t nextLook(llvm::ArrayRef<double> runs);

} // namespace chi::bench
#endif // CHI_BENCH_RULE_H
