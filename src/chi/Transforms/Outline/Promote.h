//===- Promote.h - Slots become values --------------------------*- C++ -*-===//
#ifndef CHI_TRANSFORMS_OUTLINE_PROMOTE_H
#define CHI_TRANSFORMS_OUTLINE_PROMOTE_H

#include "mlir/IR/Operation.h"

namespace chi::outline {

/// Turns the scalar slots of a function, kernel or task into SSA values, and
/// drops what nothing reads afterwards. Needs structured control.
void promoteSlots(mlir::Operation *function);

/// Splits local arrays of which each index is a constant into slots. Returns
/// true if there was one.
bool splitArrays(mlir::Operation *function);

/// Erases operations without an effect and without a live reader in a function
/// of structured control, including values that only keep themselves alive
/// around a loop.
void eraseDeadValues(mlir::Operation *function);

} // namespace chi::outline
#endif // CHI_TRANSFORMS_OUTLINE_PROMOTE_H
