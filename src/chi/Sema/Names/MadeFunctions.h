//===- MadeFunctions.h - Functions in bodies, and of `key=` -----*- C++ -*-===//
#ifndef CHI_SEMA_NAMES_MADEFUNCTIONS_H
#define CHI_SEMA_NAMES_MADEFUNCTIONS_H

#include "chi/AST/Context.h"
#include "chi/Sema/Names/Names.h"

namespace chi::sema {

/// Owns the functions that no top level or class declares.
class MadeFunctions {
public:
  /// A function inside of a body, or of a lambda. `captures` is called once for
  /// each such function, for the names that it captures.
  FunctionDecl &
  nested(ModuleScope &module, const ast::FunctionStmt *stmt,
         llvm::function_ref<std::vector<const ast::NameExpr *>()> captures);
  /// A function of a list and a function, made for the `key=` that stands at
  /// `range`: what that is wanted for.
  enum KeyFunction { Keys, Least, Greatest };
  FunctionDecl &byKey(ModuleScope &module, SourceRange range, KeyFunction what);

private:
  /// A function in a body, with its own parameters and what it captures.
  struct Nested {
    FunctionDecl decl;
    ast::FunctionStmt stmt;
    std::vector<ast::Parameter> params;
  };
  std::map<const ast::FunctionStmt *, std::unique_ptr<Nested>> functions;
  ast::Context keySyntax;
  std::map<std::pair<uint32_t, uint32_t>, FunctionDecl *> keyFunctions;
};

} // namespace chi::sema
#endif // CHI_SEMA_NAMES_MADEFUNCTIONS_H
