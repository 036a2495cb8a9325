//===- Scalars.h - What holds of all scalars --------------------*- C++ -*-===//
#ifndef CHI_DIALECT_CHI_SCALARS_H
#define CHI_DIALECT_CHI_SCALARS_H

#include "mlir/IR/TypeUtilities.h"

namespace chi::ir {

/// Bytes in memory of a scalar, or of one in a vector: a bool is a byte.
inline int64_t byteSize(mlir::Type type) {
  return (mlir::getElementTypeOrSelf(type).getIntOrFloatBitWidth() + 7) / 8;
}

} // namespace chi::ir
#endif // CHI_DIALECT_CHI_SCALARS_H
