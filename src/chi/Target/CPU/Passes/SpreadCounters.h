//===- SpreadCounters.h - Equal neighbours count apart ----------*- C++ -*-===//
#ifndef CHI_TARGET_CPU_PASSES_SPREADCOUNTERS_H
#define CHI_TARGET_CPU_PASSES_SPREADCOUNTERS_H

#include "llvm/IR/PassManager.h"

namespace chi::target::cpu::passes {

/// An unrolled loop of `table[key] += n` on integers, with few keys, uses four
/// or eight tables in turn: where neighbours have one key, each sum would wait
/// until the one before it is reloaded from memory. All tables except the
/// program's own are on the stack and are added after the loop; a loop of few
/// iterations has one as before. Run it after LLVM has unrolled loops.
class SpreadCountersPass : public llvm::PassInfoMixin<SpreadCountersPass> {
public:
  /// Looks at tables that are arguments of the function. Adds blocks: if it
  /// changes anything, it preserves no analyses.
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &manager);
};

} // namespace chi::target::cpu::passes
#endif // CHI_TARGET_CPU_PASSES_SPREADCOUNTERS_H
