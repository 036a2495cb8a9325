//===- Binomial.h - The best schedule of a known number of steps -*- C++
//-*-===//
// A. Griewank and A. Walther, "Algorithm 799: Revolve: an implementation of
// checkpointing for the reverse or adjoint mode of computational
// differentiation", ACM TOMS 26 (2000). A chain of steps is run backward, one
// step at a time. A step can be run backward only from the state before it, and
// so many states as there are snapshots can be kept, with that at the
// beginning.
//===----------------------------------------------------------------------===//
#ifndef CHIRT_BUDGET_BINOMIAL_H
#define CHIRT_BUDGET_BINOMIAL_H

#include <cstdint>

namespace chirt {

/// How many steps `snapshots` >= 0 states suffice for, if none is run more than
/// `repeats` times: C(snapshots + repeats, snapshots), at most 2^62. Zero if
/// one of the two is negative.
int64_t reachOf(int64_t snapshots, int64_t repeats);

/// The least number of steps that are run to run `steps` >= 1 steps backward
/// from the first state, without the one run of each that goes backward;
/// `snapshots` >= 1. At most 2^62.
int64_t numAdvances(int64_t steps, int64_t snapshots);

/// Of a best schedule: how many steps behind the first state the next snapshot
/// is; from 1 to `steps` - 1. `steps` >= 2, `snapshots` >= 1; with one, no
/// snapshot is made there, and all steps but the last are run.
int64_t firstSplit(int64_t steps, int64_t snapshots);

} // namespace chirt
#endif // CHIRT_BUDGET_BINOMIAL_H
