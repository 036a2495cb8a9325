//===- Scratch.h - The stack-like memory of launches ------------*- C++ -*-===//
#ifndef CHIRT_LAUNCH_SCRATCH_H
#define CHIRT_LAUNCH_SCRATCH_H

#include <cstddef>

namespace chirt {

/// A state of the calling thread's scratch memory.
struct ScratchMark {
  void *block;
  size_t used;
};
/// The present state.
ScratchMark scratchMark();
/// Gives back all that was pushed since `mark`.
void scratchRelease(ScratchMark mark);

} // namespace chirt
#endif // CHIRT_LAUNCH_SCRATCH_H
