//===- PairGathers.h - Neighbours are gathered together ---------*- C++ -*-===//
#ifndef CHI_TARGET_CPU_PASSES_PAIRGATHERS_H
#define CHI_TARGET_CPU_PASSES_PAIRGATHERS_H

#include "llvm/IR/PassManager.h"

namespace chi::target::cpu::passes {

/// Two gathers of 32-bit elements that lie side by side (the components of a
/// vec2, say) become one of 64-bit elements and two shuffles. A gather costs
/// what its elements cost, whatever their size. To run after the vectorisers.
class PairGathersPass : public llvm::PassInfoMixin<PairGathersPass> {
public:
  /// Pairs gathers within one block. Changes nothing on big-endian processors.
  /// Blocks and branches stay, and so do the analyses of them.
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &manager);
};

} // namespace chi::target::cpu::passes
#endif // CHI_TARGET_CPU_PASSES_PAIRGATHERS_H
