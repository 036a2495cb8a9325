//===- Names.cpp - Words, and names in syntax -----------------------------===//
#include "chi/Sema/Names/Names.h"
#include "chi/AST/Walk.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace chi;
using namespace chi::sema;

//===----------------------------------------------------------------------===//
// Walks over syntax
//===----------------------------------------------------------------------===//

void sema::walkExpr(const ast::Expr *expr,
                    llvm::function_ref<void(const ast::Expr *)> visit) {
  if (!expr)
    return;
  // A worklist: chains of operators may be 100 000 deep.
  llvm::SmallVector<const ast::Expr *> work = {expr};
  while (!work.empty()) {
    const ast::Expr *next = work.pop_back_val();
    visit(next);
    ast::forEachChild(next, [&](ast::Expr *child) { work.push_back(child); });
  }
}

void sema::walkStmts(ast::Body body,
                     llvm::function_ref<void(const ast::Stmt *)> visit) {
  for (const ast::Stmt *stmt : body) {
    visit(stmt);
    if (auto *branch = llvm::dyn_cast<ast::IfStmt>(stmt)) {
      walkStmts(branch->thenBody, visit);
      walkStmts(branch->elseBody, visit);
    } else if (auto *loop = llvm::dyn_cast<ast::WhileStmt>(stmt)) {
      walkStmts(loop->body, visit);
      walkStmts(loop->elseBody, visit);
    } else if (auto *loop = llvm::dyn_cast<ast::ForStmt>(stmt)) {
      walkStmts(loop->body, visit);
      walkStmts(loop->elseBody, visit);
    } else if (auto *with = llvm::dyn_cast<ast::WithStmt>(stmt)) {
      walkStmts(with->body, visit);
    }
  }
}

void sema::walkExprs(ast::Body body,
                     llvm::function_ref<void(const ast::Expr *)> visit) {
  walkStmts(body, [&](const ast::Stmt *stmt) {
    ast::forEachExpr(stmt, [&](ast::Expr *expr) { walkExpr(expr, visit); });
  });
}

namespace {
/// Gathers the names that statements assign.
struct Counter {
  AssignCounts &counts;

  enum Where { Own, InLoop, Update };

  void add(llvm::StringRef name, SourceRange range, Where where) {
    ++counts.all[name];
    // An update reads the name: it is not where a reader finds the first value.
    if (where == Update)
      counts.updates.try_emplace(name, range);
    else
      counts.first.try_emplace(name, range);
    if (where == Own)
      ++counts.own[name];
    else if (where == InLoop)
      counts.inLoops.try_emplace(name, range);
  }
  void target(const ast::Expr *expr, Where where) {
    if (auto *name = llvm::dyn_cast<ast::NameExpr>(expr))
      return add(name->name, name->range, where);
    if (auto *tuple = llvm::dyn_cast<ast::TupleExpr>(expr))
      for (const ast::Expr *element : tuple->elements)
        target(element, where);
    if (auto *list = llvm::dyn_cast<ast::ListExpr>(expr))
      for (const ast::Expr *element : list->elements)
        target(element, where);
    // `v.x = 1` and `v[0] = 1` change v, but do not make it.
    const ast::Expr *base = expr;
    while (true) {
      if (auto *attribute = llvm::dyn_cast<ast::AttributeExpr>(base))
        base = attribute->base;
      else if (auto *subscript = llvm::dyn_cast<ast::SubscriptExpr>(base))
        base = subscript->base;
      else
        break;
    }
    if (base != expr)
      if (auto *name = llvm::dyn_cast<ast::NameExpr>(base))
        ++counts.parts[name->name];
  }
  void body(ast::Body stmts, Where where) {
    for (const ast::Stmt *stmt : stmts)
      one(stmt, where);
  }
  /// `atomic_add(v, e)` of a variable is an update.
  void value(const ast::Expr *expr) {
    auto *call = llvm::dyn_cast_or_null<ast::CallExpr>(expr);
    auto *name = call ? llvm::dyn_cast<ast::NameExpr>(call->callee) : nullptr;
    if (name && name->name.starts_with("atomic_") && !call->args.empty())
      target(call->args[0].value, Update);
  }
  void one(const ast::Stmt *stmt, Where where) {
    if (auto *assign = llvm::dyn_cast<ast::AssignStmt>(stmt)) {
      for (const ast::Expr *expr : assign->targets)
        target(expr, where);
      value(assign->value);
    } else if (auto *call = llvm::dyn_cast<ast::ExprStmt>(stmt)) {
      value(call->value);
    } else if (auto *assign = llvm::dyn_cast<ast::AnnAssignStmt>(stmt)) {
      target(assign->target, where);
      value(assign->value);
    } else if (auto *assign = llvm::dyn_cast<ast::AugAssignStmt>(stmt)) {
      target(assign->target, Update);
    } else if (auto *branch = llvm::dyn_cast<ast::IfStmt>(stmt)) {
      body(branch->thenBody, where), body(branch->elseBody, where);
    } else if (auto *loop = llvm::dyn_cast<ast::WhileStmt>(stmt)) {
      body(loop->body, InLoop), body(loop->elseBody, where);
    } else if (auto *loop = llvm::dyn_cast<ast::ForStmt>(stmt)) {
      body(loop->body, InLoop), body(loop->elseBody, where);
    } else if (auto *with = llvm::dyn_cast<ast::WithStmt>(stmt)) {
      if (!with->asName.empty())
        add(with->asName, with->range, where);
      body(with->body, where);
    } else if (auto *example = llvm::dyn_cast<ast::ExampleStmt>(stmt)) {
      body(example->body, where);
    }
  }
};
} // namespace

AssignCounts sema::countAssignments(ast::Body body) {
  AssignCounts counts;
  Counter{counts}.body(body, Counter::Own);
  for (auto &update : counts.updates)
    counts.first.try_emplace(update.first(), update.second);
  return counts;
}

//===----------------------------------------------------------------------===//
// Names from around a function
//===----------------------------------------------------------------------===//

/// Calls `visit` for each name in the targets of a loop.
static void eachTarget(const ast::ForStmt *loop,
                       llvm::function_ref<void(llvm::StringRef)> visit) {
  for (const ast::Expr *target : loop->targets)
    walkExpr(target, [&](const ast::Expr *part) {
      if (auto *name = llvm::dyn_cast<ast::NameExpr>(part))
        visit(name->name);
    });
}

bool sema::bindsOtherwise(ast::Body body, llvm::StringRef name) {
  bool binds = false;
  walkStmts(body, [&](const ast::Stmt *stmt) {
    if (auto *loop = llvm::dyn_cast<ast::ForStmt>(stmt))
      eachTarget(loop, [&](llvm::StringRef each) { binds |= each == name; });
    if (auto *function = llvm::dyn_cast<ast::FunctionStmt>(stmt))
      binds |= function->name == name;
  });
  return binds;
}

namespace {
/// Finds the names that are bound nowhere inside of a function.
class FreeNames {
public:
  using Bound = std::set<llvm::StringRef>;
  void visit(const ast::FunctionStmt *function, Bound bound);
  std::vector<const ast::NameExpr *> found;

private:
  void visit(const ast::Expr *expr, const Bound &bound);
  void visit(ast::Body body, const Bound &bound);
  std::set<llvm::StringRef> seen;
};
} // namespace

/// What the statements of a body bind, blocks included.
static void addBound(ast::Body body, FreeNames::Bound &bound) {
  AssignCounts counts = countAssignments(body);
  for (auto &entry : counts.all)
    bound.insert(entry.first());
  walkStmts(body, [&](const ast::Stmt *stmt) {
    if (auto *loop = llvm::dyn_cast<ast::ForStmt>(stmt))
      eachTarget(loop, [&](llvm::StringRef name) { bound.insert(name); });
    if (auto *function = llvm::dyn_cast<ast::FunctionStmt>(stmt))
      bound.insert(function->name);
  });
}

void FreeNames::visit(const ast::FunctionStmt *function, Bound bound) {
  ast::forEachExpr(function, [&](ast::Expr *expr) { visit(expr, bound); });
  for (const ast::TypeParameter &parameter : function->typeParams)
    bound.insert(parameter.name);
  for (const ast::Parameter &parameter : function->params)
    bound.insert(parameter.name);
  addBound(function->body, bound);
  visit(function->body, bound);
}

void FreeNames::visit(const ast::Expr *expr, const Bound &bound) {
  if (auto *name = llvm::dyn_cast<ast::NameExpr>(expr)) {
    if (!bound.count(name->name) && seen.insert(name->name).second)
      found.push_back(name);
  } else if (auto *lambda = llvm::dyn_cast<ast::LambdaExpr>(expr)) {
    visit(lambda->function, bound);
  } else if (auto *loops = llvm::dyn_cast<ast::ComprehensionExpr>(expr)) {
    Bound inner = bound;
    addBound(loops->loop, inner);
    visit(ast::Body(loops->loop), inner);
  } else {
    ast::forEachChild(expr, [&](ast::Expr *child) { visit(child, bound); });
  }
}

void FreeNames::visit(ast::Body body, const Bound &bound) {
  walkStmts(body, [&](const ast::Stmt *stmt) {
    if (auto *function = llvm::dyn_cast<ast::FunctionStmt>(stmt))
      return visit(function, bound);
    ast::forEachExpr(stmt, [&](ast::Expr *expr) { visit(expr, bound); });
  });
}

std::vector<const ast::NameExpr *>
sema::freeNames(const ast::FunctionStmt *function) {
  FreeNames names;
  // A function may call itself.
  names.visit(function, {function->name});
  return std::move(names.found);
}
