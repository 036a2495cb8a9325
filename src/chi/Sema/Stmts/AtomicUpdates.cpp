//===- AtomicUpdates.cpp - Atomic operations on variables -----------------===//
// [At.1]: a variable belongs to one iteration, so that its atomic update is the
// plain one. Its old value needs a statement of its own: it may be used as the
// whole value of an assignment only.
#include "chi/Sema/Exprs/BuiltinChecker.h"
#include "chi/Sema/Exprs/ExprChecker.h"
#include "chi/Sema/Exprs/ObjectChecker.h"
#include "chi/Sema/Names/NameChecker.h"
#include "chi/Sema/Stmts/AssignChecker.h"
#include "chi/Sema/Stmts/LValueChecker.h"
#include "chi/Sema/Stmts/UpdateChecker.h"

using namespace chi;
using namespace chi::sema;

static std::optional<AtomicOp> atomicOf(BuiltinName builtin) {
  switch (builtin) {
#define CHI_ATOMIC(Name, Text, Op)                                             \
  case BuiltinName::Name:                                                      \
    return AtomicOp::Op;
#include "chi/Sema/Builtins/Builtins.def"
  default:
    return std::nullopt;
  }
}

/// The operator that a reduction has for it; none of an exchange or a read.
static std::optional<BinaryOp> operatorOf(AtomicOp op) {
  switch (op) {
  case AtomicOp::Add:
    return BinaryOp::Add;
  case AtomicOp::Sub:
    return BinaryOp::Sub;
  case AtomicOp::Mul:
    return BinaryOp::Mul;
  case AtomicOp::And:
    return BinaryOp::BitAnd;
  case AtomicOp::Or:
    return BinaryOp::BitOr;
  case AtomicOp::Xor:
    return BinaryOp::BitXor;
  case AtomicOp::Min:
    return BinaryOp::Min;
  case AtomicOp::Max:
    return BinaryOp::Max;
  default:
    return std::nullopt;
  }
}

/// The atomic operation that a call is, if it is one; whether it is one of a
/// variable, not of an element of a field.
std::optional<AtomicOp> UpdateChecker::atomicOpOf(const ast::Expr *expr,
                                                  bool &isVariable) {
  auto *call = llvm::dyn_cast<ast::CallExpr>(expr);
  auto *name = call ? llvm::dyn_cast<ast::NameExpr>(call->callee) : nullptr;
  // Others are not looked up twice, since that may report.
  if (!name || !name->name.starts_with("atomic_") || call->args.empty() ||
      !call->args[0].keyword.empty())
    return std::nullopt;
  Meaning callee = ctx.names.resolve(call->callee);
  if (callee.kind != Meaning::Builtin)
    return std::nullopt;
  const ast::NameExpr *root = rootOf(call->args[0].value);
  Meaning meaning = root ? state.lookupLocal(root->name) : Meaning();
  if (root && meaning.kind == Meaning::Nothing)
    meaning = ctx.names.lookup(root->name);
  TypeRef type = nullptr;
  if (meaning.kind == Meaning::Local)
    type = meaning.local->type;
  else if (meaning.kind == Meaning::TopLevel)
    type = meaning.topLevel->type ? meaning.topLevel->type
                                  : meaning.topLevel->hint;
  isVariable = type && !type->isError() && !type->holdsField();
  return atomicOf(callee.builtin);
}

bool UpdateChecker::checkAtomic(const ast::CallExpr *call) {
  bool isVariable = false;
  auto op = atomicOpOf(call, isVariable);
  // A product has no operation in hardware, but its own accumulation.
  if (!op || (!isVariable && *op != AtomicOp::Mul))
    return false;
  updateAtomically(call, *op, /*isUsed=*/false);
  return true;
}

Expr *UpdateChecker::checkValue(const ast::Expr *expr, TypeRef wanted) {
  bool isVariable = false;
  auto op = atomicOpOf(expr, isVariable);
  if (!op || !isVariable)
    return ctx.objects.checkAs(expr, wanted);
  return updateAtomically(llvm::cast<ast::CallExpr>(expr), *op,
                          /*isUsed=*/true);
}

/// Returns the old value if it is used, else an expression that nothing reads.
Expr *UpdateChecker::updateAtomically(const ast::CallExpr *call, AtomicOp op,
                                      bool isUsed) {
  SourceRange range = call->range, opRange = call->callee->range;
  unsigned count = op == AtomicOp::Cas ? 3 : op == AtomicOp::Load ? 1 : 2;
  if (!ctx.builtins.onlyPositional(call, count, count))
    return fail(range);
  OpenLValue open = ctx.lvalues.checkLValue(call->args[0].value);
  std::vector<Expr *> values;
  bool ok = !open.isBroken;
  for (const ast::Argument &arg : call->args.drop_front()) {
    values.push_back(ctx.exprs.checkExpr(arg.value));
    ok &= !isError(values.back());
  }
  if (!ok || ctx.lvalues.refuseWhole(open))
    return fail(range);
  if (!open.swizzle.empty()) {
    diags
        .report(call->args[0].value->range, diag::NotAnElement,
                program.sources.text(opRange))
        .send();
    return fail(range);
  }
  auto binary = operatorOf(op);
  if (open.local && state.inParallel() && open.local->atKernelLevel) {
    if (isUsed || !binary)
      ctx.assigns.mayAssign(*open.local, range);
    else if (open.lvalue.path.empty())
      reduce(*open.local, *binary, opRange, values[0], range);
    else
      reduceLValue(open, *binary, opRange, values[0], range);
    return fail(range);
  }
  if (open.lvalue.kind == LValue::Element) {
    accumulate(range, opRange, *binary, open.lvalue,
               ctx.lvalues.readLValue(open), values[0]);
    return fail(range);
  }
  Expr *old =
      isUsed ? build.withDefault(ctx.lvalues.readLValue(open)) : nullptr;
  if (old && !isError(old))
    old = state.store(old);
  if (op != AtomicOp::Load)
    storeUpdated(open, afterAtomic(range, opRange, op, open, values), range);
  return old ? old : fail(range);
}

/// The value of the variable after the operation.
Expr *UpdateChecker::afterAtomic(SourceRange range, SourceRange opRange,
                                 AtomicOp op, const OpenLValue &open,
                                 llvm::ArrayRef<Expr *> values) {
  Expr *current = ctx.lvalues.readLValue(open);
  switch (op) {
  case AtomicOp::Min:
  case AtomicOp::Max:
    return ctx.builtins.extremeOf(range, op == AtomicOp::Min,
                                  {current, values[0]});
  case AtomicOp::Exchange:
    return values[0];
  case AtomicOp::Cas: {
    Expr *isExpected = build.compare(range, CompareOp::Eq, current, values[0]);
    return build.select(range, isExpected, values[1],
                        ctx.lvalues.readLValue(open));
  }
  default:
    return build.binary(range, opRange, *operatorOf(op), current, values[0]);
  }
}

void UpdateChecker::storeUpdated(OpenLValue &open, Expr *value,
                                 SourceRange range) {
  if (!open.lvalue.path.empty())
    ctx.lvalues.assignLValue(open, value);
  else if (open.local)
    ctx.assigns.assignLocal(*open.local, value, range);
  else
    ctx.assigns.assignTopLevel(*open.topLevel, value, range, nullptr);
}
