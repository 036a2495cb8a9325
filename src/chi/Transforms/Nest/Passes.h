//===- Passes.h - Other orders of iterations --------------------*- C++ -*-===//
#ifndef CHI_TRANSFORMS_NEST_PASSES_H
#define CHI_TRANSFORMS_NEST_PASSES_H

#include "chi/Dialect/Chi/ChiDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace chi::nest {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "chi/Transforms/Nest/Passes.h.inc"
} // namespace chi::nest
#endif // CHI_TRANSFORMS_NEST_PASSES_H
