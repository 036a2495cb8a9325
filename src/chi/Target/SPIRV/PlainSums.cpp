//===- PlainSums.cpp - Sums of f32 without an atomic for them -------------===//
// Vulkan has atomic sums of f32 as an extension, which a device may lack, and a
// binary says for all of its kernels what it needs. So one with such sums has
// another one behind it, in which each is a loop round a compare-exchange; the
// run time takes what fits the device.

#include "chi/Target/SPIRV/Binary.h"

using namespace mlir;
using namespace chi;

namespace {
/// One sum: old = first; do { seen = exchange(old, old + value) } while (seen
/// != old, old = seen). As all loops it ends at its head (Loops.cpp).
class PlainSum {
public:
  explicit PlainSum(spirv::EXTAtomicFAddOp op)
      : op(op), b(op), loc(op.getLoc()), i32(b.getI32Type()),
        i1(b.getI1Type()) {}

  void lower();

private:
  Value makeWord();
  Value exchanged(Value word, Value old);
  Block *addBlock(spirv::LoopOp loop, ArrayRef<Type> types) {
    return b.createBlock(loop.getMergeBlock(), types,
                         SmallVector<Location>(types.size(), loc));
  }

  spirv::EXTAtomicFAddOp op;
  OpBuilder b;
  Location loc;
  Type i32, i1;
};
} // namespace

/// The element as bits.
Value PlainSum::makeWord() {
  auto type =
      spirv::PointerType::get(i32, spirv::StorageClass::PhysicalStorageBuffer);
  return spirv::BitcastOp::create(b, loc, type, op.getPointer());
}

Value PlainSum::exchanged(Value word, Value old) {
  Type f32 = op.getType();
  Value before = spirv::BitcastOp::create(b, loc, f32, old);
  Value sum = spirv::FAddOp::create(b, loc, before, op.getValue());
  Value bits = spirv::BitcastOp::create(b, loc, i32, sum);
  return spirv::AtomicCompareExchangeOp::create(
      b, loc, i32, word, op.getMemoryScope(), op.getSemantics(),
      op.getSemantics(), bits, old);
}

void PlainSum::lower() {
  Value word = makeWord();
  auto aligned = spirv::MemoryAccessAttr::get(b.getContext(),
                                              spirv::MemoryAccess::Aligned);
  Value first =
      spirv::LoadOp::create(b, loc, word, aligned, b.getI32IntegerAttr(4));
  Value goesOn = spirv::ConstantOp::getOne(i1, loc, b);
  Value result = spirv::VariableOp::create(
      b, loc, spirv::PointerType::get(i32, spirv::StorageClass::Function),
      spirv::StorageClass::Function, nullptr);
  auto loop = spirv::LoopOp::create(b, loc, spirv::LoopControl::None);
  loop.addEntryAndMergeBlock(b);
  Block *merge = loop.getMergeBlock();
  Block *head = addBlock(loop, {i1, i32}), *body = addBlock(loop, {}),
        *again = addBlock(loop, {i1, i32});
  b.setInsertionPointToEnd(loop.getEntryBlock());
  spirv::BranchOp::create(b, loc, head, ValueRange{goesOn, first});
  Value old = head->getArgument(1);
  b.setInsertionPointToEnd(head);
  spirv::StoreOp::create(b, loc, result, old);
  spirv::BranchConditionalOp::create(b, loc, head->getArgument(0), body,
                                     ValueRange(), merge, ValueRange());
  b.setInsertionPointToEnd(body);
  Value seen = exchanged(word, old);
  Value lost = spirv::INotEqualOp::create(b, loc, seen, old);
  spirv::BranchOp::create(b, loc, again, ValueRange{lost, seen});
  b.setInsertionPointToEnd(again);
  spirv::BranchOp::create(b, loc, head, again->getArguments());
  b.setInsertionPointAfter(loop);
  Value bits = spirv::LoadOp::create(b, loc, result);
  Value value = spirv::BitcastOp::create(b, loc, op.getType(), bits);
  op.replaceAllUsesWith(value);
  op.erase();
}

OwningOpRef<spirv::ModuleOp>
chi::target::spv::withoutAtomicSums(spirv::ModuleOp module) {
  OwningOpRef<spirv::ModuleOp> plain = module.clone();
  SmallVector<spirv::EXTAtomicFAddOp> sums;
  plain->walk([&](spirv::EXTAtomicFAddOp op) { sums.push_back(op); });
  for (spirv::EXTAtomicFAddOp op : sums)
    PlainSum(op).lower();
  spirv::VerCapExtAttr needs = *plain->getVceTriple();
  SmallVector<spirv::Capability> capabilities(needs.getCapabilities());
  llvm::erase(capabilities, spirv::Capability::AtomicFloat32AddEXT);
  SmallVector<spirv::Extension> extensions(needs.getExtensions());
  llvm::erase(extensions, spirv::Extension::SPV_EXT_shader_atomic_float_add);
  plain->setVceTripleAttr(spirv::VerCapExtAttr::get(
      needs.getVersion(), capabilities, extensions, module.getContext()));
  return plain;
}
