//===- Bounds.h - Floats that stay away from zero ---------------*- C++ -*-===//
#ifndef CHI_AD_BOUNDS_H
#define CHI_AD_BOUNDS_H

#include "mlir/IR/Value.h"

namespace chi::ad {

/// Is the float, if it is a number, surely at least some positive constant? A
/// quotient by it has bounded partial derivatives, as the softened distance
/// `sqrt(x * x + eps)`.
bool isAwayFromZero(mlir::Value value);

} // namespace chi::ad
#endif // CHI_AD_BOUNDS_H
