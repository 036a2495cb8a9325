//===- Passes.cpp - The order of the passes of this room ------------------===//

#include "chi/Offload/Passes.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVDialect.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"
#include "mlir/Dialect/SPIRV/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace chi;
using pipeline::Stage;

void chi::offload::buildPipeline(OpPassManager &manager, Stage to, bool fast,
                                 bool shortIndices) {
  manager.addPass(createChiToGPUPass({fast, shortIndices}));
  manager.addPass(createShortIndicesPass());
  if (to == Stage::GPU)
    return;
  manager.addPass(conv::createStructuredToBranchesPass());
  bool isForCUDA = to == Stage::NVVM || to == Stage::PTX;
  manager.addPass(createRecordChecksPass({/*inPlace=*/!isForCUDA}));
  if (isForCUDA) {
    manager.addPass(conv::createStructuredToBranchesPass());
    manager.addPass(createKernelsToNVVMPass());
    return;
  }
  // Less to structure, to halve, and for drivers to read.
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  manager.addPass(createSplitKernelsPass());
  manager.addPass(createHalveIntegersPass());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  manager.addPass(createKernelsToSPIRVPass());
  OpPassManager &module = manager.nest<spirv::ModuleOp>();
  module.addPass(spirv::createSPIRVLowerABIAttributesPass());
  module.addPass(createCSEPass());
  module.addPass(spirv::createSPIRVUpdateVCEPass());
}

void chi::offload::registerDialects(DialectRegistry &registry) {
  conv::registerLoweringDialects(registry);
  registry.insert<mlir::gpu::GPUDialect, spirv::SPIRVDialect>();
}
