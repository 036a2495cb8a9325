//===- Cost.h - Estimated time of an iteration ------------------*- C++ -*-===//
#ifndef CHI_ANALYSIS_COST_H
#define CHI_ANALYSIS_COST_H

#include "chi/Analysis/Ranges.h"

namespace chi::analysis {

/// Below this cost of a launch waking threads does not pay: 3 microseconds.
inline constexpr int64_t kGrain = 48000;
/// Cost of an iteration without an estimate.
inline constexpr int64_t kUnknownCost = 160;

/// Time that one iteration of a task takes on a core, in 1/16 ns; at least 1.
/// A rough figure: it decides how many iterations are worth a thread.
int64_t costOf(ir::TaskOp task, Ranges &ranges);

} // namespace chi::analysis
#endif // CHI_ANALYSIS_COST_H
