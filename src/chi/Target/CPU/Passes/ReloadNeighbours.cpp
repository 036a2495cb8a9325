//===- ReloadNeighbours.cpp - Reloads neighbours --------------------------===//
// Note [Neighbours]
// A scalar loop over `a[i - 1] + a[i] + a[i + 1]` is best with one load and two
// values that are carried from iteration to iteration, and LLVM rewrites it so
// before it vectorises. Vectors then assemble their neighbours from two
// registers, by one or two shuffles across lanes each where a load at another
// address takes half a cycle, and the remainder of a row is executed by a
// scalar loop, since the vectoriser makes no second, narrower loop where values
// are carried. So such values are loaded again: the element was read in the
// iteration before, and nothing in the loop writes it.
//===----------------------------------------------------------------------===//

#include "chi/Target/CPU/Passes/ReloadNeighbours.h"
#include "chi/Target/CPU/Passes/KeepBlocks.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

/// Instructions that compute an address.
static constexpr unsigned kMaxAddress = 8;

namespace {
/// The carried values of one loop of one block.
class Reloader {
public:
  Reloader(Loop &loop, ScalarEvolution &scev, AAResults &aliases)
      : loop(loop), block(*loop.getHeader()), scev(scev), aliases(aliases) {}
  bool run();

private:
  LoadInst *neighbourOf(PHINode &phi);
  bool isAddressOf(LoadInst &first, LoadInst &next, int64_t step);
  bool isWritten(LoadInst &load);
  Value *cloneAddress(Value *value, IRBuilder<> &b, unsigned &budget);
  bool reload(PHINode &phi, LoadInst &next);

  Loop &loop;
  BasicBlock &block;
  ScalarEvolution &scev;
  AAResults &aliases;
  DenseMap<Value *, Value *> clones; ///< of what addresses are computed from
};
} // namespace

/// Bytes from the address of one iteration to that of the next; 0: not
/// constant.
static int64_t stepOf(const SCEV *address, const Loop &loop,
                      ScalarEvolution &scev) {
  auto *sum = dyn_cast<SCEVAddRecExpr>(address);
  if (!sum || sum->getLoop() != &loop || !sum->isAffine())
    return 0;
  auto *step = dyn_cast<SCEVConstant>(sum->getStepRecurrence(scev));
  return step && step->getAPInt().getSignificantBits() <= 32
             ? step->getAPInt().getSExtValue()
             : 0;
}

bool Reloader::isAddressOf(LoadInst &first, LoadInst &next, int64_t step) {
  auto *row = cast<SCEVAddRecExpr>(scev.getSCEV(next.getPointerOperand()));
  const SCEV *at = scev.getSCEV(first.getPointerOperand());
  auto *apart = dyn_cast<SCEVConstant>(scev.getMinusSCEV(row->getStart(), at));
  return apart && apart->getAPInt().getSExtValue() == step;
}

bool Reloader::isWritten(LoadInst &load) {
  MemoryLocation row = MemoryLocation::getBeforeOrAfter(
      load.getPointerOperand(), load.getAAMetadata());
  return any_of(block, [&](Instruction &inst) {
    return inst.mayWriteToMemory() &&
           isModSet(aliases.getModRefInfo(&inst, row));
  });
}

/// The load whose previous value a phi holds; null: none is known.
LoadInst *Reloader::neighbourOf(PHINode &phi) {
  BasicBlock *before = loop.getLoopPreheader();
  auto *first = dyn_cast<LoadInst>(phi.getIncomingValueForBlock(before));
  auto *next = dyn_cast<LoadInst>(phi.getIncomingValueForBlock(&block));
  if (!first || !next || !first->isSimple() || !next->isSimple() ||
      first->getParent() != before || next->getParent() != &block)
    return nullptr;
  for (Instruction &inst : make_range(first->getIterator(), before->end()))
    if (inst.mayWriteToMemory())
      return nullptr;
  int64_t size =
      block.getDataLayout().getTypeStoreSize(phi.getType()).getFixedValue();
  int64_t step = stepOf(scev.getSCEV(next->getPointerOperand()), loop, scev);
  if (std::abs(step) != size || !isAddressOf(*first, *next, step) ||
      isWritten(*next))
    return nullptr;
  return next;
}

/// An address for the beginning of the loop; null if it is not simple.
Value *Reloader::cloneAddress(Value *value, IRBuilder<> &b, unsigned &budget) {
  auto *inst = dyn_cast<Instruction>(value);
  if (!inst || inst->getParent() != &block || isa<PHINode>(inst))
    return value;
  if (Value *clone = clones.lookup(inst))
    return clone;
  if (!isa<GetElementPtrInst, BinaryOperator, CastInst>(inst) ||
      !isSafeToSpeculativelyExecute(inst) || budget-- == 0)
    return nullptr;
  SmallVector<Value *, 4> operands;
  for (Value *operand : inst->operands()) {
    operands.push_back(cloneAddress(operand, b, budget));
    if (!operands.back())
      return nullptr;
  }
  Instruction *clone = b.Insert(inst->clone());
  for (auto [k, operand] : enumerate(operands))
    clone->setOperand(k, operand);
  return clones[inst] = clone;
}

bool Reloader::reload(PHINode &phi, LoadInst &next) {
  IRBuilder<> b(&block, block.getFirstInsertionPt());
  // After the clone of another value.
  while (any_of(
      clones, [&](auto &each) { return each.second == &*b.GetInsertPoint(); }))
    b.SetInsertPoint(std::next(b.GetInsertPoint()));
  unsigned budget = kMaxAddress;
  Value *address = cloneAddress(next.getPointerOperand(), b, budget);
  if (!address)
    return false;
  int64_t step = stepOf(scev.getSCEV(next.getPointerOperand()), loop, scev);
  Value *before = b.CreateGEP(b.getInt8Ty(), address, b.getInt64(-step));
  Align align = commonAlignment(next.getAlign(), std::abs(step));
  LoadInst *again = b.CreateAlignedLoad(phi.getType(), before, align);
  again->setAAMetadata(next.getAAMetadata());
  again->copyMetadata(next, {LLVMContext::MD_access_group});
  clones[before] = before;
  clones[again] = again;
  Value *first = phi.getIncomingValueForBlock(loop.getLoopPreheader());
  scev.forgetValue(&phi);
  phi.replaceAllUsesWith(again);
  phi.eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructions(first);
  return true;
}

bool Reloader::run() {
  bool isChanged = false;
  // The value of two iterations ago is that of the previous iteration, if that
  // is loaded.
  for (bool goesOn = true; goesOn;) {
    goesOn = false;
    for (PHINode &phi : make_early_inc_range(block.phis()))
      if (LoadInst *next = neighbourOf(phi))
        goesOn |= reload(phi, *next);
    isChanged |= goesOn;
  }
  return isChanged;
}

/// Each instruction runs in each iteration: the operands of an address in the
/// middle can be computed at the beginning.
static bool isSimple(const Loop &loop) {
  return loop.getNumBlocks() == 1 && loop.getLoopPreheader() &&
         all_of(*loop.getHeader(), [](Instruction &inst) {
           return isGuaranteedToTransferExecutionToSuccessor(&inst);
         });
}

PreservedAnalyses chi::target::cpu::passes::ReloadNeighboursPass::run(
    Function &function, FunctionAnalysisManager &manager) {
  auto &loops = manager.getResult<LoopAnalysis>(function);
  if (loops.empty())
    return PreservedAnalyses::all();
  auto &scev = manager.getResult<ScalarEvolutionAnalysis>(function);
  auto &aliases = manager.getResult<AAManager>(function);
  bool isChanged = false;
  for (Loop *loop : loops.getLoopsInPreorder())
    if (loop->isInnermost() && isSimple(*loop))
      isChanged |= Reloader(*loop, scev, aliases).run();
  return keepBlocks(isChanged);
}
