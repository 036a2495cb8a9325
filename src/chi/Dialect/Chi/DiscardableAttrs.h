//===- DiscardableAttrs.h - Attributes of other dialects' ops ---*- C++ -*-===//
// Names of discardable attributes that operations of `func` and `arith` carry
// between passes of this compiler.
#ifndef CHI_DIALECT_CHI_DISCARDABLEATTRS_H
#define CHI_DIALECT_CHI_DISCARDABLEATTRS_H

#include "llvm/ADT/StringRef.h"

namespace chi::ir {

/// On a `func.call` of a function that only computes: the function that takes
/// the operands, the results and the adjoints of the results, and returns the
/// adjoints of the float operands in their order. Such a call is not inlined
/// before differentiation.
inline constexpr llvm::StringLiteral kCustomAdjointAttr = "custom_adjoint";

/// On a host's call of a kernel or function: a tape records it as one entry,
/// with an adjoint that the program gives. Its launches are not differentiated.
inline constexpr llvm::StringLiteral kOneEntryAttr = "one_entry";

/// On a function that may call itself: how many calls may be open, an i64.
inline constexpr llvm::StringLiteral kOpenCallsAttr = "open_calls";

/// On a control function: the name of the one with which it shares a unit of
/// compilation, because it launches tasks with the same adjoints.
inline constexpr llvm::StringLiteral kUnitAttr = "chi.unit";

/// On a `chi.companion`: it is the field of tangents, not the gradient.
inline constexpr llvm::StringLiteral kDualAttr = "dual";

/// On an `arith.minnumf` or `arith.maxnumf` that was an update of an element:
/// at a tie the derivative goes to the old value, as that of the update does.
/// The old value is the first operand. Canonicalization makes a constant the
/// second one, so the attribute, a bool, is true if the new value had no
/// derivative: then a constant second operand is the old value.
inline constexpr llvm::StringLiteral kOldWinsAttr = "chi.old_wins";

/// On an `arith.select` of a derivative: it selects zero where the adjoint that
/// it is a multiple of is zero, in case the factor is infinite. Where it is
/// finite, the value is a product like any other: its own derivative is not
/// zero.
inline constexpr llvm::StringLiteral kGuardAttr = "chi.guard";

/// On a `chi.rt` that makes a field a word of an object, or the reverse: the
/// member of a class, "Solver.u". Fields of two members are never linked by it.
inline constexpr llvm::StringLiteral kMemberAttr = "member";

} // namespace chi::ir
#endif // CHI_DIALECT_CHI_DISCARDABLEATTRS_H
