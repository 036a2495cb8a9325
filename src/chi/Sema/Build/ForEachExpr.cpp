//===- ForEachExpr.cpp - What the statements of a body hold ---------------===//
#include "chi/Sema/Build/Build.h"

using namespace chi;
using namespace chi::sema;

namespace {
struct StmtVisitor {
  llvm::function_ref<void(Expr *)> visit;

  void one(Expr *expr) {
    if (expr)
      visit(expr);
  }
  void all(llvm::ArrayRef<Expr *> exprs) {
    for (Expr *expr : exprs)
      one(expr);
  }
  void lvalue(const LValue &lvalue) {
    one(lvalue.field), all(lvalue.indices);
    for (const PathStep &step : lvalue.path)
      one(step.index);
  }
  void parts(llvm::ArrayRef<FormatPart> parts) {
    for (const FormatPart &part : parts)
      one(part.value);
  }
  void body(const Body &body) {
    for (const Stmt *stmt : body)
      statement(stmt);
  }
  void loop(const ForStmt &loop) {
    for (const ForStmt::Range &range : loop.ranges)
      one(range.begin), one(range.end), one(range.step);
    one(loop.field), body(loop.body);
  }
  void statement(const Stmt *stmt);
};
} // namespace

void StmtVisitor::statement(const Stmt *stmt) {
  switch (stmt->kind) {
  case StmtKind::Expr:
    return one(llvm::cast<ExprStmt>(stmt)->value);
  case StmtKind::Assign:
    lvalue(llvm::cast<AssignStmt>(stmt)->lvalue);
    return one(llvm::cast<AssignStmt>(stmt)->value);
  case StmtKind::Accumulate:
    lvalue(llvm::cast<AccumulateStmt>(stmt)->lvalue);
    return one(llvm::cast<AccumulateStmt>(stmt)->value);
  case StmtKind::If: {
    auto *branch = llvm::cast<IfStmt>(stmt);
    one(branch->condition), body(branch->thenBody);
    return body(branch->elseBody);
  }
  case StmtKind::While:
    one(llvm::cast<WhileStmt>(stmt)->condition);
    return body(llvm::cast<WhileStmt>(stmt)->body);
  case StmtKind::For:
    return loop(*llvm::cast<ForStmt>(stmt));
  case StmtKind::Unrolled:
    for (const Body &each : llvm::cast<UnrolledStmt>(stmt)->bodies)
      body(each);
    return;
  case StmtKind::Return:
    return one(llvm::cast<ReturnStmt>(stmt)->value);
  case StmtKind::Assert:
    one(llvm::cast<AssertStmt>(stmt)->condition);
    return parts(llvm::cast<AssertStmt>(stmt)->message);
  case StmtKind::Print:
    return parts(llvm::cast<PrintStmt>(stmt)->parts);
  case StmtKind::Tape: {
    auto *tape = llvm::cast<TapeStmt>(stmt);
    one(tape->loss), one(tape->keep), one(tape->accumulate);
    one(tape->memory), one(tape->spill), all(tape->watched);
    return body(tape->body);
  }
  case StmtKind::Break:
  case StmtKind::Continue:
    return;
  }
}

void sema::forEachExpr(const Body &body,
                       llvm::function_ref<void(Expr *)> visit) {
  StmtVisitor{visit}.body(body);
}

void sema::forEachInner(const Body &body,
                        llvm::function_ref<void(Expr *)> visit) {
  forEachExpr(body, [&](Expr *expr) {
    llvm::SmallVector<Expr *> work = {expr};
    while (!work.empty()) {
      Expr *next = work.pop_back_val();
      visit(next);
      forEachOperand(next, [&](Expr *&operand) { work.push_back(operand); });
    }
  });
}

void sema::forEachStmt(const Body &body,
                       llvm::function_ref<void(Stmt *)> visit) {
  for (Stmt *stmt : body) {
    visit(stmt);
    if (auto *branch = llvm::dyn_cast<IfStmt>(stmt)) {
      forEachStmt(branch->thenBody, visit);
      forEachStmt(branch->elseBody, visit);
    } else if (auto *loop = llvm::dyn_cast<WhileStmt>(stmt)) {
      forEachStmt(loop->body, visit);
    } else if (auto *loop = llvm::dyn_cast<ForStmt>(stmt)) {
      forEachStmt(loop->body, visit);
    } else if (auto *unrolled = llvm::dyn_cast<UnrolledStmt>(stmt)) {
      for (const Body &each : unrolled->bodies)
        forEachStmt(each, visit);
    } else if (auto *tape = llvm::dyn_cast<TapeStmt>(stmt)) {
      forEachStmt(tape->body, visit);
    }
  }
}

bool sema::holdsFloats(TypeRef type) {
  if (type->isTuple() || type->isStruct())
    return llvm::any_of(type->members, holdsFloats);
  TypeRef scalar =
      hasNumbers(type) || type->isArray() ? type->scalar() : nullptr;
  return scalar && scalar->isFloat();
}
