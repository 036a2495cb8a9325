//===- Lanes.h - Neighbouring iterations side by side -----------*- C++ -*-===//
#ifndef CHI_TRANSFORMS_LANES_H
#define CHI_TRANSFORMS_LANES_H

#include "chi/Dialect/Chi/ChiDialect.h"
#include "llvm/ADT/DenseSet.h"

namespace chi::transforms {

/// Which values of a task differ between iterations that are neighbours along
/// the innermost axis, taken among iterations that run in lockstep: the
/// counter of a loop that some leave early is the same for all that are still
/// in it, but differs after the loop.
class Divergence {
public:
  explicit Divergence(ir::TaskOp task);

  bool isVarying(mlir::Value value) const { return varying.contains(value); }
  /// Is it the first lane's value plus the number of the lane?
  bool isUnit(mlir::Value value) const { return unit.contains(value); }
  /// Of scf.if, scf.for, scf.while: do lanes go different ways?
  bool isDivergent(mlir::Operation *op) const {
    return divergent.contains(op);
  }

private:
  void visit(mlir::Operation *op);
  void visitIf(mlir::scf::IfOp op);
  void visitWhile(mlir::scf::WhileOp op);
  void visitFor(mlir::scf::ForOp op);
  void visitLeaf(mlir::Operation *op);
  void vary(mlir::Value value) { changed |= varying.insert(value).second; }
  void diverge(mlir::Operation *op) {
    changed |= divergent.insert(op).second;
  }
  void findUnits(ir::TaskOp task);

  llvm::DenseSet<mlir::Value> varying, unit;
  llvm::DenseSet<mlir::Operation *> divergent;
  bool changed = false;
};

/// Fills the task's second region with `source`'s body (a copy of the task, in
/// which no scf.for is divergent) for `lanes` iterations at once.
void widenBody(ir::TaskOp task, ir::TaskOp source,
               const Divergence &divergence, int64_t lanes);

/// Can widenBody widen the operation? Operations inside are not looked at.
bool canWiden(mlir::Operation *op);

/// Nothing but short arithmetic that may run where no lane wants it.
bool isCheap(mlir::Region &side);

} // namespace chi::transforms
#endif // CHI_TRANSFORMS_LANES_H
