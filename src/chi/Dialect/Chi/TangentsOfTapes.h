//===- TangentsOfTapes.h - Tapes that run in forward mode -------*- C++ -*-===//
#ifndef CHI_DIALECT_CHI_TANGENTSOFTAPES_H
#define CHI_DIALECT_CHI_TANGENTSOFTAPES_H

#include "llvm/ADT/StringRef.h"

namespace chi::ir {

/// Of a module: tapes, and calls of kernels with `k.grad()`, may also run in
/// forward mode (`chic gradcheck`). A string: the derivatives of the loss are
/// asked for, or those of gradients, too.
inline constexpr llvm::StringLiteral kTangentsOfTapesAttr =
    "chi.tangents_of_tapes";
inline constexpr llvm::StringLiteral kFirstTangents = "first";
inline constexpr llvm::StringLiteral kSecondTangents = "second";

} // namespace chi::ir
#endif // CHI_DIALECT_CHI_TANGENTSOFTAPES_H
