//===- Elementary.h - Operations that are elementary functions --*- C++ -*-===//
#ifndef CHI_CONVERSION_ELEMENTARY_H
#define CHI_CONVERSION_ELEMENTARY_H

#include "mlir/IR/BuiltinOps.h"

namespace chi::conv {

/// The name of the elementary function of an operation ("exp"), "" if it is
/// none, or one that every target has.
llvm::StringRef elementaryName(mlir::Operation *op);

/// The prefix of the names of a device's own functions: `chi.native.exp.f32`.
inline constexpr llvm::StringLiteral kNativePrefix = "chi.native.";

/// The operations that chi-native-math makes calls of.
llvm::SmallVector<mlir::Operation *> findNativeMath(mlir::ModuleOp module);

} // namespace chi::conv
#endif // CHI_CONVERSION_ELEMENTARY_H
