//===- Members.h - The members that values have -----------------*- C++ -*-===//
#ifndef CHI_SEMA_WORDS_MEMBERS_H
#define CHI_SEMA_WORDS_MEMBERS_H

#include "chi/Sema/Tree/Operations.h"
#include "chi/Sema/Tree/Types.h"
#include <optional>

namespace chi::sema {

/// A method of a vec or mat.
enum class Method {
  Norm,
  NormSqr,
  Normalized,
  Dot,
  Cross,
  Outer,
  Transpose,
  Determinant,
  Trace,
  Inverse,
  Column,
  Sum,
  Product,
  Min,
  Max,
  Any,
  All,
};

/// Which values have it, and what it takes.
struct MethodFacts {
  llvm::StringRef name;
  Method method;
  enum Receiver { Vec, Mat, SquareMat, Either } on;
  enum Takes { Nothing, One, Eps } takes;

  /// Whether values of the type have the method.
  bool isOn(TypeRef type) const {
    switch (on) {
    case Vec:
      return type->isVec();
    case Mat:
      return type->isMat();
    case SquareMat:
      return type->isMat() && type->shape[0] == type->shape[1];
    case Either:
      return type->isAggregate();
    }
    return false;
  }
};
/// The method of that name, if values of the type have it; else null.
const MethodFacts *findMethod(llvm::StringRef name, TypeRef type);

/// A method of a field.
struct FieldMethod {
  llvm::StringRef name;
  HostOp op; ///< of `mean`: what it is computed from
  unsigned arity;
};
/// The method of fields of that name, or null.
const FieldMethod *findFieldMethod(llvm::StringRef name);

/// Names of members that a value has, for advice; and of a method, whether it
/// takes an argument.
std::vector<llvm::StringRef> membersOf(TypeRef type);
/// Whether the method takes an argument; none if the type has no such method.
std::optional<bool> methodTakes(TypeRef type, llvm::StringRef name);
/// The components that a swizzle such as `xz` names in a vec; none if it is not
/// one.
std::vector<unsigned> swizzle(llvm::StringRef name, int64_t size);

} // namespace chi::sema
#endif // CHI_SEMA_WORDS_MEMBERS_H
