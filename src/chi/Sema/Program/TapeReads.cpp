//===- TapeReads.cpp - Gradients that are read before they are there ------===//
// A tape sets the gradients to zero where it begins and makes them where it
// ends: what reads one in between, in the tape's statements or in what they
// call, reads zero. Nothing is said where something else makes gradients in the
// tape (another tape, `k.grad()`), where the tape adds to what was there, of
// gradients that the program stores to, and under conditions of what is called,
// which may not hold there. What gives a call its adjoint runs when the tape
// has ended.
#include "chi/Sema/Program/Gradients.h"

using namespace chi;
using namespace chi::sema;

namespace {
class TapeReads {
public:
  explicit TapeReads(const TapeProgram &all) : all(all) {}
  void run();

private:
  void addWritten(const Expr *field);
  void findWritten(const Body &body);
  void gather(const Body &body, bool isCalled);
  void warn(const TapeStmt &tape);

  const TapeProgram &all;
  OriginSet written; ///< gradients
  /// Of the current tape.
  llvm::DenseSet<const Function *> called;
  std::vector<const CompanionExpr *> read;
  bool hasOther = false;
  llvm::DenseSet<const CompanionExpr *> reported;
};
} // namespace

void TapeReads::addWritten(const Expr *field) {
  for (Origin origin : all.origins.of(field))
    if (origin.getInt())
      written.insert(origin);
}

void TapeReads::findWritten(const Body &body) {
  forEachStmt(body, [&](Stmt *stmt) {
    auto *set = llvm::dyn_cast<AssignStmt>(stmt);
    auto *update = llvm::dyn_cast<AccumulateStmt>(stmt);
    const LValue *lvalue = set      ? &set->lvalue
                           : update ? &update->lvalue
                                    : nullptr;
    if (lvalue && lvalue->kind == LValue::Element)
      addWritten(lvalue->field);
  });
  forEachInner(body, [&](Expr *expr) {
    if (auto *atomic = llvm::dyn_cast<AtomicExpr>(expr))
      addWritten(atomic->field);
    auto *op = llvm::dyn_cast<HostOpExpr>(expr);
    if (op && (op->op == HostOp::FieldFill || op->op == HostOp::FieldCopy))
      addWritten(op->args[0]);
  });
}

/// What a tape runs.
void TapeReads::gather(const Body &body, bool isCalled) {
  llvm::DenseSet<const Expr *> conditional;
  auto add = [&](Expr *expr) { conditional.insert(expr); };
  forEachStmt(body, [&](Stmt *stmt) {
    hasOther |= llvm::isa<TapeStmt>(stmt);
    auto *branch = llvm::dyn_cast<IfStmt>(stmt);
    if (branch && isCalled)
      forEachInner(branch->thenBody, add), forEachInner(branch->elseBody, add);
  });
  forEachInner(body, [&](Expr *expr) {
    auto *op = llvm::dyn_cast<HostOpExpr>(expr);
    hasOther |= op && op->op == HostOp::KernelGrad;
    auto *companion = llvm::dyn_cast<CompanionExpr>(expr);
    if (companion && !companion->isDual && !conditional.contains(expr))
      read.push_back(companion);
    auto *call = llvm::dyn_cast<CallExpr>(expr);
    if (call && called.insert(call->callee).second)
      gather(call->callee->body, /*isCalled=*/true);
  });
}

void TapeReads::warn(const TapeStmt &tape) {
  called.clear(), read.clear();
  hasOther = tape.accumulate != nullptr;
  gather(tape.body, /*isCalled=*/false);
  for (const CompanionExpr *companion : read) {
    OriginSet origins = all.origins.of(companion);
    bool isWritten = llvm::any_of(
        origins, [&](Origin origin) { return written.contains(origin); });
    if (hasOther || origins.empty() || isWritten ||
        !reported.insert(companion).second)
      continue;
    all.diags
        .report(companion->range, diag::ReadInTape,
                all.sources.text(companion->range))
        .note(tape.range, diag::TapeIsHere)
        .send();
  }
}

void TapeReads::run() {
  for (const auto &function : all.program.functions)
    findWritten(function->body);
  for (const auto &function : all.program.functions)
    forEachStmt(function->body, [&](Stmt *stmt) {
      if (auto *tape = llvm::dyn_cast<TapeStmt>(stmt); tape && !tape->isForward)
        warn(*tape);
    });
}

void sema::warnOfTapeReads(const TapeProgram &all) { TapeReads(all).run(); }
