//===- Names.cpp - What names stand for, by place -------------------------===//
#include "chi/LSP/Names/Names.h"
#include "chi/LSP/Names/Resolver.h"
#include "llvm/ADT/STLExtras.h"

using namespace chi;
using namespace chi::lsp;

Symbol *Scope::find(llvm::StringRef name) const {
  for (const Scope *scope = this; scope; scope = scope->parent)
    if (auto found = scope->names.find(name); found != scope->names.end())
      return found->second;
  return nullptr;
}

static bool isBefore(const Use &a, const Use &b) {
  return std::tuple(a.range.file, a.range.begin, a.range.end) <
         std::tuple(b.range.file, b.range.begin, b.range.end);
}

Names::Names(const SourceFiles &sources, const ast::Module &main,
             sema::ModuleLoader &loader, const Facts &facts)
    : facts(facts) {
  Resolver resolver(*this, sources, loader, facts);
  resolver.addModule(main);
  resolver.finish();
  llvm::sort(uses, isBefore);
  // What is walked twice, as the parts of a chained comparison, counts once.
  uses.erase(std::unique(uses.begin(), uses.end(),
                         [](const Use &a, const Use &b) {
                           return a.range == b.range && a.symbol == b.symbol;
                         }),
             uses.end());
}

const Use *Names::useAt(uint32_t file, uint32_t offset) const {
  Use wanted;
  wanted.range = {file, offset, ~0u};
  auto after = llvm::upper_bound(uses, wanted, isBefore);
  // Uses do not overlap, and a cursor behind a name stands at it.
  if (after == uses.begin())
    return nullptr;
  const Use &use = *std::prev(after);
  bool isAt = use.range.file == file && offset <= use.range.end;
  return isAt ? &use : nullptr;
}

std::vector<Use> Names::usesOf(const Symbol *symbol) const {
  std::vector<Use> found;
  for (const Use &use : uses)
    if (use.symbol == symbol)
      found.push_back(use);
  return found;
}

const Scope *Names::scopeAt(uint32_t file, uint32_t offset) const {
  const Scope *best = nullptr;
  for (const Scope &scope : scopes) {
    bool isAround =
        scope.file == file && scope.begin <= offset && offset <= scope.end;
    // Later ones are further in, if they are as long.
    if (isAround &&
        (!best || scope.end - scope.begin <= best->end - best->begin))
      best = &scope;
  }
  return best;
}

const Scope *Names::moduleOf(uint32_t file) const {
  auto found = moduleScopes.find(file);
  return found == moduleScopes.end() ? nullptr : found->second;
}

const ast::Expr *Names::exprAt(SourceRange range) const {
  for (const ast::Expr *expr : all)
    if (expr->range == range)
      return expr;
  return nullptr;
}

const ast::Expr *Names::exprAround(uint32_t file, uint32_t offset) const {
  const ast::Expr *best = nullptr;
  for (const ast::Expr *expr : all) {
    SourceRange range = expr->range;
    bool isAround =
        range.file == file && range.begin <= offset && offset <= range.end;
    if (isAround && (!best || range.end - range.begin <=
                                  best->range.end - best->range.begin))
      best = expr;
  }
  return best;
}

Symbol *Names::classOf(const ast::Expr *expr) const {
  Symbol *named = symbolOf(expr);
  if (Symbol *self = selfOf.lookup(named))
    return self;
  const ast::ClassStmt *klass = facts.classOf(facts.typeOf(expr));
  // In a line that was not checked, the variable may still be known.
  for (sema::TypeRef type :
       named ? facts.typesOf(named->range) : llvm::ArrayRef<sema::TypeRef>())
    if (!klass)
      klass = facts.classOf(type);
  return klass ? symbolOf(klass) : nullptr;
}
