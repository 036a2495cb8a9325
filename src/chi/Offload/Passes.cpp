//===- Passes.cpp - The order of the passes of this room ------------------===//

#include "chi/Offload/Passes.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace chi;
using pipeline::Stage;

void chi::offload::buildPipeline(OpPassManager &manager, Stage to, bool fast) {
  manager.addPass(createChiToGPUPass({fast}));
  if (to == Stage::GPU)
    return;
  manager.addPass(createSCFToControlFlowPass());
  manager.addPass(createRecordChecksPass());
  manager.addPass(createKernelsToNVVMPass());
}

void chi::offload::registerDialects(DialectRegistry &registry) {
  conv::registerLoweringDialects(registry);
  registry.insert<mlir::gpu::GPUDialect>();
}
