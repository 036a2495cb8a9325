//===- State.h - The values of a checkpoint ---------------------*- C++ -*-===//
#ifndef CHI_TRANSFORMS_CHECKPOINTS_STATE_H
#define CHI_TRANSFORMS_CHECKPOINTS_STATE_H

#include "chi/Transforms/Checkpoints/Liveness.h"
#include "mlir/IR/Builders.h"
#include <string>

namespace chi::checkpoints {

/// Code that gives the run time the values of globals and slots, and that takes
/// them back.
class State {
public:
  /// Collects the globals that are no params. `liveness` is that of the
  /// functions as they were; slots that it does not know are always alive.
  State(mlir::ModuleOp module, const Liveness &liveness);
  /// Collects the slots of a function; their names begin with `prefix`.
  /// Scalars without a value get zero, at `beginning`.
  void addSlots(mlir::func::FuncOp function, llvm::StringRef prefix,
                mlir::Operation *beginning);

  /// Gives the values of `function` that are alive at the head of a loop.
  void save(mlir::OpBuilder &builder, mlir::func::FuncOp function,
            int32_t loop) const;
  /// Takes back the values that are alive at the head of loop `where`, which is
  /// one of `loops`.
  void restoreGlobals(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value where, Numbers loops) const;
  void restoreSlots(mlir::OpBuilder &builder, mlir::func::FuncOp function,
                    mlir::Value where, Numbers loops) const;

private:
  struct Slot {
    ir::LocalOp op;
    std::string name; ///< in the file
    LoopSet heads;    ///< where it is alive
  };
  struct Global {
    ir::GlobalOp op;
    LoopSet heads;
  };
  const Liveness &liveness;
  llvm::SmallVector<Global> globals;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<Slot>> slots;
};

} // namespace chi::checkpoints
#endif // CHI_TRANSFORMS_CHECKPOINTS_STATE_H
