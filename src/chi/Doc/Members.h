//===- Members.h - The names that a module shows ----------------*- C++ -*-===//
#ifndef CHI_DOC_MEMBERS_H
#define CHI_DOC_MEMBERS_H

#include "chi/Doc/Doc.h"

namespace chi::doc {

/// A name of a module. `stmt` declares it, maybe in another module, under
/// another name.
struct Member {
  llvm::StringRef name;
  const ast::Stmt *stmt = nullptr;
  llvm::StringRef doc;
};

/// The names in the order of the text; those that are passed on stand where
/// they are imported. Adds to `parts` the files of the latter that are parts of
/// the module.
std::vector<Member> membersOf(llvm::StringRef moduleName,
                              const SourceFiles &sources,
                              const ast::Module &module, Finder find,
                              std::vector<uint32_t> &parts);

/// Whether a name is for others: it does not begin with `_`.
inline bool isPublic(llvm::StringRef name) { return !name.starts_with("_"); }

} // namespace chi::doc
#endif // CHI_DOC_MEMBERS_H
