//===- KernelCheck.h - The adjoints of calls of kernels ---------*- C++ -*-===//
#ifndef CHIRT_GRADCHECK_KERNELCHECK_H
#define CHIRT_GRADCHECK_KERNELCHECK_H

#include "chirt/tape/Observer.h"

namespace chirt {

// The steps of a call of a kernel with `k.grad()`: see TapeObserver.
void checkCall(Tape &record);
void checkCallEnd(const Tape &record);
void checkCallGrad(const Tape &record, const chirt_site *site);
void checkCallGradients(const char *kernel);

} // namespace chirt
#endif // CHIRT_GRADCHECK_KERNELCHECK_H
