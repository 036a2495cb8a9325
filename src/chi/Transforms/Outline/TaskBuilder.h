//===- TaskBuilder.h - Make a task of some code -----------------*- C++ -*-===//
#ifndef CHI_TRANSFORMS_OUTLINE_TASKBUILDER_H
#define CHI_TRANSFORMS_OUTLINE_TASKBUILDER_H

#include "chi/Dialect/Chi/ChiDialect.h"
#include "mlir/IR/Builders.h"

namespace chi::outline {

/// Builds one task and its launch. The caller fills `body` with code that may
/// use values from around; `capture` makes these arguments. Constants, extents
/// and casts of fields are cloned into the task instead, so that their facts
/// stay known, and a field is captured once.
class TaskBuilder {
public:
  /// Makes a task at the builder's place (in the module). Without `region` it
  /// has rank 0 and an empty body without terminator; otherwise it takes the
  /// region, whose arguments become its index variables.
  TaskBuilder(mlir::OpBuilder &builder, mlir::Location loc,
              llvm::StringRef name, mlir::Region *region = nullptr);

  /// The task that is built.
  ir::TaskOp op() { return task; }
  /// The block of its iteration.
  mlir::Block &body() { return task.getBody().front(); }

  /// The argument number of `value`, which is no constant.
  unsigned argumentFor(mlir::Value value);
  /// Replaces the values that the body uses from outside. Fails with a
  /// diagnostic if a task cannot take one of them. `isRemade`: are operations
  /// cloned into the task, too? Loads of cells are.
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
  mlir::Operation *lastClone = nullptr; // they are at the body's begin
};

/// The field under casts that only know more or less of its extents.
mlir::Value stripCasts(mlir::Value field);

} // namespace chi::outline
#endif // CHI_TRANSFORMS_OUTLINE_TASKBUILDER_H
