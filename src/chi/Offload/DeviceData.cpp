//===- DeviceData.cpp - Code for devices as constants ---------------------===//

#include "chi/Offload/DeviceData.h"
#include "chi/Conversion/Runtime.h"
#include "chi/Dialect/Chi/KernelWords.h"
#include "chi/Offload/Passes.h"
#include "chi/Offload/SPIRV/Binary.h"
#include "chi/Offload/SPIRV/Steps.h"
#include "chi/Offload/TaskKernel.h"
#include "chirt/device_code.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv;
using namespace chi::offload;

// Both sides count with these.
static_assert(int(ir::WordKind::data) == CHIRT_WORD_DATA &&
              int(ir::WordKind::extent) == CHIRT_WORD_EXTENT &&
              int(ir::WordKind::scalar) == CHIRT_WORD_SCALAR &&
              int(ir::WordKind::from) == CHIRT_WORD_FROM &&
              int(ir::WordKind::count) == CHIRT_WORD_COUNT &&
              int(ir::WordKind::seed) == CHIRT_WORD_SEED &&
              int(ir::WordKind::failures) == CHIRT_WORD_FAILURES &&
              int(ir::WordKind::records) == CHIRT_WORD_RECORDS &&
              int(ir::WordKind::partials) == CHIRT_WORD_PARTIALS &&
              int(ir::WordKind::parts) == CHIRT_WORD_PARTS &&
              int(ir::WordKind::stride) == CHIRT_WORD_STRIDE);
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
              sizeof(chirt_device_code) == 72);

template <typename T> static StringRef bytesOf(ArrayRef<T> values) {
  return {reinterpret_cast<const char *>(values.data()),
          values.size() * sizeof(T)};
}

static constexpr StringLiteral kCodeSuffix = ".device";

/// What launches of a kernel need.
static int64_t needOf(spirv::FuncOp kernel, StringRef name, int64_t none) {
  auto needs = kernel->getAttrOfType<DictionaryAttr>(ir::kLaunchAttr);
  auto number = needs ? needs.getAs<IntegerAttr>(name) : IntegerAttr();
  return number ? number.getInt() : none;
}

/// The constant of one entry point.
static void addCode(Emitter &emit, spirv::FuncOp kernel, Attribute image,
                    int64_t imageBytes, Attribute unit) {
  OpBuilder &b = emit.builder;
  auto words = kernel->getAttrOfType<DenseI32ArrayAttr>(ir::kWordsAttr);
  Attribute list = b.getUnitAttr();
  if (!words.empty())
    list = bytesSymbol(emit, "chi.words.", bytesOf(words.asArrayRef()));
  int64_t perThread = needOf(kernel, ir::kPerThread, 1),
          partials = needOf(kernel, ir::kPartialBytes, 0);
  Attribute finish = b.getUnitAttr();
  if (partials)
    finish = FlatSymbolRefAttr::get(
        emit.context(), (kernel.getName() + kFinishSuffix + kCodeSuffix).str());
  Type ptr = emit.ptrType(), i64 = b.getI64Type();
  structConstant(
      emit, (kernel.getName() + kCodeSuffix).str(),
      LLVM::LLVMStructType::getLiteral(
          emit.context(), {ptr, ptr, i64, ptr, i64, ptr, i64, i64, ptr}),
      {textSymbol(emit, kernel.getName()), list,
       b.getI64IntegerAttr(words.size() / 3), image,
       b.getI64IntegerAttr(imageBytes), unit, b.getI64IntegerAttr(perThread),
       b.getI64IntegerAttr(partials), finish});
}

LogicalResult chi::offload::makeDeviceData(ModuleOp module) {
  OpBuilder builder(module.getContext());
  builder.setInsertionPointToEnd(module.getBody());
  Emitter emit(builder, module.getLoc());
  std::string unitName = ("chi.unit" + kTableSuffix).str();
  Attribute unit = builder.getUnitAttr();
  if (module.lookupSymbol(unitName))
    unit = FlatSymbolRefAttr::get(emit.context(), unitName);
  for (auto kernels :
       llvm::make_early_inc_range(module.getOps<spirv::ModuleOp>())) {
    FailureOr<std::string> binary = emitBinary(kernels);
    if (failed(binary))
      return failure();
    Attribute image = bytesSymbol(emit, "chi.image.", *binary);
    for (auto kernel : kernels.getOps<spirv::FuncOp>())
      if (kernel->hasAttr(ir::kWordsAttr))
        addCode(emit, kernel, image, binary->size(), unit);
    kernels.erase();
  }
  return success();
}
