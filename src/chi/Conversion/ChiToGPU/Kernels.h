//===- Kernels.h - What kernels of devices have in common -------*- C++ -*-===//
#ifndef CHI_CONVERSION_CHITOGPU_KERNELS_H
#define CHI_CONVERSION_CHITOGPU_KERNELS_H

#include "chi/Conversion/ChiToGPU/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace chi::conv::kernels {

/// Loads into `registry` every dialect that the passes above take and produce.
void registerDialects(mlir::DialectRegistry &registry);

/// The one `gpu.module`.
inline constexpr llvm::StringLiteral kKernels = "kernels";
/// The suffix of the names of the table of checks: the processor's code has
/// one, too.
inline constexpr llvm::StringLiteral kTableSuffix = ".device";
/// On a kernel whose floats must equal those of a processor, to the last bit.
inline constexpr llvm::StringLiteral kStrictAttr = "strict";
/// On a kernel whose threads run few iterations of loops (CHIRT_FEW_ITERATIONS)
/// for each one of the loop over their iterations.
inline constexpr llvm::StringLiteral kFewIterationsAttr = "few_iterations";
/// Threads of a block.
inline constexpr int32_t kBlockSize = 256;

/// Adds copies of the functions of `source` that kernels call, lowered as they
/// are. Needs tasks that are not refused.
mlir::LogicalResult addFunctions(mlir::gpu::GPUModuleOp kernels,
                                 mlir::ModuleOp source);

/// Moves the arrays of constants that kernels and functions look up (which
/// lowering them made in `source`) beside the kernels.
void addTables(mlir::gpu::GPUModuleOp kernels, mlir::ModuleOp source);

/// The first operation of a task that no device can execute yet, and the
/// reason; a null operation if there is none.
struct Refusal {
  mlir::Operation *op = nullptr;
  std::string text;
};
/// Searches the captured values of `task`, then its body in program order.
/// Reports nothing itself.
Refusal findRefusal(ir::TaskOp task);

} // namespace chi::conv::kernels
#endif // CHI_CONVERSION_CHITOGPU_KERNELS_H
