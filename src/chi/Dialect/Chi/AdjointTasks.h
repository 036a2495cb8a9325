//===- AdjointTasks.h - What an adjoint task takes beside -------*- C++ -*-===//
#ifndef CHI_DIALECT_CHI_ADJOINTTASKS_H
#define CHI_DIALECT_CHI_ADJOINTTASKS_H

#include "chi/Dialect/Chi/ChiDialect.h"

namespace chi::ir {

/// On an adjoint task, or on one that runs before it: the task that runs before
/// this one. It takes the primal's arguments and the workspace fields, and runs
/// over the same domain.
inline constexpr llvm::StringLiteral kPrologueAttr = "chi.prologue";
/// On an adjoint task: the fields that the tape allocates for it and for those
/// that run before it, as words (`chirt_workspace_field`). Their arguments are
/// between those of the primal and the adjoints.
inline constexpr llvm::StringLiteral kWorkspaceAttr = "chi.gradient_workspace";
/// On a task with other axes than its domain's (chi-interchange,
/// chi-scatter-to-gather): the axes of the domain that its own axes correspond
/// to, or `kComputedAxis`.
inline constexpr llvm::StringLiteral kDomainAxesAttr = "chi.domain_axes";
/// An axis that is none of the domain: the task's facts give its begin and end,
/// as sums of captured values.
inline constexpr int64_t kComputedAxis = -1;

/// On a task with an adjoint: the task that runs instead of it under a tape. It
/// takes the primal's arguments, then its own workspace fields, with which
/// those of the adjoint begin.
inline constexpr llvm::StringLiteral kRecorderAttr = "chi.recorder";

/// On a task with an adjoint: a task that fuses both, with the adjoint's
/// arguments. A tape runs it if the task is the last that it recorded.
inline constexpr llvm::StringLiteral kFusedAdjointAttr = "chi.fused_adjoint";
/// On a launch: it is the last one of its kernel, and its task has a
/// kFusedAdjointAttr.
inline constexpr llvm::StringLiteral kLastAttr = "chi.last";

/// On an adjoint task: another adjoint of the same primal, with its arguments
/// except for workspace fields, and with tasks before it of its own. It is used
/// for launches where the values in its kPassiveAttr have no derivative, and
/// does less.
inline constexpr llvm::StringLiteral kVariantAttr = "chi.variant";
/// The numbers of captured values that only the primal's other adjoints take to
/// have a derivative.
inline constexpr llvm::StringLiteral kPassiveAttr = "chi.passive";

/// On a task: a unit of its own is compiled for it and similar ones; another
/// unit, that of the primal, refers to its descriptor.
inline constexpr llvm::StringLiteral kSharedAttr = "chi.shared";

/// Null: none.
inline mlir::FlatSymbolRefAttr prologueOf(TaskOp task) {
  return task->getAttrOfType<mlir::FlatSymbolRefAttr>(kPrologueAttr);
}
/// Null: none.
inline mlir::FlatSymbolRefAttr recorderOf(TaskOp task) {
  return task->getAttrOfType<mlir::FlatSymbolRefAttr>(kRecorderAttr);
}

/// Null: none.
inline mlir::FlatSymbolRefAttr fusedAdjointOf(TaskOp task) {
  return task->getAttrOfType<mlir::FlatSymbolRefAttr>(kFusedAdjointAttr);
}

/// Null: none.
inline mlir::FlatSymbolRefAttr variantOf(TaskOp task) {
  return task->getAttrOfType<mlir::FlatSymbolRefAttr>(kVariantAttr);
}
/// The passive values of a variant; empty for other tasks.
inline llvm::ArrayRef<int64_t> passiveOf(TaskOp task) {
  auto numbers = task->getAttrOfType<mlir::DenseI64ArrayAttr>(kPassiveAttr);
  return numbers ? numbers.asArrayRef() : llvm::ArrayRef<int64_t>();
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
  auto words = task->getAttrOfType<mlir::DenseI64ArrayAttr>(kWorkspaceAttr);
  return words ? words.asArrayRef() : llvm::ArrayRef<int64_t>();
}

/// The axis of the domain that an axis of the task is, or `kComputedAxis`.
inline int64_t domainAxisOf(TaskOp task, unsigned axis) {
  auto axes = task->getAttrOfType<mlir::DenseI64ArrayAttr>(kDomainAxesAttr);
  return axes ? axes[axis] : axis;
}

} // namespace chi::ir
#endif // CHI_DIALECT_CHI_ADJOINTTASKS_H
