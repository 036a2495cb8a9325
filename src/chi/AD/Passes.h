//===- Passes.h - Derivatives of tasks --------------------------*- C++ -*-===//
#ifndef CHI_AD_PASSES_H
#define CHI_AD_PASSES_H

#include "chi/Dialect/Chi/ChiDialect.h"
#include "mlir/Pass/Pass.h"

namespace chi::ad {

#define GEN_PASS_DECL
#include "chi/AD/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "chi/AD/Passes.h.inc"

/// Does the task write a field of floats?
bool hasAdjoint(ir::TaskOp task);

} // namespace chi::ad
#endif // CHI_AD_PASSES_H
