//===- Floats.h - Values and accesses of floats -----------------*- C++ -*-===//
#ifndef CHI_AD_RULES_FLOATS_H
#define CHI_AD_RULES_FLOATS_H

#include "chi/Dialect/Chi/ChiDialect.h"
#include "mlir/IR/Builders.h"

namespace chi::ad::rules {

/// Is `type` a float?
bool isFloat(mlir::Type type);
/// Is the access one of a float?
bool accessesFloat(mlir::Operation *op);
/// Does the task write a field of floats?
bool writesFloats(ir::TaskOp task);
/// A float in another type of floats: `value` itself if it has that type.
mlir::Value convertFloat(mlir::OpBuilder &b, mlir::Location loc,
                         mlir::Value value, mlir::Type type);

} // namespace chi::ad::rules
#endif // CHI_AD_RULES_FLOATS_H
