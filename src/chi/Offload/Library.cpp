//===- Library.cpp - What the compiler asks of the library ----------------===//

#include "chi/Offload/Library.h"
#include "chi/Conversion/ChiToGPU/Kernels.h"
#include "chi/Offload/DeviceData.h"
#include "chi/Offload/Pipeline.h"
#include "chi/Target/NVVM/PTX.h"
#include "chi/Target/SPIRV/Binary.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv::kernels;
using namespace chi::offload;
using namespace chi::target::nvvm;
using namespace chi::target::spv;
using pipeline::Stage;

static void printIR(ModuleOp module, const Request &request) {
  llvm::raw_string_ostream out(request.output);
  OpPrintingFlags flags;
  flags.enableDebugInfo(request.locations);
  module.print(out, flags);
  out << "\n";
}

/// A unit without tasks has no kernels, and no code.
static void emitSPV(ModuleOp module, const Request &request) {
  for (auto kernels : module.getOps<spirv::ModuleOp>()) {
    auto binary = emitBinary(kernels);
    if (succeeded(binary))
      request.output += *binary;
    else
      request.fault = "cannot serialise the kernels to a SPIR-V binary";
  }
}

static PTXTarget ptxTarget(const Request &request, StringRef arch) {
  auto quotients = request.nativeMath       ? Quotients::Native
                   : request.estimatedRoots ? Quotients::Estimated
                                            : Quotients::Exact;
  return {arch, request.libdevice, quotients};
}

static void emitPTX(ModuleOp module, const Request &request) {
  for (auto kernels : module.getOps<ModuleOp>()) {
    auto text =
        target::nvvm::emitPTX(kernels, ptxTarget(request, request.arch));
    if (text)
      request.output += *text;
    else
      request.fault = llvm::toString(text.takeError());
  }
}

void chic_offload(const Request &request) {
  std::string arch = request.arch.str();
  if (request.asData)
    arch = nearestArchitecture(arch);
  request.isUnknownArch = !isKnownArchitecture(arch);
  if (request.isUnknownArch)
    return;
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false);
  ParserConfig config(&context, /*verifyAfterParse=*/false);
  auto module = parseSourceString<ModuleOp>(request.module, config);
  if (!module) {
    request.fault = "the bytecode of a unit is malformed";
    return;
  }
  PassManager manager(&context);
  buildPipeline(manager, request.stage, request.fastMath, request.shortIndices);
  if (failed(pipeline::run(manager, *module, request.sources, request.diags,
                           request.fault)))
    return;
  for (auto kernels : module->getOps<spirv::ModuleOp>())
    repairNeeds(kernels);
  if (request.asData) {
    if (auto error = makeDeviceData(*module, ptxTarget(request, arch)))
      request.fault = llvm::toString(std::move(error));
    llvm::raw_string_ostream out(request.output);
    (void)writeBytecodeToFile(*module, out);
    return;
  }
  if (request.stage == Stage::PTX)
    ::emitPTX(*module, request);
  else if (request.stage == Stage::SPV)
    emitSPV(*module, request);
  else
    printIR(*module, request);
}
