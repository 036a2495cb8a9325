//===- RuntimeCalls.cpp - Functions of the run time by their names --------===//
#include "chi/Sema/Exprs/BuiltinChecker.h"
#include "chi/Sema/Exprs/ExprChecker.h"
#include "chi/Sema/Exprs/HostCallChecker.h"
#include "chi/Sema/Exprs/ObjectChecker.h"
#include "chi/Sema/Exprs/TypeExprChecker.h"

using namespace chi;
using namespace chi::sema;

/// Only the library writes it, so that a wrong name or type is a fault of ours,
/// which the verifier of `chi.rt` finds.
Expr *HostCallChecker::callRuntime(const ast::CallExpr *expr) {
  llvm::ArrayRef<ast::Argument> given = expr->args;
  auto *name = given.size() >= 2
                   ? llvm::dyn_cast<ast::StringExpr>(given[0].value)
                   : nullptr;
  if (!name) {
    diags
        .report(expr->range, diag::BadArgument, "__runtime",
                "the name of a function and the type of its result",
                "something else")
        .send();
    return fail(expr->range);
  }
  bool isVoid = llvm::isa<ast::NoneExpr>(given[1].value);
  TypeRef type =
      isVoid ? types.voidTy : ctx.typeExprs.checkType(given[1].value);
  std::vector<Expr *> args;
  bool ok =
      !type->isError() && state.hostOnly(expr->range, "a call of the run time");
  for (const ast::Argument &arg : given.drop_front(2)) {
    args.push_back(ctx.exprs.checkTyped(arg.value));
    ok &= !isError(args.back());
  }
  return ok ? ctx.objects.run(expr->range, name->value, type, args)
            : fail(expr->range);
}

Expr *HostCallChecker::callTime(const ast::CallExpr *expr,
                                BuiltinName builtin) {
  bool isSleep = builtin == BuiltinName::TimeSleep;
  bool isFormat = builtin == BuiltinName::TimeFormat;
  unsigned least = isSleep || isFormat, most = isFormat ? 2 : least;
  std::vector<Expr *> args;
  std::string word = ("`" + builtinText(builtin) + "`").str();
  if (!ctx.builtins.builtinArgs(expr, least, most, args) ||
      !state.hostOnly(expr->range, word))
    return fail(expr->range);
  auto now = [&] {
    return ctx.objects.run(expr->range, "chirt_time_unix", types.f64, {});
  };
  if (builtin == BuiltinName::TimeUnix)
    return now();
  if (isFormat && args.size() == 1)
    args.push_back(now());
  if (isFormat)
    args[0] = build.convert(args[0], types.str, "the format of the time");
  args.back() = build.convert(args.back(), types.f64, "the seconds");
  if (isError(args.front()) || isError(args.back()))
    return fail(expr->range);
  return ctx.objects.run(expr->range,
                         isSleep ? "chirt_sleep" : "chirt_time_format",
                         isSleep ? types.voidTy : types.str, args);
}
