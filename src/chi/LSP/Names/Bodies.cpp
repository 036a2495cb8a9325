//===- Bodies.cpp - The names in statements and expressions ---------------===//
#include "chi/AST/Walk.h"
#include "chi/LSP/Names/Resolver.h"
#include "llvm/ADT/STLExtras.h"

using namespace chi;
using namespace chi::lsp;
using llvm::StringRef;

/// Where a statement begins, its decorators included.
static uint32_t beginOf(const ast::Stmt *stmt) {
  uint32_t begin = stmt->range.begin;
  if (auto *function = llvm::dyn_cast<ast::FunctionStmt>(stmt))
    for (const ast::Expr *each : function->decorators)
      begin = std::min(begin, each->range.begin);
  return begin;
}

/// What is written behind the last statement of a block belongs to it, too, up
/// to the next statement: that is where the next line is typed.
void Resolver::walkBody(Scope &scope, ast::Body body, uint32_t end) {
  for (size_t k = 0; k < body.size(); ++k)
    walkStmt(scope, body[k],
             k + 1 < body.size() ? beginOf(body[k + 1]) - 1 : end);
}

void Resolver::runLater() {
  while (!later.empty()) {
    auto now = std::move(later);
    later.clear();
    for (auto &each : now)
      each();
  }
}

void Resolver::walkStmt(Scope &scope, const ast::Stmt *stmt, uint32_t end) {
  using K = ast::StmtKind;
  switch (stmt->kind) {
  case K::Assign: {
    auto *assign = llvm::cast<ast::AssignStmt>(stmt);
    walkExpr(scope, assign->value);
    for (const ast::Expr *target : assign->targets)
      walkTarget(scope, target, /*isLoops=*/false);
    return;
  }
  case K::AnnAssign: {
    auto *assign = llvm::cast<ast::AnnAssignStmt>(stmt);
    walkExpr(scope, assign->type);
    walkExpr(scope, assign->value);
    return walkTarget(scope, assign->target, /*isLoops=*/false);
  }
  case K::AugAssign: {
    auto *assign = llvm::cast<ast::AugAssignStmt>(stmt);
    walkExpr(scope, assign->value);
    return walkTarget(scope, assign->target, /*isLoops=*/false);
  }
  case K::If: {
    auto *branch = llvm::cast<ast::IfStmt>(stmt);
    walkExpr(scope, branch->condition);
    uint32_t middle =
        branch->elseBody.empty() ? end : beginOf(branch->elseBody[0]) - 1;
    walkBody(scope, branch->thenBody, middle);
    return walkBody(scope, branch->elseBody, end);
  }
  case K::While: {
    auto *loop = llvm::cast<ast::WhileStmt>(stmt);
    walkExpr(scope, loop->condition);
    uint32_t middle =
        loop->elseBody.empty() ? end : beginOf(loop->elseBody[0]) - 1;
    walkLoop(scope, {}, stmt->range, loop->body, middle);
    return walkBody(scope, loop->elseBody, end);
  }
  case K::For: {
    auto *loop = llvm::cast<ast::ForStmt>(stmt);
    walkExpr(scope, loop->iterable);
    uint32_t middle =
        loop->elseBody.empty() ? end : beginOf(loop->elseBody[0]) - 1;
    walkLoop(scope, loop->targets, stmt->range, loop->body, middle);
    return walkBody(scope, loop->elseBody, end);
  }
  case K::With:
    return walkWith(scope, llvm::cast<ast::WithStmt>(stmt), end);
  case K::Function: {
    auto *function = llvm::cast<ast::FunctionStmt>(stmt);
    if (!names.symbolOf(stmt)) // in a body
      declare(scope, make(Symbol::Function, function->name, function->nameRange,
                          stmt));
    return walkFunction(scope, function, end);
  }
  case K::Class:
    return walkClass(scope, llvm::cast<ast::ClassStmt>(stmt), end);
  case K::Test: {
    auto *test = llvm::cast<ast::TestStmt>(stmt);
    SourceRange range = stmt->range;
    range.end = end;
    return walkBody(*open(&scope, range, /*isFunction=*/true), test->body, end);
  }
  case K::Import:
  case K::FromImport:
    return; // declared
  default:
    walkExprs(scope, stmt);
    ast::forEachChild(stmt,
                      [&](ast::Stmt *child) { walkStmt(scope, child, end); });
  }
}

void Resolver::walkExprs(Scope &scope, const ast::Stmt *stmt) {
  ast::forEachExpr(stmt, [&](ast::Expr *expr) { walkExpr(scope, expr); });
}

void Resolver::walkLoop(Scope &scope, llvm::ArrayRef<ast::Expr *> targets,
                        SourceRange range, ast::Body body, uint32_t end) {
  range.end = end;
  Scope *inner = open(&scope, range);
  for (const ast::Expr *target : targets)
    walkTarget(*inner, target, /*isLoops=*/true);
  walkBody(*inner, body, end);
}

void Resolver::walkWith(Scope &scope, const ast::WithStmt *stmt, uint32_t end) {
  walkExpr(scope, stmt->context);
  if (!stmt->asName.empty()) {
    // The tree has no range of the name: it is the last of its kind in the
    // line.
    StringRef text = sources.text(stmt->range.file);
    size_t line = text.find('\n', stmt->context->range.end);
    size_t at = text.slice(stmt->context->range.end, line).find(stmt->asName);
    if (at != StringRef::npos) {
      uint32_t begin = uint32_t(stmt->context->range.end + at);
      Symbol *known = scope.find(stmt->asName);
      SourceRange range{stmt->range.file, begin,
                        uint32_t(begin + stmt->asName.size())};
      if (known && scope.names.count(stmt->asName))
        addUse(range, known, /*isWrite=*/true);
      else
        declare(scope, make(Symbol::Variable, stmt->asName, range));
    }
  }
  walkBody(scope, stmt->body, end);
}

void Resolver::walkClass(Scope &scope, const ast::ClassStmt *stmt,
                         uint32_t end) {
  SourceRange range = stmt->nameRange;
  range.end = end;
  Scope *inner = open(&scope, range);
  for (const ast::TypeParameter &each : stmt->typeParams)
    declare(*inner, make(Symbol::TypeParameter, each.name, each.range));
  Symbol *klass = names.symbolOf(stmt);
  for (size_t k = 0; k < stmt->body.size(); ++k) {
    const ast::Stmt *each = stmt->body[k];
    uint32_t stop =
        k + 1 < stmt->body.size() ? beginOf(stmt->body[k + 1]) - 1 : end;
    if (auto *member = llvm::dyn_cast<ast::AnnAssignStmt>(each)) {
      walkExpr(*inner, member->type);
      walkExpr(*inner, member->value);
    } else if (auto *method = llvm::dyn_cast<ast::FunctionStmt>(each)) {
      walkFunction(*inner, method, stop, klass);
    }
  }
}

void Resolver::walkFunction(Scope &scope, const ast::FunctionStmt *stmt,
                            uint32_t end, Symbol *klass) {
  for (const ast::Expr *each : stmt->decorators)
    walkExpr(scope, each);
  SourceRange range = stmt->nameRange.isValid() ? stmt->nameRange : stmt->range;
  range.end = end;
  Scope *inner = open(&scope, range, /*isFunction=*/true);
  for (const ast::TypeParameter &each : stmt->typeParams)
    declare(*inner, make(Symbol::TypeParameter, each.name, each.range));
  for (auto [k, each] : llvm::enumerate(stmt->params)) {
    walkExpr(*inner, each.defaultValue);
    Symbol *made = declare(
        *inner, make(Symbol::Parameter, each.name, each.nameRange, nullptr));
    parameters[&each] = made;
    if (klass && k == 0)
      names.selfOf[made] = klass;
  }
  for (const ast::Parameter &each : stmt->params)
    walkExpr(*inner, each.type);
  walkExpr(*inner, stmt->returnType);
  later.push_back(
      [this, inner, stmt, end] { walkBody(*inner, stmt->body, end); });
}

void Resolver::walkTarget(Scope &scope, const ast::Expr *target, bool isLoops) {
  names.all.push_back(target);
  if (auto *name = llvm::dyn_cast<ast::NameExpr>(target))
    return assignName(scope, name, isLoops);
  if (auto *tuple = llvm::dyn_cast<ast::TupleExpr>(target)) {
    for (const ast::Expr *each : tuple->elements)
      walkTarget(scope, each, isLoops);
    return;
  }
  if (auto *list = llvm::dyn_cast<ast::ListExpr>(target)) {
    for (const ast::Expr *each : list->elements)
      walkTarget(scope, each, isLoops);
    return;
  }
  walkExpr(scope, target);
}

/// A variable of the function that is known here is assigned again; else the
/// name is a new one of the innermost loop or function.
void Resolver::assignName(Scope &scope, const ast::NameExpr *name,
                          bool isLoops) {
  Symbol *known = nullptr;
  for (Scope *at = &scope; at && !known && !isLoops; at = at->parent) {
    auto found = at->names.find(name->name);
    if (found != at->names.end())
      known = found->second;
    // A variable of the top level is one from its first assignment on.
    bool isModules = known && !at->parent;
    if (isModules && known->kind == Symbol::Variable && &scope != at &&
        !isSeen.lookup(known))
      known = nullptr;
    if (at->isFunction)
      break;
  }
  if (name->name == "_")
    return;
  if (!known)
    known = declare(scope, make(Symbol::Variable, name->name, name->range));
  else
    addUse(name->range, known, /*isWrite=*/true);
  isSeen[known] = true;
  names.named[name] = known;
}

/// A worklist for operators: chains of them may be 100 000 deep.
void Resolver::walkExpr(Scope &scope, const ast::Expr *expr) {
  if (!expr)
    return;
  llvm::SmallVector<const ast::Expr *> work = {expr};
  while (!work.empty()) {
    const ast::Expr *next = work.pop_back_val();
    names.all.push_back(next);
    if (auto *name = llvm::dyn_cast<ast::NameExpr>(next)) {
      if (Symbol *symbol = scope.find(name->name)) {
        addUse(name->range, symbol);
        names.named[name] = symbol;
      }
    } else if (auto *attribute = llvm::dyn_cast<ast::AttributeExpr>(next)) {
      attributes.push_back({attribute, &scope});
    } else if (auto *lambda = llvm::dyn_cast<ast::LambdaExpr>(next)) {
      walkFunction(scope, lambda->function, lambda->range.end);
      continue;
    } else if (auto *loop = llvm::dyn_cast<ast::ComprehensionExpr>(next)) {
      for (const ast::Stmt *stmt : loop->loop)
        walkStmt(scope, stmt, loop->range.end);
      continue;
    } else if (auto *call = llvm::dyn_cast<ast::CallExpr>(next)) {
      calls.push_back(call);
    }
    ast::forEachChild(next, [&](ast::Expr *child) { work.push_back(child); });
  }
}
