//===- Passes.cpp - The order of the passes of this room ------------------===//

#include "chi/Conversion/Passes.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace chi::conv;

void chi::conv::registerLoweringDialects(DialectRegistry &registry) {
  registry
      .insert<arith::ArithDialect, cf::ControlFlowDialect, func::FuncDialect,
              LLVM::LLVMDialect, math::MathDialect, memref::MemRefDialect,
              scf::SCFDialect, ub::UBDialect, vector::VectorDialect,
              ir::ChiDialect>();
}

void chi::conv::addMathPasses(OpPassManager &manager,
                              const LoweringOptions &options) {
  if (options.fastMath)
    manager.addPass(createFastMathPass());
  if (options.mathLibrary)
    manager.addPass(createExpandMathPass(options.mathLibrary));
  else if (!options.mathFile.empty())
    manager.addPass(createExpandMathPass({options.mathFile}));
}

void chi::conv::addLoopsPasses(OpPassManager &manager,
                               const LoweringOptions &options) {
  ChiToLoopsPassOptions loops;
  loops.fast = options.fastMath;
  loops.without = options.without.names<llvm::SmallVector<std::string>>();
  manager.addPass(createChiToLoopsPass(loops));
  manager.addPass(createHostToRuntimePass());
}

void chi::conv::addLLVMPasses(OpPassManager &manager,
                              const LoweringOptions &options) {
  manager.addPass(createSCFToControlFlowPass());
  manager.addPass(createLowerChecksPass());
  manager.addPass(createLoopsToCPUPass());
}
