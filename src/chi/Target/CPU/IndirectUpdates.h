//===- IndirectUpdates.h - Sums at indices stay in order --------*- C++ -*-===//
#ifndef CHI_TARGET_CPU_INDIRECTUPDATES_H
#define CHI_TARGET_CPU_INDIRECTUPDATES_H

#include "llvm/IR/PassManager.h"

namespace chi::target::cpu {

/// Loops with many accesses that write memory at a place which is no function
/// of the loop's counter, and access that memory once more, are told not to be
/// vectorised: LLVM's vectoriser would forget about that place in some of them.
/// To run before it.
class IndirectUpdatesPass : public llvm::PassInfoMixin<IndirectUpdatesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &manager);
};

} // namespace chi::target::cpu
#endif // CHI_TARGET_CPU_INDIRECTUPDATES_H
