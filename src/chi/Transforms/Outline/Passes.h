//===- Passes.h - Kernels become tasks --------------------------*- C++ -*-===//
#ifndef CHI_TRANSFORMS_OUTLINE_PASSES_H
#define CHI_TRANSFORMS_OUTLINE_PASSES_H

#include "chi/Dialect/Chi/ChiDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace chi::outline {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "chi/Transforms/Outline/Passes.h.inc"
} // namespace chi::outline
#endif // CHI_TRANSFORMS_OUTLINE_PASSES_H
