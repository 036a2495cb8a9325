//===- Failure.h - Errors of sweeps -----------------------------*- C++ -*-===//
#ifndef CHI_SWEEP_POINTS_FAILURE_H
#define CHI_SWEEP_POINTS_FAILURE_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

namespace chi::sweep {

/// A wrong argument, file or database: a clause for the driver's sentence.
inline llvm::Error failure(const llvm::Twine &text) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), text);
}

} // namespace chi::sweep
#endif // CHI_SWEEP_POINTS_FAILURE_H
