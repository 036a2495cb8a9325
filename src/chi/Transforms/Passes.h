//===- Passes.h - Passes from chi to chi ------------------------*- C++ -*-===//
#ifndef CHI_TRANSFORMS_PASSES_H
#define CHI_TRANSFORMS_PASSES_H

#include "chi/Dialect/Chi/ChiDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace chi::transforms {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "chi/Transforms/Passes.h.inc"
} // namespace chi::transforms
#endif // CHI_TRANSFORMS_PASSES_H
