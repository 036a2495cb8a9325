//===- Passes.h - Tangents of tasks -----------------------------*- C++ -*-===//
#ifndef CHI_AD_FORWARD_PASSES_H
#define CHI_AD_FORWARD_PASSES_H

#include "chi/Dialect/Chi/ChiDialect.h"
#include "mlir/Pass/Pass.h"

namespace chi::ad::forward {

#define GEN_PASS_DECL
#include "chi/AD/Forward/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "chi/AD/Forward/Passes.h.inc"

} // namespace chi::ad::forward
#endif // CHI_AD_FORWARD_PASSES_H
