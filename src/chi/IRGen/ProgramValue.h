//===- ProgramValue.h - Values of the program in IR -------------*- C++ -*-===//
// A value of the program is its scalars (`parts`). Aggregates of more than
// kMaxUnrolled scalars, and arrays, live in a flat local array instead
// (`slot`), and operations on them are loops. Functions take and return such
// values by the address of a local array, kernels take them as a field of one
// axis, and a top-level variable holds such a field.
#ifndef CHI_IRGEN_PROGRAMVALUE_H
#define CHI_IRGEN_PROGRAMVALUE_H

#include "chi/Sema/Tree/Types.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"
#include <string>

namespace chi::irgen {

inline constexpr int64_t kMaxUnrolled = 16;

/// Is a value of this type kept in a local array?
bool livesInMemory(sema::TypeRef type);
/// The members of a tuple type, or the type itself.
llvm::ArrayRef<sema::TypeRef> membersOf(const sema::TypeRef &type);
/// Is it a field or a str, of which references are counted?
bool isHandle(mlir::Type type);
/// Is it a field, a str, or a tuple that has one?
bool holdsHandle(sema::TypeRef type);

/// A value of the program as scalars, or as a local array.
struct ProgramValue {
  sema::TypeRef type = nullptr;
  llvm::SmallVector<mlir::Value, 4> parts;
  mlir::Value slot;

  /// The value of a scalar or handle; asserts that there is exactly one.
  mlir::Value single() const {
    assert(parts.size() == 1 && "not a scalar");
    return parts[0];
  }
};

/// Number of a scalar in a value: constant, or known at run time (index type
/// i32).
struct Index {
  int64_t constant = 0;
  mlir::Value dynamic; ///< added to the constant; may be null
};

/// "f32", "u8" … of a scalar or str.
std::string dtypeName(sema::TypeRef scalar);

} // namespace chi::irgen
#endif // CHI_IRGEN_PROGRAMVALUE_H
