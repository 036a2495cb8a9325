//===- FieldDiscards.h - Elements that later tasks discard ------*- C++ -*-===//
#ifndef CHI_AD_PLAN_FIELDDISCARDS_H
#define CHI_AD_PLAN_FIELDDISCARDS_H

#include "chi/AD/Activity/FieldGraph.h"

namespace chi::ad::plan {

/// Finds the fields of a program of which a task may discard what it reads
/// (Discards): a branch reads it, or a choice takes something else. What
/// another task stores there may have an adjoint of zero for that reason, and
/// so may what this one reads in turn.
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
