//===- State.h - The values of a checkpoint ---------------------*- C++ -*-===//
#ifndef CHI_TRANSFORMS_CHECKPOINTS_STATE_H
#define CHI_TRANSFORMS_CHECKPOINTS_STATE_H

#include "chi/Dialect/Chi/ChiDialect.h"
#include "mlir/IR/Builders.h"
#include <string>

namespace chi::checkpoints {

/// Code that gives the run time the values of globals and slots, and that takes
/// them back.
class State {
public:
  /// Collects the globals that are no params.
  explicit State(mlir::ModuleOp module);
  /// Collects the slots of a function; their names begin with `prefix`.
  /// Scalars without a value get zero, at `beginning`.
  void addSlots(mlir::func::FuncOp function, llvm::StringRef prefix,
                mlir::Operation *beginning);

  /// Gives all values that `function` sees.
  void save(mlir::OpBuilder &builder, mlir::func::FuncOp function) const;
  void restoreGlobals(mlir::OpBuilder &builder, mlir::Location loc) const;
  void restoreSlots(mlir::OpBuilder &builder,
                    mlir::func::FuncOp function) const;

private:
  struct Slot {
    ir::LocalOp op;
    std::string name; ///< in the file
  };
  llvm::SmallVector<ir::GlobalOp> globals;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<Slot>> slots;
};

} // namespace chi::checkpoints
#endif // CHI_TRANSFORMS_CHECKPOINTS_STATE_H
