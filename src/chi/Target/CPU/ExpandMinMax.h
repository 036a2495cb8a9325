//===- ExpandMinMax.h - min and max of scalars, written out -----*- C++ -*-===//
#ifndef CHI_TARGET_CPU_EXPANDMINMAX_H
#define CHI_TARGET_CPU_EXPANDMINMAX_H

#include "llvm/IR/PassManager.h"

namespace chi::target::cpu {

/// Makes `llvm.minimumnum` and `llvm.maximumnum` of scalars comparisons and
/// selects (Note [Minimum beside NaN]). To run behind the vectorisers, which
/// know the intrinsics; those of vectors stay.
class ExpandMinMaxPass : public llvm::PassInfoMixin<ExpandMinMaxPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &manager);
};

} // namespace chi::target::cpu
#endif // CHI_TARGET_CPU_EXPANDMINMAX_H
