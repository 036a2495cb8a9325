//===- LiteralRange.cpp - Float literals that their precision cannot hold -===//
// A literal may get a wider precision after its first one ([Inf.2]), so this
// looks at what a body has in the end.
#include "chi/Sema/BodyCheck.h"
#include "llvm/ADT/StringExtras.h"

using namespace chi;
using namespace chi::sema;

bool ProgramChecker::reportTooLarge(const Expr *expr) {
  bool found = false;
  llvm::SmallVector<Expr *> work = {const_cast<Expr *>(expr)};
  while (!work.empty()) {
    Expr *next = work.pop_back_val();
    auto *literal = llvm::dyn_cast<LiteralExpr>(next);
    if (literal && static_cast<ExactLiteral *>(literal)->isTooLarge) {
      llvm::StringRef text = sources.text(next->range);
      bool isNumber = text.find_if_not([](char c) {
        return llvm::isHexDigit(c) || llvm::StringRef("-+._").contains(c);
      }) == text.npos && text.find_first_of("0123456789") <= 1;
      diags
          .report(next->range, diag::LiteralOutOfRange,
                  isNumber ? text.str() : "`" + text.str() + "`",
                  next->type->str())
          .send();
      found = true;
    }
    forEachOperand(next, [&](Expr *&operand) { work.push_back(operand); });
  }
  return found;
}

namespace {
/// Shows all expressions of statements.
struct ExprVisitor {
  llvm::function_ref<void(const Expr *)> visit;

  void one(const Expr *expr) {
    if (expr)
      visit(expr);
  }
  void all(llvm::ArrayRef<Expr *> exprs) {
    for (const Expr *expr : exprs)
      one(expr);
  }
  void place(const Place &place) {
    one(place.field), all(place.indices), all(place.path);
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

void ExprVisitor::statement(const Stmt *stmt) {
  switch (stmt->kind) {
  case StmtKind::Expr:
    return one(llvm::cast<ExprStmt>(stmt)->value);
  case StmtKind::Assign:
    place(llvm::cast<AssignStmt>(stmt)->place);
    return one(llvm::cast<AssignStmt>(stmt)->value);
  case StmtKind::Accumulate:
    place(llvm::cast<AccumulateStmt>(stmt)->place);
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
    for (const Body &turn : llvm::cast<UnrolledStmt>(stmt)->bodies)
      body(turn);
    return;
  case StmtKind::Return:
    return one(llvm::cast<ReturnStmt>(stmt)->value);
  case StmtKind::Assert:
    one(llvm::cast<AssertStmt>(stmt)->condition);
    return parts(llvm::cast<AssertStmt>(stmt)->message);
  case StmtKind::Print:
    return parts(llvm::cast<PrintStmt>(stmt)->parts);
  case StmtKind::Break:
  case StmtKind::Continue:
    return;
  }
}

void ProgramChecker::reportTooLarge(const Body &body) {
  auto visit = [&](const Expr *expr) { reportTooLarge(expr); };
  ExprVisitor{visit}.body(body);
}
