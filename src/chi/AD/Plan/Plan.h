//===- Plan.h - What the reverse sweep needs of the primal ------*- C++ -*-===//
#ifndef CHI_AD_PLAN_PLAN_H
#define CHI_AD_PLAN_PLAN_H

#include "chi/AD/Activity/Activity.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace chi::ad::plan {

/// How the reverse sweep has a value of the primal that it needs.
enum class Source {
  Direct,    ///< available from the forward sweep, outside of loops
  Recompute, ///< once more, where the block that makes it is reversed
  Keep       ///< on the local tape, one record an iteration of its loop
};

/// Decides for each value that a rule reads, or that a decision depends on, how
/// the reverse sweep obtains it. A value that is recomputed needs its operands
/// in turn.
///
/// Pure operations are recomputed, and so are induction variables and loads of
/// elements that the iteration cannot have changed before. Values that a loop
/// carries, results of structured control flow and loads from an array of the
/// iteration are kept. *What depends on a float is decided once*: a condition
/// or an integer that comes from a float is kept, never computed a second time,
/// since two copies may round differently.
class Plan {
public:
  Plan(ir::TaskOp task, const activity::Activity &activity);

  /// Whether the backward pass needs the value.
  bool isNeeded(mlir::Value value) const { return sources.contains(value); }
  /// How the backward pass obtains a needed value; the default for others.
  Source sourceOf(mlir::Value value) const { return sources.lookup(value); }

  /// Values of a branch that have to come out of it, to be Direct.
  llvm::ArrayRef<mlir::Value> escapesOf(mlir::scf::IfOp branch) const;
  /// Values that each iteration of a loop keeps, at any depth of branches.
  llvm::ArrayRef<mlir::Value> keptBy(mlir::Operation *loop) const;
  /// The forward sweep repeats the field's writes, on a copy: an iteration may
  /// load its own writes.
  bool isRerun(mlir::Value field) const { return rerun.contains(field); }
  /// Is `op` left out where an iteration runs again? Effects are the primal's;
  /// writes that the iteration may load again go to a copy of their field.
  bool isDropped(mlir::Operation *op) const;

private:
  /// Is the check repeated? Its condition depends on a float.
  bool isChecked(ir::CheckOp check) const;
  void needRule(mlir::Operation *op);
  void needOperands(mlir::Operation *op);
  void need(mlir::Value value);
  void keep(mlir::Value value, mlir::Operation *loop);
  void escape(mlir::Value value);
  void needBounds(mlir::scf::ForOp loop);
  bool canRecompute(mlir::Operation *op) const;
  bool mayLoadOwnWrite(ir::LoadOp load) const;
  void findRerun(ir::TaskOp task);

  const activity::Activity &activity;
  llvm::DenseMap<mlir::Value, Source> sources;
  llvm::MapVector<mlir::Operation *, llvm::SmallVector<mlir::Value>> kept,
      escapes;
  llvm::DenseSet<mlir::Value> rerun;
};

/// The innermost `scf.for` or `scf.while` that `value` is computed in; null if
/// it is computed once in an iteration of the task.
mlir::Operation *loopAround(mlir::Value value);
/// The innermost `scf.for` or `scf.while` around `op`, itself apart; null if
/// there is none in its task. `op` has to be in a task.
mlir::Operation *loopAround(mlir::Operation *op);

/// Can `write` have run before `access` in one iteration of the task?
bool mayComeBefore(mlir::Operation *write, mlir::Operation *access);
/// Do the two accesses to one field surely touch different scalars, by
/// constants and components?
bool areDisjoint(ir::FieldAccessOpInterface a, ir::FieldAccessOpInterface b);

/// Is `op` an update by `*=`, `min` or `max` of a float? (SharedUpdates)
bool isSharedUpdate(mlir::Operation *op);

/// Does an integer or condition come from floats in `op` itself?
bool decides(mlir::Operation *op);

} // namespace chi::ad::plan
#endif // CHI_AD_PLAN_PLAN_H
