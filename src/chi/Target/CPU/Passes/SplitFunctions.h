//===- SplitFunctions.h - Long functions in chunks --------------*- C++ -*-===//
#ifndef CHI_TARGET_CPU_PASSES_SPLITFUNCTIONS_H
#define CHI_TARGET_CPU_PASSES_SPLITFUNCTIONS_H

#include "llvm/IR/Module.h"

namespace chi::target::cpu::passes {

/// Makes functions of the chunks of those that are so long that LLVM's passes,
/// of which several take time that grows with the square of a function or of a
/// block, would take too long. To run before optimisation.
void splitFunctions(llvm::Module &module);

} // namespace chi::target::cpu::passes
#endif // CHI_TARGET_CPU_PASSES_SPLITFUNCTIONS_H
