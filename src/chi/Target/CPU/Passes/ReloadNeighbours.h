//===- ReloadNeighbours.h - Reloads neighbours ------------------*- C++ -*-===//
#ifndef CHI_TARGET_CPU_PASSES_RELOADNEIGHBOURS_H
#define CHI_TARGET_CPU_PASSES_RELOADNEIGHBOURS_H

#include "llvm/IR/PassManager.h"

namespace chi::target::cpu::passes {

/// Loads `a[i - 1]` in each iteration of a row where LLVM's elimination of
/// partial redundancies keeps what the iteration before has loaded as `a[i]`
/// (Note [Neighbours]). To run right before the vectorisers.
class ReloadNeighboursPass : public llvm::PassInfoMixin<ReloadNeighboursPass> {
public:
  /// Looks at innermost loops of one block without exits in its middle. Blocks
  /// and branches stay, and so do the analyses of them.
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &manager);
};

} // namespace chi::target::cpu::passes
#endif // CHI_TARGET_CPU_PASSES_RELOADNEIGHBOURS_H
