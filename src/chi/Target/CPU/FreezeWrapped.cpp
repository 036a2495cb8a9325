//===- FreezeWrapped.cpp - No wrapped index is widened as a row -----------===//
// Note [Wrapped indices]
// The vectoriser may assume that a recurrence does not wrap and test the
// assumption before the loop. `SCEVWrapPredicate::implies` of LLVM 22.1 holds
// that an assumption on a wide recurrence ({63,+,1} of i32) makes the same one
// on a narrow recurrence ({63,+,1} of i6) redundant, so the test of the narrow
// one, the only one that can fail, is left out, and `a[(i + 63) & 63]` is
// loaded as a row. Where only one width occurs the assumptions are sound: a
// recurrence of 32 bits, Chi's usual loop variable, stays visible, and every
// other one is hidden. docs/design/0011-wrapped-indices.md says when this can
// go.
//===----------------------------------------------------------------------===//

#include "chi/Target/CPU/FreezeWrapped.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

/// The one width whose wrapping the vectoriser may assume away.
static constexpr unsigned kAssumedWidth = 32;

/// An extension of a recurrence of `loop` that may wrap in its narrow type.
static bool isWrapped(const SCEV *value, const Loop &loop) {
  return SCEVExprContains(value, [&](const SCEV *part) {
    if (!isa<SCEVZeroExtendExpr, SCEVSignExtendExpr>(part))
      return false;
    const SCEV *narrow = cast<SCEVCastExpr>(part)->getOperand();
    if (narrow->getType()->getScalarSizeInBits() == kAssumedWidth)
      return false;
    return SCEVExprContains(narrow, [&](const SCEV *inner) {
      auto *recurrence = dyn_cast<SCEVAddRecExpr>(inner);
      return recurrence && recurrence->getLoop() == &loop;
    });
  });
}

static bool isWrapped(Value *value, const Loop &loop, ScalarEvolution &scev) {
  return value->getType()->isIntegerTy() &&
         isWrapped(scev.getSCEV(value), loop);
}

/// A counter that is cut to a narrow type and extended in each turn is also
/// made a recurrence by assumptions.
static Instruction *cutCounter(PHINode &phi, const Loop &loop,
                               ScalarEvolution &scev) {
  if (!phi.getType()->isIntegerTy() || !loop.getLoopLatch())
    return nullptr;
  auto *symbol = dyn_cast<SCEVUnknown>(scev.getSCEV(&phi));
  if (!symbol || !scev.createAddRecFromPHIWithCasts(symbol))
    return nullptr;
  return dyn_cast<Instruction>(
      phi.getIncomingValueForBlock(loop.getLoopLatch()));
}

/// The instructions where a wrapped value comes up; what is computed from it
/// is hidden with it.
static SmallVector<Instruction *> findWrapped(const Loop &loop,
                                              ScalarEvolution &scev) {
  SmallVector<Instruction *> found;
  for (PHINode &phi : loop.getHeader()->phis())
    if (Instruction *update = cutCounter(phi, loop, scev))
      found.push_back(update);
  for (BasicBlock *block : loop.blocks())
    for (Instruction &inst : *block)
      if (isWrapped(&inst, loop, scev) &&
          none_of(inst.operands(),
                  [&](Value *of) { return isWrapped(of, loop, scev); }))
        found.push_back(&inst);
  return found;
}

static bool freeze(Instruction *inst) {
  std::optional<BasicBlock::iterator> after = inst->getInsertionPointAfterDef();
  if (!after)
    return false;
  IRBuilder<> builder(inst->getParent(), *after);
  auto *hidden = cast<Instruction>(builder.CreateFreeze(inst, "wrapped"));
  inst->replaceUsesWithIf(hidden,
                          [&](Use &use) { return use.getUser() != hidden; });
  return true;
}

PreservedAnalyses
chi::target::cpu::FreezeWrappedPass::run(Function &function,
                                         FunctionAnalysisManager &manager) {
  auto &loops = manager.getResult<LoopAnalysis>(function);
  if (loops.empty())
    return PreservedAnalyses::all();
  auto &scev = manager.getResult<ScalarEvolutionAnalysis>(function);
  SetVector<Instruction *> wrapped;
  for (Loop *loop : loops.getLoopsInPreorder())
    if (loop->isInnermost())
      wrapped.insert_range(findWrapped(*loop, scev));
  bool isChanged = false;
  for (Instruction *inst : wrapped)
    isChanged |= freeze(inst);
  if (!isChanged)
    return PreservedAnalyses::all();
  PreservedAnalyses kept;
  kept.preserveSet<CFGAnalyses>();
  return kept;
}
