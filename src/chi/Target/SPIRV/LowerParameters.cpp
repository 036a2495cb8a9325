//===- LowerParameters.cpp - A kernel's words as push constants -----------===//

#include "chi/Target/SPIRV/Steps.h"

using namespace mlir;
using namespace chi;
using namespace chi::target::spv;

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
    SmallVector<BlockArgument> used; // the others need nothing of a device
    for (BlockArgument parameter : entry.getArguments())
      if (!parameter.use_empty())
        used.push_back(parameter);
    bool fits = int64_t(entry.getNumArguments()) * kWordBytes <= kPushBytes;
    b.setInsertionPointToStart(&entry);
    if (!used.empty()) {
      Value base = pushed(fits ? structOf(used) : addressOf(structOf(used)));
      if (!fits)
        base = load(base, 0);
      for (auto [number, parameter] : llvm::enumerate(used))
        parameter.replaceAllUsesWith(
            asParameter(load(base, number), parameter.getType()));
    }
    entry.eraseArguments(0, entry.getNumArguments());
    kernel.setFunctionType(b.getFunctionType({}, {}));
    kernel.removeArgAttrsAttr();
  }

private:
  /// The parameters as members where their words lie. One that is memory is its
  /// address, which is no integer: those of 64 bits are not on every device.
  spirv::StructType structOf(ArrayRef<BlockArgument> parameters) {
    SmallVector<Type> members;
    SmallVector<spirv::StructType::OffsetInfo> offsets;
    for (BlockArgument parameter : parameters) {
      members.push_back(types.convertType(parameter.getType()));
      offsets.push_back(parameter.getArgNumber() * kWordBytes);
    }
    return spirv::StructType::get(members, offsets);
  }

  /// The push constant that is the address of such a struct.
  spirv::StructType addressOf(spirv::StructType words) {
    return spirv::StructType::get(
        {spirv::PointerType::get(words,
                                 spirv::StorageClass::PhysicalStorageBuffer)},
        {0});
  }

  /// The address of the push constants.
  Value pushed(spirv::StructType block) {
    auto type =
        spirv::PointerType::get(block, spirv::StorageClass::PushConstant);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(kernel);
    auto variable = spirv::GlobalVariableOp::create(
        b, loc, type, (kernel.getName() + ".words").str(), nullptr);
    b.setInsertionPointToStart(&kernel.getBody().front());
    return spirv::AddressOfOp::create(b, loc, variable);
  }

  Value load(Value block, size_t number) {
    Value offset = spirv::ConstantOp::create(b, loc, b.getI32Type(),
                                             b.getI32IntegerAttr(number));
    Value member =
        spirv::AccessChainOp::create(b, loc, block, ValueRange{offset});
    auto type = cast<spirv::PointerType>(block.getType());
    if (type.getStorageClass() == spirv::StorageClass::PushConstant)
      return spirv::LoadOp::create(b, loc, member);
    auto aligned = spirv::MemoryAccessAttr::get(b.getContext(),
                                                spirv::MemoryAccess::Aligned);
    return spirv::LoadOp::create(b, loc, member, aligned,
                                 b.getI32IntegerAttr(kWordBytes));
  }

  Value asParameter(Value word, Type type) {
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

void chi::target::spv::lowerParameters(mlir::gpu::GPUFuncOp kernel,
                                       const SPIRVTypeConverter &types) {
  ParameterLowering(kernel, types).run();
}
