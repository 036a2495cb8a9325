//===- Heads.h - The loops that have checkpoints ----------------*- C++ -*-===//
#ifndef CHI_TRANSFORMS_CHECKPOINTS_HEADS_H
#define CHI_TRANSFORMS_CHECKPOINTS_HEADS_H

#include "chi/Dialect/Chi/ChiDialect.h"
#include "llvm/ADT/MapVector.h"

namespace chi::checkpoints {

/// Numbers of loops, from 1; a loop comes before those that stand in it.
struct Numbers {
  int32_t first = 0, last = 0;
  /// Whether there is none.
  bool empty() const { return last < first || first == 0; }
};

/// The loops of host functions at whose heads checkpoints can be taken, and the
/// operations that contain them.
class Heads {
public:
  /// Numbers the loops of the script and then those of `main`, where a call of
  /// it is the last thing that the script does.
  Heads(mlir::func::FuncOp script, mlir::func::FuncOp main);

  /// How many loops have a number.
  int32_t size() const { return next - 1; }
  /// Of a loop: its own number and those of the loops in it. Of a conditional,
  /// of the call of `main`, or of a function: those of the loops in it.
  Numbers numbersOf(mlir::Operation *op) const { return numbers.lookup(op); }
  /// The call of `main` whose loops have numbers; null if there is none.
  mlir::func::CallOp callOfMain() const { return call; }
  /// The outermost loops that stand in a tape.
  llvm::ArrayRef<mlir::Operation *> inTapes() const { return taped; }

private:
  void numberFunction(mlir::func::FuncOp function);
  void numberBlock(mlir::Block &block, int tapes);
  void numberOp(mlir::Operation *op, int tapes);

  llvm::DenseMap<mlir::Operation *, Numbers> numbers;
  llvm::SmallVector<mlir::Operation *> taped;
  mlir::func::CallOp call;
  int32_t next = 1;
};

} // namespace chi::checkpoints
#endif // CHI_TRANSFORMS_CHECKPOINTS_HEADS_H
