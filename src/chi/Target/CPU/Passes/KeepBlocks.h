//===- KeepBlocks.h - What a pass inside of blocks preserves ----*- C++ -*-===//
#ifndef CHI_TARGET_CPU_PASSES_KEEPBLOCKS_H
#define CHI_TARGET_CPU_PASSES_KEEPBLOCKS_H

#include "llvm/IR/PassManager.h"

namespace chi::target::cpu::passes {

/// The result of a pass that changed instructions, or nothing, and no branch.
inline llvm::PreservedAnalyses keepBlocks(bool isChanged) {
  if (!isChanged)
    return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

} // namespace chi::target::cpu::passes
#endif // CHI_TARGET_CPU_PASSES_KEEPBLOCKS_H
