//===- Passes.h - Host code that keeps its state ----------------*- C++ -*-===//
#ifndef CHI_TRANSFORMS_CHECKPOINTS_PASSES_H
#define CHI_TRANSFORMS_CHECKPOINTS_PASSES_H

#include "chi/Dialect/Chi/ChiDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace chi::checkpoints {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "chi/Transforms/Checkpoints/Passes.h.inc"
} // namespace chi::checkpoints
#endif // CHI_TRANSFORMS_CHECKPOINTS_PASSES_H
