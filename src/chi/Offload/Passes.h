//===- Passes.h - From tasks to kernels of devices --------------*- C++ -*-===//
#ifndef CHI_OFFLOAD_PASSES_H
#define CHI_OFFLOAD_PASSES_H

#include "chi/Conversion/Passes.h"
#include "chi/Pipeline/Pipeline.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace chi::offload {

#define GEN_PASS_DECL
#include "chi/Offload/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "chi/Offload/Passes.h.inc"

/// Adds the passes that lead from `optimised` with its elementary functions
/// expanded to a stage of form Device (to the last of MLIR before a stage of
/// code).
void buildPipeline(mlir::OpPassManager &manager, pipeline::Stage to, bool fast,
                   bool shortIndices);

/// Loads into `registry` every dialect that the passes above take and produce.
void registerDialects(mlir::DialectRegistry &registry);

/// The one `gpu.module`.
inline constexpr llvm::StringLiteral kKernels = "kernels";
/// The suffix of the names of the table of checks: the processor's code has
/// one, too.
inline constexpr llvm::StringLiteral kTableSuffix = ".device";
/// On a kernel whose floats must equal those of a processor, to the last bit.
inline constexpr llvm::StringLiteral kStrictAttr = "strict";
/// On a kernel whose threads run few iterations of loops (CHIRT_FEW_TURNS) for
/// each one of the loop over their iterations.
inline constexpr llvm::StringLiteral kFewTurnsAttr = "few_turns";
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
Refusal findRefusal(ir::TaskOp task);

} // namespace chi::offload
#endif // CHI_OFFLOAD_PASSES_H
