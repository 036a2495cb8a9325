//===- WrittenParameters.cpp - Which fields a function changes ------------===//
#include "chi/Sema/Program/WrittenParameters.h"

#include "chi/Sema/Build/Build.h"

using namespace chi;
using namespace chi::sema;

namespace {
/// The parameters that the local names of one function may stand for.
class Names {
public:
  explicit Names(const Function &function);
  /// One bit for each parameter; none: a field that is no argument.
  llvm::BitVector of(const Expr *expr) const;

private:
  bool add(const Variable *to, const Expr *value);

  unsigned count;
  llvm::DenseMap<const Variable *, llvm::BitVector> known;
};
} // namespace

Names::Names(const Function &function) : count(function.params.size()) {
  for (auto [k, parameter] : llvm::enumerate(function.params)) {
    known[parameter] = llvm::BitVector(count);
    known[parameter].set(k);
  }
  for (bool changed = true; changed;) {
    changed = false;
    forEachStmt(function.body, [&](Stmt *stmt) {
      auto *set = llvm::dyn_cast<AssignStmt>(stmt);
      if (set && set->lvalue.kind == LValue::Local)
        changed |= add(set->lvalue.variable, set->value);
    });
    forEachInner(function.body, [&](Expr *expr) {
      if (auto *let = llvm::dyn_cast<LetExpr>(expr))
        changed |= add(let->variable, let->value);
    });
  }
}

bool Names::add(const Variable *to, const Expr *value) {
  if (!value->type->holdsField())
    return false;
  llvm::BitVector more = of(value);
  llvm::BitVector &all = known[to];
  all.resize(count);
  bool isNew = more.test(all); // a bit of `more` that is not in `all`
  all |= more;
  return isNew;
}

llvm::BitVector Names::of(const Expr *expr) const {
  llvm::BitVector found(count);
  auto addAll = [&](const auto &parts) {
    for (const Expr *part : parts)
      found |= of(part);
  };
  if (!expr->type->holdsField())
    return found;
  switch (expr->kind) {
  case ExprKind::Variable: {
    auto at = known.find(llvm::cast<VariableExpr>(expr)->variable);
    return at == known.end() ? found : at->second;
  }
  case ExprKind::Call: // it may return an argument
    addAll(llvm::cast<CallExpr>(expr)->args);
    return found;
  case ExprKind::HostOp:
    if (auto *op = llvm::cast<HostOpExpr>(expr); op->op == HostOp::FieldView)
      return of(op->args[0]);
    return found;
  case ExprKind::Construct:
    addAll(llvm::cast<ConstructExpr>(expr)->parts);
    return found;
  case ExprKind::Extract:
    return of(llvm::cast<ExtractExpr>(expr)->base);
  case ExprKind::Select:
    found |= of(llvm::cast<SelectExpr>(expr)->thenValue);
    found |= of(llvm::cast<SelectExpr>(expr)->elseValue);
    return found;
  case ExprKind::Let:
    return of(llvm::cast<LetExpr>(expr)->body);
  default: // a gradient is a field of its own
    return found;
  }
}

static const LValue *lvalueOf(const Stmt *stmt) {
  if (auto *set = llvm::dyn_cast<AssignStmt>(stmt))
    return &set->lvalue;
  auto *update = llvm::dyn_cast<AccumulateStmt>(stmt);
  return update ? &update->lvalue : nullptr;
}

/// The field that an expression changes by itself; null if there is none.
static const Expr *changedBy(const Expr *expr) {
  if (auto *atomic = llvm::dyn_cast<AtomicExpr>(expr))
    return atomic->op == AtomicOp::Load ? nullptr : atomic->field;
  auto *op = llvm::dyn_cast<HostOpExpr>(expr);
  bool isChange =
      op && (op->op == HostOp::FieldFill || op->op == HostOp::FieldCopy);
  return isChange ? op->args[0] : nullptr;
}

const llvm::BitVector &WrittenParameters::of(const Function &function) {
  auto [found, isNew] =
      known.insert({&function, llvm::BitVector(function.params.size())});
  if (!isNew)
    return found->second;
  Names names(function);
  llvm::BitVector written(function.params.size());
  forEachStmt(function.body, [&](Stmt *stmt) {
    const LValue *lvalue = lvalueOf(stmt);
    if (lvalue && lvalue->kind == LValue::Element)
      written |= names.of(lvalue->field);
  });
  forEachInner(function.body, [&](Expr *expr) {
    if (const Expr *field = changedBy(expr))
      written |= names.of(field);
    auto *call = llvm::dyn_cast<CallExpr>(expr);
    if (!call)
      return;
    const llvm::BitVector inner = of(*call->callee); // `known` may grow
    for (auto [k, value] : llvm::enumerate(call->args))
      if (inner.test(k))
        written |= names.of(value);
  });
  return known[&function] = std::move(written);
}
