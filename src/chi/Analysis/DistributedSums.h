//===- DistributedSums.h - Sums that meet along a row -----------*- C++ -*-===//
#ifndef CHI_ANALYSIS_DISTRIBUTEDSUMS_H
#define CHI_ANALYSIS_DISTRIBUTEDSUMS_H

#include "chi/Analysis/LoopPeeling.h"

namespace chi::analysis {

/// Accumulations to the components of one element, whose index along memory is
/// the innermost variable plus a constant, and whose other indices are the same
/// in a whole row.
using DistributedSum = llvm::SmallVector<ir::AccumOp, 2>;

/// The accumulations of a task in which iterations of one row touch the
/// elements of others, as in `p[i, j + 1] += a; p[i, j - 1] += b`. If each
/// accumulation is executed for a chunk of the row before the next one, none
/// waits for another's store. Empty where that is not allowed (the order of
/// sums is kept, something fails or has branches) or has no benefit. `simpler`:
/// the simplified operations of the body in the middle of a row.
std::vector<DistributedSum> findDistributedSums(ir::TaskOp task,
                                llvm::ArrayRef<Simpler> simpler);

} // namespace chi::analysis
#endif // CHI_ANALYSIS_DISTRIBUTEDSUMS_H
