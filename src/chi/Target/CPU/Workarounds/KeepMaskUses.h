//===- KeepMaskUses.h - A mask that is read stays written -------*- C++ -*-===//
#ifndef CHI_TARGET_CPU_WORKAROUNDS_KEEPMASKUSES_H
#define CHI_TARGET_CPU_WORKAROUNDS_KEEPMASKUSES_H

namespace llvm {
class MachineFunctionPass;
}

namespace chi::target::cpu::workarounds {

/// A pass over machine code, to run between the register allocator and LLVM's
/// compression of EVEX encodings (AVX-512). That pass erases `vpmovb2m %xmm0,
/// %k0` when it finds one `kmov` from %k0 and takes the next instruction that
/// writes %k0 for the end of its use; `kshiftrw $1, %k0, %k0` also reads it.
/// Where such an instruction stands, a `KILL` of the mask (no code) before it
/// is a second use that the compression sees; at the end of a block, if the
/// mask is needed in the next one or in its own next turn. See
/// docs/design/0011-wrapped-indices.md.
///
/// Upstream: llvm-project 198197, fixed on the main branch by 198220 (May
/// 2026). Tested by `test/EndToEnd/mask-uses.test`.
llvm::MachineFunctionPass *createKeepMaskUsesPass();

} // namespace chi::target::cpu::workarounds
#endif // CHI_TARGET_CPU_WORKAROUNDS_KEEPMASKUSES_H
