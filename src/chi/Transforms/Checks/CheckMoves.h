//===- CheckMoves.h - Fewer bounds checks, and earlier ones -----*- C++ -*-===//
#ifndef CHI_TRANSFORMS_CHECKS_CHECKMOVES_H
#define CHI_TRANSFORMS_CHECKS_CHECKMOVES_H

#include "chi/Analysis/Ranges.h"

namespace chi::checks {

/// A check of the form `index <u extent`.
struct BoundsCheck {
  mlir::Value index, extent;
};
/// The operands of a bounds check; none if it is a check of another kind, or
/// its condition is no unsigned comparison.
std::optional<BoundsCheck> boundsOf(ir::CheckOp check);

/// May a bounds check not move over this op, or into the place of one within
/// it? So it is for what others see (prints, calls) and for conditions that
/// the program states before it uses an index.
bool stopsChecks(mlir::Operation *op);

/// Makes one check of those in a block whose indices are one value plus
/// constants and whose extent is one constant. Returns how many went.
unsigned mergeChecks(mlir::Block &block);

/// Moves checks in the body of `loop` before it: those that do not change in
/// it, and those whose index is a sum of its variable and values from outside.
/// Returns how many moved; the module has changed then and `ranges` is invalid.
unsigned hoistChecks(mlir::scf::ForOp loop, analysis::Ranges &ranges);

/// Erases the dead ones among the ops that define `candidates`, and their
/// operands that become dead.
void eraseDead(llvm::SmallVector<mlir::Value> candidates);
/// Erases a check, and what only it used.
void eraseCheck(ir::CheckOp check);

} // namespace chi::checks
#endif // CHI_TRANSFORMS_CHECKS_CHECKMOVES_H
