//===- ColdCalls.h - Paths that vectors hardly ever take --------*- C++ -*-===//
#ifndef CHI_TARGET_CPU_PASSES_COLDCALLS_H
#define CHI_TARGET_CPU_PASSES_COLDCALLS_H

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace chi::target::cpu::passes {

/// Prepares the functions whose name starts with `chi.cold.`: pure functions of
/// scalars that are called for rare arguments only, such as sin's reduction of
/// huge ones. Each gets variants for vectors with a mask, so that the
/// vectoriser widens loops round such calls. To run before optimisation.
void addColdVariants(llvm::Module &module);

/// Inlines the variants: one in a loop is reduced to a test whether any lane
/// needs it. Run it after the vectorisers.
class InlineColdVariantsPass
    : public llvm::PassInfoMixin<InlineColdVariantsPass> {
public:
  /// Inlines in the whole module. Preserves all analyses if it has no variants,
  /// else what llvm::AlwaysInlinerPass preserves.
  llvm::PreservedAnalyses run(llvm::Module &module,
                              llvm::ModuleAnalysisManager &manager);
};

} // namespace chi::target::cpu::passes
#endif // CHI_TARGET_CPU_PASSES_COLDCALLS_H
