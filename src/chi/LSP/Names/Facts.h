//===- Facts.h - What the checker found out of a text -----------*- C++ -*-===//
#ifndef CHI_LSP_NAMES_FACTS_H
#define CHI_LSP_NAMES_FACTS_H

#include "chi/Sema/Names/CheckObserver.h"
#include "chi/Source/SourceFiles.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <map>

namespace chi::lsp {

/// Keeps what the checker tells. It is valid as long as the syntax tree and the
/// types are.
class Facts final : public sema::CheckObserver {
public:
  void startRound() override;
  void sawExpr(const ast::Expr *expr, sema::TypeRef type) override;
  void sawDeclared(SourceRange range, sema::TypeRef type) override;
  void sawInstance(const ast::FunctionStmt *function, llvm::StringRef display,
                   sema::TypeRef result) override;
  void sawClass(const void *identity, const ast::ClassStmt *klass) override;

  /// The type of an expression; null if it has none, or was not checked.
  sema::TypeRef typeOf(const ast::Expr *expr) const {
    return exprs.lookup(expr);
  }
  /// The types of what is declared at a range: one, but of a variable of a
  /// generic function one for each list of its arguments' types.
  llvm::ArrayRef<sema::TypeRef> typesOf(SourceRange declared) const;
  /// The class that a type is of, or that the elements of a field are of; null
  /// of other types.
  const ast::ClassStmt *classOf(sema::TypeRef type) const;
  /// The instances of a function, "norm(vec2) -> f32".
  llvm::ArrayRef<std::string>
  instancesOf(const ast::FunctionStmt *function) const;

private:
  llvm::DenseMap<const ast::Expr *, sema::TypeRef> exprs;
  std::map<std::pair<uint32_t, uint32_t>, llvm::SmallVector<sema::TypeRef, 1>>
      declared;
  llvm::DenseMap<const ast::FunctionStmt *, std::vector<std::string>> instances;
  llvm::DenseMap<const void *, const ast::ClassStmt *> classes;
};

} // namespace chi::lsp
#endif // CHI_LSP_NAMES_FACTS_H
