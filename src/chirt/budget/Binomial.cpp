//===- Binomial.cpp - The best schedule of a known number of steps --------===//
#include "chirt/budget/Binomial.h"

namespace chirt {

static constexpr int64_t kMost = int64_t(1) << 62;

int64_t reachOf(int64_t snapshots, int64_t repeats) {
  if (snapshots < 0 || repeats < 0)
    return 0;
  int64_t less = snapshots < repeats ? snapshots : repeats;
  int64_t sum = snapshots + repeats;
  // C(sum, k) from C(sum, k - 1): each product is divisible.
  __int128 reach = 1;
  for (int64_t k = 1; k <= less; ++k) {
    reach = reach * (sum - less + k) / k;
    if (reach >= kMost)
      return kMost;
  }
  return int64_t(reach);
}

/// The least number of repeats that suffices.
static int64_t repeatsOf(int64_t steps, int64_t snapshots) {
  if (snapshots == 1)
    return steps - 1;
  int64_t repeats = 0;
  while (reachOf(snapshots, repeats) < steps)
    ++repeats;
  return repeats;
}

int64_t numAdvances(int64_t steps, int64_t snapshots) {
  int64_t repeats = repeatsOf(steps, snapshots);
  __int128 all =
      __int128(repeats) * steps - reachOf(snapshots + 1, repeats - 1);
  return all < kMost ? int64_t(all) : kMost;
}

int64_t firstSplit(int64_t steps, int64_t snapshots) {
  if (snapshots == 1 || steps == 2)
    return steps - 1;
  int64_t repeats = repeatsOf(steps, snapshots);
  // Where the numbers of repeats on both sides may differ there are several
  // best splits; these are Revolve's.
  int64_t right = reachOf(snapshots - 1, repeats - 1);
  int64_t slack = reachOf(snapshots - 2, repeats - 1);
  int64_t most = reachOf(snapshots, repeats - 1), split = 0;
  if (steps <= most + slack)
    split = reachOf(snapshots, repeats - 2);
  else if (steps >=
           reachOf(snapshots, repeats) - reachOf(snapshots - 3, repeats))
    split = most;
  else
    split = steps - right - slack;
  return split < 1 ? 1 : split < steps ? split : steps - 1;
}

} // namespace chirt
