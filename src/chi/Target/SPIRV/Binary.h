//===- Binary.h - Kernels as a SPIR-V binary --------------------*- C++ -*-===//
#ifndef CHI_TARGET_SPIRV_BINARY_H
#define CHI_TARGET_SPIRV_BINARY_H

#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"
#include <string>

namespace chi::target::spv {

/// Makes the module say the version, the capabilities and the extensions that
/// it needs. MLIR's own pass (spirv-update-vce) looks at operations alone, and
/// at each as if it were for the oldest version that has it.
void repairNeeds(mlir::spirv::ModuleOp module);

/// What a module, or a kernel and what it calls, needs of a device: chirt_need,
/// joined.
int64_t needsOf(mlir::Operation *code);

/// The module with loops round a compare-exchange in the place of atomic sums
/// of f32, which some devices have none of.
mlir::OwningOpRef<mlir::spirv::ModuleOp>
withoutAtomicSums(mlir::spirv::ModuleOp module);

/// The words of the binary, in the order of this machine's bytes.
mlir::FailureOr<std::string> emitBinary(mlir::spirv::ModuleOp module);

} // namespace chi::target::spv
#endif // CHI_TARGET_SPIRV_BINARY_H
