//===- Passes.h - Checks of a running program -------------------*- C++ -*-===//
#ifndef CHI_TRANSFORMS_CHECKS_PASSES_H
#define CHI_TRANSFORMS_CHECKS_PASSES_H

#include "chi/Dialect/Chi/ChiDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace chi::checks {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "chi/Transforms/Checks/Passes.h.inc"
} // namespace chi::checks
#endif // CHI_TRANSFORMS_CHECKS_PASSES_H
