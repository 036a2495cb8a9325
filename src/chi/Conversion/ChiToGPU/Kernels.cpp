//===- Kernels.cpp - Dialects of kernels of devices -----------------------===//

#include "chi/Conversion/ChiToGPU/Kernels.h"

#include "chi/Conversion/Passes.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVDialect.h"

using namespace mlir;
using namespace chi;

void chi::conv::kernels::registerDialects(DialectRegistry &registry) {
  conv::registerLoweringDialects(registry);
  registry.insert<mlir::gpu::GPUDialect, spirv::SPIRVDialect>();
}
