//===- DeviceData.cpp - Code for devices as constants ---------------------===//

#include "chi/Offload/DeviceData.h"
#include "chi/Conversion/ChiToGPU/Kernels.h"
#include "chi/Conversion/ChiToGPU/TaskKernel.h"
#include "chi/Conversion/Runtime.h"
#include "chi/Dialect/Chi/KernelParams.h"
#include "chi/Target/SPIRV/Binary.h"
#include "chi/Target/SPIRV/Steps.h"
#include "chirt/device_code.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv;
using namespace chi::conv::kernels;
using namespace chi::offload;
using namespace chi::target::nvvm;
using namespace chi::target::spv;

// Both sides count with these.
static_assert(int(ir::KernelParam::data) == CHIRT_KERNEL_PARAM_DATA &&
              int(ir::KernelParam::extent) == CHIRT_KERNEL_PARAM_EXTENT &&
              int(ir::KernelParam::scalar) == CHIRT_KERNEL_PARAM_SCALAR &&
              int(ir::KernelParam::from) == CHIRT_KERNEL_PARAM_FROM &&
              int(ir::KernelParam::count) == CHIRT_KERNEL_PARAM_COUNT &&
              int(ir::KernelParam::seed) == CHIRT_KERNEL_PARAM_SEED &&
              int(ir::KernelParam::failures) == CHIRT_KERNEL_PARAM_FAILURES &&
              int(ir::KernelParam::records) == CHIRT_KERNEL_PARAM_RECORDS &&
              int(ir::KernelParam::partials) == CHIRT_KERNEL_PARAM_PARTIALS &&
              int(ir::KernelParam::numPartials) ==
                  CHIRT_KERNEL_PARAM_NUM_PARTIALS &&
              int(ir::KernelParam::stride) == CHIRT_KERNEL_PARAM_STRIDE &&
              int(ir::KernelParam::first) == CHIRT_KERNEL_PARAM_FIRST &&
              int(ir::KernelParam::last) == CHIRT_KERNEL_PARAM_LAST &&
              int(ir::KernelParam::logSize) == CHIRT_KERNEL_PARAM_LOG_SIZE &&
              int(ir::KernelParam::log) == CHIRT_KERNEL_PARAM_LOG &&
              int(ir::KernelParam::arena) == CHIRT_KERNEL_PARAM_ARENA &&
              int(ir::KernelParam::resume) == CHIRT_KERNEL_PARAM_RESUME &&
              int(ir::KernelParam::restarted) == CHIRT_KERNEL_PARAM_RESTARTED &&
              int(ir::KernelParam::ended) == CHIRT_KERNEL_PARAM_ENDED &&
              int(ir::KernelParam::probeIterations) ==
                  CHIRT_KERNEL_PARAM_PROBE_ITERATIONS &&
              int(ir::KernelParam::fieldStride) == CHIRT_WORD_FIELD_STRIDE);
static_assert(kBlockSize == CHIRT_BLOCK_SIZE && kPushBytes == CHIRT_PUSH_BYTES);
// As chirt_device_code lies.
static_assert(offsetof(chirt_device_code, words) == 8 &&
              offsetof(chirt_device_code, num_words) == 16 &&
              offsetof(chirt_device_code, image) == 24 &&
              offsetof(chirt_device_code, image_bytes) == 32 &&
              offsetof(chirt_device_code, unit) == 40 &&
              offsetof(chirt_device_code, per_thread) == 48 &&
              offsetof(chirt_device_code, partial_bytes) == 56 &&
              offsetof(chirt_device_code, finish) == 64 &&
              offsetof(chirt_device_code, log_words) == 72 &&
              offsetof(chirt_device_code, arena_bytes) == 80 &&
              offsetof(chirt_device_code, restarts_all) == 88 &&
              offsetof(chirt_device_code, needs) == 96 &&
              offsetof(chirt_device_code, plain_bytes) == 104 &&
              offsetof(chirt_device_code, large) == 112 &&
              sizeof(chirt_device_code) == 120);

// As chirt_device_code::words lie.
static_assert(sizeof(ir::KernelParameter) == 3 * sizeof(int32_t));

static StringRef bytesOf(ArrayRef<ir::KernelParameter> params) {
  return {reinterpret_cast<const char *>(params.data()),
          params.size() * sizeof(ir::KernelParameter)};
}

static constexpr StringLiteral kCodeSuffix = ".device";

namespace {
/// Data shared by the constants of a unit.
struct UnitData {
  Emitter &emit;
  Attribute unit; ///< its table of sites, or none
};

/// The code of some kernels, as their constants point to it.
struct Image {
  Attribute symbol;
  int64_t bytes, plainBytes;
};
} // namespace

static Image makeImage(UnitData &data, StringRef code, StringRef plain = "") {
  return {bytesSymbol(data.emit, "chi.image.", (code + plain).str()),
          int64_t(code.size()), int64_t(plain.size())};
}

/// The constant of a task whose kernel is `kernel`, an entry point of that
/// name. `task`: its symbol, perhaps with kLargeSuffix.
static void addCode(UnitData &data, StringRef task, FunctionOpInterface kernel,
                    const Image &image, int64_t needs) {
  Emitter &emit = data.emit;
  OpBuilder &b = emit.builder;
  ir::KernelABIAttr abi = ir::kernelABIOf(kernel);
  ArrayRef<ir::KernelParameter> params = abi.getParams();
  Attribute list = b.getUnitAttr();
  if (!params.empty())
    list = bytesSymbol(emit, "chi.params.", bytesOf(params));
  auto codeOf = [&](StringRef suffix, bool isThere) -> Attribute {
    if (!isThere)
      return b.getUnitAttr();
    return FlatSymbolRefAttr::get(emit.context(),
                                  (task + suffix + kCodeSuffix).str());
  };
  Type ptr = emit.ptrType(), i64 = b.getI64Type();
  structConstant(
      emit, (task + kCodeSuffix).str(),
      LLVM::LLVMStructType::getLiteral(emit.context(),
                                       {ptr, ptr, i64, ptr, i64, ptr, i64, i64,
                                        ptr, i64, i64, i64, i64, i64, ptr}),
      {textSymbol(emit, kernel.getName()), list,
       b.getI64IntegerAttr(params.size()), image.symbol,
       b.getI64IntegerAttr(image.bytes), data.unit,
       b.getI64IntegerAttr(abi.getPerThread()),
       b.getI64IntegerAttr(abi.getPartialBytes()),
       codeOf(kFinishSuffix, abi.getPartialBytes() != 0),
       b.getI64IntegerAttr(abi.getLogWords()),
       b.getI64IntegerAttr(abi.getArenaBytes()),
       b.getI64IntegerAttr(abi.getRestartsAll()), b.getI64IntegerAttr(needs),
       b.getI64IntegerAttr(image.plainBytes),
       codeOf(kLargeSuffix, abi.getHasLarge())});
}

/// `variant`: for devices without atomic sums of f32, or none.
static llvm::Error addSPIRV(UnitData &data, spirv::ModuleOp kernels,
                            spirv::ModuleOp variant) {
  FailureOr<std::string> binary = emitBinary(kernels);
  FailureOr<std::string> plain = std::string();
  if (variant)
    plain = emitBinary(variant);
  if (failed(binary) || failed(plain))
    return llvm::createStringError(
        "cannot serialise the kernels to a SPIR-V binary");
  Image image = makeImage(data, *binary, *plain);
  for (auto kernel : kernels.getOps<spirv::FuncOp>())
    if (ir::kernelABIOf(kernel))
      addCode(data, kernel.getName(), kernel, image, needsOf(kernels));
  return llvm::Error::success();
}

static llvm::Error addAllSPIRV(UnitData &data, ModuleOp module) {
  auto all = llvm::to_vector(module.getOps<spirv::ModuleOp>());
  for (size_t at = 0; at < all.size(); ++at) {
    spirv::ModuleOp kernels = all[at], variant = sumVariantOf(kernels);
    if (auto error = addSPIRV(data, kernels, variant))
      return error;
    at += variant ? 1 : 0;
  }
  for (spirv::ModuleOp kernels : all)
    kernels.erase();
  return llvm::Error::success();
}

/// Drivers take PTX as a text with its NUL.
static llvm::Error addPTX(UnitData &data, ModuleOp kernels,
                          const PTXTarget &target) {
  llvm::Expected<std::string> text = emitPTX(kernels, target);
  if (!text)
    return text.takeError();
  text->push_back('\0');
  Image image = makeImage(data, *text);
  for (auto kernel : kernels.getOps<LLVM::LLVMFuncOp>())
    if (ir::KernelABIAttr abi = ir::kernelABIOf(kernel))
      addCode(data, abi.getTask(), kernel, image, /*needs=*/0);
  kernels.erase();
  return llvm::Error::success();
}

llvm::Error chi::offload::makeDeviceData(ModuleOp module,
                                         const PTXTarget &target) {
  OpBuilder builder(module.getContext());
  builder.setInsertionPointToEnd(module.getBody());
  Emitter emit(builder, module.getLoc());
  std::string unitName = ("chi.unit" + kTableSuffix).str();
  UnitData data{emit, builder.getUnitAttr()};
  if (module.lookupSymbol(unitName))
    data.unit = FlatSymbolRefAttr::get(emit.context(), unitName);
  if (auto error = addAllSPIRV(data, module))
    return error;
  for (auto kernels : llvm::make_early_inc_range(module.getOps<ModuleOp>()))
    if (auto error = addPTX(data, kernels, target))
      return error;
  return llvm::Error::success();
}
