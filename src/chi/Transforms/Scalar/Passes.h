//===- Passes.h - Values of one iteration -----------------------*- C++ -*-===//
#ifndef CHI_TRANSFORMS_SCALAR_PASSES_H
#define CHI_TRANSFORMS_SCALAR_PASSES_H

#include "chi/Dialect/Chi/ChiDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace chi::scalar {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "chi/Transforms/Scalar/Passes.h.inc"
} // namespace chi::scalar
#endif // CHI_TRANSFORMS_SCALAR_PASSES_H
