//===- BuiltinChecker.cpp - Functions that the compiler knows -------------===//
#include "chi/Sema/Exprs/BuiltinChecker.h"
#include "chi/Sema/Builtins/Foreign.h"
#include "chi/Sema/Exprs/ClassChecker.h"
#include "chi/Sema/Exprs/DerivativeChecker.h"
#include "chi/Sema/Exprs/ExprChecker.h"
#include "chi/Sema/Exprs/HostCallChecker.h"
#include "chi/Sema/Exprs/MethodChecker.h"
#include "chi/Sema/Exprs/ObjectChecker.h"
#include "chi/Sema/Exprs/SubscriptChecker.h"
#include "chi/Sema/Exprs/TypeExprChecker.h"
#include "chi/Sema/Names/NameChecker.h"

using namespace chi;
using namespace chi::sema;

bool BuiltinChecker::onlyPositional(const ast::CallExpr *expr, unsigned least,
                                    unsigned most) {
  llvm::StringRef name = program.sources.text(expr->callee->range);
  for (const ast::Argument &arg : expr->args)
    if (!arg.keyword.empty()) {
      diags.report(arg.keywordRange, diag::UnknownKeyword, name, arg.keyword)
          .send();
      return false;
    }
  if (expr->args.size() >= least && expr->args.size() <= most)
    return true;
  if (most == ~0u)
    diags
        .report(expr->range, diag::ArgCountLeast, name, size_t(least),
                expr->args.size())
        .send();
  else if (least < most)
    diags
        .report(expr->range, diag::ArgCountRange, name, size_t(least),
                size_t(most), expr->args.size())
        .send();
  else
    diags
        .report(expr->range, diag::ArgCountMismatch, name, size_t(least),
                expr->args.size())
        .send();
  return false;
}

bool BuiltinChecker::builtinArgs(const ast::CallExpr *expr, unsigned least,
                                 unsigned most, std::vector<Expr *> &args) {
  if (!onlyPositional(expr, least, most)) {
    for (const ast::Argument &arg : expr->args)
      ctx.exprs.checkExpr(arg.value);
    return false;
  }
  bool ok = true;
  for (const ast::Argument &arg : expr->args) {
    Expr *value = ctx.exprs.checkExpr(arg.value);
    if (!isError(value) && value->type->isVoid()) {
      diags.report(arg.value->range, diag::NoValue).send();
      ok = false;
    }
    ok &= !isError(value);
    args.push_back(value);
  }
  return ok;
}

Expr *BuiltinChecker::callBuiltin(const ast::CallExpr *expr,
                                  BuiltinName builtin) {
  if (auto function = mathFunction(builtin))
    return callMath(expr, builtin, *function);
  switch (builtin) {
  case BuiltinName::Min:
  case BuiltinName::Max:
    return callMinMax(expr, builtin == BuiltinName::Min);
  case BuiltinName::Clamp:
  case BuiltinName::Mix:
  case BuiltinName::Step:
  case BuiltinName::SmoothStep:
  case BuiltinName::Pow:
  case BuiltinName::Radians:
  case BuiltinName::Degrees:
  case BuiltinName::Diag:
    return callArithmetic(expr, builtin);
  case BuiltinName::Where:
    return callWhere(expr);
  case BuiltinName::Frexp:
    return callFrexp(expr);
  case BuiltinName::Ldexp:
    return callLdexp(expr);
  case BuiltinName::PopCount:
  case BuiltinName::LeadingZeros:
  case BuiltinName::TrailingZeros:
    return callBitCount(expr, builtin);
  case BuiltinName::BitCast:
    return callBitCast(expr, builtin);
  case BuiltinName::Any:
  case BuiltinName::All:
  case BuiltinName::Sum:
    return callReduction(expr, builtin);
  case BuiltinName::Len:
    return callLen(expr);
  case BuiltinName::List:
  case BuiltinName::Dict:
  case BuiltinName::Set:
  case BuiltinName::Sorted:
  case BuiltinName::Open:
  case BuiltinName::Ord:
  case BuiltinName::Chr:
    return ctx.objects.callBuiltin(expr, builtin);
  case BuiltinName::Identity:
    return callIdentity(expr);
  case BuiltinName::Static:
    return callStatic(expr);
  case BuiltinName::Random:
  case BuiltinName::Randn:
    return callRandom(expr, builtin == BuiltinName::Randn);
  case BuiltinName::ArrayOf:
    return callArray(expr);
  case BuiltinName::StopGradient:
    return ctx.derivatives.callStopGradient(expr);
#define CHI_ATOMIC(Name, Text, Op)                                             \
  case BuiltinName::Name:                                                      \
    return callAtomic(expr, AtomicOp::Op);
#include "chi/Sema/Builtins/Builtins.def"
#define CHI_INTRINSIC(Name, Text) case BuiltinName::Name:
#include "chi/Sema/Builtins/Builtins.def"
    return callIntrinsic(expr, builtin);
  case BuiltinName::Field:
  case BuiltinName::Load:
  case BuiltinName::Save:
  case BuiltinName::Append:
  case BuiltinName::Exists:
  case BuiltinName::Env:
  case BuiltinName::Report:
  case BuiltinName::Exit:
  case BuiltinName::Sync:
  case BuiltinName::TimeNow:
    return callHost(expr, builtin);
  case BuiltinName::TimeUnix:
  case BuiltinName::TimeSleep:
  case BuiltinName::TimeFormat:
    return ctx.hostCalls.callTime(expr, builtin);
  default:
    return refuseBuiltin(expr, builtin);
  }
}

/// Words that do not stand here, or not yet.
Expr *BuiltinChecker::refuseBuiltin(const ast::CallExpr *expr,
                                    BuiltinName builtin) {
  SourceRange range = expr->range;
  if (isOnlyInFor(builtin)) {
    diags.report(range, diag::OnlyInFor, builtinText(builtin)).send();
    return fail(range);
  }
  switch (builtin) {
  case BuiltinName::Print:
    diags.report(range, diag::PrintIsStatement).send();
    break;
  case BuiltinName::VecOf:
  case BuiltinName::MatOf:
    diags.report(range, diag::TypeAsValue, program.sources.text(range)).send();
    break;
#define CHI_MATH_CONST(Name, Text, Value) case BuiltinName::Name:
#include "chi/Sema/Builtins/Builtins.def"
    diags.report(expr->callee->range, diag::NotCallable, "float").send();
    break;
  case BuiltinName::Tape:
  case BuiltinName::Forward:
    diags
        .report(range, diag::TapeOutsideWith,
                builtin == BuiltinName::Tape ? "Tape(loss=L)" : "Forward()")
        .send();
    break;
  default:
    reportLater(diags, range, ("`" + builtinText(builtin) + "`").str());
  }
  return fail(range);
}

Expr *BuiltinChecker::callHost(const ast::CallExpr *expr, BuiltinName builtin) {
  switch (builtin) {
  case BuiltinName::Field:
    return ctx.hostCalls.makeField(expr);
  case BuiltinName::Load:
    return ctx.hostCalls.callLoad(expr);
  case BuiltinName::Save:
    return ctx.hostCalls.callSave(expr);
  case BuiltinName::Append:
    return ctx.hostCalls.callNamed(expr, HostOp::AppendRow);
  case BuiltinName::Exists:
    return ctx.hostCalls.callExists(expr);
  case BuiltinName::Env:
    return ctx.hostCalls.callEnv(expr);
  case BuiltinName::Report:
    return ctx.hostCalls.callNamed(expr, HostOp::Report);
  case BuiltinName::Exit:
    return ctx.hostCalls.callExit(expr);
  default:
    break;
  }
  bool isSync = builtin == BuiltinName::Sync;
  if (!onlyPositional(expr, 0, 0) ||
      !state.hostOnly(expr->range, ("`" + builtinText(builtin) + "`").str()))
    return fail(expr->range);
  return ctx.hostCalls.hostOp(expr->range,
                              isSync ? HostOp::Sync : HostOp::TimeNow,
                              isSync ? types.voidTy : types.f64, {});
}

Expr *BuiltinChecker::callArithmetic(const ast::CallExpr *expr,
                                     BuiltinName builtin) {
  SourceRange range = expr->range;
  std::optional<Builtin> unified =
      builtin == BuiltinName::Clamp        ? std::optional(Builtin::Clamp)
      : builtin == BuiltinName::Mix        ? std::optional(Builtin::Mix)
      : builtin == BuiltinName::Step       ? std::optional(Builtin::Step)
      : builtin == BuiltinName::SmoothStep ? std::optional(Builtin::SmoothStep)
                                           : std::nullopt;
  bool isBinary = builtin == BuiltinName::Pow || builtin == BuiltinName::Step;
  unsigned count = isBinary ? 2 : unified ? 3 : 1;
  std::vector<Expr *> args;
  if (!builtinArgs(expr, count, count, args))
    return fail(range);
  if (unified)
    return unifiedMath(range, *unified, builtinText(builtin), args,
                       builtin != BuiltinName::Clamp);
  if (builtin == BuiltinName::Pow)
    return build.binary(range, range, BinaryOp::Pow, args[0], args[1]);
  if (builtin == BuiltinName::Diag) {
    TypeRef type = args[0]->type;
    if (!type->isVec()) {
      diags
          .report(range, diag::BadArgument, "diag", "a vec",
                  build.defaulted(type)->str())
          .send();
      return fail(range);
    }
    auto *diagonal = build.make<BuiltinExpr>(
        range, types.mat(type->shape[0], type->shape[0], type->element));
    diagonal->op = Builtin::Diag;
    diagonal->args = args;
    return diagonal;
  }
  double degree = 3.14159265358979323846 / 180;
  Expr *scale = build.realLiteral(
      range, builtin == BuiltinName::Radians ? degree : 1 / degree,
      types.untypedFloat);
  return build.binary(range, range, BinaryOp::Mul, args[0], scale);
}

/// `array(T, shape)`: a zeroed local.
Expr *BuiltinChecker::callArray(const ast::CallExpr *expr) {
  TypeRef type = ctx.typeExprs.typeCall(expr);
  if (type->isError())
    return fail(expr->range);
  auto *zero = build.make<SplatExpr>(expr->range, type);
  zero->isWritten = true;
  TypeRef scalar = type->scalar();
  zero->operand = scalar->isFloat() ? build.realLiteral(expr->range, 0, scalar)
                                    : build.intLiteral(expr->range, 0, scalar);
  return zero;
}

/// Operands of one type, the result of the same.
Expr *BuiltinChecker::unifiedMath(SourceRange range, Builtin op,
                                  llvm::StringRef name,
                                  std::vector<Expr *> args, bool needsFloat) {
  if (!build.unify(range, name, args))
    return fail(range);
  TypeRef scalar = args[0]->type->scalar();
  if (needsFloat && !scalar->isFloat())
    for (Expr *&arg : args)
      arg = build.promote(arg, types.untypedFloat);
  else if (scalar->isBool())
    for (Expr *&arg : args)
      arg = build.cast(arg, build.defaultInt());
  TypeRef type = args[0]->type;
  bool isTest =
      op == Builtin::IsNan || op == Builtin::IsInf || op == Builtin::IsFinite;
  if (isTest) {
    args[0] = build.withDefault(args[0]);
    type = types.withScalar(type, types.boolTy);
  }
  return build.elementwise(range, op, std::move(args), type);
}

Expr *BuiltinChecker::callMath(const ast::CallExpr *expr, BuiltinName builtin,
                               MathFunction function) {
  std::vector<Expr *> args;
  if (!builtinArgs(expr, function.arity, function.arity, args))
    return fail(expr->range);
  if (function.op == Builtin::Abs)
    if (Expr *own = ctx.classes.callNamed(expr->range, "__abs__", args[0], {}))
      return own;
  bool keepsInts = function.op == Builtin::Abs || function.op == Builtin::Sign;
  return unifiedMath(expr->range, function.op, builtinText(builtin),
                     std::move(args), !keepsInts);
}

/// `min(xs, key=f)` of a list.
Expr *BuiltinChecker::callMinMaxBy(const ast::CallExpr *expr, bool isMin,
                                   const ast::Expr *key) {
  llvm::StringRef name = isMin ? "min" : "max";
  SourceRange range = expr->range;
  if (expr->args.size() != 2 || !expr->args[0].keyword.empty()) {
    diags
        .report(range, diag::BadArgument, name, "one list and its `key`",
                std::to_string(expr->args.size()) + " arguments")
        .send();
    return fail(range);
  }
  if (!state.hostOnly(range, ("`" + name + "` with a `key`").str()))
    return fail(range);
  Expr *value = ctx.exprs.checkTyped(expr->args[0].value);
  if (!isError(value) && value->type->isVec())
    value = build.convert(value, types.list(value->type->element), "the list");
  if (isError(value))
    return value;
  Expr *list = ctx.objects.asList(range, value);
  if (list)
    return ctx.objects.bestBy(expr, list, key,
                              isMin ? MadeFunctions::Least
                                    : MadeFunctions::Greatest);
  diags.report(value->range, diag::NotIterable, value->type->str()).send();
  return fail(range);
}

/// min and max of two or more; of one vec, its smallest element.
Expr *BuiltinChecker::callMinMax(const ast::CallExpr *expr, bool isMin) {
  llvm::StringRef name = isMin ? "min" : "max";
  for (const ast::Argument &arg : expr->args)
    if (arg.keyword == "key")
      return callMinMaxBy(expr, isMin, arg.value);
  std::vector<Expr *> args;
  if (!builtinArgs(expr, 1, ~0u, args))
    return fail(expr->range);
  if (args.size() == 1) {
    if (args[0]->type->isContainer())
      return ctx.objects.reduce(
          expr->range, isMin ? BuiltinName::Min : BuiltinName::Max, args[0]);
    if (args[0]->type->isAggregate())
      return ctx.methods.reduceVector(
          expr->range, isMin ? Builtin::MinElement : Builtin::MaxElement,
          args[0]);
    if (args[0]->type->isField() && args[0]->type->element->isScalar() &&
        state.hostOnly(expr->range, ("`" + name + "` of a field").str()))
      return ctx.hostCalls.hostOp(expr->range,
                                  isMin ? HostOp::FieldMin : HostOp::FieldMax,
                                  args[0]->type->element, {args[0]});
    diags
        .report(expr->range, diag::BadArgument, name,
                "a vec, or several values",
                build.defaulted(args[0]->type)->str())
        .send();
    return fail(expr->range);
  }
  return extremeOf(expr->range, isMin, std::move(args));
}

Expr *BuiltinChecker::extremeOf(SourceRange range, bool isMin,
                                std::vector<Expr *> args) {
  llvm::StringRef name = isMin ? "min" : "max";
  if (!build.unify(range, name, args))
    return fail(range);
  Expr *result = args[0];
  for (Expr *next : llvm::ArrayRef(args).drop_front())
    result = unifiedMath(range, isMin ? Builtin::Min : Builtin::Max, name,
                         {result, next}, false);
  return result;
}

Expr *BuiltinChecker::callReduction(const ast::CallExpr *expr,
                                    BuiltinName builtin) {
  std::vector<Expr *> args;
  if (!builtinArgs(expr, 1, 1, args))
    return fail(expr->range);
  Expr *value = args[0];
  bool isComplex = false;
  if (value->type->isContainer())
    return ctx.objects.reduce(expr->range, builtin, value);
  if (value->type->isAggregate())
    return ctx.methods.reduceVector(expr->range,
                                    builtin == BuiltinName::Any ? Builtin::Any
                                    : builtin == BuiltinName::All
                                        ? Builtin::All
                                        : Builtin::Sum,
                                    value);
  if (isFieldOfComplex(value->type) && builtin == BuiltinName::Sum)
    value = ctx.complexes.fieldOfParts(value), isComplex = true;
  if (value->type->isField() && builtin == BuiltinName::Sum &&
      !value->type->isFieldOfClass() &&
      state.hostOnly(expr->range, "`sum` of a field")) {
    Expr *sum = ctx.hostCalls.hostOp(expr->range, HostOp::FieldSum,
                                     ctx.methods.sumType(value->type->element),
                                     {value});
    return isComplex ? complexOf(build, sum) : sum;
  }
  if (!value->type->isField() || builtin != BuiltinName::Sum ||
      value->type->isFieldOfClass())
    diags
        .report(expr->range, diag::BadArgument, builtinText(builtin), "a vec",
                build.defaulted(value->type)->str())
        .send();
  return fail(expr->range);
}

Expr *BuiltinChecker::callLen(const ast::CallExpr *expr) {
  std::vector<Expr *> args;
  if (!builtinArgs(expr, 1, 1, args))
    return fail(expr->range);
  TypeRef type = args[0]->type;
  if (Expr *length = ctx.classes.callNamed(expr->range, "__len__", args[0], {}))
    return length;
  if (type->isStr() || (type->isObject() && !type->isRef()))
    return ctx.objects.length(expr->range, args[0]);
  if (type->isTuple() || type->isAggregate() || type->isArray()) {
    size_t length = type->isTuple() ? type->members.size() : type->shape[0];
    Expr *count = build.intLiteral(expr->range, length, types.untypedInt);
    if (build.isPure(args[0]))
      return count;
    // The calls in the argument take place.
    std::vector<LetExpr *> lets;
    build.reusable(args[0], lets);
    return build.closeLets(build.withDefault(count), lets);
  }
  if (type->isField() && type->rank() > 0) {
    Expr *shape =
        ctx.subscripts.member(args[0], "shape", expr->range, expr->range);
    return build.tupleMember(shape, 0);
  }
  diags
      .report(expr->range, diag::BadArgument, "len",
              "a field, a vec, an array, a tuple, a list or a str",
              build.defaulted(type)->str())
      .send();
  return fail(expr->range);
}

Expr *BuiltinChecker::callIdentity(const ast::CallExpr *expr) {
  if (!onlyPositional(expr, 1, 2))
    return fail(expr->range);
  bool isTyped = expr->args.size() == 2;
  auto n =
      ctx.typeExprs.extentOf(expr->args[0].value, "the size of a matrix", 256);
  TypeRef scalar = isTyped ? ctx.typeExprs.checkType(expr->args[1].value)
                           : types.untypedFloat;
  if (!n || scalar->isError())
    return fail(expr->range);
  if (!scalar->isScalar() || scalar->isBool()) {
    diags
        .report(expr->args[1].value->range, diag::NotAScalarType, scalar->str())
        .send();
    return fail(expr->range);
  }
  TypeRef type = types.mat(*n, *n, scalar);
  std::vector<Expr *> parts;
  for (int64_t k = 0; k < *n * *n; ++k) {
    bool isOne = k % (*n + 1) == 0;
    Expr *part = scalar->isFloat()
                     ? build.realLiteral(expr->range, isOne, scalar)
                     : build.intLiteral(expr->range, isOne, scalar);
    part->isWritten = isTyped;
    parts.push_back(part);
  }
  return build.construct(expr->range, type, std::move(parts));
}

Expr *BuiltinChecker::callStatic(const ast::CallExpr *expr) {
  if (!onlyPositional(expr, 1, 1))
    return fail(expr->range);
  Expr *value =
      ctx.exprs.checkConstant(expr->args[0].value, "a `static` expression");
  return value ? value : fail(expr->range);
}

/// Words of `stdlib/internal`, from which the elementary functions are made.
Expr *BuiltinChecker::callIntrinsic(const ast::CallExpr *expr,
                                    BuiltinName builtin) {
  if (builtin == BuiltinName::Bitcast)
    return callBitCast(expr, builtin);
  if (builtin == BuiltinName::Runtime)
    return ctx.hostCalls.callRuntime(expr);
  std::vector<Expr *> args;
  struct Entry {
    BuiltinName builtin;
    Builtin op;
    unsigned arity;
    bool isInteger;
  };
  static constexpr Entry kEntries[] = {
      {BuiltinName::IntrinFma, Builtin::Fma, 3, false},
      {BuiltinName::IntrinFloor, Builtin::Floor, 1, false},
      {BuiltinName::IntrinCeil, Builtin::Ceil, 1, false},
      {BuiltinName::IntrinTrunc, Builtin::Trunc, 1, false},
      {BuiltinName::IntrinRound, Builtin::Round, 1, false},
      {BuiltinName::IntrinSqrt, Builtin::Sqrt, 1, false},
      {BuiltinName::IntrinAbs, Builtin::Abs, 1, false},
      {BuiltinName::IntrinCopysign, Builtin::Copysign, 2, false},
      {BuiltinName::IntrinMulHigh, Builtin::MulHigh, 2, true},
      {BuiltinName::IntrinClz, Builtin::CountLeadingZeros, 1, true},
      {BuiltinName::IntrinPopCount, Builtin::PopCount, 1, true},
  };
  for (const Entry &entry : kEntries) {
    if (entry.builtin != builtin)
      continue;
    if (!builtinArgs(expr, entry.arity, entry.arity, args) ||
        !build.unify(expr->range, builtinText(builtin), args))
      return fail(expr->range);
    if (!entry.isInteger)
      return unifiedMath(expr->range, entry.op, builtinText(builtin), args,
                         true);
    for (Expr *&arg : args)
      arg = build.withDefault(arg);
    TypeRef scalar = args[0]->type->scalar();
    if (!scalar->isInt() || scalar->isSigned || scalar->bits < 32) {
      diags
          .report(expr->range, diag::BadArgument, builtinText(builtin),
                  "`u32` or `u64`", args[0]->type->str())
          .send();
      return fail(expr->range);
    }
    auto *call = build.make<BuiltinExpr>(expr->range, args[0]->type);
    call->op = entry.op;
    call->args = args;
    return call;
  }
  llvm_unreachable("intrinsic");
}

//===----------------------------------------------------------------------===//
// random and randn
//===----------------------------------------------------------------------===//

/// Words that draw no constant.
bool BuiltinChecker::mayDraw(SourceRange range, llvm::StringRef name) {
  if (state.where != Where::Constant)
    return true;
  diags.report(range, diag::NotConstant, ("`" + name + "`").str()).send();
  return false;
}

/// `random(low, high)`, `random(T, low, high)`.
Expr *BuiltinChecker::callRandomBetween(const ast::CallExpr *expr) {
  SourceRange range = expr->range;
  bool isTyped = expr->args.size() == 3;
  TypeRef type =
      isTyped ? ctx.typeExprs.checkType(expr->args[0].value) : nullptr;
  Expr *limits[2];
  for (auto [k, arg] : llvm::enumerate(expr->args.take_back(2)))
    limits[k] = ctx.exprs.checkExpr(arg.value);
  if (isError(limits[0]) || isError(limits[1]) || (type && type->isError()) ||
      !mayDraw(range, "random"))
    return fail(range);
  if (isTyped) {
    for (Expr *&limit : limits)
      limit = build.convert(limit, type, "a limit of `random`");
  } else if (build.unify(range, "random", limits)) {
    // A literal may need more bits than the other.
    for (Expr *&limit : limits)
      limit = build.withDefault(limit);
    if (!build.unify(range, "random", limits))
      return fail(range);
  } else {
    return fail(range);
  }
  if (isError(limits[0]) || isError(limits[1]))
    return fail(range);
  type = limits[0]->type;
  if (!hasNumbers(type) || type->scalar()->isBool()) {
    diags.report(range, diag::BadArgument, "random", "numbers", type->str())
        .send();
    return fail(range);
  }
  auto *random = build.make<RandomExpr>(range, type);
  random->low = limits[0];
  random->high = limits[1];
  return random;
}

/// `random(10)`: a number where the type stands. True after a report.
bool BuiltinChecker::refuseRandomOf(const ast::Expr *arg, bool isNormal) {
  Meaning::Kind kind = ctx.names.resolve(arg).kind;
  bool isValue =
      kind == Meaning::Local || kind == Meaning::Constant ||
      kind == Meaning::TopLevel || kind == Meaning::Const ||
      kind == Meaning::Param ||
      llvm::isa<ast::IntExpr, ast::FloatExpr, ast::BinaryExpr, ast::UnaryExpr>(
          arg);
  if (!isValue)
    return false;
  llvm::StringRef text = program.sources.text(arg->range);
  diags.report(arg->range, diag::NotAType, text)
      .note({}, diag::Advice,
            isNormal
                ? "`randn()` returns one number; fill a field in a loop: `for "
                  "i in x: x[i] = randn()`"
                : ("`random(0, " + text +
                   ")` is a number from 0 up to, but excluding, `" + text + "`")
                      .str())
      .send();
  return true;
}

Expr *BuiltinChecker::callRandom(const ast::CallExpr *expr, bool isNormal) {
  llvm::StringRef name = isNormal ? "randn" : "random";
  if (!onlyPositional(expr, 0, isNormal ? 1 : 3))
    return fail(expr->range);
  if (expr->args.size() > 1)
    return callRandomBetween(expr);
  TypeRef type = build.defaultFloat();
  if (expr->args.size() == 1) {
    if (refuseRandomOf(expr->args[0].value, isNormal))
      return fail(expr->range);
    type = ctx.typeExprs.checkType(expr->args[0].value);
    if (type->isError())
      return fail(expr->range);
  }
  if (!mayDraw(expr->range, name))
    return fail(expr->range);
  TypeRef scalar = type->scalarOrNull();
  bool ok = scalar && (type->isScalar() || type->isAggregate()) &&
            scalar->bits >= 32 &&
            (scalar->isFloat() || (!isNormal && scalar->isInt()));
  if (!ok) {
    diags
        .report(expr->range, diag::BadArgument, name,
                isNormal ? "`f32` or `f64`"
                         : "a float or an integer of 32 or 64 bits",
                type->str())
        .send();
    return fail(expr->range);
  }
  auto draw = [&]() -> Expr * {
    TypeRef drawn =
        scalar->isInt() ? types.intType(scalar->bits, false) : scalar;
    auto *random = build.make<RandomExpr>(expr->range, drawn);
    random->isNormal = isNormal;
    return build.cast(random, scalar);
  };
  if (type->isScalar())
    return draw();
  std::vector<Expr *> parts;
  for (int64_t k = 0; k < type->numScalars(); ++k)
    parts.push_back(draw());
  return build.construct(expr->range, type, std::move(parts));
}

//===----------------------------------------------------------------------===//
// Functions of the run time by their names
//===----------------------------------------------------------------------===//

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
  if (!ok)
    return fail(expr->range);
  bool isBare = name->value == "chirt_json_of" && !args[0]->type->isObject();
  if (isBare) // the text of a list of it, without the brackets
    args[0] = ctx.objects.listOf(expr->range, {args[0]});
  if (isBare && isError(args[0]))
    return fail(expr->range);
  Expr *result = ctx.objects.run(expr->range, name->value, type, args);
  if (!isBare)
    return result;
  auto number = [&](int64_t value, TypeRef of) {
    return build.intLiteral(expr->range, value, of);
  };
  return ctx.objects.run(expr->range, "chirt_str_slice", type,
                         {result, number(kSliceBegin | kSliceEnd, types.i32),
                          number(1, types.i64), number(-1, types.i64),
                          number(1, types.i64)});
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
