//===- ElideCopies.cpp - Arrays are made where they stay ------------------===//
// IRGen makes the value of an array in one local array and copies it to the
// variable. Where the first one is not looked at again, both are one. An array
// is zeroed where it is made; zeros that are set next do nothing.
#include "chi/Transforms/Outline/TripCount.h"
#include "chi/Transforms/Scalar/Passes.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

namespace chi::scalar {
#define GEN_PASS_DEF_ELIDECOPIESPASS
#include "chi/Transforms/Scalar/Passes.h.inc"
} // namespace chi::scalar

using namespace mlir;
using namespace chi;
using namespace chi::scalar;
using namespace chi::outline;

/// Does the loop go over the elements of an array of this type?
static bool goesOver(scf::ForOp loop, ir::LocalType type) {
  auto from = constantInt(loop.getLowerBound());
  auto to = constantInt(loop.getUpperBound());
  auto step = constantInt(loop.getStep());
  return from && to && step && from->isZero() && step->isOne() &&
         type.getShape().size() == 1 && !to->isNegative() &&
         to->getZExtValue() == uint64_t(type.getNumElements()) &&
         loop.getInitArgs().empty();
}

static bool isAt(ValueRange indices, Value index) {
  return indices.size() == 1 && indices.front() == index;
}

/// The one set of a loop whose other effects on memory are only gets of the
/// elements that it sets.
static ir::SetOp onlySet(scf::ForOp loop) {
  ir::SetOp only;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (auto set = dyn_cast<ir::SetOp>(op)) {
      if (only || !isAt(set.getIndices(), loop.getInductionVar()))
        return {};
      only = set;
    } else if (op.getNumRegions() != 0 ||
               (!isa<ir::GetOp>(op) && !isMemoryEffectFree(&op))) {
      return {};
    }
  }
  return only;
}

/// Is it `for k in all: to[k] = from[k]`? Then `from`.
static ir::GetOp copiedIn(scf::ForOp loop) {
  ir::SetOp set = onlySet(loop);
  auto get = set ? set.getValue().getDefiningOp<ir::GetOp>() : ir::GetOp();
  if (!get || !get->hasOneUse() || get->getBlock() != loop.getBody() ||
      !isAt(get.getIndices(), loop.getInductionVar()) ||
      get.getSlot().getType() != set.getSlot().getType() ||
      get.getSlot() == set.getSlot() ||
      !goesOver(loop, cast<ir::LocalType>(get.getSlot().getType())))
    return {};
  bool isAlone = llvm::hasSingleElement(loop.getBody()->getOps<ir::GetOp>());
  return isAlone ? get : ir::GetOp();
}

/// The operations of a block in which `slot` is used, in their order; nothing
/// if it is used elsewhere too.
static std::optional<SmallVector<Operation *>> usesIn(Block *block,
                                                      Value slot) {
  llvm::SetVector<Operation *> found;
  for (Operation *user : slot.getUsers()) {
    Operation *at = block->findAncestorOpInBlock(*user);
    if (!at)
      return std::nullopt;
    found.insert(at);
  }
  SmallVector<Operation *> uses = found.takeVector();
  llvm::sort(uses, [](auto *a, auto *b) { return a->isBeforeInBlock(b); });
  return uses;
}

/// Does `op` set all elements, and look at none?
static bool setsAll(Operation *op, Value slot) {
  auto loop = dyn_cast<scf::ForOp>(op);
  if (!loop || !goesOver(loop, cast<ir::LocalType>(slot.getType())))
    return false;
  bool isSet = false;
  for (Operation *user : slot.getUsers()) {
    if (!loop->isProperAncestor(user))
      continue;
    auto set = dyn_cast<ir::SetOp>(user);
    if (!set || user->getBlock() != loop.getBody() ||
        !isAt(set.getIndices(), loop.getInductionVar()))
      return false;
    isSet = true;
  }
  return isSet;
}

/// Is nothing done with `slot` from `first` to before `last`, and is it there
/// already?
static bool isIdle(Value slot, Operation *first, Operation *last) {
  Block *block = first->getBlock();
  Operation *made = slot.getDefiningOp();
  Operation *around = made->getBlock()->findAncestorOpInBlock(*first);
  if (!around || (made != around && !made->isBeforeInBlock(around)))
    return false;
  return llvm::none_of(slot.getUsers(), [&](Operation *user) {
    Operation *at = block->findAncestorOpInBlock(*user);
    return at && !at->isBeforeInBlock(first) && at->isBeforeInBlock(last);
  });
}

/// Makes `from` and `to` of a copy one array, if no one could see it.
static void unite(scf::ForOp copy) {
  ir::GetOp get = copiedIn(copy);
  if (!get)
    return;
  Value from = get.getSlot(), to = onlySet(copy).getSlot();
  auto isArray = [](Value slot) { return slot.getDefiningOp<ir::LocalOp>(); };
  auto uses = usesIn(copy->getBlock(), from);
  if (!isArray(from) || !isArray(to) || !uses || uses->back() != copy ||
      uses->size() < 2 || !setsAll(uses->front(), from) ||
      !isIdle(to, uses->front(), copy))
    return;
  Operation *made = from.getDefiningOp();
  copy.erase();
  from.replaceAllUsesWith(to);
  made->erase();
}

static bool isZero(Value value) {
  return matchPattern(value, m_PosZeroFloat()) || matchPattern(value, m_Zero());
}

/// Does `op` only set zeros?
static bool setsZeros(Operation *op) {
  if (auto set = dyn_cast<ir::SetOp>(op))
    return isZero(set.getValue());
  auto loop = dyn_cast<scf::ForOp>(op);
  ir::SetOp set =
      loop && loop.getInitArgs().empty() ? onlySet(loop) : ir::SetOp();
  return set && isZero(set.getValue()) &&
         goesOver(loop, cast<ir::LocalType>(set.getSlot().getType()));
}

static void dropZeros(ir::LocalOp array) {
  auto uses = usesIn(array->getBlock(), array.getSlot());
  if (!uses || array.getSlot().getType().isScalar())
    return;
  for (Operation *op : *uses) {
    if (!setsZeros(op))
      return;
    op->erase();
  }
}

namespace {
struct ElideCopiesPass : scalar::impl::ElideCopiesPassBase<ElideCopiesPass> {
  void runOnOperation() override {
    for (auto task : getOperation().getOps<ir::TaskOp>()) {
      SmallVector<scf::ForOp> loops;
      task.walk([&](scf::ForOp loop) { loops.push_back(loop); });
      for (scf::ForOp loop : loops)
        unite(loop);
      SmallVector<ir::LocalOp> arrays;
      task.walk([&](ir::LocalOp local) { arrays.push_back(local); });
      for (ir::LocalOp array : arrays)
        dropZeros(array);
    }
  }
};
} // namespace
