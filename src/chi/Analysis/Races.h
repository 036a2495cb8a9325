//===- Races.h - Proofs that iterations race --------------------*- C++ -*-===//
#ifndef CHI_ANALYSIS_RACES_H
#define CHI_ANALYSIS_RACES_H

#include "chi/Analysis/Sampler.h"

namespace chi::analysis {

/// Two iterations that touch one element in a way that depends on which is
/// first. `first` writes.
struct Race {
  Touch first, second;
  /// Index variables of the two iterations.
  llvm::SmallVector<Linear, 0> firstIteration, secondIteration;
};

/// Finds races of a task that are certain, at most one for each field: such
/// that two iterations of a sample reach the same element, one writes, and they
/// are neither updates of one kind nor stores of one value. A domain whose
/// extent is known only at run time is taken to have several iterations.
std::vector<Race> findRaces(ir::TaskOp task, Ranges &ranges);

} // namespace chi::analysis
#endif // CHI_ANALYSIS_RACES_H
