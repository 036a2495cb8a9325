//===- Postconditions.h - What each pass leaves -----------------*- C++ -*-===//
#ifndef CHI_PIPELINE_POSTCONDITIONS_H
#define CHI_PIPELINE_POSTCONDITIONS_H

#include "chi/Pipeline/Pipeline.h"
#include "mlir/Pass/Pass.h"

namespace chi::pipeline {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "chi/Pipeline/Passes.h.inc"

/// Does the pass (by its flag) promise something that can be looked for?
bool hasPostcondition(llvm::StringRef pass);

/// The last pass with a postcondition on the way to a stage; "" for a stage
/// before them all.
llvm::StringRef lastPassOf(Stage stage);

/// Verifies the postconditions of the passes up to `pass`, in the order of the
/// pipeline. Fails after a report of one operation for each broken
/// postcondition.
mlir::LogicalResult verifyPostconditions(mlir::ModuleOp module,
                                         llvm::StringRef pass);

} // namespace chi::pipeline
#endif // CHI_PIPELINE_POSTCONDITIONS_H
