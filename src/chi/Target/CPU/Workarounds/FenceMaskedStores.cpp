//===- FenceMaskedStores.cpp - Masked stores take ready values ------------===//
// Note [Truncating masked stores]
// With AVX-512 LLVM 22 joins a truncation and the masked store of its result.
// If exactly one lane of the mask is known to be on, it then makes the joined
// store a scalar one, of an element of the type before the truncation: up to
// seven bytes too many. The mask need not be a constant here. Code generation
// cuts long vectors in parts, so that a part of the mask may have one lane; it
// folds comparisons by bits that it knows; and it makes a masked store of a
// store of what was loaded from the same place and a select, or a shuffle that
// it takes for a select. Truncations also come up from shuffles and from logic
// on truncated values. So nothing is read from the mask or the value: code
// generation sees no value of such a store but a fence.
// docs/design/0062-truncating-masked-stores.md says when this can go.
//===----------------------------------------------------------------------===//

#include "chi/Target/CPU/Workarounds/FenceMaskedStores.h"
#include "chi/Target/CPU/Passes/KeepBlocks.h"
#include "chi/Target/CPU/Workarounds/WorksAround.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;
using chi::target::cpu::workarounds::FenceMaskedStoresPass;

CHI_WORKS_AROUND_LLVM(22);

/// Can elements of this type be the result of a truncation?
static bool isNarrow(Type *element) {
  unsigned bits = element->getScalarSizeInBits();
  return (bits == 8 || bits == 16 || bits == 32) && !element->isFloatTy();
}

static const Value *withoutCasts(const Value *value) {
  while (auto *cast = dyn_cast<BitCastInst>(value))
    value = cast->getOperand(0);
  return value;
}

/// Is the value loaded from where the store writes?
static bool isLoadedFrom(const Value *value, const StoreInst &store) {
  auto *load = dyn_cast<LoadInst>(withoutCasts(value));
  return load && load->getPointerOperand() == store.getPointerOperand();
}

/// Does the store leave elements as they are, chosen by a select or a shuffle?
static bool keepsElements(const StoreInst &store) {
  const Value *value = withoutCasts(store.getValueOperand());
  if (auto *select = dyn_cast<SelectInst>(value))
    return isLoadedFrom(select->getTrueValue(), store) ||
           isLoadedFrom(select->getFalseValue(), store);
  if (auto *shuffle = dyn_cast<ShuffleVectorInst>(value))
    return isLoadedFrom(shuffle->getOperand(0), store) ||
           isLoadedFrom(shuffle->getOperand(1), store);
  return false;
}

/// The value operand of a store that is or may become a masked one; null for
/// other instructions.
static Use *maskedValue(Instruction &inst) {
  if (auto *call = dyn_cast<IntrinsicInst>(&inst))
    return call->getIntrinsicID() == Intrinsic::masked_store
               ? &call->getArgOperandUse(0)
               : nullptr;
  auto *store = dyn_cast<StoreInst>(&inst);
  return store && store->isSimple() && keepsElements(*store)
             ? &store->getOperandUse(0)
             : nullptr;
}

/// Register-sized and of floats: the intrinsic requires floats, and whole
/// registers pass it without extra code.
static Value *fenced(Value *value, IRBuilder<> &builder) {
  auto *type = cast<FixedVectorType>(value->getType());
  unsigned bits = type->getScalarSizeInBits(), lanes = type->getNumElements();
  unsigned wide = std::max(unsigned(PowerOf2Ceil(lanes)), 128 / bits);
  SmallVector<int> widen(wide, -1), narrow(lanes);
  for (unsigned lane = 0; lane < lanes; ++lane)
    widen[lane] = narrow[lane] = int(lane);
  if (wide != lanes)
    value = builder.CreateShuffleVector(value, widen);
  Type *whole = value->getType();
  Type *floats = FixedVectorType::get(builder.getFloatTy(), wide * bits / 32);
  value = builder.CreateIntrinsic(Intrinsic::arithmetic_fence, {floats},
                                  {builder.CreateBitCast(value, floats)});
  value = builder.CreateBitCast(value, whole);
  return wide == lanes ? value : builder.CreateShuffleVector(value, narrow);
}

bool FenceMaskedStoresPass::isNeeded(const TargetMachine &machine) {
  return machine.getTargetTriple().isX86() &&
         machine.getMCSubtargetInfo()->checkFeatures("+avx512f");
}

PreservedAnalyses FenceMaskedStoresPass::run(Function &function,
                                             FunctionAnalysisManager &) {
  bool isChanged = false;
  for (Instruction &inst : instructions(function)) {
    Use *value = maskedValue(inst);
    if (!value || isa<Constant>(*value))
      continue;
    auto *type = dyn_cast<FixedVectorType>(value->get()->getType());
    if (!type || !isNarrow(type->getElementType()))
      continue;
    IRBuilder<> builder(&inst);
    value->set(fenced(*value, builder));
    isChanged = true;
  }
  return passes::keepBlocks(isChanged);
}
