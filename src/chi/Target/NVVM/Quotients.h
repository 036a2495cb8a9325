//===- Quotients.h - Quotients and roots of f32 for NVIDIA ------*- C++ -*-===//
#ifndef CHI_TARGET_NVVM_QUOTIENTS_H
#define CHI_TARGET_NVVM_QUOTIENTS_H

#include "llvm/IR/Function.h"

namespace chi::target::nvvm {

/// How fast kernels divide f32, and take roots.
enum class Quotients {
  Exact,     ///< rounded correctly
  Estimated, ///< likewise, but quotients by sqrt(x) and x * sqrt(x)
  Native     ///< by the instructions of the device that approximate
};

/// Prepares the quotients and roots of a function, after LLVM's optimisations.
void expandQuotients(llvm::Function &function, Quotients form);

} // namespace chi::target::nvvm
#endif // CHI_TARGET_NVVM_QUOTIENTS_H
