//===- Pipeline.cpp - The passes to kernels of devices --------------------===//

#include "chi/Offload/Pipeline.h"
#include "chi/Conversion/ChiToGPU/Passes.h"
#include "chi/Conversion/Passes.h"
#include "chi/Target/NVVM/Passes.h"
#include "chi/Target/SPIRV/Passes.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"
#include "mlir/Dialect/SPIRV/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace chi;
using pipeline::Stage;

void chi::offload::buildPipeline(OpPassManager &manager, Stage to, bool fast,
                                 bool shortIndices) {
  manager.addPass(conv::kernels::createChiToGPUPass({fast, shortIndices}));
  manager.addPass(conv::kernels::createShortIndicesPass());
  if (to == Stage::GPU)
    return;
  manager.addPass(conv::createStructuredToBranchesPass());
  bool isForCUDA = to == Stage::NVVM || to == Stage::PTX;
  manager.addPass(conv::kernels::createRecordChecksPass(
      {/*inPlace=*/!isForCUDA, /*wideAtomics=*/isForCUDA}));
  manager.addPass(conv::createExpandBFloatPass());
  if (isForCUDA) {
    manager.addPass(conv::createStructuredToBranchesPass());
    manager.addPass(target::nvvm::createKernelsToNVVMPass());
    return;
  }
  // Less to structure, to halve, and for drivers to read.
  manager.addPass(target::spv::createFoldBranchesPass());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  manager.addPass(target::spv::createSplitKernelsPass());
  manager.addPass(target::spv::createHalveIntegersPass());
  manager.addPass(target::spv::createFoldBranchesPass());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  manager.addPass(target::spv::createAddSumVariantsPass());
  manager.addPass(target::spv::createKernelsToSPIRVPass());
  OpPassManager &module = manager.nest<spirv::ModuleOp>();
  module.addPass(spirv::createSPIRVLowerABIAttributesPass());
  module.addPass(createCSEPass());
  module.addPass(spirv::createSPIRVUpdateVCEPass());
}
