//===- Floats.h - Values and accesses of floats -----------------*- C++ -*-===//
#ifndef CHI_AD_RULES_FLOATS_H
#define CHI_AD_RULES_FLOATS_H

#include "mlir/IR/Operation.h"

namespace chi::ad::rules {

/// Is `type` a float?
bool isFloat(mlir::Type type);
/// Is the access one of a float?
bool accessesFloat(mlir::Operation *op);

} // namespace chi::ad::rules
#endif // CHI_AD_RULES_FLOATS_H
