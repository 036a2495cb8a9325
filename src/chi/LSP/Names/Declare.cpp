//===- Declare.cpp - The names that modules and classes declare -----------===//
#include "chi/LSP/Names/Resolver.h"
#include "llvm/ADT/STLExtras.h"

using namespace chi;
using namespace chi::lsp;
using llvm::StringRef;

Symbol *Resolver::make(Symbol::Kind kind, StringRef name, SourceRange range,
                       const ast::Stmt *stmt) {
  Symbol &symbol = names.symbols.emplace_back();
  symbol.kind = kind;
  symbol.name = name;
  symbol.range = range;
  symbol.stmt = stmt;
  if (stmt)
    names.declaredBy.try_emplace(stmt, &symbol);
  return &symbol;
}

void Resolver::addUse(SourceRange range, Symbol *symbol, bool isWrite) {
  names.uses.push_back({range, symbol, isWrite});
}

/// The first declaration of a name holds; others are uses of it.
Symbol *Resolver::declare(Scope &scope, Symbol *symbol) {
  Symbol *known = scope.names.try_emplace(symbol->name, symbol).first->second;
  addUse(symbol->range, known, /*isWrite=*/true);
  return known;
}

Scope *Resolver::open(Scope *parent, SourceRange range, bool isFunction) {
  Scope &scope = names.scopes.emplace_back();
  scope.parent = parent;
  scope.isFunction = isFunction;
  scope.file = range.file;
  scope.begin = range.begin;
  scope.end = std::max(range.begin, range.end);
  return &scope;
}

Scope *Resolver::addModule(const ast::Module &module) {
  auto [known, isNew] = names.moduleScopes.try_emplace(module.file, nullptr);
  if (!isNew)
    return known->second;
  uint32_t end = uint32_t(sources.text(module.file).size());
  Scope *scope = open(nullptr, {module.file, 0, end});
  known->second = scope;
  names.parsed.push_back(&module);
  declareTopLevel(*scope, module);
  walkBody(*scope, module.body, end);
  runLater();
  return scope;
}

void Resolver::declareTopLevel(Scope &scope, const ast::Module &module) {
  for (const ast::Stmt *stmt : module.body)
    declareStmt(scope, stmt);
  // Variables are those that are assigned outside of loops; the walk finds
  // their places.
  sema::AssignCounts counts = sema::countAssignments(module.body);
  for (auto &entry : counts.own) {
    SourceRange range = counts.first.lookup(entry.first());
    StringRef name = entry.first(); // of a map that ends here
    if (scope.names.count(name) || name == "_")
      continue;
    // As it is written, which lasts.
    StringRef written = sources.text(range).take_front(name.size());
    if (written != name)
      continue; // `with … as name`
    scope.names[written] =
        make(Symbol::Variable, written,
             {range.file, range.begin, uint32_t(range.begin + name.size())});
  }
}

void Resolver::declareStmt(Scope &scope, const ast::Stmt *stmt) {
  if (auto *function = llvm::dyn_cast<ast::FunctionStmt>(stmt))
    declare(scope,
            make(Symbol::Function, function->name, function->nameRange, stmt));
  else if (auto *klass = llvm::dyn_cast<ast::ClassStmt>(stmt))
    declareClass(scope, klass);
  else if (auto *constant = llvm::dyn_cast<ast::ConstStmt>(stmt))
    declare(scope,
            make(Symbol::Const, constant->name, constant->nameRange, stmt));
  else if (auto *param = llvm::dyn_cast<ast::ParamStmt>(stmt))
    declare(scope, make(Symbol::Param, param->name, param->nameRange, stmt));
  else if (auto *alias = llvm::dyn_cast<ast::TypeAliasStmt>(stmt))
    declare(scope, make(Symbol::Type, alias->name, alias->nameRange, stmt));
  else if (auto *import = llvm::dyn_cast<ast::ImportStmt>(stmt))
    declareImport(scope, import);
  else if (auto *from = llvm::dyn_cast<ast::FromImportStmt>(stmt))
    declareFrom(scope, from);
}

void Resolver::declareClass(Scope &scope, const ast::ClassStmt *stmt) {
  Symbol *klass = make(Symbol::Class, stmt->name, stmt->nameRange, stmt);
  klass->members = open(nullptr, {stmt->nameRange.file, 0, 0});
  declare(scope, klass);
  for (const ast::Stmt *each : stmt->body) {
    auto *member = llvm::dyn_cast<ast::AnnAssignStmt>(each);
    auto *name =
        member ? llvm::dyn_cast<ast::NameExpr>(member->target) : nullptr;
    auto *method = llvm::dyn_cast<ast::FunctionStmt>(each);
    Symbol *made = nullptr;
    if (name)
      made = make(Symbol::Member, name->name, name->range, each);
    else if (method)
      made = make(Symbol::Function, method->name, method->nameRange, each);
    if (!made)
      continue;
    made->owner = klass;
    declare(*klass->members, made);
  }
}

Scope *Resolver::imported(StringRef path, uint32_t fromFile) {
  sema::ModuleLoader::Result result = loader.load(path, fromFile);
  return result.module ? addModule(*result.module) : nullptr;
}

void Resolver::declareImport(Scope &scope, const ast::ImportStmt *stmt) {
  uint32_t file = stmt->pathRange.file;
  StringRef last = stmt->path.rsplit('.').second;
  StringRef name = !stmt->alias.empty() ? stmt->alias
                   : last.empty()       ? stmt->path
                                        : last;
  // `import a.b as c` names c behind the path.
  SourceRange range = stmt->pathRange;
  range.begin = uint32_t(range.end - name.size());
  if (!stmt->alias.empty()) {
    size_t at = sources.text(file).find(stmt->alias, range.end);
    range = {file, uint32_t(at), uint32_t(at + name.size())};
  }
  Symbol *module = make(Symbol::Module, name, range);
  module->path = stmt->path.str();
  module->members = imported(stmt->path, file);
  declare(scope, module);
  if (stmt->alias.empty())
    scope.names.try_emplace(stmt->path, module);
}

void Resolver::declareFrom(Scope &scope, const ast::FromImportStmt *stmt) {
  Symbol *module = make(Symbol::Module, stmt->path, stmt->pathRange);
  module->path = stmt->path.str();
  module->members = imported(stmt->path, stmt->pathRange.file);
  addUse(stmt->pathRange, module);
  for (const ast::ImportedName &each : stmt->names) {
    SourceRange own = each.range; // without ` as s`
    own.end = uint32_t(own.begin + each.name.size());
    Symbol *target = nullptr;
    if (module->members)
      if (auto found = module->members->names.find(each.name);
          found != module->members->names.end())
        target = found->second;
    bool isRenamed = !each.alias.empty() && each.alias != each.name;
    if (target && !isRenamed) {
      scope.names.try_emplace(each.name, target);
      addUse(own, target);
      continue;
    }
    if (target)
      addUse(own, target);
    StringRef name = isRenamed ? each.alias : each.name;
    SourceRange range = own;
    if (isRenamed)
      range.begin = uint32_t(each.range.end - name.size()),
      range.end = each.range.end;
    Symbol *alias = make(Symbol::Alias, name, range);
    alias->target = target;
    alias->path = stmt->path.str();
    alias->imported = each.name;
    declare(scope, alias);
  }
}
