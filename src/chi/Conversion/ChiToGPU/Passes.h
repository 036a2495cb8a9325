//===- Passes.h - From tasks to kernels of devices --------------*- C++ -*-===//
#ifndef CHI_CONVERSION_CHITOGPU_PASSES_H
#define CHI_CONVERSION_CHITOGPU_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace chi::conv::kernels {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "chi/Conversion/ChiToGPU/Passes.h.inc"
} // namespace chi::conv::kernels
#endif // CHI_CONVERSION_CHITOGPU_PASSES_H
