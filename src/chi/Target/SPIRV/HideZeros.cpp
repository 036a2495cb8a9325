//===- HideZeros.cpp - Zeros that become factors, for a driver ------------===//
// Note [Products with a constant zero]
// Mesa's lavapipe takes a product with a constant zero to be that zero
// (lp_build_mul, seen in 22.3 and 25.0), also if the other factor is negative,
// infinite or NaN. ExpandForSPIRV replaces such products, but the driver finds
// more constants: in elements of local arrays, in the first iteration of a
// loop, in results of branches, in elements of fields that the kernel stores
// and loads again. It takes sums with them (lp_build_add) to be the other term,
// also if that is -0. So a zero that goes there is the number of the
// block along an axis that has one block, converted: a zero only at the launch.
//===----------------------------------------------------------------------===//

#include "chi/Target/SPIRV/Steps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace chi;
using namespace chi::target::spv;

static spirv::StorageClass storageOf(Value pointer) {
  return cast<spirv::PointerType>(pointer.getType()).getStorageClass();
}

/// Does the kernel load numbers of this type from fields?
static bool loads(spirv::FuncOp kernel, Type type) {
  return kernel
      .walk([&](spirv::LoadOp load) {
        return load.getType() == type &&
                       storageOf(load.getPtr()) ==
                           spirv::StorageClass::PhysicalStorageBuffer
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// May the driver find out what the operand is where it is used?
static bool movesConstants(spirv::FuncOp kernel, OpOperand &operand) {
  Operation *op = operand.getOwner();
  if (isa<spirv::BranchOp, spirv::BranchConditionalOp, spirv::SelectOp>(op))
    return true;
  auto store = dyn_cast<spirv::StoreOp>(op);
  if (!store)
    return false;
  spirv::StorageClass storage = storageOf(store.getPtr());
  return storage == spirv::StorageClass::Function ||
         (storage == spirv::StorageClass::PhysicalStorageBuffer &&
          loads(kernel, store.getValue().getType()));
}

static void hideZeros(spirv::FuncOp kernel) {
  spirv::LoadOp block = findBlock(kernel);
  if (!block)
    return;
  SmallVector<OpOperand *> zeros;
  kernel.walk([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands())
      if (isa<FloatType>(operand.get().getType()) &&
          matchPattern(operand.get(), m_AnyZeroFloat()) &&
          movesConstants(kernel, operand))
        zeros.push_back(&operand);
  });
  if (zeros.empty())
    return;
  // Local arrays may be filled before the kernel asks for its block.
  Block *entry = block->getBlock();
  block->moveBefore(entry, entry->begin());
  block.getPtr().getDefiningOp()->moveBefore(block);
  OpBuilder b(block->getContext());
  b.setInsertionPointAfter(block);
  Location loc = block.getLoc();
  Value number = spirv::CompositeExtractOp::create(b, loc, block, {1});
  DenseMap<Type, Value> positive, negative;
  for (OpOperand *zero : zeros) {
    Type type = zero->get().getType();
    Value &plus = positive[type];
    if (!plus)
      plus = spirv::ConvertUToFOp::create(b, loc, type, number);
    Value &minus = negative[type];
    if (!minus)
      minus = spirv::FNegateOp::create(b, loc, plus);
    zero->set(matchPattern(zero->get(), m_NegZeroFloat()) ? minus : plus);
  }
}

void chi::target::spv::hideZeros(ModuleOp module) {
  module.walk([](spirv::FuncOp kernel) { ::hideZeros(kernel); });
}
