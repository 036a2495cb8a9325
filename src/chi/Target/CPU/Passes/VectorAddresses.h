//===- VectorAddresses.h - Indices of gathers are vectors -------*- C++ -*-===//
#ifndef CHI_TARGET_CPU_PASSES_VECTORADDRESSES_H
#define CHI_TARGET_CPU_PASSES_VECTORADDRESSES_H

#include "llvm/IR/PassManager.h"

namespace chi::target::cpu::passes {

/// Lets the vectoriser compute indices from floats in vectors on processors
/// whose gathers are loads one by one (Note [Vector addresses]). Run it right
/// before the vectorisers.
class VectorAddressesPass : public llvm::PassInfoMixin<VectorAddressesPass> {
public:
  /// Splits blocks of innermost loops of one block: if it changes anything, it
  /// preserves no analyses.
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &manager);
};

} // namespace chi::target::cpu::passes
#endif // CHI_TARGET_CPU_PASSES_VECTORADDRESSES_H
