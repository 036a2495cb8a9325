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

/// Erases what has no effect and no live reader in a function of structured
/// control, values that only keep themselves alive round a loop included.
void eraseDeadValues(mlir::Operation *function);

} // namespace chi::outline
#endif // CHI_TRANSFORMS_OUTLINE_PROMOTE_H
