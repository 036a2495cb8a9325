//===- FieldDiscards.h - Elements that later tasks discard ------*- C++ -*-===//
#ifndef CHI_AD_FIELDDISCARDS_H
#define CHI_AD_FIELDDISCARDS_H

#include "chi/AD/FieldGraph.h"

namespace chi::ad {

/// Finds the fields of a program of which a task may discard what it reads
/// (Discards): a branch reads it, or a choice takes something else. What
/// another task stores there may have an adjoint of zero for that reason, and
/// so may what this one reads in turn.
class FieldDiscards {
public:
  /// `tasks`: those that a tape may record.
  FieldDiscards(llvm::ArrayRef<ir::TaskOp> tasks, FieldGraph &graph);

  /// Numbers of captured values of one of the tasks.
  llvm::BitVector of(ir::TaskOp task) const;

private:
  FieldGraph &graph;
  llvm::DenseSet<FieldGraph::Node> nodes;
};

} // namespace chi::ad
#endif // CHI_AD_FIELDDISCARDS_H
