//===- Pipeline.h - The passes to kernels of devices ------------*- C++ -*-===//
#ifndef CHI_OFFLOAD_PIPELINE_H
#define CHI_OFFLOAD_PIPELINE_H

#include "chi/Pipeline/Pipeline.h"

namespace chi::offload {

/// Adds the passes that lead from `optimised` with its elementary functions
/// expanded to a stage of form Device (to the last of MLIR before a stage of
/// code).
void buildPipeline(mlir::OpPassManager &manager, pipeline::Stage to, bool fast,
                   bool shortIndices);

} // namespace chi::offload
#endif // CHI_OFFLOAD_PIPELINE_H
