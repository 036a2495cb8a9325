//===- OldWins.h - Updates by `min` and `max` as values ---------*- C++ -*-===//
#ifndef CHI_DIALECT_CHI_OLDWINS_H
#define CHI_DIALECT_CHI_OLDWINS_H

#include "llvm/ADT/StringRef.h"

namespace chi::ir {

/// On an `arith.minnumf` or `arith.maxnumf` that was an update of an element:
/// at a tie the derivative goes to the old value, as that of the update does.
/// The old value is the first operand; but canonical form puts a constant
/// second, so that of a constant and another value it is the constant if this
/// attribute, a bool, is true: the new value was none.
inline constexpr llvm::StringLiteral kOldWinsAttr = "chi.old_wins";

} // namespace chi::ir
#endif // CHI_DIALECT_CHI_OLDWINS_H
