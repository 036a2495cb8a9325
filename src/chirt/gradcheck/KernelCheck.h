//===- KernelCheck.h - The adjoints of calls of kernels ---------*- C++ -*-===//
#ifndef CHIRT_GRADCHECK_KERNELCHECK_H
#define CHIRT_GRADCHECK_KERNELCHECK_H

#include "chirt/tape/Observer.h"

namespace chirt {

// The steps of a call of a kernel with `k.grad()`: see TapeObserver.
/// If the call is to be checked, takes the snapshot from which probes run it
/// with other inputs, and drops the check of an earlier call of the kernel.
void checkCall(Tape &record);
/// In a probe: answers with the weighted sum of what the call left in the
/// fields.
void checkCallEnd(const Tape &record);
/// Takes the adjoints with which `k.grad()` begins as weights.
void checkCallGrad(const Tape &record, const chirt_site *site);
/// Compares the gradients of the kernel's latest call.
void checkCallGradients(const char *kernel);

} // namespace chirt
#endif // CHIRT_GRADCHECK_KERNELCHECK_H
