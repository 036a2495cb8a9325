//===- Passes.h - From the chi dialect to LLVM ------------------*- C++ -*-===//
#ifndef CHI_CONVERSION_PASSES_H
#define CHI_CONVERSION_PASSES_H

#include "chi/Dialect/Chi/ChiDialect.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Pass/Pass.h"

namespace chi::conv {

/// How `%` of floats is done, and `fmod`.
enum class Remainders {
  processor, ///< `fmod` stays
  fused,     ///< by quotients and fused operations, which are exact
  bits       ///< by integers: a device may have neither
};

/// Options of the pipelines below.
struct LoweringOptions {
  /// `--float=fast`: rewrite float arithmetic of tasks that are not strict.
  bool fastMath = true;
  /// The module with Chi's own elementary functions (`exp.f32`, …) at stage
  /// `optimised`, in the same context; null leaves them to libm. Must outlive
  /// the pass manager.
  mlir::ModuleOp mathLibrary = nullptr;
  /// Its file instead, which the pass then reads; "" for none.
  std::string mathFile;
  Remainders remainders = Remainders::processor;
  /// Tasks that are not strict get the functions that do well where nothing is
  /// fused: `sin_halves.f32` for `sin.f32`.
  bool halves = false;
  /// A device's own elementary functions take the place of Chi's, but in tasks
  /// that are strict.
  bool nativeMath = false;
  /// Tasks leave the texts of prints and messages to the host.
  bool records = false;
  /// Launches measure the choices that no model settles.
  bool choices = false;
};

#define GEN_PASS_DECL
#include "chi/Conversion/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "chi/Conversion/Passes.h.inc"

/// The pass with a library that is in memory; null does nothing.
std::unique_ptr<mlir::Pass> createExpandMathPass(mlir::ModuleOp library,
                                                 Remainders remainders,
                                                 bool halves);

/// Takes the next pass of a pipeline.
using AddPass = llvm::function_ref<void(std::unique_ptr<mlir::Pass>)>;

/// Fast float arithmetic, then elementary functions: `optimised` both.
void addMathPasses(AddPass add, const LoweringOptions &options);
/// From `lanes` to `loops`.
void addLoopsPasses(AddPass add, const LoweringOptions &options);
/// From `loops` to `llvm`.
void addLLVMPasses(AddPass add, const LoweringOptions &options);
/// Loads into `registry` every dialect that the passes above produce.
void registerLoweringDialects(mlir::DialectRegistry &registry);

} // namespace chi::conv
#endif // CHI_CONVERSION_PASSES_H
