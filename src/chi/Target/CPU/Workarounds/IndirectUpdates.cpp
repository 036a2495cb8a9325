//===- IndirectUpdates.cpp - Sums at indices stay in order ----------------===//
// Note [Dependences that are not recorded]
// `MemoryDepChecker::areDepsSafe` of LLVM 22 ends at the first dependence that
// is not safe once it has met more than `-max-dependences`, which is 100. If
// that one is "unknown", run-time checks are made for the loop: they compare
// ranges, and no check is made for an access without a range that is alone with
// its memory (`bins[j % 5] += 1`). A complete analysis would have found there a
// dependence that no check makes safe. This pass disables the vectorisation of
// such loops.
//===----------------------------------------------------------------------===//

#include "chi/Target/CPU/Workarounds/IndirectUpdates.h"
#include "chi/Target/CPU/Workarounds/WorksAround.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

CHI_WORKS_AROUND_LLVM(22);

/// Fewer have at most 100 pairs, so that LLVM records all dependences.
static constexpr unsigned kFewestAccesses = 15;

namespace {
/// How a loop accesses one object.
struct Accesses {
  unsigned count = 0;
  bool isWritten = false, isIndirect = false;
};
} // namespace

/// Is the place no function of the loop's counter?
static bool isIndirect(const Value *pointer, const Loop &loop,
                       ScalarEvolution &evolution) {
  const SCEV *offset = evolution.getSCEV(const_cast<Value *>(pointer));
  const auto *steps = dyn_cast<SCEVAddRecExpr>(offset);
  return !(steps && steps->getLoop() == &loop && steps->isAffine()) &&
         !evolution.isLoopInvariant(offset, &loop);
}

static bool updatesIndirectly(const Loop &loop, ScalarEvolution &evolution) {
  SmallDenseMap<const Value *, Accesses> objects;
  unsigned count = 0;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &access : *block) {
      const Value *pointer = getLoadStorePointerOperand(&access);
      if (!pointer)
        continue;
      ++count;
      bool isIndirectly = isIndirect(pointer, loop, evolution);
      SmallVector<const Value *, 4> found;
      getUnderlyingObjects(pointer, found);
      for (const Value *object : found) {
        Accesses &accesses = objects[object];
        ++accesses.count;
        accesses.isWritten |= isa<StoreInst>(access);
        accesses.isIndirect |= isIndirectly;
      }
    }
  return count >= kFewestAccesses && any_of(objects, [](const auto &entry) {
           const Accesses &accesses = entry.second;
           return accesses.isWritten && accesses.isIndirect &&
                  accesses.count > 1;
         });
}

PreservedAnalyses chi::target::cpu::workarounds::IndirectUpdatesPass::run(
    Function &function, FunctionAnalysisManager &manager) {
  LoopInfo &info = manager.getResult<LoopAnalysis>(function);
  auto &evolution = manager.getResult<ScalarEvolutionAnalysis>(function);
  for (Loop *loop : info.getLoopsInPreorder())
    if (loop->isInnermost() && !loop->isAnnotatedParallel() &&
        updatesIndirectly(*loop, evolution))
      addStringMetadataToLoop(loop, "llvm.loop.vectorize.enable", 0);
  return PreservedAnalyses::all();
}
