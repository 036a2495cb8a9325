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

/// Canonicalization of branches. A loop that a folded condition leaves without
/// a predecessor is still there for patterns, and after its blocks are merged a
/// value in it may be its own operand (`%i = arith.addi %i, %c1`), which folds
/// for ever. The limit of rewrites ends that; blocks that nothing reaches are
/// erased then, and the next iteration goes on.
static std::unique_ptr<Pass> canonicalizeBranches() {
  GreedyRewriteConfig config; // else as the pass is by itself
  config.setUseTopDownTraversal(true)
      .setRegionSimplificationLevel(GreedySimplifyRegionLevel::Normal)
      .setMaxNumRewrites(100000);
  return createCanonicalizerPass(config);
}

void chi::offload::buildPipeline(OpPassManager &manager, Stage to, bool fast,
                                 bool shortIndices) {
  manager.addPass(conv::kernels::createChiToGPUPass({fast, shortIndices}));
  manager.addPass(conv::kernels::createShortIndicesPass());
  if (to == Stage::GPU)
    return;
  manager.addPass(conv::createStructuredToBranchesPass());
  bool isForCUDA = to == Stage::NVVM || to == Stage::PTX;
  manager.addPass(
      conv::kernels::createRecordChecksPass({/*inPlace=*/!isForCUDA}));
  if (isForCUDA) {
    manager.addPass(conv::createStructuredToBranchesPass());
    manager.addPass(target::nvvm::createKernelsToNVVMPass());
    return;
  }
  // Less to structure, to halve, and for drivers to read.
  manager.addPass(canonicalizeBranches());
  manager.addPass(createCSEPass());
  manager.addPass(target::spv::createSplitKernelsPass());
  manager.addPass(target::spv::createHalveIntegersPass());
  manager.addPass(canonicalizeBranches());
  manager.addPass(createCSEPass());
  manager.addPass(target::spv::createAddSumVariantsPass());
  manager.addPass(target::spv::createKernelsToSPIRVPass());
  OpPassManager &module = manager.nest<spirv::ModuleOp>();
  module.addPass(spirv::createSPIRVLowerABIAttributesPass());
  module.addPass(createCSEPass());
  module.addPass(spirv::createSPIRVUpdateVCEPass());
}
