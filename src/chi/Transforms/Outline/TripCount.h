//===- TripCount.h - How often a counted loop iterates ----------*- C++ -*-===//
#ifndef CHI_TRANSFORMS_OUTLINE_TRIPCOUNT_H
#define CHI_TRANSFORMS_OUTLINE_TRIPCOUNT_H

#include "mlir/IR/Builders.h"
#include <optional>

namespace chi::outline {

/// The integer of a constant, or nothing.
std::optional<llvm::APInt> constantInt(mlir::Value value);

/// Builds the number of iterations of a loop from `from` to before (after, if
/// `step` is negative) `to`. Right for all bounds whose number of iterations
/// fits their signed type; a step of zero counts as one.
mlir::Value tripCountOf(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value from, mlir::Value to, mlir::Value step);

} // namespace chi::outline
#endif // CHI_TRANSFORMS_OUTLINE_TRIPCOUNT_H
