//===- Atomics.cpp - atomic_add(x[i], v) and the others -------------------===//
#include "chi/Sema/Exprs/BuiltinChecker.h"
#include "chi/Sema/Exprs/ComplexChecker.h"
#include "chi/Sema/Exprs/ExprChecker.h"

using namespace chi;
using namespace chi::sema;

/// `atomic_add(x[i], v)`: the element, then the operands.
Expr *BuiltinChecker::callAtomic(const ast::CallExpr *expr, AtomicOp op) {
  bool isLoad = op == AtomicOp::Load;
  unsigned count = op == AtomicOp::Cas ? 3 : isLoad ? 1 : 2;
  if (!onlyPositional(expr, count, count))
    return fail(expr->range);
  std::vector<LetExpr *> lets;
  Expr *target = ctx.exprs.checkExpr(expr->args[0].value);
  std::vector<Expr *> values;
  bool ok = !isError(target);
  for (const ast::Argument &arg : expr->args.drop_front()) {
    values.push_back(ctx.exprs.checkExpr(arg.value));
    ok &= !isError(values.back());
  }
  if (!ok)
    return fail(expr->range);
  // An index with effects is evaluated before the element.
  while (auto *let = llvm::dyn_cast<LetExpr>(target)) {
    lets.push_back(let);
    target = let->body;
  }
  bool isSum = op == AtomicOp::Add || op == AtomicOp::Sub;
  if (isSum && llvm::isa<LoadExpr>(target) && target->type->isComplex) {
    Expr *value = build.convert(values[0], target->type, "the operand");
    if (isError(value))
      return fail(expr->range);
    values[0] = ctx.complexes.partsOf(value);
    Expr *parts = ctx.complexes.partsOf(target);
    Expr *old = atomicOf(expr, op, llvm::cast<LoadExpr>(parts), values);
    return build.closeLets(complexOf(build, old), lets);
  }
  auto *load = llvm::dyn_cast<LoadExpr>(target);
  if (!load || load->type->isStruct()) {
    llvm::StringRef name = program.sources.text(expr->callee->range);
    bool isVariable =
        llvm::isa<ast::NameExpr, ast::AttributeExpr, ast::SubscriptExpr>(
            expr->args[0].value) &&
        !target->type->holdsField() && !target->type->isStruct();
    if (isVariable)
      diags.report(expr->range, diag::AtomicInside, name).send();
    else
      diags.report(expr->args[0].value->range, diag::NotAnElement, name).send();
    return fail(expr->range);
  }
  TypeRef scalar = load->type->scalar();
  bool isBits =
      op == AtomicOp::And || op == AtomicOp::Or || op == AtomicOp::Xor;
  bool isWhole = op == AtomicOp::Cas || op == AtomicOp::Exchange;
  bool fitsNot = (isBits && scalar->isFloat()) ||
                 (!isBits && scalar->isBool()) ||
                 (isWhole && !load->type->isScalar());
  if (fitsNot && !isLoad) {
    diags
        .report(expr->args[0].value->range, diag::OperatorTypes,
                program.sources.text(expr->callee->range), load->type->str(),
                build.defaulted(values[0]->type)->str())
        .send();
    return fail(expr->range);
  }
  for (Expr *&value : values) {
    value = build.convert(value, load->type, "the operand");
    if (isError(value))
      return fail(expr->range);
  }
  return build.closeLets(atomicOf(expr, op, load, values), lets);
}

/// The operation on an element, with operands of its type.
Expr *BuiltinChecker::atomicOf(const ast::CallExpr *expr, AtomicOp op,
                               const LoadExpr *load,
                               llvm::ArrayRef<Expr *> values) {
  auto *atomic = build.make<AtomicExpr>(expr->range, load->type);
  atomic->op = op;
  atomic->field = load->field;
  atomic->indices = load->indices;
  atomic->path = load->path;
  atomic->value = op == AtomicOp::Load ? nullptr : values.back();
  if (op == AtomicOp::Cas)
    atomic->expected = values.front();
  return atomic;
}
