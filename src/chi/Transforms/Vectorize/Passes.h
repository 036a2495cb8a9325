//===- Passes.h - Neighbouring iterations as vectors ------------*- C++ -*-===//
#ifndef CHI_TRANSFORMS_VECTORIZE_PASSES_H
#define CHI_TRANSFORMS_VECTORIZE_PASSES_H

#include "chi/Dialect/Chi/ChiDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace chi::vectorize {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "chi/Transforms/Vectorize/Passes.h.inc"
} // namespace chi::vectorize
#endif // CHI_TRANSFORMS_VECTORIZE_PASSES_H
