//===- Interchange.h - A parallel axis becomes a loop -----------*- C++ -*-===//
#ifndef CHI_TRANSFORMS_NEST_INTERCHANGE_H
#define CHI_TRANSFORMS_NEST_INTERCHANGE_H

#include "chi/Analysis/Dependence.h"
#include "chi/Analysis/Ranges.h"

namespace chi::nest {

/// How the axes of a task are rewritten.
struct AxisFold {
  unsigned folded; ///< the axis that a loop in each iteration goes over
  /// An axis of the same length. What is added to elements that the folded
  /// axis names is computed with the two exchanged, so that the iteration that
  /// has the element adds it up.
  std::optional<unsigned> partner;
  bool isNeverEmpty; ///< has the folded axis an iteration wherever others have?
};

/// The elements that an accumulation may touch, by the axes that its indices
/// depend on.
bool isMoved(const AxisFold &fold, analysis::AxisMask axes);

/// Makes a task after `task` that does the same with one axis less: it sums the
/// terms that the loop adds to an element in values, and adds the sum once.
/// Null, without changes, if an element is not known before the loop. `axesOf`:
/// the axes of each accumulation, all of which add; all other accesses are
/// loads of fields that nothing is added to.
ir::TaskOp
foldAxis(ir::TaskOp task, const AxisFold &fold,
         const analysis::TaskDomain &domain,
         const llvm::DenseMap<mlir::Operation *, analysis::AxisMask> &axesOf);

} // namespace chi::nest
#endif // CHI_TRANSFORMS_NEST_INTERCHANGE_H
