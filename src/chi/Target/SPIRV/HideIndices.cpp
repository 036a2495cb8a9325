//===- HideIndices.cpp - Indices of local arrays, for a driver ------------===//
// Note [Indices that are counters]
// Mesa 22.3 keeps the counter of a loop and its value in the next iteration in
// one register, also where both are indices of a local array: a store at [j]
// after one at [j + 1] goes to [j + 1], and elements that a loop swaps are
// wrong. So indices are sums with a zero that is known at launch only, the
// number of the block along an axis that has one block: values of their own.
//===----------------------------------------------------------------------===//

#include "chi/Target/SPIRV/Steps.h"

using namespace mlir;
using namespace chi;
using namespace chi::target::spv;

spirv::LoadOp chi::target::spv::findBlock(spirv::FuncOp kernel) {
  if (kernel.isExternal())
    return {};
  for (auto load : kernel.getBody().front().getOps<spirv::LoadOp>()) {
    auto address = load.getPtr().getDefiningOp<spirv::AddressOfOp>();
    if (address && address.getVariable() == "__builtin__WorkgroupId__")
      return load;
  }
  return {};
}

static void hideIndices(spirv::FuncOp kernel) {
  SmallVector<OpOperand *> indices;
  kernel.walk([&](spirv::AccessChainOp access) {
    auto type = cast<spirv::PointerType>(access.getBasePtr().getType());
    if (type.getStorageClass() != spirv::StorageClass::Function)
      return;
    for (OpOperand &index : access.getIndicesMutable())
      if (!index.get().getDefiningOp<spirv::ConstantOp>())
        indices.push_back(&index);
  });
  spirv::LoadOp block = findBlock(kernel);
  if (indices.empty() || !block)
    return;
  OpBuilder b(block->getContext());
  b.setInsertionPointAfter(block);
  Value narrow =
      spirv::CompositeExtractOp::create(b, block.getLoc(), block, {1});
  Value wide;
  for (OpOperand *index : indices) {
    Type type = index->get().getType();
    Value zero = narrow;
    if (type != narrow.getType()) {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointAfterValue(narrow);
      zero = wide ? wide
                  : wide = spirv::UConvertOp::create(b, block.getLoc(), type,
                                                     narrow);
    }
    b.setInsertionPoint(index->getOwner());
    index->set(spirv::IAddOp::create(b, block.getLoc(), index->get(), zero));
  }
}

void chi::target::spv::hideIndices(ModuleOp module) {
  module.walk([](spirv::FuncOp kernel) { ::hideIndices(kernel); });
}
