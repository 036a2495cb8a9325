//===- Foreign.h - What other systems call it -------------------*- C++ -*-===//
// Look-ups in Foreign.def, for messages about habits from elsewhere.
#ifndef CHI_SEMA_WORDS_FOREIGN_H
#define CHI_SEMA_WORDS_FOREIGN_H

#include "chi/Diagnostics/Diagnostics.h"
#include "chi/Sema/Tree/Types.h"

namespace chi::sema {

/// What takes the place of a module of another language ("jax.numpy"); empty
/// of an unknown one. It may also be called by its usual alias ("np").
llvm::StringRef foreignModule(llvm::StringRef path);
/// Whether a name is what such a module is imported as: `np`, `ti`.
bool isForeignAlias(llvm::StringRef name);
/// The type that another language writes so; empty if there is none.
llvm::StringRef foreignType(llvm::StringRef text);
/// Whether an annotation says nothing in Chi: `template`.
bool isForeignAnnotation(llvm::StringRef name);

enum class ForeignDecorator { None, Kernel, Function, Compiler };
/// The decorator of another system that `name` is.
ForeignDecorator foreignDecorator(llvm::StringRef name);

/// What stands for a word of another language: `own` if it can be put in its
/// place, else advice.
struct ForeignMeaning {
  llvm::StringRef own, advice;
  explicit operator bool() const { return !own.empty() || !advice.empty(); }
};
/// What stands for a function of another language; empty if it is unknown.
ForeignMeaning foreignFunction(llvm::StringRef name);
/// The method that a function such as `norm(v)` is; empty if there is none.
llvm::StringRef foreignMethod(llvm::StringRef name);
/// Of a member of a value. In `own` and `advice`, `$` is the value.
ForeignMeaning foreignMember(TypeRef type, llvm::StringRef name);

/// `advice` with the text of a value for each `$`.
std::string filledIn(llvm::StringRef advice, llvm::StringRef value);

/// The names that `foreignMember` knows of a type.
std::vector<llvm::StringRef> foreignMembers(TypeRef type);

/// Reports what is not supported yet, with a way round if there is one.
void reportLater(DiagnosticEngine &diags, SourceRange range,
                 llvm::StringRef what);

} // namespace chi::sema
#endif // CHI_SEMA_WORDS_FOREIGN_H
