//===- Frames.h - What outlives a state of a recursive function -*- C++ -*-===//
#ifndef CHI_TRANSFORMS_OUTLINE_FRAMES_H
#define CHI_TRANSFORMS_OUTLINE_FRAMES_H

#include "chi/Transforms/Outline/States.h"

namespace chi::outline {

/// The frames of the calls of each function on a cycle (Note [States]): a place
/// for each value that another state reads, and for each variable. A place is a
/// scalar of the stack of its type, so many behind the frame's first one; all
/// stacks of a call begin at one index.
class Frames {
public:
  /// The type of the stack that a value of the type lies in; null if it can lie
  /// in none.
  static mlir::Type stackType(mlir::Type type);

  /// Lays the frames out. False if a value that needs a place cannot have one.
  bool build(const Cycle &cycle, const States &states);

  /// The offset of a value or variable in its frame; none if it has no place.
  std::optional<int64_t> placeOf(mlir::Value value) const;
  /// Where a call keeps the state that it returns to, an i32.
  int64_t returnPlace(mlir::Operation *function) const {
    return returns.lookup(function);
  }
  int64_t sizeOf(mlir::Operation *function) const {
    return sizes.lookup(function);
  }
  llvm::ArrayRef<mlir::Type> stackTypes() const { return types.getArrayRef(); }
  /// The variables of a function that are arrays.
  llvm::ArrayRef<mlir::Value> arraysOf(mlir::Operation *function) const;
  /// Whether each state can make the value for itself: a constant, a field that
  /// is a global.
  static bool isRemade(mlir::Value value);

private:
  bool place(mlir::Value value, int64_t count = 1);
  bool placeVariable(mlir::Value variable);
  bool placeArguments(mlir::func::FuncOp function);
  bool placeResults(mlir::Operation *op, const States &states);

  mlir::Operation *function = nullptr;
  llvm::DenseMap<mlir::Value, int64_t> places;
  llvm::DenseMap<mlir::Operation *, int64_t> sizes, returns;
  llvm::DenseMap<mlir::Operation *, mlir::SmallVector<mlir::Value>> arrays;
  llvm::DenseMap<mlir::Type, int64_t> used; ///< of the frame that is laid out
  llvm::SmallSetVector<mlir::Type, 4> types;
};

} // namespace chi::outline
#endif // CHI_TRANSFORMS_OUTLINE_FRAMES_H
