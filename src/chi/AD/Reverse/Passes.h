//===- Passes.h - Adjoints of tasks -----------------------------*- C++ -*-===//
#ifndef CHI_AD_REVERSE_PASSES_H
#define CHI_AD_REVERSE_PASSES_H

#include "chi/Dialect/Chi/ChiDialect.h"
#include "mlir/Pass/Pass.h"

namespace chi::ad::reverse {

#define GEN_PASS_DECL
#include "chi/AD/Reverse/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "chi/AD/Reverse/Passes.h.inc"

/// Does the task write a field of floats?
bool hasAdjoint(ir::TaskOp task);

} // namespace chi::ad::reverse
#endif // CHI_AD_REVERSE_PASSES_H
