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

#include "chi/Target/CPU/Workarounds/FreezeWrapped.h"
#include "chi/Target/CPU/Passes/KeepBlocks.h"
#include "chi/Target/CPU/Workarounds/WorksAround.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

CHI_WORKS_AROUND_LLVM(22);

/// The one width whose wrapping the vectoriser may assume away.
static constexpr unsigned kAssumedWidth = 32;

namespace {
/// The expressions of one loop; each is visited once, since a long block has as
/// many expressions as parts of the last one.
class LoopExprs {
public:
  LoopExprs(const Loop &loop, ScalarEvolution &scev) : loop(loop), scev(scev) {}

  /// Whether the value holds an extension of a recurrence of the loop that may
  /// wrap in its narrow type.
  bool isWrapped(Value *value) {
    return value->getType()->isIntegerTy() &&
           factsOf(scev.getSCEV(value)).isWrapped;
  }

private:
  struct Facts {
    bool hasRecurrence = false, isWrapped = false;
  };
  Facts factsOf(const SCEV *root);
  Facts fromOperands(const SCEV *expr) const;

  const Loop &loop;
  ScalarEvolution &scev;
  DenseMap<const SCEV *, Facts> known;
};
} // namespace

/// Expressions may be nested too deeply to call oneself.
LoopExprs::Facts LoopExprs::factsOf(const SCEV *root) {
  SmallVector<const SCEV *> open{root};
  while (!open.empty()) {
    const SCEV *expr = open.back();
    size_t depth = open.size();
    if (!known.contains(expr))
      for (const SCEV *part : expr->operands())
        if (!known.contains(part))
          open.push_back(part);
    if (open.size() > depth)
      continue;
    known.try_emplace(expr, fromOperands(expr));
    open.pop_back();
  }
  return known.lookup(root);
}

LoopExprs::Facts LoopExprs::fromOperands(const SCEV *expr) const {
  Facts facts;
  for (const SCEV *part : expr->operands()) {
    Facts of = known.lookup(part);
    facts.hasRecurrence |= of.hasRecurrence;
    facts.isWrapped |= of.isWrapped;
  }
  if (auto *recurrence = dyn_cast<SCEVAddRecExpr>(expr))
    facts.hasRecurrence |= recurrence->getLoop() == &loop;
  if (isa<SCEVZeroExtendExpr, SCEVSignExtendExpr>(expr) &&
      expr->operands()[0]->getType()->getScalarSizeInBits() != kAssumedWidth)
    facts.isWrapped |= facts.hasRecurrence;
  return facts;
}

/// A counter that is truncated to a narrow type and extended in each iteration
/// also becomes a recurrence by assumptions.
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

/// The instructions that compute a wrapped value; values computed from it are
/// hidden with it.
static SmallVector<Instruction *> findWrapped(const Loop &loop,
                                              ScalarEvolution &scev) {
  SmallVector<Instruction *> found;
  for (PHINode &phi : loop.getHeader()->phis())
    if (Instruction *update = cutCounter(phi, loop, scev))
      found.push_back(update);
  LoopExprs exprs(loop, scev);
  for (BasicBlock *block : loop.blocks())
    for (Instruction &inst : *block)
      if (exprs.isWrapped(&inst) && none_of(inst.operands(), [&](Value *of) {
            return exprs.isWrapped(of);
          }))
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

PreservedAnalyses chi::target::cpu::workarounds::FreezeWrappedPass::run(
    Function &function, FunctionAnalysisManager &manager) {
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
  return passes::keepBlocks(isChanged);
}
