//===- RecordedTasks.h - Tasks that a tape may record -----------*- C++ -*-===//
#ifndef CHI_ANALYSIS_RECORDEDTASKS_H
#define CHI_ANALYSIS_RECORDEDTASKS_H

#include "chi/Dialect/Chi/ChiDialect.h"
#include "llvm/ADT/DenseSet.h"

namespace chi::analysis {

/// The tasks that run while a tape is open, or that `k.grad()` differentiates:
/// those launched by functions that are called between the begin of a tape and
/// its end, and by their callees.
class RecordedTasks {
public:
  explicit RecordedTasks(mlir::ModuleOp module);

  /// Whether no task may be recorded.
  bool empty() const { return symbols.empty(); }
  /// Whether a tape may record the task.
  bool contains(ir::TaskOp task) const {
    return symbols.contains(task.getSymNameAttr());
  }

private:
  void addOpened(ir::RtOp begin);
  void addUsesIn(mlir::Operation *op);
  void addFunction(mlir::StringAttr name);

  mlir::ModuleOp module;
  llvm::DenseSet<mlir::StringAttr> symbols;
};

} // namespace chi::analysis
#endif // CHI_ANALYSIS_RECORDEDTASKS_H
