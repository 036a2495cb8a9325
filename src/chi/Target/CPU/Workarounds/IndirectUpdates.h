//===- IndirectUpdates.h - Sums at indices stay in order --------*- C++ -*-===//
#ifndef CHI_TARGET_CPU_WORKAROUNDS_INDIRECTUPDATES_H
#define CHI_TARGET_CPU_WORKAROUNDS_INDIRECTUPDATES_H

#include "llvm/IR/PassManager.h"

namespace chi::target::cpu::workarounds {

/// Loops with many accesses that write memory at a place which is no function
/// of the loop's counter, and access that memory once more, are told not to be
/// vectorised: LLVM's vectoriser would forget about that place in some of them.
/// To run before it.
///
/// Upstream: none is known. Tested by `test/EndToEnd/counted-rows.chi`.
class IndirectUpdatesPass : public llvm::PassInfoMixin<IndirectUpdatesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &manager);
};

} // namespace chi::target::cpu::workarounds
#endif // CHI_TARGET_CPU_WORKAROUNDS_INDIRECTUPDATES_H
