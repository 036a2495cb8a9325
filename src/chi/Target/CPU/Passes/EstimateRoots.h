//===- EstimateRoots.h - Reciprocals of roots by estimates ------*- C++ -*-===//
#ifndef CHI_TARGET_CPU_PASSES_ESTIMATEROOTS_H
#define CHI_TARGET_CPU_PASSES_ESTIMATEROOTS_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class TargetMachine;
}

namespace chi::target::cpu::passes {

/// The processor's estimate instruction.
struct RootEstimates {
  bool isFine = false; ///< 14 bits, and denormals as they are; else 12
  unsigned lanes = 0;  ///< f32 of a register; 0: there are no estimates

  /// For the processor that code is compiled for.
  static RootEstimates of(const llvm::TargetMachine &machine);
};

/// Replaces f32 divisions by `sqrt(x)` and by `x * sqrt(x)`, where flags allow
/// reciprocals and approximations, by the processor's estimate of 1 / sqrt(x)
/// and a step of refinement (Note [Estimates of roots]). Run it after the
/// vectorisers.
class EstimateRootsPass : public llvm::PassInfoMixin<EstimateRootsPass> {
public:
  explicit EstimateRootsPass(RootEstimates has) : has(has) {}
  /// Changes nothing if the processor has no estimates. Blocks and branches
  /// stay, and so do the analyses of them.
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &manager);

private:
  RootEstimates has;
};

/// Keeps LLVM from doing so by itself.
void keepExactRoots(llvm::Function &function);

} // namespace chi::target::cpu::passes
#endif // CHI_TARGET_CPU_PASSES_ESTIMATEROOTS_H
