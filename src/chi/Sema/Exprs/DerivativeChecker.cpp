//===- DerivativeChecker.cpp - What asks for derivatives ------------------===//
#include "chi/Sema/Exprs/DerivativeChecker.h"
#include "chi/Sema/Exprs/BuiltinChecker.h"
#include "chi/Sema/Exprs/ExprChecker.h"
#include "chi/Sema/Exprs/HostCallChecker.h"

using namespace chi;
using namespace chi::sema;

bool sema::isDifferentiable(TypeRef type) {
  TypeRef scalar = hasNumbers(type) ? type->scalar() : nullptr;
  return scalar && scalar->isFloat();
}

Expr *DerivativeChecker::companionOf(Expr *field, SourceRange range,
                                     bool isDual) {
  TypeRef type = field->type;
  if (!isDifferentiable(type->element)) {
    diags.report(range, diag::NotDifferentiable, type->str()).send();
    return fail(range);
  }
  TypeRef element = type->element;
  if (element->scalar()->bits < 32)
    element = types.withScalar(element, types.f32);
  auto *companion = build.make<CompanionExpr>(
      range, types.field(element, type->shape, type->layout, type->order,
                         type->wideAxes));
  companion->field = field;
  companion->isDual = isDual;
  return companion;
}

std::optional<bool> DerivativeChecker::fieldMark(const ast::Argument *mark,
                                                 TypeRef element, size_t rank) {
  if (!mark)
    return false;
  const ast::Expr *written = mark->value;
  std::string name = "`" + mark->keyword.str() + "`";
  Expr *flag = ctx.exprs.checkConstant(written, name);
  if (flag)
    flag = build.convert(flag, types.boolTy, name);
  auto known = flag && !isError(flag) ? constantInt(flag) : std::nullopt;
  if (!known || *known == 0 || isDifferentiable(element))
    return known ? std::optional(*known != 0) : std::nullopt;
  TypeRef field =
      types.field(element, std::vector<int64_t>(rank, -1), Layout::AoS, {});
  diags
      .report(mark->keywordRange.to(written->range), diag::NotDifferentiable,
              field->str())
      .send();
  return std::nullopt;
}

Expr *DerivativeChecker::callKernelGrad(const ast::CallExpr *expr,
                                        FunctionDecl &decl) {
  llvm::StringRef name = decl.ast->name;
  for (const ast::Argument &arg : expr->args)
    ctx.exprs.checkExpr(arg.value);
  if (decl.isBroken)
    return fail(expr->range);
  if (!decl.isKernel) {
    diags.report(expr->range, diag::GradOfFunction, name)
        .note(decl.ast->nameRange, diag::DeclaredHere, name)
        .send();
    return fail(expr->range);
  }
  if (!expr->args.empty()) {
    diags
        .report(expr->range, diag::ArgCountMismatch, (name + ".grad").str(),
                size_t(0), expr->args.size())
        .send();
    return fail(expr->range);
  }
  if (!state.hostOnly(expr->range, ("`" + name + ".grad()`").str()))
    return fail(expr->range);
  decl.usesGrad = true;
  HostOpExpr *op =
      ctx.hostCalls.hostOp(expr->range, HostOp::KernelGrad, types.voidTy, {});
  op->text = decl.fullName();
  return op;
}

Expr *DerivativeChecker::callStopGradient(const ast::CallExpr *expr) {
  std::vector<Expr *> args;
  if (!ctx.builtins.builtinArgs(expr, 1, 1, args))
    return fail(expr->range);
  Expr *value = args[0];
  if (!hasNumbers(value->type)) {
    diags
        .report(expr->range, diag::BadArgument, "stop_gradient",
                "a number, a vec or a mat", build.defaulted(value->type)->str())
        .send();
    return fail(expr->range);
  }
  if (!value->type->scalar()->isFloat() || isConstant(value))
    return value;
  return build.elementwise(expr->range, Builtin::StopGradient, {value},
                           value->type);
}
