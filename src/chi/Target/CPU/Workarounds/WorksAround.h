//===- WorksAround.h - Faults of one version of LLVM ------------*- C++ -*-===//
#ifndef CHI_TARGET_CPU_WORKAROUNDS_WORKSAROUND_H
#define CHI_TARGET_CPU_WORKAROUNDS_WORKSAROUND_H

#include "llvm/Config/llvm-config.h"

/// Stands in each file of this room. MAJOR: the latest version of LLVM that is
/// known to have the fault; a build with a later one stops here. Whoever moves
/// to that version asks what the header names as the test of the fault: if the
/// fault is gone the file goes, else the number is raised.
#define CHI_WORKS_AROUND_LLVM(MAJOR)                                           \
  static_assert(LLVM_VERSION_MAJOR <= (MAJOR),                                 \
                "is this workaround still needed with this version of LLVM? "  \
                "The comment in its header says how to find out")

#endif // CHI_TARGET_CPU_WORKAROUNDS_WORKSAROUND_H
