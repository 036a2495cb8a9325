//===- Discards.h - Adjoints that are zero by a choice ----------*- C++ -*-===//
#ifndef CHI_AD_PLAN_DISCARDS_H
#define CHI_AD_PLAN_DISCARDS_H

#include "chi/AD/Activity/Activity.h"

namespace chi::ad::plan {

/// Finds the values of a task whose adjoint may be zero because control flow,
/// `select`, `min`, `max` or a later store discards them at all of their uses.
/// A rule then returns zero for an adjoint of zero, also where the partial
/// derivative is infinite or NaN. An adjoint that a use always reaches is left
/// unchanged, and so are the adjoints that the task loads from fields, except
/// for those that `fields` names. Sums that iterations scatter to
/// data-dependent elements are left unchanged there: several iterations add to
/// one element, and all of these terms are rarely discarded.
class Discards {
public:
  /// `fields`: numbers of captured values whose elements a task may discard.
  Discards(ir::TaskOp task, const activity::Activity &activity,
           const llvm::BitVector &fields);

  /// For an active value.
  bool isDiscarded(mlir::Value value) const { return found.contains(value); }
  /// Numbers of the captured fields whose loaded values may be discarded.
  llvm::BitVector discardedFields();

private:
  using Uses = llvm::SmallVector<mlir::OpOperand *>;

  void findOverwritten();
  void visit(mlir::Value value);
  bool isDiscardedBy(const Uses &uses, mlir::Block *block) const;
  bool isDiscardedBy(mlir::Operation *op, const Uses &uses) const;
  bool isDiscardedBy(mlir::OpOperand &use) const;
  bool isDiscardedByYield(mlir::Operation *parent, unsigned number) const;
  bool isDiscardedByInit(mlir::scf::ForOp loop, unsigned number) const;
  bool isNothing(mlir::Value value) const;
  bool isDiscardedElement(ir::FieldAccessOpInterface access) const;
  enum class Fate { Unknown, Read, Replaced };
  Fate fateIn(mlir::Operation *op, ir::FieldAccessOpInterface write) const;
  Fate fateFrom(mlir::Operation *op, ir::FieldAccessOpInterface write) const;
  bool isReadBack(ir::FieldAccessOpInterface write) const;

  ir::TaskOp task;
  const activity::Activity &activity;
  const llvm::BitVector &fields;
  llvm::DenseSet<mlir::Value> found;
  /// Writes of elements that the iteration may store to again.
  llvm::DenseSet<mlir::Operation *> overwritten;
  bool isChanging = false;
};

} // namespace chi::ad::plan
#endif // CHI_AD_PLAN_DISCARDS_H
