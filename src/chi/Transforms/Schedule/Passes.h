//===- Passes.h - How tasks are carried out ---------------------*- C++ -*-===//
#ifndef CHI_TRANSFORMS_SCHEDULE_PASSES_H
#define CHI_TRANSFORMS_SCHEDULE_PASSES_H

#include "chi/Dialect/Chi/ChiDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace chi::schedule {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "chi/Transforms/Schedule/Passes.h.inc"
} // namespace chi::schedule
#endif // CHI_TRANSFORMS_SCHEDULE_PASSES_H
