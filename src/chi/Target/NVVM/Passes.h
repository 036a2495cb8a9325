//===- Passes.h - Kernels for NVIDIA's devices ------------------*- C++ -*-===//
#ifndef CHI_TARGET_NVVM_PASSES_H
#define CHI_TARGET_NVVM_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace chi::target::nvvm {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "chi/Target/NVVM/Passes.h.inc"
} // namespace chi::target::nvvm
#endif // CHI_TARGET_NVVM_PASSES_H
