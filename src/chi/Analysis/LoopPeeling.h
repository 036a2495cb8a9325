//===- LoopPeeling.h - The middle of a row, without its edges ---*- C++ -*-===//
#ifndef CHI_ANALYSIS_LOOPPEELING_H
#define CHI_ANALYSIS_LOOPPEELING_H

#include "chi/Dialect/Chi/ChiDialect.h"

namespace chi::analysis {

/// In the middle of a row, an operation's result is an operand (its number),
/// or a constant.
struct Simpler {
  mlir::Operation *op;
  std::optional<unsigned> operand;
  int64_t constant = 0;
};

/// Indices that wrap or are clamped, and conditions on the loop variable,
/// matter at the ends of a row only: `(j - 1) % n` is `j - 1` except for j = 0.
/// In between they may be dropped, and neighbours are adjacent. Null if that
/// has no benefit, or if the bounds of the innermost axis are not known.
ir::PeelAttr findPeeling(ir::TaskOp task);

/// The operations of the body that are simpler where the innermost variable
/// lies in the middle, in their order.
llvm::SmallVector<Simpler> simplerInMiddle(ir::TaskOp task, ir::PeelAttr peel);

} // namespace chi::analysis
#endif // CHI_ANALYSIS_LOOPPEELING_H
