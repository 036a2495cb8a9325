//===- Names.h - What names stand for, by place -----------------*- C++ -*-===//
#ifndef CHI_LSP_NAMES_NAMES_H
#define CHI_LSP_NAMES_NAMES_H

#include "chi/AST/Stmt.h"
#include "chi/LSP/Names/Facts.h"
#include "chi/Sema/Program/Sema.h"
#include <deque>
#include <map>
#include <memory>
#include <vector>

namespace chi::lsp {

struct Scope;

/// A declaration.
struct Symbol {
  enum Kind {
    Module, ///< what `import` makes a name of
    Alias,  ///< `g` of `from m import f as g`; and a name that was not found
    Function,
    Class,
    Const,
    Param,
    Type,
    Variable,
    Parameter,
    TypeParameter,
    Member,
  } kind = Variable;
  llvm::StringRef name;
  SourceRange range; ///< of the name where it is declared
  /// What declares a Function, Class, Const, Param or Type; else null.
  const ast::Stmt *stmt = nullptr;
  Symbol *owner = nullptr; ///< the class of a Member or method
  /// Module: its names, null of `math` and `time`. Class: its members.
  Scope *members = nullptr;
  std::string path;         ///< Module: "fluid.pressure"
  Symbol *target = nullptr; ///< Alias: what it stands for, if that was found
  llvm::StringRef imported; ///< Alias: the name in its module, "f"
  /// Of `from m import f`: `m` has no declaration of `f`, as `math` has none.
  bool isUnknownImport() const {
    return kind == Alias && !target && name == imported;
  }
  /// The declaration itself, behind other names for it.
  const Symbol *declaration() const {
    const Symbol *at = this;
    while (at->target)
      at = at->target;
    return at;
  }
};

/// A place that names a symbol.
struct Use {
  SourceRange range;
  Symbol *symbol = nullptr;
  bool isWrite = false;
};

/// The names of a module, function, class or loop.
struct Scope {
  Scope *parent = nullptr;
  bool isFunction = false; ///< what is inside assigns no names around it
  uint32_t file = 0, begin = 0, end = 0; ///< the text in which its names hold
  /// By name; of a module also "a.b" of `import a.b`.
  std::map<llvm::StringRef, Symbol *> names;

  /// The symbol of a name here or in a scope around; null if there is none.
  Symbol *find(llvm::StringRef name) const;
};

/// All names of a program: those of its modules with their uses. It is made
/// from the syntax, so that it is whole where types are wrong; the types that
/// the checker found give the classes of members.
class Names {
public:
  /// Resolves the names of `main` and of all it imports.
  Names(const SourceFiles &sources, const ast::Module &main,
        sema::ModuleLoader &loader, const Facts &facts);

  /// The use at a place or just before it; null if no symbol is named there.
  const Use *useAt(uint32_t file, uint32_t offset) const;
  /// All uses of a symbol, its declaration too, in the order of the text.
  std::vector<Use> usesOf(const Symbol *symbol) const;
  /// The innermost scope around a place; null outside of the program.
  const Scope *scopeAt(uint32_t file, uint32_t offset) const;
  /// What an expression names; null if it names nothing, or nothing known.
  Symbol *symbolOf(const ast::Expr *expr) const { return named.lookup(expr); }
  /// The symbol of a class or of its parts.
  Symbol *symbolOf(const ast::Stmt *stmt) const {
    return declaredBy.lookup(stmt);
  }
  /// Whether it is `self` of a method.
  bool isSelf(const Symbol *symbol) const { return selfOf.count(symbol) != 0; }
  /// The class of a value: by its type, or since it is `self` of a method. Null
  /// if it is none, or its type is not known.
  Symbol *classOf(const ast::Expr *expr) const;
  /// The names of a module.
  const Scope *moduleOf(uint32_t file) const;
  /// The modules, in the order in which they are imported.
  llvm::ArrayRef<const ast::Module *> modules() const { return parsed; }
  /// Where a member is named whose class is not known: in functions that
  /// nothing calls with arguments of known types.
  llvm::ArrayRef<const ast::AttributeExpr *> unknownMembers() const {
    return unknown;
  }
  /// The outermost expression of a range; null if there is none.
  const ast::Expr *exprAt(SourceRange range) const;
  /// The innermost expression around a place; null if there is none.
  const ast::Expr *exprAround(uint32_t file, uint32_t offset) const;

private:
  friend class Resolver;
  const Facts &facts;
  std::deque<Symbol> symbols;
  std::deque<Scope> scopes;
  std::vector<Use> uses; ///< by file and begin
  llvm::DenseMap<const ast::Expr *, Symbol *> named;
  llvm::DenseMap<const ast::Stmt *, Symbol *> declaredBy;
  llvm::DenseMap<const Symbol *, Symbol *> selfOf; ///< the classes of `self`
  std::map<uint32_t, Scope *> moduleScopes;        ///< by file
  std::vector<const ast::Module *> parsed;
  std::vector<const ast::AttributeExpr *> unknown;
  std::vector<const ast::Expr *> all; ///< every expression of the program
};

} // namespace chi::lsp
#endif // CHI_LSP_NAMES_NAMES_H
