//===- FreezeWrapped.h - No wrapped index is widened as a row ---*- C++ -*-===//
#ifndef CHI_TARGET_CPU_WORKAROUNDS_FREEZEWRAPPED_H
#define CHI_TARGET_CPU_WORKAROUNDS_FREEZEWRAPPED_H

#include "llvm/IR/PassManager.h"

namespace chi::target::cpu::workarounds {

/// Puts a `freeze` after each value of an innermost loop that scalar evolution
/// sees as a narrow recurrence, extended: `(i + d) & 63` is `zext i6 {d,+,1}`.
/// LLVM 22's vectoriser takes such a value for a stride, under an assumption
/// whose check it drops (Note [Wrapped indices]). Run it right before the
/// vectorisers; later passes remove the `freeze`.
///
/// Upstream: llvm-project 156849 and 191382, fixed on the main branch
/// after 22.1. Tested by `test/EndToEnd/wrapped-indices.test`.
class FreezeWrappedPass : public llvm::PassInfoMixin<FreezeWrappedPass> {
public:
  /// Adds no blocks: the analyses of blocks and branches stay valid.
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &manager);
};

} // namespace chi::target::cpu::workarounds
#endif // CHI_TARGET_CPU_WORKAROUNDS_FREEZEWRAPPED_H
