//===- Statistics.cpp - What samples of times tell ------------------------===//
#include "chi/Bench/Statistics.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <cmath>
#include <vector>

using namespace chi::bench;

static constexpr double kConfidence = 0.95;

/// Logarithm of the probability of `k` heads of `count` coins.
static double logOfHeads(size_t count, size_t k) {
  return std::lgamma(double(count) + 1) - std::lgamma(double(k) + 1) -
         std::lgamma(double(count - k) + 1) - double(count) * M_LN2;
}

std::optional<Ranks> chi::bench::ranksOfMedian(size_t count) {
  // The interval of the ranks r and count + 1 - r misses the median if fewer
  // than r samples lie on one side: P = 2 * sum of P(heads = k), k < r.
  double missed = 0;
  size_t rank = 0;
  while (rank < count / 2) {
    missed += 2 * std::exp(logOfHeads(count, rank));
    if (missed > 1 - kConfidence)
      break;
    ++rank;
  }
  if (rank == 0)
    return std::nullopt;
  return Ranks{rank, count + 1 - rank};
}

Median chi::bench::medianOf(llvm::ArrayRef<double> samples) {
  std::vector<double> sorted = samples.vec();
  llvm::sort(sorted);
  size_t count = sorted.size(), middle = count / 2;
  Median median;
  median.value =
      count % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  Ranks ranks = ranksOfMedian(count).value_or(Ranks{1, count});
  median.low = sorted[ranks.low - 1], median.high = sorted[ranks.high - 1];
  return median;
}

namespace {
/// Mann and Whitney's statistic of `later`, and the sum of t³ - t over groups
/// of t equal samples.
struct RankSum {
  double u = 0, ties = 0;
};
} // namespace

static RankSum rankSumOf(llvm::ArrayRef<double> earlier,
                         llvm::ArrayRef<double> later) {
  std::vector<std::pair<double, bool>> all;
  for (double sample : earlier)
    all.push_back({sample, false});
  for (double sample : later)
    all.push_back({sample, true});
  llvm::sort(all);
  RankSum sum;
  for (size_t from = 0, to; from < all.size(); from = to) {
    for (to = from; to < all.size() && all[to].first == all[from].first;)
      ++to;
    double rank = double(from + 1 + to) / 2, size = double(to - from);
    for (size_t k = from; k < to; ++k)
      sum.u += all[k].second ? rank : 0;
    sum.ties += size * size * size - size;
  }
  double count = double(later.size());
  sum.u -= count * (count + 1) / 2;
  return sum;
}

/// P(U >= u) of m and n samples without ties: the numbers of arrangements by
/// the recurrence of Mann and Whitney.
static double exactTail(size_t m, size_t n, double u) {
  size_t most = m * n;
  // ways[i][v]: of i samples of one kind among j of the other, j growing.
  std::vector<std::vector<double>> ways(m + 1,
                                        std::vector<double>(most + 1, 0));
  for (size_t i = 0; i <= m; ++i)
    ways[i][0] = 1; // none of the other kind: U is 0
  for (size_t j = 1; j <= n; ++j)
    for (size_t i = 1; i <= m; ++i) {
      // The greatest of all is of the first kind, above j others, or it is of
      // the other kind (ways of j - 1, which the row holds).
      std::vector<double> &row = ways[i];
      for (size_t v = j; v <= most; ++v)
        row[v] += ways[i - 1][v - j];
    }
  double all = 0, tail = 0;
  for (size_t v = 0; v <= most; ++v) {
    all += ways[m][v];
    tail += double(v) >= u ? ways[m][v] : 0;
  }
  return tail / all;
}

double chi::bench::probabilityOfNoIncrease(llvm::ArrayRef<double> earlier,
                                           llvm::ArrayRef<double> later) {
  RankSum sum = rankSumOf(earlier, later);
  if (sum.ties == 0 && earlier.size() * later.size() <= 400)
    return exactTail(later.size(), earlier.size(), sum.u);
  double m = double(earlier.size()), n = double(later.size()), all = m + n;
  double variance = m * n / 12 * ((all + 1) - sum.ties / (all * (all - 1)));
  if (variance <= 0) // all are equal
    return 1;
  double z = (sum.u - m * n / 2 - 0.5) / std::sqrt(variance);
  return std::erfc(z / M_SQRT2) / 2;
}
