//===- TaskAttrs.h - What attributes of tasks are made of -------*- C++ -*-===//
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

enum class KernelParam : uint32_t;

/// A parameter of a kernel, as chirt_device_code::words has it. Unused numbers
/// are 0.
struct KernelParameter {
  KernelParam kind;
  int32_t number; ///< of an argument of the task, or of an axis of its domain
  int32_t axis;   ///< of that argument

  bool operator==(const KernelParameter &) const = default;
  friend llvm::hash_code hash_value(const KernelParameter &parameter) {
    return llvm::hash_combine(uint32_t(parameter.kind), parameter.number,
                              parameter.axis);
  }
};

} // namespace chi::ir
#endif // CHI_DIALECT_CHI_TASKATTRS_H
