//===- Words.h - Documentation of built-in names ----------------*- C++ -*-===//
#ifndef CHI_LSP_SERVER_WORDS_H
#define CHI_LSP_SERVER_WORDS_H

#include "chi/Sema/Tree/Types.h"
#include "llvm/ADT/StringMap.h"

namespace chi::lsp {

/// A built-in name: how it is written, and what it gives. Both may be empty.
struct Word {
  std::string written, meaning;
};

/// The lines of docs/reference/words.txt.
class Words {
public:
  explicit Words(llvm::StringRef lines);

  /// A function, type or decorator, or a member of a built-in module with its
  /// module ("math.pi"); null if the language has no such name.
  const Word *find(llvm::StringRef name) const;
  /// A member of values of a type; null if they have none of this name.
  const Word *findMember(sema::TypeRef type, llvm::StringRef name) const;
  /// The names that may be used bare.
  std::vector<llvm::StringRef> bareNames() const;
  /// The names of a built-in module, `math` or `time`, without its own.
  std::vector<llvm::StringRef> namesIn(llvm::StringRef module) const;

private:
  llvm::StringMap<Word> words;
};

/// The names of the members that values of a type have, those of its class
/// aside.
std::vector<llvm::StringRef> builtinMembers(sema::TypeRef type);

} // namespace chi::lsp
#endif // CHI_LSP_SERVER_WORDS_H
