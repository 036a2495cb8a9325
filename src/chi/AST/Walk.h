//===- Walk.h - Visiting the parts of a node --------------------*- C++ -*-===//
#ifndef CHI_AST_WALK_H
#define CHI_AST_WALK_H

#include "chi/AST/Stmt.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace chi::ast {

/// Calls `visit` for each expression directly inside `expr`, in the order of
/// the text. Absent parts are left out; the calls never see null.
void forEachChild(const Expr *expr, llvm::function_ref<void(Expr *)> visit);

/// Calls `visit` for each expression directly inside `stmt`: conditions,
/// values, targets, types, decorators, defaults, but not its bodies.
void forEachExpr(const Stmt *stmt, llvm::function_ref<void(Expr *)> visit);

/// Calls `visit` for each statement of the bodies directly inside `stmt`.
void forEachChild(const Stmt *stmt, llvm::function_ref<void(Stmt *)> visit);

/// Calls `visit` for `expr` and all expressions inside it, outer ones first.
void walk(Expr *expr, llvm::function_ref<void(Expr *)> visit);

/// `fluid.pressure` of names alone; "" of any other expression.
std::string dottedName(const Expr *expr);

} // namespace chi::ast
#endif // CHI_AST_WALK_H
