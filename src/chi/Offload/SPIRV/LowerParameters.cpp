//===- LowerParameters.cpp - A kernel's words as push constants -----------===//

#include "chi/Offload/SPIRV/Steps.h"

using namespace mlir;
using namespace chi;
using namespace chi::offload;

/// A parameter lies in a word of 8 bytes, from its first byte on.
static constexpr int64_t kWordBytes = 8;

namespace {
/// Replaces the parameters of one kernel.
class ParameterLowering {
public:
  ParameterLowering(mlir::gpu::GPUFuncOp kernel,
                    const SPIRVTypeConverter &types)
      : kernel(kernel), types(types), b(kernel.getContext()),
        loc(kernel.getLoc()) {}

  void run() {
    Block &entry = kernel.getBody().front();
    SmallVector<Type> wordTypes;
    for (BlockArgument parameter : entry.getArguments())
      wordTypes.push_back(wordType(parameter.getType()));
    bool fits = int64_t(wordTypes.size()) * kWordBytes <= kPushBytes;
    b.setInsertionPointToStart(&entry);
    SmallVector<Value> words =
        fits ? loadPushed(wordTypes)
             : loadBlock(loadPushed({b.getI64Type()}).front(), wordTypes);
    for (auto [parameter, word] : llvm::zip(entry.getArguments(), words))
      parameter.replaceAllUsesWith(asParameter(word, parameter.getType()));
    entry.eraseArguments(0, entry.getNumArguments());
    kernel.setFunctionType(b.getFunctionType({}, {}));
    kernel.removeArgAttrsAttr();
  }

private:
  /// What lies there: of memory, its address.
  Type wordType(Type type) {
    return isa<MemRefType>(type) ? b.getI64Type() : types.convertType(type);
  }

  SmallVector<Value> loadPushed(ArrayRef<Type> members) {
    SmallVector<spirv::StructType::OffsetInfo> offsets;
    for (size_t number = 0; number < members.size(); ++number)
      offsets.push_back(number * kWordBytes);
    SmallVector<Value> words;
    if (members.empty())
      return words;
    auto block = spirv::StructType::get(members, offsets);
    auto type =
        spirv::PointerType::get(block, spirv::StorageClass::PushConstant);
    spirv::GlobalVariableOp variable;
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPoint(kernel);
      variable = spirv::GlobalVariableOp::create(
          b, loc, type, (kernel.getName() + ".words").str(), nullptr);
    }
    Value base = spirv::AddressOfOp::create(b, loc, variable);
    for (size_t number = 0; number < members.size(); ++number) {
      Value place = spirv::ConstantOp::create(b, loc, b.getI32Type(),
                                              b.getI32IntegerAttr(number));
      Value member =
          spirv::AccessChainOp::create(b, loc, base, ValueRange{place});
      words.push_back(spirv::LoadOp::create(b, loc, member));
    }
    return words;
  }

  SmallVector<Value> loadBlock(Value address, ArrayRef<Type> members) {
    auto aligned = spirv::MemoryAccessAttr::get(b.getContext(),
                                                spirv::MemoryAccess::Aligned);
    SmallVector<Value> words;
    for (auto [number, type] : llvm::enumerate(members)) {
      Value offset = spirv::ConstantOp::create(
          b, loc, b.getI64Type(), b.getI64IntegerAttr(number * kWordBytes));
      Value place = spirv::IAddOp::create(b, loc, address, offset);
      auto pointer = spirv::PointerType::get(
          type, spirv::StorageClass::PhysicalStorageBuffer);
      Value word = spirv::ConvertUToPtrOp::create(b, loc, pointer, place);
      words.push_back(spirv::LoadOp::create(b, loc, word, aligned,
                                            b.getI32IntegerAttr(kWordBytes)));
    }
    return words;
  }

  Value asParameter(Value word, Type type) {
    if (isa<MemRefType>(type))
      word =
          spirv::ConvertUToPtrOp::create(b, loc, types.convertType(type), word);
    if (word.getType() == type)
      return word;
    return UnrealizedConversionCastOp::create(b, loc, type, word).getResult(0);
  }

  mlir::gpu::GPUFuncOp kernel;
  const SPIRVTypeConverter &types;
  OpBuilder b;
  Location loc;
};
} // namespace

void chi::offload::lowerParameters(mlir::gpu::GPUFuncOp kernel,
                                   const SPIRVTypeConverter &types) {
  ParameterLowering(kernel, types).run();
}
