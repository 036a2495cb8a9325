//===- AdjointTasks.h - Tasks that differentiation makes --------*- C++ -*-===//
// A task's `adjoint` attribute (#chi.adjoint) says what it has to do with
// differentiation: the tasks of the backward pass that a primal names, and what
// an adjoint task takes beside the primal's arguments.
//===----------------------------------------------------------------------===//
#ifndef CHI_DIALECT_CHI_ADJOINTTASKS_H
#define CHI_DIALECT_CHI_ADJOINTTASKS_H

#include "chi/Dialect/Chi/ChiDialect.h"

namespace chi::ir {

/// An axis that is none of the domain: the task's facts give its begin and end,
/// as sums of captured values.
inline constexpr int64_t kComputedAxis = -1;

/// On a task with axes of its own whose ends are known at launches only: for
/// each axis the sums that it begins at the greatest of, and those that it ends
/// at the least of, as two arrays of #chi.known. They are bounds in addition to
/// those of the domain, if the axis is one of it. Two empty arrays: no more.
inline constexpr llvm::StringLiteral kAxisBoundsAttr = "chi.axis_bounds";

/// These sums of an axis, and of one end of it; empty if there are none.
inline llvm::ArrayRef<mlir::Attribute> axisBoundsOf(TaskOp task, unsigned axis,
                                                    bool isEnd) {
  auto all = task->getAttrOfType<mlir::ArrayAttr>(kAxisBoundsAttr);
  return all ? llvm::cast<mlir::ArrayAttr>(all[2 * axis + isEnd]).getValue()
             : llvm::ArrayRef<mlir::Attribute>();
}

/// On a task: the task that runs instead of it in forward mode. It takes what
/// the task does, then for each captured field of floats a field of tangents.
inline constexpr llvm::StringLiteral kTangentAttr = "chi.tangent";

/// Of a module: tapes, and calls of kernels with `k.grad()`, may also run in
/// forward mode (`chic gradcheck`). A string: the derivatives of the loss are
/// asked for, or those of gradients, too.
inline constexpr llvm::StringLiteral kTangentsOfTapesAttr =
    "chi.tangents_of_tapes";
inline constexpr llvm::StringLiteral kFirstTangents = "first";
inline constexpr llvm::StringLiteral kSecondTangents = "second";

/// The task that `kTangentAttr` names. Null: none.
inline mlir::FlatSymbolRefAttr tangentOf(TaskOp task) {
  return task->getAttrOfType<mlir::FlatSymbolRefAttr>(kTangentAttr);
}
/// The facts of a task for its tangent task, whose tangents are apart where the
/// fields are. Null: the task has no facts.
FactsAttr factsWithTangents(TaskOp task);

/// An AdjointAttr to be written on: its members are that attribute's.
struct Adjoint {
  std::optional<int64_t> numPrimal;
  mlir::FlatSymbolRefAttr task, fused, prologue, recorder, variant;
  mlir::DenseI64ArrayAttr workspace, passive, domainAxes;
  bool shared = false;

  /// The parameters of a task's attribute; without one, the defaults.
  static Adjoint of(TaskOp task);
  /// Sets the task's attribute, or removes it if all members are defaults.
  void set(TaskOp of) const;
};

/// Sets what `change` writes on the members of the task's attribute.
template <typename Change> void changeAdjoint(TaskOp task, Change change) {
  Adjoint adjoint = Adjoint::of(task);
  change(adjoint);
  adjoint.set(task);
}

/// The reference to a task that these members hold.
inline mlir::FlatSymbolRefAttr referenceTo(TaskOp task) {
  return mlir::FlatSymbolRefAttr::get(task.getSymNameAttr());
}

/// The adjoint of a primal task. Null: none.
inline mlir::FlatSymbolRefAttr adjointOf(TaskOp task) {
  AdjointAttr attr = task.getAdjointAttr();
  return attr ? attr.getTask() : mlir::FlatSymbolRefAttr();
}
/// The task that runs before an adjoint task or recorder. Null: none.
inline mlir::FlatSymbolRefAttr prologueOf(TaskOp task) {
  AdjointAttr attr = task.getAdjointAttr();
  return attr ? attr.getPrologue() : mlir::FlatSymbolRefAttr();
}
/// The task that runs instead of a primal task under a tape. Null: none.
inline mlir::FlatSymbolRefAttr recorderOf(TaskOp task) {
  AdjointAttr attr = task.getAdjointAttr();
  return attr ? attr.getRecorder() : mlir::FlatSymbolRefAttr();
}
/// The task that does what a primal task and its adjoint do. Null: none.
inline mlir::FlatSymbolRefAttr fusedAdjointOf(TaskOp task) {
  AdjointAttr attr = task.getAdjointAttr();
  return attr ? attr.getFused() : mlir::FlatSymbolRefAttr();
}
/// The next variant of an adjoint task. Null: none.
inline mlir::FlatSymbolRefAttr variantOf(TaskOp task) {
  AdjointAttr attr = task.getAdjointAttr();
  return attr ? attr.getVariant() : mlir::FlatSymbolRefAttr();
}

/// The passive values of a variant; empty for other tasks.
inline llvm::ArrayRef<int64_t> passiveOf(TaskOp task) {
  AdjointAttr attr = task.getAdjointAttr();
  return attr && attr.getPassive() ? attr.getPassive().asArrayRef()
                                   : llvm::ArrayRef<int64_t>();
}
/// The same as bits of a word (`chirt_task::passive`).
inline int64_t passiveBitsOf(TaskOp task) {
  uint64_t bits = 0;
  for (int64_t number : passiveOf(task))
    bits |= uint64_t(1) << number;
  return int64_t(bits);
}

/// The workspace fields of a task as words of `chirt_workspace_field`; empty if
/// there are none.
inline llvm::ArrayRef<int64_t> workspaceOf(TaskOp task) {
  AdjointAttr attr = task.getAdjointAttr();
  return attr && attr.getWorkspace() ? attr.getWorkspace().asArrayRef()
                                     : llvm::ArrayRef<int64_t>();
}

/// Has the task other axes than its domain?
inline bool hasOwnAxes(TaskOp task) {
  AdjointAttr attr = task.getAdjointAttr();
  return attr && attr.getDomainAxes();
}
/// The axis of the domain that an axis of the task is, or `kComputedAxis`.
inline int64_t domainAxisOf(TaskOp task, unsigned axis) {
  return hasOwnAxes(task) ? task.getAdjointAttr().getDomainAxes()[axis] : axis;
}

/// Is the task compiled in a unit of its own, whose descriptor the unit of the
/// primal refers to?
inline bool isShared(TaskOp task) {
  AdjointAttr attr = task.getAdjointAttr();
  return attr && attr.getShared();
}

} // namespace chi::ir
#endif // CHI_DIALECT_CHI_ADJOINTTASKS_H
