//===- IndirectUpdates.h - Sums at indices stay in order --------*- C++ -*-===//
#ifndef CHI_TARGET_CPU_WORKAROUNDS_INDIRECTUPDATES_H
#define CHI_TARGET_CPU_WORKAROUNDS_INDIRECTUPDATES_H

#include "llvm/IR/PassManager.h"

namespace chi::target::cpu::workarounds {

/// Disables the vectorisation of loops with many accesses that write memory at
/// a place which is no function of the loop's counter, and access that memory
/// once more: LLVM's vectoriser would ignore that place in some of them. Run it
/// before the vectoriser.
///
/// Upstream: none is known. Tested by `test/EndToEnd/counted-rows.chi`.
class IndirectUpdatesPass : public llvm::PassInfoMixin<IndirectUpdatesPass> {
public:
  /// Sets `llvm.loop.vectorize.enable` of innermost loops to false, except of
  /// those that are marked parallel. Preserves all analyses.
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &manager);
};

} // namespace chi::target::cpu::workarounds
#endif // CHI_TARGET_CPU_WORKAROUNDS_INDIRECTUPDATES_H
