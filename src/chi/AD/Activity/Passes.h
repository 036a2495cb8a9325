//===- Passes.h - Which values carry derivatives ----------------*- C++ -*-===//
#ifndef CHI_AD_ACTIVITY_PASSES_H
#define CHI_AD_ACTIVITY_PASSES_H

#include "chi/Dialect/Chi/ChiDialect.h"
#include "mlir/Pass/Pass.h"

namespace chi::ad::activity {

#define GEN_PASS_DECL
#include "chi/AD/Activity/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "chi/AD/Activity/Passes.h.inc"

} // namespace chi::ad::activity
#endif // CHI_AD_ACTIVITY_PASSES_H
