//===- VectorWidth.h - How wide registers of a function are -----*- C++ -*-===//
#ifndef CHI_TARGET_CPU_PASSES_VECTORWIDTH_H
#define CHI_TARGET_CPU_PASSES_VECTORWIDTH_H

namespace llvm {
class Function;
class TargetMachine;
} // namespace llvm

namespace chi::target::cpu::passes {

/// Sets the widths of the vectors of vectorised loops, and of those that LLVM
/// finds: registers of 512 bits where the processor gains by them, but of 256
/// in a function that computes mostly with vectors which leave a quarter of 512
/// bits or more unused. (docs/design/0051)
void setVectorWidth(llvm::Function &function,
                    const llvm::TargetMachine &machine);

} // namespace chi::target::cpu::passes
#endif // CHI_TARGET_CPU_PASSES_VECTORWIDTH_H
