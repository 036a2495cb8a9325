//===- ObjectMembers.h - Methods of strs, lists, dicts, sets ----*- C++ -*-===//
#ifndef CHI_SEMA_BUILTINS_OBJECTMEMBERS_H
#define CHI_SEMA_BUILTINS_OBJECTMEMBERS_H

#include "chi/Sema/Tree/Operations.h"
#include "chi/Sema/Tree/Types.h"
#include <vector>

namespace chi::sema {

/// A method with one number of arguments.
struct ObjectMethod {
  TypeKind on;
  llvm::StringRef name;
  HostOp op;
  llvm::StringRef function; ///< of the run time, for Run and Search
  /// What follows the object: `s` a str, `i` an integer, `e` an element (of a
  /// dict a key), `v` a value of a dict, `l` a list of strs, `o` an object of
  /// the same type; `#n;` and `"text;` are constants.
  llvm::StringRef takes;
  /// `n` nothing, `b` bool, `i` integer, `s` str, `S` list of strs, `e` an
  /// element, `v` a value, `o` an object of the same type, `K V I` lists of
  /// keys, values, items.
  char gives;

  /// How many arguments the program writes.
  unsigned numArguments() const;
};

/// The methods of that name: one for each number of arguments.
std::vector<const ObjectMethod *> objectMethods(TypeRef type,
                                                llvm::StringRef name);
/// The names of all methods that values of the type have.
std::vector<llvm::StringRef> objectMembers(TypeRef type);

} // namespace chi::sema
#endif // CHI_SEMA_BUILTINS_OBJECTMEMBERS_H
