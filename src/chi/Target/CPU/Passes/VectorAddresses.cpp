//===- VectorAddresses.cpp - Indices of gathers are vectors ---------------===//
// Note [Vector addresses]
// Where a processor has no fast gathers the vectoriser of LLVM 22 loads lane by
// lane, and computes all that leads to the address lane by lane as well
// (`setCostBasedWideningDecision`), to save the extraction of addresses: right
// for `a[3 * i]` and `a[b[i]]`, but an interpolation has floors, casts and
// clamps there, and the SLP vectoriser puts only some of it together again.
// What it marks ends at a phi: so the block is split between an index that is
// made of floats and the address that is made of it, and the index is a phi of
// one value there, which the vectoriser removes.
//===----------------------------------------------------------------------===//

#include "chi/Target/CPU/Passes/VectorAddresses.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

/// Loads from which on indices are worth vectors of their own.
static constexpr unsigned kMinLoads = 4;

namespace {
/// The loads from addresses computed from floats, of one loop of one block.
class AddressSplitter {
public:
  AddressSplitter(BasicBlock &block, LoopInfo &loops)
      : block(block), loops(loops) {}
  bool run();

private:
  void findFloats();
  unsigned collectSteps();
  PHINode *hide(Instruction &index, Instruction &step);

  BasicBlock &block;
  LoopInfo &loops;
  DenseSet<Value *> ofFloats;    ///< what floats of the same iteration lead to
  DenseSet<Instruction *> steps; ///< from an index to an address
  DenseMap<Value *, PHINode *> hidden;
};
} // namespace

/// Masks of floats fit lanes of 32 bits: choices between wider integers take
/// more shuffles than lanes.
static bool isWideChoice(Instruction &inst) {
  return isa<SelectInst, CallInst>(inst) && inst.getType()->isIntegerTy() &&
         inst.getType()->getIntegerBitWidth() > 32;
}

/// A part of an addressing mode, or free with the extraction of a lane.
static bool isStep(Instruction &inst) {
  return isa<GetElementPtrInst, ZExtInst, SExtInst>(inst) ||
         (inst.getOpcode() == Instruction::Add &&
          isa<ConstantInt>(inst.getOperand(1)));
}

void AddressSplitter::findFloats() {
  for (Instruction &inst : block)
    if (!isa<PHINode, LoadInst>(inst) && !isWideChoice(inst) &&
        any_of(inst.operands(), [&](Use &use) {
          return use->getType()->isFloatingPointTy() || ofFloats.contains(use);
        }))
      ofFloats.insert(&inst);
}

/// Finds what makes addresses of indices. Returns for how many loads.
unsigned AddressSplitter::collectSteps() {
  unsigned loads = 0;
  SmallVector<Value *> open;
  for (Instruction &inst : block)
    if (auto *load = dyn_cast<LoadInst>(&inst);
        load && ofFloats.contains(load->getPointerOperand())) {
      open.push_back(load->getPointerOperand());
      ++loads;
    }
  while (!open.empty()) {
    Value *value = open.pop_back_val();
    if (auto *inst = dyn_cast<Instruction>(value);
        inst && ofFloats.contains(inst) && isStep(*inst) &&
        steps.insert(inst).second)
      append_range(open, inst->operands());
  }
  return loads;
}

/// Lets the steps use indices by way of phis.
bool AddressSplitter::run() {
  findFloats();
  if (collectSteps() < kMinLoads)
    return false;
  SmallVector<Instruction *> inOrder;
  for (Instruction &inst : block)
    if (steps.contains(&inst))
      inOrder.push_back(&inst);
  for (Instruction *step : inOrder)
    for (Use &use : step->operands())
      if (auto *index = dyn_cast<Instruction>(use);
          index && index->getType()->isIntegerTy() &&
          ofFloats.contains(index) && !steps.contains(index))
        use.set(hide(*index, *step));
  return !hidden.empty();
}

/// The value of `index` as a phi before `step`.
PHINode *AddressSplitter::hide(Instruction &index, Instruction &step) {
  PHINode *&phi = hidden[&index];
  if (phi)
    return phi;
  if (index.getParent() == step.getParent())
    SplitBlock(step.getParent(), step.getIterator(),
               static_cast<DominatorTree *>(nullptr), &loops);
  BasicBlock *last = step.getParent();
  phi = PHINode::Create(index.getType(), 1, "", last->begin());
  phi->addIncoming(&index, last->getSinglePredecessor());
  return phi;
}

PreservedAnalyses chi::target::cpu::passes::VectorAddressesPass::run(
    Function &function, FunctionAnalysisManager &manager) {
  auto &loops = manager.getResult<LoopAnalysis>(function);
  auto &target = manager.getResult<TargetIRAnalysis>(function);
  if (loops.empty() || target.prefersVectorizedAddressing())
    return PreservedAnalyses::all();
  bool isChanged = false;
  for (Loop *loop : loops.getLoopsInPreorder())
    if (loop->isInnermost() && loop->getNumBlocks() == 1)
      isChanged |= AddressSplitter(*loop->getHeader(), loops).run();
  return isChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
