//===- ExpandMinMax.h - min and max of scalars, written out -----*- C++ -*-===//
#ifndef CHI_TARGET_CPU_WORKAROUNDS_EXPANDMINMAX_H
#define CHI_TARGET_CPU_WORKAROUNDS_EXPANDMINMAX_H

#include "llvm/IR/PassManager.h"

namespace chi::target::cpu::workarounds {

/// Replaces `llvm.minimumnum` and `llvm.maximumnum` of scalars by comparisons
/// and selects (Note [Minimum beside NaN]). Run it after the vectorisers, which
/// know the intrinsics; those of vectors stay.
///
/// Upstream: llvm-project 217376 and 217420 (August 2026) fix the same
/// place for another NaN; none is known for this one. Tested by
/// `test/EndToEnd/signed-zeros.chi`, on a processor with AVX512DQ.
class ExpandMinMaxPass : public llvm::PassInfoMixin<ExpandMinMaxPass> {
public:
  /// Adds no blocks: the analyses of blocks and branches stay valid.
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &manager);
};

} // namespace chi::target::cpu::workarounds
#endif // CHI_TARGET_CPU_WORKAROUNDS_EXPANDMINMAX_H
