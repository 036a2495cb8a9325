//===- VectorAddresses.h - Indices of gathers are vectors -------*- C++ -*-===//
#ifndef CHI_TARGET_CPU_VECTORADDRESSES_H
#define CHI_TARGET_CPU_VECTORADDRESSES_H

#include "llvm/IR/PassManager.h"

namespace chi::target::cpu {

/// Lets the vectoriser compute indices that are made of floats by vectors on
/// processors whose gathers are loads one by one (Note [Vector addresses]). To
/// run right before the vectorisers.
class VectorAddressesPass : public llvm::PassInfoMixin<VectorAddressesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &manager);
};

} // namespace chi::target::cpu
#endif // CHI_TARGET_CPU_VECTORADDRESSES_H
