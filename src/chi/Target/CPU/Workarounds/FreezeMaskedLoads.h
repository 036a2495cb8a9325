//===- FreezeMaskedLoads.h - Masked loads stay where they are ---*- C++ -*-===//
#ifndef CHI_TARGET_CPU_WORKAROUNDS_FREEZEMASKEDLOADS_H
#define CHI_TARGET_CPU_WORKAROUNDS_FREEZEMASKEDLOADS_H

namespace llvm {
class Function;
class PassInstrumentationCallbacks;
} // namespace llvm

namespace chi::target::cpu::workarounds {

/// Puts a `freeze` (no code) after each masked load that memory may be written
/// after, so that no select is folded into it: LLVM 22 makes the joined load
/// where the select is (Note [Selects of masked loads]). Adds no blocks.
///
/// Upstream: llvm-project 215453, fixed by 216730 (August 2026) after 22.1.
/// Tested by `test/EndToEnd/replaced-loads.test`.
void freezeMaskedLoads(llvm::Function &function);

/// Calls it before each run of the pass that folds selects, wherever LLVM's
/// pipeline has one.
void freezeBeforeCombining(llvm::PassInstrumentationCallbacks &callbacks);

} // namespace chi::target::cpu::workarounds
#endif // CHI_TARGET_CPU_WORKAROUNDS_FREEZEMASKEDLOADS_H
