//===- Statistics.h - What samples of times tell ----------------*- C++ -*-===//
// The statistics follow T. Hoefler and R. Belli, "Scientific Benchmarking of
// Parallel Computing Systems", SC 2015: times have no normal distribution, so
// that the median stands for them, with an interval of ranks that holds for any
// distribution; and two sets of times are compared by ranks, too.
//===----------------------------------------------------------------------===//
#ifndef CHI_BENCH_STATISTICS_H
#define CHI_BENCH_STATISTICS_H

#include "llvm/ADT/ArrayRef.h"
#include <cstddef>
#include <optional>

namespace chi::bench {

/// A median with an interval that has the true median with a probability of at
/// least 95 per cent.
struct Median {
  double value = 0, low = 0, high = 0;
  /// Half of the interval's width over the median.
  double relativeError() const {
    return value > 0 ? (high - low) / 2 / value : 0;
  }
};

/// Ranks, from 1, of the order statistics that bound the interval.
struct Ranks {
  size_t low, high;
};

/// The ranks for the median of `count` independent samples, symmetrical: the
/// narrowest whose binomial probability is at least 95 per cent (H. A. David,
/// H. N. Nagaraja, "Order Statistics", 3rd edition, 7.1). None for fewer than
/// six samples: no interval has that probability.
std::optional<Ranks> ranksOfMedian(size_t count);

/// The median of at least one sample; of fewer than six the interval is that of
/// the least and the greatest one, and has a lower probability.
Median medianOf(llvm::ArrayRef<double> samples);

/// The probability that `later` has as high a rank sum as it has, or a higher
/// one, if both are of one distribution: the one-sided test of H. B. Mann and
/// D. R. Whitney (1947). Exact for up to 400 pairs without ties, else by the
/// normal approximation with a correction for ties and for continuity. Both
/// must have at least one sample.
double probabilityOfNoIncrease(llvm::ArrayRef<double> earlier,
                               llvm::ArrayRef<double> later);

} // namespace chi::bench
#endif // CHI_BENCH_STATISTICS_H
