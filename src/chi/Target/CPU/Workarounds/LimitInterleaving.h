//===- LimitInterleaving.h - Deep expressions stay single -------*- C++ -*-===//
#ifndef CHI_TARGET_CPU_WORKAROUNDS_LIMITINTERLEAVING_H
#define CHI_TARGET_CPU_WORKAROUNDS_LIMITINTERLEAVING_H

#include "llvm/IR/PassManager.h"

namespace chi::target::cpu::workarounds {

/// Disables the interleaving of loops whose expressions have very many paths
/// from a value to its operands: LLVM's vectoriser would follow all of these
/// paths. Run it before the vectoriser.
///
/// Upstream: none is known. Tested by `LimitInterleavingTest`, whose time
/// is exponential without it.
class LimitInterleavingPass
    : public llvm::PassInfoMixin<LimitInterleavingPass> {
public:
  /// Sets `llvm.loop.interleave.count` of such innermost loops to 1. Preserves
  /// all analyses.
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &manager);
};

} // namespace chi::target::cpu::workarounds
#endif // CHI_TARGET_CPU_WORKAROUNDS_LIMITINTERLEAVING_H
