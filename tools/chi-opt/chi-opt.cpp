//===- chi-opt.cpp - Runs passes on chi IR --------------------------------===//
#include "TestPasses.h"

#include "chi/AD/Passes.h"
#include "chi/Conversion/Passes.h"
#include "chi/Offload/Passes.h"
#include "chi/Pipeline/Pipeline.h"
#include "chi/Transforms/Passes.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<chi::ir::ChiDialect, mlir::arith::ArithDialect,
                  mlir::cf::ControlFlowDialect, mlir::func::FuncDialect,
                  mlir::LLVM::LLVMDialect, mlir::math::MathDialect,
                  mlir::memref::MemRefDialect, mlir::scf::SCFDialect>();
  chi::offload::registerDialects(registry);
  mlir::registerCanonicalizerPass();
  mlir::registerCSEPass();
  mlir::registerSymbolDCEPass();
  chi::transforms::registerChiPasses();
  chi::ad::registerChiADPasses();
  chi::conv::registerChiConversionPasses();
  chi::offload::registerChiOffloadPasses();
  chi::pipeline::registerPipelines();
  chi::opt::registerRangesTest();
  chi::opt::registerAccessesTest();
  chi::opt::registerTasksTests();
  chi::opt::registerIterationTest();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "The pass tool of Chi\n", registry));
}
