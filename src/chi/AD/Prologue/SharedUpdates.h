//===- SharedUpdates.h - `*=`, `min` and `max` by many ----------*- C++ -*-===//
#ifndef CHI_AD_PROLOGUE_SHAREDUPDATES_H
#define CHI_AD_PROLOGUE_SHAREDUPDATES_H

#include "chi/AD/Prologue/Element.h"
#include "chi/AD/Prologue/Workspace.h"
#include "chi/Dialect/Chi/Accumulations.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/BitVector.h"

namespace chi::ad::prologue {

/// The updates of a field by `*=`, `min` or `max`, and the fields that hold
/// what their derivative depends on: numbers of captured values.
struct SharedUpdate {
  unsigned field;
  ir::AccumKind kind;
  llvm::SmallVector<ir::AccumOp> updates;
  /// The combination of the contributions alone: the minimum, the maximum, the
  /// product of those that are not zero.
  unsigned total = 0;
  /// For min and max: the number of the contribution that becomes the element,
  /// the first one if there are several. For `*=`: how many factors are zero.
  unsigned which = 0;
  /// For `*=`: the adjoints before the adjoint task runs.
  unsigned adjoint = 0;

  /// Whether the updates multiply.
  bool isProduct() const {
    return ir::adjointOf(kind) == ir::AccumAdjoint::product;
  }
};

/// The updates of a task by `*=`, `min` and `max` of elements that iterations
/// may share, and their derivative, which depends on all of them at once. Tasks
/// that run before the adjoint one (the *prologue*) find out
/// - the combined contributions, in a field like the one that is updated,
/// - of `min` and `max`, which contribution that is.
/// The primal then is one in which that contribution is stored, and the others
/// are not. All of these tasks are strict: they compute the same bits.
class SharedUpdates {
public:
  /// For a copy of the primal, which will be changed. Only inspects it.
  /// `passive`: numbers of captured values, whose updates stay unchanged.
  SharedUpdates(ir::TaskOp task, Workspace &workspace,
                const llvm::BitVector &passive);

  /// Whether the task has no such updates.
  bool empty() const { return all.empty(); }
  /// The first update that has no derivative yet, or null: the iteration may
  /// touch the element in another way, too.
  ir::AccumOp findObstacle() const;

  /// Makes the tasks of the prologue, after the primal, and makes the task
  /// plain.
  void prepare(llvm::StringRef adjointName);
  /// The tasks of the prologue, in their order.
  llvm::ArrayRef<ir::TaskOp> getPrologue() const { return prologue; }
  /// Says what runs before the adjoint, and what both take.
  void link(ir::TaskOp adjoint) const;

  /// How many captured values are the primal's; what follows is made for the
  /// adjoint.
  unsigned getNumPrimal() const { return workspace.getNumPrimal(); }
  /// The update that `accum` belongs to.
  const SharedUpdate &of(ir::AccumOp accum) const;

private:
  void addArguments();
  unsigned addFilled(const SharedUpdate &update, mlir::Attribute value);
  ir::TaskOp makePrologueTask(llvm::StringRef name);
  void findTotals(ir::TaskOp helper) const;
  void findWinners(ir::TaskOp helper) const;
  void storeWinners();

  ir::TaskOp task;
  Workspace &workspace;
  llvm::SmallVector<SharedUpdate> all;
  llvm::SmallVector<ir::TaskOp> prologue;
};

} // namespace chi::ad::prologue
#endif // CHI_AD_PROLOGUE_SHAREDUPDATES_H
