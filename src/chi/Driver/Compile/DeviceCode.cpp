//===- DeviceCode.cpp - Code of units for devices -------------------------===//
#include "chi/Conversion/Elementary.h"
#include "chi/Dialect/Chi/ChiDialect.h"
#include "chi/Dialect/Chi/KernelParams.h"
#include "chi/Driver/Compile/Compilation.h"
#include "chi/Driver/Compile/OffloadLibrary.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/Parser/Parser.h"

using namespace chi;
using namespace chi::driver;
using pipeline::Stage;

bool Compilation::offloadModule(mlir::ModuleOp module,
                                const DeviceStage &wanted,
                                std::string &output) {
  bool isCUDA = wanted.stage == Stage::NVVM || wanted.stage == Stage::PTX;
  bool isNative = isCUDA && options.math == "native";
  if (!loadMath(/*forDevice=*/true) || (isNative && !checkNativeMath(module)))
    return false;
  pipeline::Options pipelineOptions = codePipelineOptions();
  pipelineOptions.nativeMath = isNative;
  mlir::PassManager manager(&context);
  pipeline::buildElementary(manager, pipelineOptions,
                            /*hasExactFloats=*/isCUDA);
  if (!run(manager, module))
    return false;
  std::string bytecode = toBytecode(module);
  bool isFast =
      pipelineOptions.fastMath && !options.without.has(Optimisation::FastMath);
  bool isShort = !options.without.has(Optimisation::ShortIndices);
  bool isEstimated = !options.without.has(Optimisation::EstimatedRoots);
  return offload(env, {bytecode, wanted.stage, wanted.arch, options.libdevice,
                       isFast, isShort, isEstimated, isNative, wanted.asData,
                       wanted.locations, frontend.sources, frontend.diags,
                       fault, lacksArch, output});
}

/// Reports a missing toolkit at the first function that needs it.
bool Compilation::checkNativeMath(mlir::ModuleOp module) {
  if (!options.libdevice.empty())
    return true;
  auto wanted = conv::findNativeMath(module);
  if (wanted.empty())
    return true;
  lacksMath = true;
  frontend.diags
      .report(pipeline::sourceRange(wanted[0]->getLoc(), frontend.sources),
              diag::NoNativeMath, conv::elementaryName(wanted[0]))
      .send();
  return false;
}

/// Restrictions of devices are reported for the whole program, whose locations
/// are those of the source; units have numbers for its lines.
bool Compilation::checkForDevices() {
  std::string text;
  if (options.math == "native" && !checkNativeMath(*owned))
    return false;
  mlir::OwningOpRef<mlir::ModuleOp> copy = owned->clone();
  return offloadModule(*copy, {.stage = Stage::GPU}, text);
}

/// Appends `.device` to the names of constants, so that those of several
/// devices do not collide.
static void addSuffix(mlir::ModuleOp constants, llvm::StringRef device) {
  auto longer = [&](llvm::StringRef name) {
    return mlir::StringAttr::get(constants.getContext(), name + "." + device);
  };
  mlir::AttrTypeReplacer replacer;
  replacer.addReplacement([&](mlir::FlatSymbolRefAttr symbol) {
    return mlir::FlatSymbolRefAttr::get(longer(symbol.getValue()));
  });
  for (mlir::Operation &op : *constants.getBody()) {
    replacer.recursivelyReplaceElementsIn(&op);
    mlir::SymbolTable::setSymbolName(
        &op, longer(mlir::SymbolTable::getSymbolName(&op).getValue()));
  }
}

bool Compilation::addDeviceCode(Unit &unit, llvm::StringRef device) {
  mlir::OwningOpRef<mlir::ModuleOp> copy = unit.module->clone();
  std::string bytecode;
  DeviceStage wanted{.stage = Stage::SPV, .asData = true};
  if (device == "cuda") {
    wanted.stage = Stage::PTX;
    wanted.arch = options.gpuArch;
  }
  if (!offloadModule(*copy, wanted, bytecode))
    return false;
  context.loadDialect<mlir::LLVM::LLVMDialect>();
  mlir::ParserConfig config(&context, /*verifyAfterParse=*/false);
  auto constants = mlir::parseSourceString<mlir::ModuleOp>(bytecode, config);
  if (!constants) {
    fault = "the device code of a unit is malformed";
    return false;
  }
  addSuffix(*constants, device);
  for (mlir::Operation &op : llvm::make_early_inc_range(*constants->getBody()))
    op.moveBefore(unit.module->getBody(), unit.module->getBody()->begin());
  for (auto task : unit.module->getOps<ir::TaskOp>()) {
    mlir::NamedAttrList codes(
        task->getAttrOfType<mlir::DictionaryAttr>(ir::kDeviceCodeAttr));
    codes.set(device,
              mlir::FlatSymbolRefAttr::get(
                  &context, (task.getSymName() + ".device." + device).str()));
    task->setAttr(ir::kDeviceCodeAttr, codes.getDictionary(&context));
  }
  return true;
}
