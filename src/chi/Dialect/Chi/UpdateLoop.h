//===- UpdateLoop.h - Updates that return the old value ---------*- C++ -*-===//
#ifndef CHI_DIALECT_CHI_UPDATELOOP_H
#define CHI_DIALECT_CHI_UPDATELOOP_H

#include "chi/Dialect/Chi/ChiDialect.h"
#include "mlir/IR/Builders.h"

namespace chi::ir {

/// Builds the new value of an element from the old one.
using MakeElement =
    llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Value old)>;
/// The values of an element before and after an update.
using Updated = std::pair<mlir::Value, mlir::Value>;

/// Builds, where the builder stands, an update of the scalar that `accum`
/// names, which other iterations may update at the same time: an atomic sum, or
/// for products a compare-exchange loop. The accumulation itself stays, for the
/// caller to erase.
Updated updateShared(mlir::OpBuilder &b, AccumOp accum, MakeElement make);

/// The same where no other iteration updates the scalar: a load and a store.
Updated updateOwn(mlir::OpBuilder &b, AccumOp accum, MakeElement make);

/// Are the two the same number in memory? NaN is.
mlir::Value areSame(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x,
                    mlir::Value y);
/// Also of vectors: 0 - `value` of integers, of floats the other sign.
mlir::Value negated(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value);

} // namespace chi::ir
#endif // CHI_DIALECT_CHI_UPDATELOOP_H
