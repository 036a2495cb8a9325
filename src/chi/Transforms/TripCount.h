//===- TripCount.h - How often a counted loop turns -------------*- C++ -*-===//
#ifndef CHI_TRANSFORMS_TRIPCOUNT_H
#define CHI_TRANSFORMS_TRIPCOUNT_H

#include "mlir/IR/Builders.h"
#include <optional>

namespace chi::transforms {

/// The integer of a constant, or nothing.
std::optional<llvm::APInt> constantInt(mlir::Value value);

/// Builds the number of turns of a loop from `from` to before (after, if
/// `step` is negative) `to`. Right for all bounds whose number of turns fits
/// their signed type; a step of zero counts as one.
mlir::Value countTurns(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value from, mlir::Value to, mlir::Value step);

} // namespace chi::transforms
#endif // CHI_TRANSFORMS_TRIPCOUNT_H
