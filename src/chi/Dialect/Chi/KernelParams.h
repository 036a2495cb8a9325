//===- KernelParams.h - What a device hands to a kernel ---------*- C++ -*-===//
// The parameters of a kernel are words of 8 bytes, one for each parameter,
// whatever their types: CUDA takes the addresses of the words, Vulkan the words
// themselves. An attribute of the kernel's function describes the words.
//===----------------------------------------------------------------------===//
#ifndef CHI_DIALECT_CHI_KERNELPARAMS_H
#define CHI_DIALECT_CHI_KERNELPARAMS_H

#include "chi/Dialect/Chi/ChiDialect.h"

namespace chi::ir {

/// On a kernel: an array of i32, three for each parameter: its KernelParam, the
/// number of an argument of the task or of an axis of its domain, and an axis
/// of that argument. Unused numbers are 0.
inline constexpr llvm::StringLiteral kKernelParamsAttr = "chi.params";

/// On a kernel, a KernelABIAttr.
inline constexpr llvm::StringLiteral kKernelABIAttr = "chi.kernel_abi";

/// A KernelABIAttr to be written on: its members are that attribute's.
struct KernelABI {
  llvm::SmallVector<KernelParameter> params;
  int64_t perThread = 1, partialBytes = 0, logWords = 0, arenaBytes = 0;
  bool restartsAll = false, hasLarge = false;
  bool shortIndices = false, smallLaunches = false;
  mlir::StringAttr task;

  /// The parameters of a kernel's attribute; without one, the defaults.
  static KernelABI of(mlir::Operation *kernel);
  /// The attribute with the values of these members.
  KernelABIAttr attr(mlir::MLIRContext *context) const;
};

/// Null: the function is no kernel.
inline KernelABIAttr kernelABIOf(mlir::Operation *function) {
  return function->getAttrOfType<KernelABIAttr>(kKernelABIAttr);
}
/// Sets what `change` writes on the members of the kernel's attribute.
template <typename Change>
void changeKernelABI(mlir::Operation *kernel, Change change) {
  KernelABI abi = KernelABI::of(kernel);
  change(abi);
  kernel->setAttr(kKernelABIAttr, abi.attr(kernel->getContext()));
}

/// On a kernel: a dictionary of further requirements of its launches, all
/// integers. Each has the default that is given here.
inline constexpr llvm::StringLiteral kLaunchAttr = "chi.launch";
/// Iterations that a thread does at least, if there are so many; 1.
inline constexpr llvm::StringLiteral kPerThread = "per_thread";
/// Bytes of partial sums for each block of a reduction's iterations; 0.
inline constexpr llvm::StringLiteral kPartialBytes = "partial_bytes";

/// Most words that an iteration logs; 0. Negative: unknown.
inline constexpr llvm::StringLiteral kLogWords = "log_words";
/// Bytes that a thread takes of the arena at first; 0: nothing ever.
inline constexpr llvm::StringLiteral kArenaBytes = "arena_bytes";
/// Not 0: an iteration may run out of arena memory after it has stored.
inline constexpr llvm::StringLiteral kRestartsAll = "restarts_all";

/// Not 0: there is a second kernel for large launches, with the suffix
/// kLargeSuffix in its name (chirt_device_code::large).
inline constexpr llvm::StringLiteral kHasLarge = "has_large";

/// On a kernel whose numbers of iterations and elements have 32 bits.
inline constexpr llvm::StringLiteral kShortAttr = "chi.short_indices";

/// On a kernel whose launches are as small, but which counts in 64 bits where a
/// device's 64-bit integers are as fast: kernels that join reductions.
inline constexpr llvm::StringLiteral kSmallAttr = "chi.small_launches";

/// On the barrier that a thread goes to when its iteration failed, so that the
/// other threads do not wait for ever.
inline constexpr llvm::StringLiteral kExitBarrierAttr = "chi.exit_barrier";

/// On a check of a kernel that allocates memory: where it fails, the thread
/// continues at its value, an iteration, in another launch.
inline constexpr llvm::StringLiteral kRestartAttr = "chi.restart";

/// Of a kernel whose name is one of PTX: the name of its task.
inline constexpr llvm::StringLiteral kTaskNameAttr = "chi.task_name";

/// On a task: a dictionary of the constants that hold its code for a device
/// (chirt_device_code), by the device's name: vulkan, cuda.
inline constexpr llvm::StringLiteral kDeviceCodeAttr = "chi.device_code";

} // namespace chi::ir
#endif // CHI_DIALECT_CHI_KERNELPARAMS_H
