//===- RecordedTasks.h - Tasks that a tape may record -----------*- C++ -*-===//
#ifndef CHI_ANALYSIS_RECORDEDTASKS_H
#define CHI_ANALYSIS_RECORDEDTASKS_H

#include "chi/Dialect/Chi/ChiDialect.h"
#include "llvm/ADT/DenseMap.h"

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
  /// So many tapes in one another are distinguished.
  static constexpr unsigned kMostDepth = 4;

  explicit RecordedTasks(mlir::ModuleOp module, Mode mode = Mode::Reverse);

  /// Whether no task may be recorded.
  bool empty() const { return depths.empty(); }
  /// Of forward mode: may a tape be opened in it?
  bool hasTapes() const { return opensTapes; }
  /// Whether a tape may record the task, or forward mode run it.
  bool contains(ir::TaskOp task) const { return depthOf(task) > 0; }
  /// How many tapes may record it at once, up to `kMostDepth`: each one also
  /// records the adjoint tasks that the ones in it launch.
  unsigned depthOf(ir::TaskOp task) const {
    return depths.lookup(task.getSymNameAttr());
  }

private:
  bool isBegin(mlir::Operation *op) const;
  bool isEnd(mlir::Operation *op) const;
  void scanAll();
  void scan(mlir::Operation *op, unsigned depth);
  void visit(mlir::Operation *op, unsigned depth);
  void addFunction(mlir::StringAttr name, unsigned depth);

  mlir::ModuleOp module;
  Mode mode;
  bool alsoTapes = false; ///< of forward mode: they run in it
  bool opensTapes = false;
  bool gradsInTapes = false; ///< is a `k.grad()` called in a tape?
  /// Does a record of `k.grad()` count as a tape in another one?
  bool countsRecords = false;
  /// Of functions and tasks.
  llvm::DenseMap<mlir::StringAttr, unsigned> depths;
};

} // namespace chi::analysis
#endif // CHI_ANALYSIS_RECORDEDTASKS_H
