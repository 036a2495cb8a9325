//===- LoopsToCPU.h - Steps to the LLVM dialect -----------------*- C++ -*-===//
#ifndef CHI_CONVERSION_LOOPSTOCPU_LOOPSTOCPU_H
#define CHI_CONVERSION_LOOPSTOCPU_LOOPSTOCPU_H

#include "chi/Conversion/Runtime.h"

namespace chi::conv {

/// Moves the largest locals of a function whose locals take more than a stack
/// has room for to memory of the run time, which is released at each return.
/// Run it when the function has all of its returns: after chi-lower-checks,
/// before lowerMemory.
void moveLargeLocals(mlir::ModuleOp module);

/// Lowers memory that grows in an iteration (chi.scratch) to memory of the run
/// time that a function keeps from iteration to iteration, and releases at each
/// return. Needs the same.
void lowerScratches(mlir::ModuleOp module);

/// Flat memrefs become bare pointers, their operations loads, stores and
/// relaxed atomics. Needs `cf`: exchange loops split blocks.
mlir::LogicalResult lowerMemory(mlir::ModuleOp module);

/// Lowers func, cf, arith, math and the rest of chi and vector to the LLVM
/// dialect. Needs the output of lowerMemory.
mlir::LogicalResult convertToLLVM(mlir::ModuleOp module);
/// Removes the casts that have met their opposites.
void reconcileCasts(mlir::ModuleOp module);

/// Conversions of floats to integers, and of lanes of them, that give the
/// nearest integer for values out of range, and 0 for NaN. They have a higher
/// benefit than MLIR's patterns.
void addSaturatingCasts(mlir::LLVMTypeConverter &types,
                        mlir::RewritePatternSet &patterns);

/// Conversions to f32 and f64 of integers of 64 bits that are marked as small
/// (ir::kInRangeAttr), by a sum of f64. They come before the patterns of MLIR.
void addSmallCasts(mlir::LLVMTypeConverter &types,
                   mlir::RewritePatternSet &patterns);

/// `chi.overflow`: the flag that the processor's arithmetic sets.
void addOverflowFlags(mlir::LLVMTypeConverter &types,
                      mlir::RewritePatternSet &patterns);

/// min and max of floats for which -0 is less than +0, unless the operation
/// has the flag that the sign of a zero does not matter. They have a higher
/// benefit than MLIR's patterns.
void addSignedZeros(mlir::LLVMTypeConverter &types,
                    mlir::RewritePatternSet &patterns);

} // namespace chi::conv
#endif // CHI_CONVERSION_LOOPSTOCPU_LOOPSTOCPU_H
