//===- Roots.h - Divisors that are roots ------------------------*- C++ -*-===//
#ifndef CHI_TARGET_ROOTS_ROOTS_H
#define CHI_TARGET_ROOTS_ROOTS_H

#include "llvm/IR/Value.h"

namespace chi::target::roots {

/// The divisor of a quotient.
struct Root {
  llvm::Value *x = nullptr;      ///< null: the divisor is no root
  bool isCubed = false;          ///< x * sqrt(x), or sqrt(x)
  llvm::Value *factor = nullptr; ///< the rest of the divisor, if any
};

/// Takes a divisor apart: sqrt(x); x * sqrt(x), or sqrt(x) three times; sqrt(x)
/// and another factor. The root is one that may be approximated (`afn`).
Root findRoot(llvm::Value *divisor);

} // namespace chi::target::roots
#endif // CHI_TARGET_ROOTS_ROOTS_H
