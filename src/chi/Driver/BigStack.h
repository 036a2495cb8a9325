//===- BigStack.h - Room for deep programs ----------------------*- C++ -*-===//
#ifndef CHI_DRIVER_BIGSTACK_H
#define CHI_DRIVER_BIGSTACK_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace chi::driver {

/// Calls `work` on a thread with 256 MB of stack (reserved, not used, until
/// needed) and waits for it. Where no such thread can be had, calls it here.
void onBigStack(llvm::function_ref<void()> work);

/// Calls `work` here and, at the same time, on `helpers` more threads with such
/// a stack; waits for all. Where threads cannot be had there are fewer.
void onBigStacks(unsigned helpers, llvm::function_ref<void()> work);

} // namespace chi::driver
#endif // CHI_DRIVER_BIGSTACK_H
