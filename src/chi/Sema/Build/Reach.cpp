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

std::vector<Function *>
sema::reachableFunctions(llvm::ArrayRef<Function *> roots,
                         llvm::function_ref<void(Expr *)> onExpr) {
  Reach reach(onExpr);
  for (Function *root : roots)
    reach.visit(root);
  return std::move(reach.order);
}
