//===- Walk.cpp - Visiting the parts of a node ----------------------------===//
#include "chi/AST/Walk.h"

using namespace chi::ast;
using llvm::ArrayRef;
using llvm::cast;

using VisitExpr = llvm::function_ref<void(Expr *)>;

static void each(ArrayRef<Expr *> exprs, VisitExpr visit) {
  for (Expr *expr : exprs)
    if (expr)
      visit(expr);
}

/// The expressions of statements and of what is inside of them.
static void eachExprIn(Body body, VisitExpr visit) {
  for (const Stmt *stmt : body) {
    forEachExpr(stmt, visit);
    forEachChild(stmt, [&](Stmt *child) { eachExprIn(child, visit); });
  }
}

void chi::ast::forEachChild(const Expr *expr, VisitExpr visit) {
  switch (expr->kind) {
  case ExprKind::Int:
  case ExprKind::Float:
  case ExprKind::Bool:
  case ExprKind::None:
  case ExprKind::String:
  case ExprKind::Name:
  case ExprKind::Unsupported:
    return;
  case ExprKind::FString:
    for (const FStringPart &part : cast<FStringExpr>(expr)->parts) {
      each(part.value, visit);
      for (const FStringPart &inner : part.formatParts)
        each(inner.value, visit);
    }
    return;
  case ExprKind::Attribute:
    return visit(cast<AttributeExpr>(expr)->base);
  case ExprKind::Subscript: {
    auto *subscript = cast<SubscriptExpr>(expr);
    visit(subscript->base);
    return each(subscript->indices, visit);
  }
  case ExprKind::Slice: {
    auto *slice = cast<SliceExpr>(expr);
    return each({slice->begin, slice->end, slice->step}, visit);
  }
  case ExprKind::Call: {
    auto *call = cast<CallExpr>(expr);
    visit(call->callee);
    for (const Argument &argument : call->args)
      visit(argument.value);
    return;
  }
  case ExprKind::Unary:
    return visit(cast<UnaryExpr>(expr)->operand);
  case ExprKind::Binary:
    visit(cast<BinaryExpr>(expr)->lhs);
    return visit(cast<BinaryExpr>(expr)->rhs);
  case ExprKind::Compare:
    return each(cast<CompareExpr>(expr)->operands, visit);
  case ExprKind::Logical:
    return each(cast<LogicalExpr>(expr)->operands, visit);
  case ExprKind::Conditional: {
    auto *conditional = cast<ConditionalExpr>(expr);
    return each({conditional->thenValue, conditional->condition,
                 conditional->elseValue},
                visit);
  }
  case ExprKind::List:
    return each(cast<ListExpr>(expr)->elements, visit);
  case ExprKind::Tuple:
    return each(cast<TupleExpr>(expr)->elements, visit);
  case ExprKind::Dict:
    return each(cast<DictExpr>(expr)->items, visit);
  case ExprKind::Set:
    return each(cast<SetExpr>(expr)->elements, visit);
  case ExprKind::Collected:
    return each(
        {cast<CollectedExpr>(expr)->key, cast<CollectedExpr>(expr)->value},
        visit);
  case ExprKind::Lambda: {
    const FunctionStmt *function = cast<LambdaExpr>(expr)->function;
    forEachExpr(function, visit);
    return eachExprIn(function->body, visit);
  }
  case ExprKind::Comprehension:
    return eachExprIn(cast<ComprehensionExpr>(expr)->loop, visit);
  }
}

static void eachExprOf(const FunctionStmt *function, VisitExpr visit) {
  each(function->decorators, visit);
  for (const Parameter &param : function->params)
    each({param.type, param.defaultValue}, visit);
  each(function->returnType, visit);
}

static void eachExprOf(const ParamStmt *param, VisitExpr visit) {
  each({param->type, param->value, param->low, param->high}, visit);
  each(param->choices, visit);
}

void chi::ast::forEachExpr(const Stmt *stmt, VisitExpr visit) {
  switch (stmt->kind) {
  case StmtKind::Expr:
    return each(cast<ExprStmt>(stmt)->value, visit);
  case StmtKind::Assign:
    each(cast<AssignStmt>(stmt)->targets, visit);
    return each(cast<AssignStmt>(stmt)->value, visit);
  case StmtKind::AnnAssign: {
    auto *assign = cast<AnnAssignStmt>(stmt);
    return each({assign->target, assign->type, assign->value}, visit);
  }
  case StmtKind::AugAssign:
    return each(
        {cast<AugAssignStmt>(stmt)->target, cast<AugAssignStmt>(stmt)->value},
        visit);
  case StmtKind::If:
    return each(cast<IfStmt>(stmt)->condition, visit);
  case StmtKind::While:
    return each(cast<WhileStmt>(stmt)->condition, visit);
  case StmtKind::For:
    each(cast<ForStmt>(stmt)->targets, visit);
    return each(cast<ForStmt>(stmt)->iterable, visit);
  case StmtKind::Return:
    return each(cast<ReturnStmt>(stmt)->value, visit);
  case StmtKind::Assert:
    return each(
        {cast<AssertStmt>(stmt)->condition, cast<AssertStmt>(stmt)->message},
        visit);
  case StmtKind::With:
    return each(cast<WithStmt>(stmt)->context, visit);
  case StmtKind::Function:
    return eachExprOf(cast<FunctionStmt>(stmt), visit);
  case StmtKind::Class:
    return each(cast<ClassStmt>(stmt)->bases, visit);
  case StmtKind::Const:
    return each({cast<ConstStmt>(stmt)->type, cast<ConstStmt>(stmt)->value},
                visit);
  case StmtKind::Param:
    return eachExprOf(cast<ParamStmt>(stmt), visit);
  case StmtKind::TypeAlias:
    return each(cast<TypeAliasStmt>(stmt)->value, visit);
  case StmtKind::Export:
    return each(cast<ExportStmt>(stmt)->instances, visit);
  case StmtKind::Break:
  case StmtKind::Continue:
  case StmtKind::Pass:
  case StmtKind::Test:
  case StmtKind::Example:
  case StmtKind::Import:
  case StmtKind::FromImport:
  case StmtKind::Unsupported:
    return;
  }
}

void chi::ast::forEachChild(const Stmt *stmt,
                            llvm::function_ref<void(Stmt *)> visit) {
  auto eachOf = [&](Body body) {
    for (Stmt *child : body)
      visit(child);
  };
  switch (stmt->kind) {
  case StmtKind::If:
    eachOf(cast<IfStmt>(stmt)->thenBody);
    return eachOf(cast<IfStmt>(stmt)->elseBody);
  case StmtKind::While:
    eachOf(cast<WhileStmt>(stmt)->body);
    return eachOf(cast<WhileStmt>(stmt)->elseBody);
  case StmtKind::For:
    eachOf(cast<ForStmt>(stmt)->body);
    return eachOf(cast<ForStmt>(stmt)->elseBody);
  case StmtKind::With:
    return eachOf(cast<WithStmt>(stmt)->body);
  case StmtKind::Function:
    return eachOf(cast<FunctionStmt>(stmt)->body);
  case StmtKind::Class:
    return eachOf(cast<ClassStmt>(stmt)->body);
  case StmtKind::Test:
    return eachOf(cast<TestStmt>(stmt)->body);
  case StmtKind::Example:
    return eachOf(cast<ExampleStmt>(stmt)->body);
  default:
    return; // the others have no bodies
  }
}

void chi::ast::walk(Expr *expr, VisitExpr visit) {
  visit(expr);
  forEachChild(expr, [&](Expr *child) { walk(child, visit); });
}

std::string chi::ast::dottedName(const Expr *expr) {
  std::string text;
  while (auto *attribute = llvm::dyn_cast<AttributeExpr>(expr)) {
    text = "." + attribute->name.str() + text;
    expr = attribute->base;
  }
  auto *name = llvm::dyn_cast<NameExpr>(expr);
  return name ? name->name.str() + text : "";
}
