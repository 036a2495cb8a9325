//===- CustomAdjoint.h - Calls with an adjoint of their own -----*- C++ -*-===//
#ifndef CHI_DIALECT_CHI_CUSTOMADJOINT_H
#define CHI_DIALECT_CHI_CUSTOMADJOINT_H

#include "llvm/ADT/StringRef.h"

namespace chi::ir {

/// On a `func.call` of a function that only computes: the function that takes
/// the operands, the results and the adjoints of the results, and returns the
/// adjoints of those operands that are floats, in their order. Such a call is
/// not inlined before derivatives are made.
inline constexpr llvm::StringLiteral kCustomAdjointAttr = "custom_adjoint";

/// On a host's call of a kernel or function: a tape has it as one entry, with
/// an adjoint that the program gives. What it launches is not differentiated.
inline constexpr llvm::StringLiteral kOneEntryAttr = "one_entry";

} // namespace chi::ir
#endif // CHI_DIALECT_CHI_CUSTOMADJOINT_H
