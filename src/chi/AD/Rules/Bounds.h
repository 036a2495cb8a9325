//===- Bounds.h - Floats that stay away from zero ---------------*- C++ -*-===//
#ifndef CHI_AD_RULES_BOUNDS_H
#define CHI_AD_RULES_BOUNDS_H

#include "mlir/IR/Value.h"

namespace chi::ad::rules {

/// Is the float, if it is a number, surely at least a constant whose reciprocal
/// has a finite third power in its type (2^-32 in f32)? A quotient by it has
/// bounded partial derivatives, as the softened distance `sqrt(x * x + eps)`.
bool isAwayFromZero(mlir::Value value);

} // namespace chi::ad::rules
#endif // CHI_AD_RULES_BOUNDS_H
