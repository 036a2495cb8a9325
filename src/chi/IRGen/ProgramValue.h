//===- ProgramValue.h - Values of the program in IR -------------*- C++ -*-===//
// A value of the program is a tree. An inner node is a tuple; its children are
// the values of its members. A leaf is a scalar, a handle or an aggregate: its
// scalars (`parts`), or, for aggregates of more than kMaxUnrolled scalars and
// for arrays, a flat local array (`slot`), and operations on it are loops.
// Functions take and return such leaves by the address of a local array,
// kernels take such a value as a field of one axis, and a top-level variable
// holds a field for each.
#ifndef CHI_IRGEN_PROGRAMVALUE_H
#define CHI_IRGEN_PROGRAMVALUE_H

#include "chi/Sema/Tree/Exprs.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <string>
#include <vector>

namespace chi::irgen {

inline constexpr int64_t kMaxUnrolled = 16;

/// Is a value of this type kept in a local array?
bool livesInMemory(sema::TypeRef type);
/// Is it kept in a local array, or a tuple that has a member that is?
bool holdsMemory(sema::TypeRef type);
/// The types of the leaves of a value, from left to right.
llvm::SmallVector<sema::TypeRef, 4> leavesOf(sema::TypeRef type);
/// Is it a field or a str, of which references are counted?
bool isHandle(mlir::Type type);
/// Is it a field, a str, or a tuple that has one?
bool holdsHandle(sema::TypeRef type);

/// A value of the program: a tuple, the scalars of a leaf, or a leaf's array.
struct ProgramValue {
  sema::TypeRef type = nullptr;
  llvm::SmallVector<mlir::Value, 4> parts;
  mlir::Value slot;
  std::vector<ProgramValue> members = {}; ///< of a tuple

  /// The value of a scalar or handle; asserts that there is exactly one.
  mlir::Value single() const {
    assert(parts.size() == 1 && "not a scalar");
    return parts[0];
  }
  /// Calls `visit` for each leaf, from left to right.
  void eachLeaf(llvm::function_ref<void(const ProgramValue &)> visit) const {
    if (!type->hasMembers())
      return visit(*this);
    for (const ProgramValue &member : members)
      member.eachLeaf(visit);
  }
};

/// The part of a value that the first steps of a path lead to, as long as they
/// are members.
struct Inner {
  sema::TypeRef type;
  int64_t first; ///< of its slots or globals among those of the value
  llvm::ArrayRef<sema::PathStep> rest;
};
Inner innerOf(sema::TypeRef type, llvm::ArrayRef<sema::PathStep> path);

/// Number of a scalar in a value: constant, or known at run time (index type
/// i32).
struct Index {
  int64_t constant = 0;
  mlir::Value dynamic; ///< added to the constant; may be null
};

/// "f32", "u8" … of a scalar or str.
std::string dtypeName(sema::TypeRef scalar);
/// "f32:2x2": a scalar, vec or mat, as the run time describes it.
std::string describeElement(sema::TypeRef type);
/// "f32:2x2;soa;order=1,0;grad": a field, see chirt_field_new.
std::string describe(sema::TypeRef field, llvm::StringRef marks = "");
/// "(s[ff])": the words of a value, as the run time describes them.
std::string describeWords(sema::TypeRef type);
/// A literal text.
mlir::Value makeText(mlir::OpBuilder &b, mlir::Location at,
                     llvm::StringRef value);

} // namespace chi::irgen
#endif // CHI_IRGEN_PROGRAMVALUE_H
