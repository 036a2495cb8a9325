//===- BuiltinNames.h - The functions that the language knows ---*- C++ -*-===//
#ifndef CHI_SEMA_WORDS_WORDS_H
#define CHI_SEMA_WORDS_WORDS_H

#include "chi/Sema/Tree/Operations.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace chi::sema {

/// Functions and other words that the compiler knows without an import, and
/// the members of its own modules `math` and `time` (Builtins.def).
enum class BuiltinName {
#define CHI_BUILTIN(Name, Text) Name,
#include "chi/Sema/Builtins/Builtins.def"
};
/// How programs spell the word; members of modules with their module.
llvm::StringRef builtinText(BuiltinName builtin);
/// The word that a program may use bare; or a member of a built-in module.
std::optional<BuiltinName> findBuiltin(llvm::StringRef name);
/// Whether the word is reserved for what is not supported yet.
bool isLater(BuiltinName builtin);
/// Whether the word's calls are no values and stand only in a `for`.
bool isOnlyInFor(BuiltinName builtin);
/// The elementwise function of a word, with its number of operands.
struct MathFunction {
  Builtin op;
  unsigned arity;
};
/// The elementwise function that a word names; none if it names none.
std::optional<MathFunction> mathFunction(BuiltinName builtin);

/// The nearest spelling among `candidates`, or "" if none is near.
std::string nearest(llvm::StringRef name,
                    llvm::ArrayRef<llvm::StringRef> candidates);

} // namespace chi::sema
#endif // CHI_SEMA_WORDS_WORDS_H
