//===- RecordedTasks.h - Tasks that a tape may record -----------*- C++ -*-===//
#ifndef CHI_ANALYSIS_RECORDEDTASKS_H
#define CHI_ANALYSIS_RECORDEDTASKS_H

#include "chi/Dialect/Chi/ChiDialect.h"
#include "llvm/ADT/DenseSet.h"

namespace chi::analysis {

/// What differentiates tasks.
enum class Mode {
  Reverse, ///< a tape, or `k.grad()`
  Forward  ///< `with Forward()`
};

/// The tasks that run while a tape is open, or that `k.grad()` differentiates:
/// those launched by functions that are called between the begin of a tape and
/// its end, and by their callees. Or those that run in forward mode.
class RecordedTasks {
public:
  explicit RecordedTasks(mlir::ModuleOp module, Mode mode = Mode::Reverse);

  /// Whether no task may be recorded.
  bool empty() const { return symbols.empty(); }
  /// Of forward mode: may a tape be opened in it?
  bool hasTapes() const { return opensTapes; }
  /// Whether a tape may record the task, or forward mode run it.
  bool contains(ir::TaskOp task) const {
    return symbols.contains(task.getSymNameAttr());
  }

private:
  bool isBegin(mlir::Operation *op) const;
  bool isEnd(mlir::Operation *op) const;
  void addOpened(ir::RtOp begin);
  void addUsesIn(mlir::Operation *op);
  void addFunction(mlir::StringAttr name);

  mlir::ModuleOp module;
  Mode mode;
  bool opensTapes = false;
  llvm::DenseSet<mlir::StringAttr> symbols;
};

} // namespace chi::analysis
#endif // CHI_ANALYSIS_RECORDEDTASKS_H
