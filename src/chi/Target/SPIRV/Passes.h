//===- Passes.h - Kernels for Vulkan ----------------------------*- C++ -*-===//
#ifndef CHI_TARGET_SPIRV_PASSES_H
#define CHI_TARGET_SPIRV_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace chi::target::spv {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "chi/Target/SPIRV/Passes.h.inc"
} // namespace chi::target::spv
#endif // CHI_TARGET_SPIRV_PASSES_H
