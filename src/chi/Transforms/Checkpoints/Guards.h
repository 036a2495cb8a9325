//===- Guards.h - What a resumed run skips ----------------------*- C++ -*-===//
#ifndef CHI_TRANSFORMS_CHECKPOINTS_GUARDS_H
#define CHI_TRANSFORMS_CHECKPOINTS_GUARDS_H

#include "chi/Transforms/Checkpoints/Heads.h"
#include "mlir/IR/Builders.h"

namespace chi::checkpoints {

/// The global that holds the number of the loop to resume in until the run is
/// there, and 0 otherwise.
inline constexpr llvm::StringLiteral kWhereName = "chi.resume_in";

/// Where the code that takes a checkpoint goes.
struct SavePoint {
  mlir::Block *block;   ///< ends with a chi.next
  int32_t loop;         ///< its number
  mlir::Location where; ///< it stands
};

/// Changes a host function so that it can be entered at the heads of its loops:
/// what precedes a loop, and other loops, are skipped while kWhereName names
/// the loop; values that are needed behind what is skipped go through slots.
class Guards {
public:
  /// `function` is one that `heads` has numbered.
  Guards(mlir::func::FuncOp function, const Heads &heads);
  /// Changes the function. Fails, with an error, if a field or str would have
  /// to go through a slot, which then would not own it.
  mlir::LogicalResult run();

  /// Where checkpoints are taken, one place for each loop.
  llvm::ArrayRef<SavePoint> savePoints() const { return saves; }
  /// Where the slots have their first values and nothing has happened yet.
  mlir::Operation *beginning();

private:
  void guardBlock(mlir::Block &block, mlir::Operation *first);
  void guardSegment(llvm::ArrayRef<mlir::Operation *> segment,
                    mlir::Operation *before);
  void enter(mlir::Operation *carrier);
  void enterFor(ir::ForOp loop, mlir::Operation *wrapper, Numbers numbers);
  void enterWhile(ir::WhileOp loop, Numbers numbers);
  void makeHead(mlir::OpBuilder &builder, mlir::Location loc, int32_t number);
  bool isFree(mlir::Operation *op) const;
  mlir::LogicalResult spill();
  mlir::Value newSlot(mlir::Type type, llvm::StringRef name);

  mlir::func::FuncOp function;
  const Heads &heads;
  llvm::SmallVector<SavePoint> saves;
  /// What is skipped, with the body that it moved into.
  llvm::MapVector<mlir::Operation *, mlir::Block *> guarded;
};

} // namespace chi::checkpoints
#endif // CHI_TRANSFORMS_CHECKPOINTS_GUARDS_H
