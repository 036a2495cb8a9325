//===- Doc.h - The reference of a module ------------------------*- C++ -*-===//
#ifndef CHI_DOC_DOC_H
#define CHI_DOC_DOC_H

#include "chi/AST/Stmt.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <string>
#include <vector>

namespace chi::doc {

/// Finds the module that an import names: `path` is dotted, `fromFile` the
/// importing file. Null: there is none, or it has errors.
using Finder = llvm::function_ref<const ast::Module *(llvm::StringRef path,
                                                      uint32_t fromFile)>;

/// What a module shows to those who import it.
struct Page {
  std::string name;    ///< "linalg", "nn.layers"
  std::string summary; ///< the first sentence of its docstring
  std::string text;    ///< Markdown
  /// Files of the module's folder whose names it shows as its own.
  std::vector<uint32_t> parts;
};

/// Writes the reference of a module from its syntax: docstrings, signatures
/// with types and defaults. Names that begin with `_` are left out, and so are
/// adjoints. A name that `from x import f` takes from another module is shown
/// if the module itself does not use it, or if `x` is a part of the module
/// (`name.part`).
Page describe(const SourceFiles &sources, llvm::StringRef name,
              const ast::Module &module, Finder find);

/// The page that lists others, each in a file NAME.md beside it.
std::string index(llvm::ArrayRef<Page> pages);

} // namespace chi::doc
#endif // CHI_DOC_DOC_H
