//===- Reach.cpp - Functions that others call -----------------------------===//
#include "chi/Sema/Build/Build.h"
#include "llvm/ADT/SetVector.h"

using namespace chi;
using namespace chi::sema;

namespace {
/// Visits what the functions of a program call, callees first.
class Reach {
public:
  explicit Reach(llvm::function_ref<void(Expr *)> onExpr) : onExpr(onExpr) {}
  void visit(Function *function) {
    if (!seen.insert(function).second)
      return;
    forEachExpr(function->body, [&](Expr *expr) { visit(expr); });
    if (function->adjoint)
      visit(function->adjoint);
    if (function->callAdjoint)
      visit(function->callAdjoint);
    order.push_back(function);
  }
  std::vector<Function *> order;

private:
  void visit(Expr *expr) {
    // Chains of operators may be deep: a worklist.
    llvm::SmallVector<Expr *> work = {expr};
    while (!work.empty()) {
      Expr *next = work.pop_back_val();
      if (!next)
        continue;
      if (onExpr)
        onExpr(next);
      if (auto *call = llvm::dyn_cast<CallExpr>(next))
        visit(call->callee);
      forEachOperand(next, [&](Expr *&operand) { work.push_back(operand); });
    }
  }

  llvm::function_ref<void(Expr *)> onExpr;
  llvm::DenseSet<Function *> seen;
};
} // namespace

namespace {
/// Finds the functions on cycles of calls, by Tarjan's algorithm.
class Cycles {
public:
  void visit(Function *function);
  bool knows(Function *function) const { return marks.count(function); }

private:
  struct Mark {
    unsigned number, lowest;
    bool isOpen;
  };
  llvm::DenseMap<Function *, Mark> marks;
  std::vector<Function *> open;
};
} // namespace

void Cycles::visit(Function *function) {
  unsigned number = marks.size();
  marks[function] = {number, number, true};
  open.push_back(function);
  forEachInner(function->body, [&](Expr *expr) {
    auto *call = llvm::dyn_cast<CallExpr>(expr);
    if (!call)
      return;
    Function *callee = call->callee;
    function->isRecursive |= callee == function;
    if (!marks.count(callee))
      visit(callee);
    const Mark inner = marks[callee];
    if (inner.isOpen)
      marks[function].lowest = std::min(marks[function].lowest, inner.lowest);
  });
  if (marks[function].lowest != number)
    return;
  bool isCycle = open.back() != function;
  while (marks[function].isOpen) {
    Function *last = open.back();
    open.pop_back();
    marks[last].isOpen = false;
    last->isRecursive |= isCycle;
  }
}

void sema::markRecursive(llvm::ArrayRef<Function *> functions) {
  // A cycle is found from any function on it.
  Cycles cycles;
  for (Function *function : functions)
    if (!cycles.knows(function))
      cycles.visit(function);
}

std::vector<Function *>
sema::reachableFunctions(llvm::ArrayRef<Function *> roots,
                         llvm::function_ref<void(Expr *)> onExpr) {
  Reach reach(onExpr);
  for (Function *root : roots)
    reach.visit(root);
  return std::move(reach.order);
}
