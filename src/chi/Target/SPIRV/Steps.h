//===- Steps.h - Steps from kernels to SPIR-V -------------------*- C++ -*-===//
#ifndef CHI_TARGET_SPIRV_STEPS_H
#define CHI_TARGET_SPIRV_STEPS_H

#include "chi/Conversion/ChiToGPU/Kernels.h"
#include "chi/Target/SPIRV/Binary.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"
#include "mlir/Dialect/SPIRV/Transforms/SPIRVConversion.h"

namespace chi::target::spv {

/// Are all launches of all kernels small (CHIRT_SMALL_NUMBERS)?
bool areSmall(mlir::gpu::GPUModuleOp kernels);

/// On a `gpu.module` for devices without atomic sums of f32.
inline constexpr llvm::StringLiteral kExchangeSumsAttr = "exchange_sums";

/// Is it an atomic sum of f32 in a field, which some devices do not support?
/// Also before memrefs have storage classes.
bool isFloatSum(mlir::memref::AtomicRMWOp op);

/// Makes `scf` of any control flow: SPIR-V has no other.
mlir::LogicalResult liftControlFlow(mlir::gpu::GPUModuleOp kernels);

/// Replaces operations without an instruction, or whose instruction means
/// something else, by operations of arith and math that have one.
void expandForSPIRV(mlir::gpu::GPUModuleOp kernels);

/// The replacement of a fused operation, at the builder's place before it: it
/// rounds once whatever the driver does.
mlir::Value exactFma(mlir::OpBuilder &builder, mlir::math::FmaOp op);

/// What stands in for the selection of two constants, in front of which the
/// builder is, where a driver mistakes the sign of a zero; else null.
mlir::Value exactSelect(mlir::OpBuilder &builder, mlir::arith::SelectOp op);

/// Replaces atomic updates of memory by operations of SPIR-V, which has sums of
/// f32 unless the module is marked kExchangeSumsAttr. Needs memrefs with
/// storage classes.
void lowerAtomics(mlir::gpu::GPUModuleOp kernels,
                  const mlir::SPIRVTypeConverter &types);

/// Makes a kernel that may run many iterations report at its end whether the
/// driver ended loops of it: see FindEndedLoops.cpp.
mlir::LogicalResult findEndedLoops(mlir::gpu::GPUFuncOp kernel);

/// Replaces the parameters of a kernel by loads: of the push constants if they
/// have room for its words, else of the block at the address in them.
void lowerParameters(mlir::gpu::GPUFuncOp kernel,
                     const mlir::SPIRVTypeConverter &types);

/// Arithmetic of floats with a decoration for contraction. It has a higher
/// benefit than MLIR's patterns.
void addFloatPatterns(const mlir::SPIRVTypeConverter &types,
                      mlir::RewritePatternSet &patterns);

/// Loops that hand what leaves them to their head, which ends them. It comes
/// before the pattern of MLIR.
void addLoopPattern(const mlir::SPIRVTypeConverter &types,
                    mlir::RewritePatternSet &patterns);

/// Is it an operation on 64 bits that expandWide replaces?
bool isWide(mlir::Operation *op);

/// Replaces operations on 64 bits that cannot be done by halves by some that
/// can: see ExpandWide.cpp.
void expandWide(mlir::gpu::GPUModuleOp kernels);

/// Loads and stores of pairs (HalveIntegers.cpp), which MLIR does not know the
/// alignment of. It comes before its patterns.
void addPairPatterns(const mlir::SPIRVTypeConverter &types,
                     mlir::RewritePatternSet &patterns);

/// Bytes of push constants that every device has.
inline constexpr int64_t kPushBytes = 128;

/// The load of the block's numbers, a vector, which every kernel does first;
/// null for other functions. The second of them is 0.
mlir::spirv::LoadOp findBlock(mlir::spirv::FuncOp kernel);

/// Makes indices of local arrays values of their own: see HideIndices.cpp.
void hideIndices(mlir::ModuleOp module);

/// Keeps zeros from becoming constant factors: see HideZeros.cpp.
void hideZeros(mlir::ModuleOp module);

/// Widens numbers to 64 bits by their halves: see ExtendSigns.cpp.
void extendSigns(mlir::ModuleOp module);

} // namespace chi::target::spv
#endif // CHI_TARGET_SPIRV_STEPS_H
