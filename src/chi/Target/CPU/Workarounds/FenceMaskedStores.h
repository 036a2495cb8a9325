//===- FenceMaskedStores.h - Masked stores take ready values ----*- C++ -*-===//
#ifndef CHI_TARGET_CPU_WORKAROUNDS_FENCEMASKEDSTORES_H
#define CHI_TARGET_CPU_WORKAROUNDS_FENCEMASKEDSTORES_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class TargetMachine;
}

namespace chi::target::cpu::workarounds {

/// Puts an `llvm.arithmetic.fence` (no code) between the value of a masked
/// store and what computes it, and likewise before stores that code generation
/// can make masked ones (Note [Truncating masked stores]). To run behind all
/// passes that make such stores.
///
/// Upstream: llvm-project 179489, fixed by 179853 (February 2026) after
/// 22.1. Tested by `MaskedStoresRunTest` without its call of the pass.
class FenceMaskedStoresPass
    : public llvm::PassInfoMixin<FenceMaskedStoresPass> {
public:
  /// Does code generation for this machine join truncations with masked stores?
  static bool isNeeded(const llvm::TargetMachine &machine);

  /// Changes nothing where the value is constant or no vector of narrow
  /// elements. Blocks and branches stay, and so do the analyses of them.
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &manager);
};

} // namespace chi::target::cpu::workarounds
#endif // CHI_TARGET_CPU_WORKAROUNDS_FENCEMASKEDSTORES_H
