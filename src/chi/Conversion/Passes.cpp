//===- Passes.cpp - The order of the passes of this room ------------------===//

#include "chi/Conversion/Passes.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace chi::conv;

void chi::conv::registerLoweringDialects(DialectRegistry &registry) {
  registry.insert<arith::ArithDialect, cf::ControlFlowDialect,
                  func::FuncDialect, LLVM::LLVMDialect, math::MathDialect,
                  memref::MemRefDialect, scf::SCFDialect, ub::UBDialect,
                  vector::VectorDialect, ir::ChiDialect>();
}

void chi::conv::addMathPasses(AddPass add, const LoweringOptions &options) {
  if (options.fastMath)
    add(createFastMathPass());
  if (options.nativeMath)
    add(createNativeMathPass());
  if (options.mathLibrary)
    add(createExpandMathPass(options.mathLibrary, options.remainders,
                             options.halves));
  else if (!options.mathFile.empty())
    add(createExpandMathPass(
        {options.mathFile, options.remainders, options.halves}));
}

void chi::conv::addLoopsPasses(AddPass add, const LoweringOptions &options) {
  ChiToLoopsPassOptions loops;
  loops.fast = options.fastMath;
  loops.recorded = true;
  loops.choices = options.choices;
  add(createChiToLoopsPass(loops));
  add(createHostToRuntimePass());
}

void chi::conv::addLLVMPasses(AddPass add, const LoweringOptions &options) {
  add(createStructuredToBranchesPass());
  add(createLowerChecksPass({options.records}));
  add(createExpandBFloatPass());
  add(createLoopsToCPUPass());
}
