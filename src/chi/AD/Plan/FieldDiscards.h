//===- FieldDiscards.h - Elements that later tasks discard ------*- C++ -*-===//
#ifndef CHI_AD_PLAN_FIELDDISCARDS_H
#define CHI_AD_PLAN_FIELDDISCARDS_H

#include "chi/AD/Activity/FieldGraph.h"

namespace chi::ad::plan {

/// Finds the fields of a program from which a task reads values that it may
/// discard (Discards): a branch reads them, or a select takes another value. A
/// value that another task stores there may then have an adjoint of zero, and
/// so may the values that this task reads in turn.
class FieldDiscards {
public:
  /// `tasks`: those that a tape may record.
  FieldDiscards(llvm::ArrayRef<ir::TaskOp> tasks, activity::FieldGraph &graph);

  /// Numbers of captured values of one of the tasks.
  llvm::BitVector of(ir::TaskOp task) const;

private:
  activity::FieldGraph &graph;
  llvm::DenseSet<activity::FieldGraph::Node> nodes;
};

} // namespace chi::ad::plan
#endif // CHI_AD_PLAN_FIELDDISCARDS_H
