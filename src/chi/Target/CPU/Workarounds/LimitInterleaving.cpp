//===- LimitInterleaving.cpp - Deep expressions stay single ---------------===//
// Note [Paths through expressions]
// `isUniformAcrossVFsAndUFs` of LLVM 22, which `unrollByUF` asks for each value
// of an interleaved loop, calls itself for all operands and remembers nothing:
// its time is that of all paths from the value to the ends of its expression,
// and grows exponentially with the depth of what is computed of functions of
// functions (each of which uses its argument some twenty times). Nothing so
// large gains by interleaving, so such a loop is said to have a count of 1.
//===----------------------------------------------------------------------===//

#include "chi/Target/CPU/Workarounds/LimitInterleaving.h"
#include "chi/Target/CPU/Workarounds/WorksAround.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

CHI_WORKS_AROUND_LLVM(22);

/// Some 10 ms.
static constexpr uint64_t kMostPaths = 100'000;

/// The paths from all values of an innermost loop, by the operands, to values
/// from outside of the loop.
static uint64_t pathsIn(Loop &loop, LoopInfo &info) {
  DenseMap<const Value *, uint64_t> paths;
  uint64_t all = 0;
  LoopBlocksRPO blocks(&loop);
  blocks.perform(&info);
  for (BasicBlock *block : blocks)
    for (Instruction &inst : *block) {
      uint64_t of = 1;
      // A value from the previous iteration is no part of the expression: it
      // has no number yet.
      for (const Use &operand : inst.operands())
        of = SaturatingAdd(of, paths.lookup(operand));
      paths[&inst] = of;
      all = SaturatingAdd(all, of);
    }
  return all;
}

PreservedAnalyses chi::target::cpu::workarounds::LimitInterleavingPass::run(
    Function &function, FunctionAnalysisManager &manager) {
  LoopInfo &info = manager.getResult<LoopAnalysis>(function);
  for (Loop *loop : info.getLoopsInPreorder())
    if (loop->isInnermost() && pathsIn(*loop, info) > kMostPaths)
      addStringMetadataToLoop(loop, "llvm.loop.interleave.count", 1);
  return PreservedAnalyses::all();
}
