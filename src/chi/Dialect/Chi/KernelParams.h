//===- KernelParams.h - What a device hands to a kernel ---------*- C++ -*-===//
// An attribute of each kernel (#chi.kernel_abi) says which parameters it takes,
// and what else its launches must provide.
//===----------------------------------------------------------------------===//
#ifndef CHI_DIALECT_CHI_KERNELPARAMS_H
#define CHI_DIALECT_CHI_KERNELPARAMS_H

#include "chi/Dialect/Chi/ChiDialect.h"

namespace chi::ir {

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

/// On the barrier that a thread goes to when its iteration failed, so that the
/// other threads do not wait for ever.
inline constexpr llvm::StringLiteral kExitBarrierAttr = "chi.exit_barrier";

/// On a check of a kernel that allocates memory: where it fails, the thread
/// continues at its value, an iteration, in another launch.
inline constexpr llvm::StringLiteral kRestartAttr = "chi.restart";

/// On a task: a dictionary of the constants that hold its code for a device
/// (chirt_device_code), by the device's name: vulkan, cuda.
inline constexpr llvm::StringLiteral kDeviceCodeAttr = "chi.device_code";

} // namespace chi::ir
#endif // CHI_DIALECT_CHI_KERNELPARAMS_H
