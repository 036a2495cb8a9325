//===- LoopPeeling.h - The middle of a row, without its edges ---*- C++ -*-===//
#ifndef CHI_CONVERSION_CHITOLOOPS_LOOPPEELING_H
#define CHI_CONVERSION_CHITOLOOPS_LOOPPEELING_H

#include "chi/Conversion/ChiToLoops/TaskShape.h"
#include "mlir/IR/IRMapping.h"

namespace chi::conv {

/// Indices that wrap or are clamped, and conditions on the loop variable,
/// matter at the ends of a row only: `(j - 1) % n` is `j - 1` but for j = 0.
/// In between they are dropped, and neighbours lie side by side.
struct LoopPeeling {
  int64_t low = 0, high = 0; ///< the middle: values of the variable
  /// In the middle, an operation's result is an operand (its number), or a
  /// constant.
  struct Simpler {
    mlir::Operation *op;
    std::optional<unsigned> operand;
    int64_t constant = 0;
  };
  llvm::SmallVector<Simpler> simpler;

  /// Replaces the clones of those operations.
  void apply(mlir::OpBuilder &builder, const mlir::IRMapping &clones) const;
};

/// Looks for a split of the innermost axis; nothing if there is none, or the
/// bounds of the axis are not known.
std::optional<LoopPeeling> findLoopPeeling(const TaskShape &shape);

} // namespace chi::conv
#endif // CHI_CONVERSION_CHITOLOOPS_LOOPPEELING_H
