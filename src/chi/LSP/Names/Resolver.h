//===- Resolver.h - Finds what names stand for ------------------*- C++ -*-===//
#ifndef CHI_LSP_NAMES_RESOLVER_H
#define CHI_LSP_NAMES_RESOLVER_H

#include "chi/LSP/Names/Names.h"
#include "chi/Sema/Names/Names.h"

namespace chi::lsp {

/// Fills a `Names` by the rules of scopes ([Inf.1]): a name that is first
/// assigned in the body of a loop is local to that; `if` opens no scope; a
/// function reads the names around it, and assigns its own.
class Resolver {
public:
  Resolver(Names &names, const SourceFiles &sources, sema::ModuleLoader &loader,
           const Facts &facts)
      : names(names), sources(sources), loader(loader), facts(facts) {}

  /// Declares the names of a module and of those it imports, and walks all of
  /// it. Returns its scope.
  Scope *addModule(const ast::Module &module);
  /// Resolves what needs all modules: members, and keywords of calls.
  void finish();

private:
  // -- declarations (Declare.cpp) --------------------------------------------
  Symbol *make(Symbol::Kind kind, llvm::StringRef name, SourceRange range,
               const ast::Stmt *stmt = nullptr);
  Symbol *declare(Scope &scope, Symbol *symbol);
  Scope *open(Scope *parent, SourceRange range, bool isFunction = false);
  void declareTopLevel(Scope &scope, const ast::Module &module);
  void declareStmt(Scope &scope, const ast::Stmt *stmt);
  void declareClass(Scope &scope, const ast::ClassStmt *stmt);
  void declareImport(Scope &scope, const ast::ImportStmt *stmt);
  void declareFrom(Scope &scope, const ast::FromImportStmt *stmt);
  Scope *imported(llvm::StringRef path, uint32_t fromFile);
  void addUse(SourceRange range, Symbol *symbol, bool isWrite = false);

  // -- bodies (Bodies.cpp) ---------------------------------------------------
  void walkBody(Scope &scope, ast::Body body, uint32_t end);
  void walkStmt(Scope &scope, const ast::Stmt *stmt, uint32_t end);
  void walkLoop(Scope &scope, llvm::ArrayRef<ast::Expr *> targets,
                SourceRange range, ast::Body body, uint32_t end);
  void walkClass(Scope &scope, const ast::ClassStmt *stmt, uint32_t end);
  void walkFunction(Scope &scope, const ast::FunctionStmt *stmt, uint32_t end,
                    Symbol *klass = nullptr);
  void walkWith(Scope &scope, const ast::WithStmt *stmt, uint32_t end);
  void walkTarget(Scope &scope, const ast::Expr *target, bool isLoops);
  void assignName(Scope &scope, const ast::NameExpr *name, bool isLoops);
  void walkExpr(Scope &scope, const ast::Expr *expr);
  void walkExprs(Scope &scope, const ast::Stmt *stmt);
  void runLater();

  // -- members (Members.cpp) -------------------------------------------------
  void resolveMember(const ast::AttributeExpr *attribute, Scope *scope);
  Symbol *memberOfModule(const ast::AttributeExpr *attribute, Scope *scope);
  void resolveKeywords(const ast::CallExpr *call);

  Names &names;
  const SourceFiles &sources;
  sema::ModuleLoader &loader;
  const Facts &facts;
  /// Bodies of functions come when those around them are done: they read names
  /// that are assigned further down.
  std::vector<std::function<void()>> later;
  std::vector<std::pair<const ast::AttributeExpr *, Scope *>> attributes;
  std::vector<const ast::CallExpr *> calls;
  /// Top-level variables whose first assignment has been walked.
  llvm::DenseMap<const Symbol *, bool> isSeen;
  llvm::DenseMap<const ast::Parameter *, Symbol *> parameters;
};

} // namespace chi::lsp
#endif // CHI_LSP_NAMES_RESOLVER_H
