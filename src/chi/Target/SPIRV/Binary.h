//===- Binary.h - Kernels as a SPIR-V binary --------------------*- C++ -*-===//
#ifndef CHI_TARGET_SPIRV_BINARY_H
#define CHI_TARGET_SPIRV_BINARY_H

#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"
#include <string>

namespace chi::target::spv {

/// Makes the module declare the version, the capabilities and the extensions
/// that it needs. MLIR's own pass (spirv-update-vce) inspects operations only,
/// and each as if it were for the oldest version that has it.
void repairNeeds(mlir::spirv::ModuleOp module);

/// The requirements of a module, or of a kernel and its callees, for a device:
/// chirt_need, joined.
int64_t needsOf(mlir::Operation *code);

/// The suffix of the name of a module's variant that has compare-exchange loops
/// instead of atomic sums of f32, which some devices do not support
/// (chi-add-sum-variants).
inline constexpr llvm::StringLiteral kSumVariantSuffix = ".exchange_sums";

/// The variant of a module without atomic sums of f32; null if it has no such
/// sums.
mlir::spirv::ModuleOp sumVariantOf(mlir::spirv::ModuleOp module);

/// The words of the binary, in the order of this machine's bytes.
mlir::FailureOr<std::string> emitBinary(mlir::spirv::ModuleOp module);

} // namespace chi::target::spv
#endif // CHI_TARGET_SPIRV_BINARY_H
