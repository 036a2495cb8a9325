//===- TaskAttrs.h - What the attributes of a task are made of --*- C++ -*-===//
#ifndef CHI_DIALECT_CHI_TASKATTRS_H
#define CHI_DIALECT_CHI_TASKATTRS_H

#include "llvm/ADT/Hashing.h"

#include <cstdint>

namespace chi::ir {

/// `factor` times a captured integer, or an extent of a captured field.
struct LinearTerm {
  int64_t factor;
  int32_t argument; ///< number of the captured value
  int32_t axis;     ///< -1: the integer itself

  bool operator==(const LinearTerm &) const = default;
  friend llvm::hash_code hash_value(const LinearTerm &term) {
    return llvm::hash_combine(term.factor, term.argument, term.axis);
  }
};

} // namespace chi::ir
#endif // CHI_DIALECT_CHI_TASKATTRS_H
