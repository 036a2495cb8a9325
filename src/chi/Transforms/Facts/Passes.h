//===- Passes.h - What holds of tasks ---------------------------*- C++ -*-===//
#ifndef CHI_TRANSFORMS_FACTS_PASSES_H
#define CHI_TRANSFORMS_FACTS_PASSES_H

#include "chi/Dialect/Chi/ChiDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace chi::facts {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "chi/Transforms/Facts/Passes.h.inc"
} // namespace chi::facts
#endif // CHI_TRANSFORMS_FACTS_PASSES_H
