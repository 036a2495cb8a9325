//===- PairGathers.cpp - Neighbours are gathered together -----------------===//

#include "chi/Target/CPU/Passes/PairGathers.h"
#include "chi/Target/CPU/Passes/KeepBlocks.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace {
/// Addresses of lanes: `base` (one pointer, or lanes of them) plus lanes of
/// `index` elements of `element`, plus bytes that all lanes share.
/// Values are followed when they are replaced: an index may be a gather.
struct Addresses {
  WeakTrackingVH base, index;
  Type *element = nullptr;
  int64_t bytes = 0;

  bool isNear(const Addresses &other) const {
    return base == other.base && index == other.index &&
           element == other.element;
  }
};

struct Gather {
  IntrinsicInst *call;
  Addresses addresses;
  WeakTrackingVH mask;
  Value *dead; ///< what lanes without a bit in the mask give, a constant
  MaybeAlign align;

  FixedVectorType *type() const {
    return cast<FixedVectorType>(call->getType());
  }
};
} // namespace

/// The integer that all lanes of a constant are.
static const ConstantInt *sameInteger(Value *value) {
  auto *constant = dyn_cast<Constant>(value);
  if (constant && constant->getType()->isVectorTy())
    constant = constant->getSplatValue();
  return dyn_cast_or_null<ConstantInt>(constant);
}

/// Takes steps of constant size off an address.
static Value *withoutSteps(Value *address, const DataLayout &layout,
                           int64_t &bytes) {
  while (auto *step = dyn_cast<GetElementPtrInst>(address)) {
    if (step->getNumIndices() != 1)
      break;
    const ConstantInt *count = sameInteger(step->getOperand(1));
    if (!count)
      break;
    bytes += count->getSExtValue() *
             int64_t(layout.getTypeAllocSize(step->getSourceElementType()));
    address = step->getPointerOperand();
  }
  return address;
}

static Addresses addressesOf(Value *address, const DataLayout &layout) {
  Addresses addresses;
  Value *base = withoutSteps(address, layout, addresses.bytes);
  addresses.base = base;
  auto *lanes = dyn_cast<GetElementPtrInst>(base);
  if (!lanes || lanes->getNumIndices() != 1 ||
      lanes->getPointerOperand()->getType()->isVectorTy())
    return addresses;
  addresses.index = lanes->getOperand(1);
  addresses.element = lanes->getSourceElementType();
  addresses.base =
      withoutSteps(lanes->getPointerOperand(), layout, addresses.bytes);
  return addresses;
}

static std::optional<Gather> gatherOf(Instruction &op,
                                      const DataLayout &layout) {
  auto *call = dyn_cast<IntrinsicInst>(&op);
  if (!call || call->getIntrinsicID() != Intrinsic::masked_gather)
    return std::nullopt;
  auto *type = dyn_cast<FixedVectorType>(call->getType());
  Value *dead = call->getArgOperand(2);
  bool isDull = isa<UndefValue>(dead) ||
                (isa<Constant>(dead) && cast<Constant>(dead)->isNullValue());
  if (!type || type->getScalarSizeInBits() != 32 ||
      type->getElementType()->isPointerTy() || !isDull)
    return std::nullopt;
  return Gather{call, addressesOf(call->getArgOperand(0), layout),
                call->getArgOperand(1), dead, call->getParamAlign(0)};
}

/// Replaces two gathers, the first of which comes first; `low` is the one at
/// the lower address.
static void join(const Gather &first, const Gather &low, const Gather &high) {
  IRBuilder<> b(first.call);
  unsigned lanes = low.type()->getNumElements();
  Value *address = first.call->getArgOperand(0);
  if (first.call != low.call)
    address = b.CreateGEP(b.getInt8Ty(), address, b.getInt64(-4));
  auto *words = FixedVectorType::get(b.getInt64Ty(), lanes);
  bool isPoison = isa<UndefValue>(low.dead) && isa<UndefValue>(high.dead);
  Value *dead = isPoison ? PoisonValue::get(words)
                         : static_cast<Value *>(Constant::getNullValue(words));
  Value *both = b.CreateMaskedGather(words, address, low.align.valueOrOne(),
                                     low.mask, dead);
  auto take = [&](const Gather &gather, unsigned start) {
    auto *type =
        FixedVectorType::get(gather.type()->getElementType(), 2 * lanes);
    Value *mixed = b.CreateBitCast(both, type);
    Value *part =
        b.CreateShuffleVector(mixed, createStrideMask(start, 2, lanes));
    part->takeName(gather.call);
    gather.call->replaceAllUsesWith(part);
  };
  take(low, 0);
  take(high, 1);
  low.call->eraseFromParent();
  high.call->eraseFromParent();
}

static bool areNeighbours(const Gather &low, const Gather &high) {
  return low.addresses.isNear(high.addresses) && low.mask == high.mask &&
         low.type()->getNumElements() == high.type()->getNumElements() &&
         high.addresses.bytes - low.addresses.bytes == 4;
}

/// Drops the gathers that `op` may write to: a later one may read something
/// else there.
static void forgetWritten(Instruction &op, SmallVectorImpl<Gather> &open,
                          AAResults &aliases) {
  if (!op.mayWriteToMemory())
    return;
  erase_if(open, [&](const Gather &gather) {
    Value *base = gather.addresses.base;
    return base->getType()->isVectorTy() ||
           isModSet(aliases.getModRefInfo(
               &op, MemoryLocation::getBeforeOrAfter(base)));
  });
}

static bool pairIn(BasicBlock &block, const DataLayout &layout,
                   AAResults &aliases) {
  bool isChanged = false;
  SmallVector<Gather> open;
  for (Instruction &op : make_early_inc_range(block)) {
    auto gather = gatherOf(op, layout);
    if (!gather) {
      forgetWritten(op, open, aliases);
      continue;
    }
    auto partner = find_if(open, [&](const Gather &other) {
      return areNeighbours(other, *gather) || areNeighbours(*gather, other);
    });
    if (partner == open.end()) {
      open.push_back(*gather);
      continue;
    }
    Gather first = *partner;
    open.erase(partner);
    if (areNeighbours(first, *gather))
      join(first, first, *gather);
    else
      join(first, *gather, first);
    isChanged = true;
  }
  return isChanged;
}

PreservedAnalyses chi::target::cpu::passes::PairGathersPass::run(
    Function &function, FunctionAnalysisManager &manager) {
  const DataLayout &layout = function.getDataLayout();
  // The position of a half in a word depends on the byte order.
  if (layout.isBigEndian())
    return PreservedAnalyses::all();
  AAResults &aliases = manager.getResult<AAManager>(function);
  bool isChanged = false;
  for (BasicBlock &block : function)
    isChanged |= pairIn(block, layout, aliases);
  return keepBlocks(isChanged);
}
