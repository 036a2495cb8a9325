//===- Lanes.h - Neighbouring iterations side by side -----------*- C++ -*-===//
#ifndef CHI_TRANSFORMS_VECTORIZE_LANES_H
#define CHI_TRANSFORMS_VECTORIZE_LANES_H

#include "chi/Dialect/Chi/ChiDialect.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace chi::vectorize {

/// Which values of a task differ between iterations that are neighbours along
/// one axis, taken among iterations that run in lockstep: the counter of a
/// loop that some leave early is the same for all that are still in it, but
/// differs after the loop.
class Divergence {
public:
  /// For lanes: along the innermost axis.
  explicit Divergence(ir::TaskOp task);
  Divergence(ir::TaskOp task, unsigned axis);
  /// For lanes that count backwards if `isDescending`: the first has the last
  /// index.
  Divergence(ir::TaskOp task, unsigned axis, bool isDescending);

  /// Whether the value may differ between lanes.
  bool isVarying(mlir::Value value) const { return varying.contains(value); }
  /// 1: the first lane's value plus the number of the lane; -1: minus it; 0:
  /// nothing of that kind.
  int stepOf(mlir::Value value) const { return steps.lookup(value); }
  /// For scf.if, scf.for, scf.while: do lanes diverge?
  bool isDivergent(mlir::Operation *op) const { return divergent.contains(op); }
  /// For an scf.for that all lanes enter: do their first or last iterations
  /// differ by little? They count together then (a triangle, a band), and the
  /// loop's variable is the same for all.
  bool hasNonUniformBounds(mlir::Operation *op) const {
    return nonUniform.contains(op);
  }

private:
  void visit(mlir::Operation *op);
  void visitIf(mlir::scf::IfOp op);
  void visitWhile(mlir::scf::WhileOp op);
  void visitFor(mlir::scf::ForOp op);
  void visitLeaf(mlir::Operation *op);
  void vary(mlir::Value value) { changed |= varying.insert(value).second; }
  void diverge(mlir::Operation *op) { changed |= divergent.insert(op).second; }
  bool isNear(mlir::Value value, unsigned depth = 0) const;
  std::optional<int64_t> offsetOf(mlir::Value value, unsigned depth = 0) const;
  bool isWindow(mlir::scf::ForOp op) const;
  bool canHaveNonUniformBounds(mlir::scf::ForOp op) const;
  void findSteps(ir::TaskOp task);

  mlir::Value index; ///< the axis's variable
  bool isDescending;
  llvm::DenseSet<mlir::Value> varying;
  llvm::DenseMap<mlir::Value, int> steps;
  llvm::DenseSet<mlir::Operation *> divergent, nonUniform;
  bool changed = false;
};

/// The data of one iteration of a wide body's loop.
struct LanePlan {
  int64_t lanes;     ///< neighbours along the innermost axis
  unsigned axis = 0; ///< of the rows
  /// Neighbours along `axis`, which share loads; along the innermost axis:
  /// vectors of lanes, side by side.
  int64_t rows = 1;
  bool isDescending = false; ///< the first lane has the last index
};

/// A plan for a task whose time goes into serial loops over neighbours in
/// memory: sums over a window, products of matrices. Nothing if LLVM, which
/// widens such a loop along itself, does as well. `extents`: of the domain's
/// axes, where known.
std::optional<LanePlan>
planBlock(ir::TaskOp task, const Divergence &divergence, ir::DeviceAttr device,
          llvm::ArrayRef<std::optional<int64_t>> extents);

/// A loop that LLVM widens itself, or unrolls as a whole.
bool isLeftToLLVM(mlir::scf::ForOp loop);

/// Does the loop take so few iterations, known ones, that LLVM unrolls it?
bool isUnrolled(mlir::scf::ForOp loop);

/// Rewrites the task's body for `rows` iterations that are neighbours along
/// `axis`; the index variable is that of the first one. Operations that differ
/// between them are written once for each, loops and shared operations once.
void jamRows(ir::TaskOp task, unsigned axis, int64_t rows);

/// The same for iterations of the innermost axis that are `lanes` apart, with
/// the sums among the loops skewed (SkewedSum). The block gets an i64 behind
/// the captured values: the number of the rows that exist, at least one. All
/// accumulations must be plain, and nothing may be checked.
void jamVectors(ir::TaskOp task, int64_t rows, int64_t lanes);

/// Fills the task's second region with `source`'s body (a copy of the task, in
/// which no scf.for is divergent) for `lanes` iterations at once.
void widenBody(ir::TaskOp task, ir::TaskOp source, const Divergence &divergence,
               int64_t lanes);

/// Can widenBody widen the operation? Operations inside are not looked at.
bool canWiden(mlir::Operation *op);

/// Only short arithmetic, which may run where no lane needs it.
bool isCheap(mlir::Region &side);

/// Replaces `op` by a branch with other types and another condition. `fill`
/// writes a side at the builder's place and returns what it yields.
mlir::scf::IfOp rebuildIf(
    mlir::OpBuilder &b, mlir::scf::IfOp op, mlir::TypeRange types,
    mlir::Value condition,
    llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Block &)> fill);

} // namespace chi::vectorize
#endif // CHI_TRANSFORMS_VECTORIZE_LANES_H
