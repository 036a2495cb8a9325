//===- TaskBuilder.h - Make a task of some code -----------------*- C++ -*-===//
#ifndef CHI_TRANSFORMS_OUTLINE_TASKBUILDER_H
#define CHI_TRANSFORMS_OUTLINE_TASKBUILDER_H

#include "chi/Dialect/Chi/ChiDialect.h"
#include "mlir/IR/Builders.h"

namespace chi::outline {

/// Builds one task and its launch. The caller fills `body` with code that may
/// use values from around; `capture` makes these arguments. Constants, extents
/// and casts of fields are made again in the task instead, so that what is
/// known of them stays known, and a field is captured once.
class TaskBuilder {
public:
  /// Makes a task where `builder` stands (in the module). Without `region` it
  /// has rank 0 and an empty body without terminator; else it takes the region
  /// over, whose arguments become its index variables.
  TaskBuilder(mlir::OpBuilder &builder, mlir::Location loc,
              llvm::StringRef name, mlir::Region *region = nullptr);

  ir::TaskOp op() { return task; }
  mlir::Block &body() { return task.getBody().front(); }

  /// Number of the argument that stands for `value`, which is no constant.
  unsigned argumentFor(mlir::Value value);
  /// Replaces what the body uses from outside. Fails with a diagnostic if
  /// that is no value that a task can take. `isRemade` says of operations that
  /// they too are made again in the task: loads of cells.
  llvm::LogicalResult
  capture(llvm::function_ref<bool(mlir::Operation *)> isRemade);
  /// The values to launch with, in the order of the arguments.
  llvm::ArrayRef<mlir::Value> inputs() const { return captured; }

private:
  mlir::Value inside(mlir::Value value,
                     llvm::function_ref<bool(mlir::Operation *)> isRemade);
  mlir::Value cloneInside(mlir::Operation *op,
                          llvm::function_ref<bool(mlir::Operation *)> isRemade);

  ir::TaskOp task;
  llvm::SmallVector<mlir::Value> captured;
  llvm::DenseMap<mlir::Value, mlir::Value> replacements;
  mlir::Operation *lastClone = nullptr; // they stand at the body's begin
};

/// The field under casts that only know more or less of its extents.
mlir::Value stripCasts(mlir::Value field);

} // namespace chi::outline
#endif // CHI_TRANSFORMS_OUTLINE_TASKBUILDER_H
