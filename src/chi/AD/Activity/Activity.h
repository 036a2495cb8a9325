//===- Activity.h - Which values carry derivatives --------------*- C++ -*-===//
#ifndef CHI_AD_ACTIVITY_ACTIVITY_H
#define CHI_AD_ACTIVITY_ACTIVITY_H

#include "chi/Dialect/Chi/ChiDialect.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseSet.h"

namespace chi::ad::activity {

/// Finds the values of a task that carry derivatives: floats that depend on an
/// element of a field (*varied*) and on which an element that the task stores
/// depends (*useful*). Fields that are known to be passive are ignored; which
/// of the others are active is known at run time. The analysis of Hascoët,
/// Naumann & Pascual, "To be recorded analysis in reverse-mode automatic
/// differentiation" (2005), on structured control flow.
class Activity {
public:
  /// `passive`: numbers of captured values (FieldGraph::findPassive).
  Activity(ir::TaskOp task, const llvm::BitVector &passive);

  /// Active values, and active slots of local arrays.
  bool isActive(mlir::Value value) const {
    return varied.contains(value) && useful.contains(value);
  }
  /// Does `op` compute or store an active value? Looks into regions.
  bool isActive(mlir::Operation *op) const;
  /// Has the field, an argument of the task or that in another type, no
  /// adjoint?
  bool isPassive(mlir::Value field) const;

private:
  void visitForward(mlir::Operation *op);
  void visitBackward(mlir::Operation *op);
  void flowForward(mlir::Value from, mlir::Value to);
  void flowBackward(mlir::Value from, mlir::Value to);
  void visitFlows(mlir::Operation *op,
                  llvm::function_ref<void(mlir::Value, mlir::Value)> flow);

  llvm::BitVector passive;
  llvm::DenseSet<mlir::Value> varied, useful;
  bool isChanging = false;
};

} // namespace chi::ad::activity
#endif // CHI_AD_ACTIVITY_ACTIVITY_H
