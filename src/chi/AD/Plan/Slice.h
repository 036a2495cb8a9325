//===- Slice.h - What something in a task depends on ------------*- C++ -*-===//
#ifndef CHI_AD_PLAN_SLICE_H
#define CHI_AD_PLAN_SLICE_H

#include "chi/Dialect/Chi/ChiDialect.h"
#include "llvm/ADT/SetVector.h"

namespace chi::ad::plan {

/// The operations of a task that determine whether others run, how often, and
/// with which values: by values, by control, by local arrays, and by writes of
/// the iteration to fields that it loads again. A program slice (Weiser,
/// "Program slicing", 1984), on structured control flow.
class Slice {
public:
  explicit Slice(ir::TaskOp task) : task(task) {}

  /// `op`, and all that it depends on.
  void add(mlir::Operation *op);
  /// The operations that decide how often `op` runs.
  void addControlOf(mlir::Operation *op) { add(op->getParentOp()); }

  /// Is there a value in it that one of such operations gives?
  bool dependsOn(llvm::function_ref<bool(mlir::Operation *)> isSuch) const;
  /// Erases all other operations. Their remaining users take zero: such a value
  /// does not affect the slice.
  void eraseOthers() const;

private:
  void addOp(mlir::Operation *op);
  void addControl(mlir::Operation *op);
  void addWritesBefore(ir::LoadOp load);
  void need(mlir::Value value);
  void follow(mlir::Value value);
  void followResult(mlir::OpResult result);
  void followArgument(mlir::BlockArgument argument);

  ir::TaskOp task;
  llvm::DenseSet<mlir::Operation *> ops;
  llvm::SetVector<mlir::Value> values;
  llvm::SmallVector<mlir::Value> open;
};

} // namespace chi::ad::plan
#endif // CHI_AD_PLAN_SLICE_H
