//===- Passes.h - Vectors within one iteration ------------------*- C++ -*-===//
#ifndef CHI_TRANSFORMS_SLP_PASSES_H
#define CHI_TRANSFORMS_SLP_PASSES_H

#include "chi/Dialect/Chi/ChiDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace chi::slp {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "chi/Transforms/SLP/Passes.h.inc"
} // namespace chi::slp
#endif // CHI_TRANSFORMS_SLP_PASSES_H
