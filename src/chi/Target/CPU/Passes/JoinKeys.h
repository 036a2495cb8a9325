//===- JoinKeys.h - Small keys are loaded as one word -----------*- C++ -*-===//
#ifndef CHI_TARGET_CPU_PASSES_JOINKEYS_H
#define CHI_TARGET_CPU_PASSES_JOINKEYS_H

#include "llvm/IR/PassManager.h"

namespace chi::target::cpu::passes {

/// Loads of neighbouring bytes or 16-bit integers that are used as indices only
/// become one load of 32 bits. A loop of `table[key[i]] += n` waits for the
/// units that compute addresses, above all where two threads share a core. Run
/// it after LLVM has unrolled loops.
class JoinKeysPass : public llvm::PassInfoMixin<JoinKeysPass> {
public:
  /// Joins loads within one block. Changes nothing on big-endian processors.
  /// Blocks and branches stay, and so do the analyses of them.
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &manager);
};

} // namespace chi::target::cpu::passes
#endif // CHI_TARGET_CPU_PASSES_JOINKEYS_H
