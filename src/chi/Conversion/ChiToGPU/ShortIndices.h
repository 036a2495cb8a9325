//===- ShortIndices.h - Kernels that count in 32 bits -----------*- C++ -*-===//
#ifndef CHI_CONVERSION_CHITOGPU_SHORTINDICES_H
#define CHI_CONVERSION_CHITOGPU_SHORTINDICES_H

#include "chi/Conversion/ChiToLoops/TaskShape.h"

namespace chi::conv::kernels {

/// Are the launches of a task small (CHIRT_SMALL_NUMBERS), so that its kernel
/// may count in 32 bits? None: that depends on the launch. Memory that threads
/// take is larger than that, so a task that takes some has no small ones.
std::optional<bool> isSmall(const conv::TaskShape &shape);

} // namespace chi::conv::kernels
#endif // CHI_CONVERSION_CHITOGPU_SHORTINDICES_H
