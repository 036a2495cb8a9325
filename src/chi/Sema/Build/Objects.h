//===- Objects.h - Lists, dicts and sets as they are written ----*- C++ -*-===//
#ifndef CHI_SEMA_BUILD_OBJECTS_H
#define CHI_SEMA_BUILD_OBJECTS_H

#include "chi/Sema/Build/Build.h"

namespace chi::sema {

/// A new list, dict or set of these parts: its elements, or keys and values in
/// turn, which convertObject has converted, or will.
Expr *makeObject(Builder &build, SourceRange range, TypeRef type,
                 std::vector<Expr *> parts);
/// A literal or comprehension as an object of this type; others are refused.
Expr *convertObject(Builder &build, Expr *expr, TypeRef type,
                    llvm::StringRef what);
/// The type of two objects that are assigned to one name; null if there is
/// none. One without elements takes the type of the other.
TypeRef joinObjects(const Builder &build, TypeRef a, TypeRef b);
/// The type with default precision where its literals have none.
TypeRef defaultedObject(const Builder &build, TypeRef type);

} // namespace chi::sema
#endif // CHI_SEMA_BUILD_OBJECTS_H
