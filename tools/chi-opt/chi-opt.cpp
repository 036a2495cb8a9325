//===- chi-opt.cpp - Runs passes on chi IR --------------------------------===//
#include "EachPass.h"
#include "TestPasses.h"

#include "chi/AD/Activity/Passes.h"
#include "chi/AD/Forward/Passes.h"
#include "chi/AD/Reverse/Passes.h"
#include "chi/Conversion/ChiToGPU/Kernels.h"
#include "chi/Conversion/ChiToGPU/Passes.h"
#include "chi/Conversion/Passes.h"
#include "chi/Pipeline/Pipeline.h"
#include "chi/Target/NVVM/Passes.h"
#include "chi/Target/SPIRV/Passes.h"
#include "chi/Transforms/Checkpoints/Passes.h"
#include "chi/Transforms/Checks/Passes.h"
#include "chi/Transforms/Facts/Passes.h"
#include "chi/Transforms/Nest/Passes.h"
#include "chi/Transforms/Outline/Passes.h"
#include "chi/Transforms/SLP/Passes.h"
#include "chi/Transforms/Scalar/Passes.h"
#include "chi/Transforms/Schedule/Passes.h"
#include "chi/Transforms/Vectorize/Passes.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

/// `--each-pass=NAME,… FILE…` is no option of MLIR's: passes and files are
/// many.
static int eachPass(const mlir::DialectRegistry &registry, int argc,
                    char **argv) {
  llvm::StringRef names = argv[1];
  names.consume_front("--each-pass=");
  llvm::SmallVector<llvm::StringRef> passes, files(argv + 2, argv + argc);
  names.split(passes, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  return chi::opt::runEachPass(registry, passes, files);
}

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<chi::ir::ChiDialect, mlir::arith::ArithDialect,
                  mlir::cf::ControlFlowDialect, mlir::func::FuncDialect,
                  mlir::LLVM::LLVMDialect, mlir::math::MathDialect,
                  mlir::memref::MemRefDialect, mlir::scf::SCFDialect>();
  chi::conv::kernels::registerDialects(registry);
  mlir::registerCanonicalizerPass();
  mlir::registerCSEPass();
  mlir::registerSymbolDCEPass();
  chi::outline::registerChiOutlinePasses();
  chi::facts::registerChiFactsPasses();
  chi::checkpoints::registerChiCheckpointsPasses();
  chi::checks::registerChiChecksPasses();
  chi::nest::registerChiNestPasses();
  chi::scalar::registerChiScalarPasses();
  chi::vectorize::registerChiVectorizePasses();
  chi::slp::registerChiSLPPasses();
  chi::schedule::registerChiSchedulePasses();
  chi::ad::activity::registerChiADActivityPasses();
  chi::ad::forward::registerChiADForwardPasses();
  chi::ad::reverse::registerChiADReversePasses();
  chi::conv::registerChiConversionPasses();
  chi::conv::kernels::registerChiConversionChiToGPUPasses();
  chi::target::nvvm::registerChiTargetNVVMPasses();
  chi::target::spv::registerChiTargetSPIRVPasses();
  chi::pipeline::registerPipelines();
  chi::opt::registerRangesTest();
  chi::opt::registerAccessesTest();
  chi::opt::registerTasksTests();
  chi::opt::registerIterationTest();
  if (argc > 1 && llvm::StringRef(argv[1]).starts_with("--each-pass="))
    return eachPass(registry, argc, argv);
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "The pass tool of Chi\n", registry));
}
