//===- MethodChecker.cpp - Methods of vec, mat and field ------------------===//
#include "chi/Sema/Exprs/MethodChecker.h"
#include "chi/Sema/Advice/Advice.h"
#include "chi/Sema/Builtins/Foreign.h"
#include "chi/Sema/Builtins/Members.h"
#include "chi/Sema/Exprs/BuiltinChecker.h"
#include "chi/Sema/Exprs/ClassChecker.h"
#include "chi/Sema/Exprs/ExprChecker.h"
#include "chi/Sema/Exprs/HostCallChecker.h"
#include "chi/Sema/Exprs/ObjectChecker.h"
#include "chi/Sema/Exprs/SubscriptChecker.h"

using namespace chi;
using namespace chi::sema;

Expr *MethodChecker::callMethod(const ast::CallExpr *expr, Expr *base,
                                const ast::AttributeExpr *callee) {
  if (base->type->isField())
    return fieldMethod(expr, base, callee->name, callee->nameRange);
  if (base->type->isAggregate())
    return vectorMethod(expr, base, callee->name, callee->nameRange);
  if (base->type->isOfClass())
    return ctx.classes.callMethod(expr, base, callee);
  if (base->type->isStr() || base->type->isObject())
    return ctx.objects.callMethod(expr, base, callee);
  for (const ast::Argument &arg : expr->args)
    ctx.exprs.checkExpr(arg.value);
  ctx.advice.reportNoMember(base->type, callee->base->range, callee->name,
                            callee->nameRange);
  return fail(expr->range);
}

//===----------------------------------------------------------------------===//
// vec and mat
//===----------------------------------------------------------------------===//

/// The index of `grouped` over a 0-D field is the only vec without components.
static bool isEmptyVec(TypeRef type) {
  return type->isVec() && type->shape[0] == 0;
}

/// Of such a vec.
Expr *MethodChecker::reduceNothing(SourceRange range, Builtin op,
                                   TypeRef scalar) {
  switch (op) {
  case Builtin::Sum:
  case Builtin::Product:
    return build.intLiteral(range, op == Builtin::Product, scalar);
  case Builtin::All:
  case Builtin::Any:
    return build.boolLiteral(range, op == Builtin::All);
  default:
    diags
        .report(range, diag::BadArgument,
                op == Builtin::MinElement ? "min" : "max",
                "a vec with a component", "one without")
        .send();
    return fail(range);
  }
}

Expr *MethodChecker::reduceVector(SourceRange range, Builtin op, Expr *base) {
  TypeRef scalar = base->type->scalar();
  bool isLogic = op == Builtin::All || op == Builtin::Any;
  if (isLogic != scalar->isBool() && isLogic) {
    diags
        .report(range, diag::BadArgument, op == Builtin::All ? "all" : "any",
                "a vec of bool", build.defaulted(base->type)->str())
        .send();
    return fail(range);
  }
  if (scalar->isBool() && !isLogic) {
    base = build.cast(base, build.defaultInt());
    scalar = build.defaultInt();
  }
  if (isEmptyVec(base->type))
    return reduceNothing(range, op, scalar);
  auto *call = build.make<BuiltinExpr>(range, scalar);
  call->op = op;
  call->args = {base};
  return call;
}

Expr *MethodChecker::dot(SourceRange range, Expr *a, Expr *b) {
  Expr *operands[] = {a, b};
  if (!b->type->isVec() || a->type->shape != b->type->shape) {
    diags
        .report(range, diag::BadArgument, "dot", "a vec of the same size",
                build.defaulted(b->type)->str())
        .send();
    return fail(range);
  }
  if (!build.unify(range, "dot", operands))
    return fail(range);
  auto *call = build.make<BuiltinExpr>(range, operands[0]->type->scalar());
  call->op = Builtin::Dot;
  call->args = {operands[0], operands[1]};
  return call;
}

/// What a method is called on.
static SourceRange calleeBase(const ast::CallExpr *expr) {
  auto *attribute = llvm::dyn_cast<ast::AttributeExpr>(expr->callee);
  return attribute ? attribute->base->range : SourceRange();
}

Expr *MethodChecker::refuseMethod(const ast::CallExpr *expr, Expr *base,
                                  llvm::StringRef name, SourceRange nameRange) {
  TypeRef type = base->type;
  if (type->isVec() && !swizzle(name, type->shape[0]).empty())
    diags.report(nameRange, diag::NotCallable, type->scalar()->str()).send();
  else
    ctx.advice.reportNoMember(type, calleeBase(expr), name, nameRange);
  return fail(expr->range);
}

Expr *MethodChecker::vectorMethod(const ast::CallExpr *expr, Expr *base,
                                  llvm::StringRef name, SourceRange nameRange) {
  SourceRange range = expr->range;
  const MethodFacts *facts = findMethod(name, base->type);
  if (!facts) {
    for (const ast::Argument &arg : expr->args)
      ctx.exprs.checkExpr(arg.value);
    return refuseMethod(expr, base, name, nameRange);
  }
  Method method = facts->method;
  if (isEmptyVec(base->type) && method < Method::Sum)
    return refuseMethod(expr, base, name, nameRange);
  bool takesOne = facts->takes == MethodFacts::One;
  bool takesEps = facts->takes == MethodFacts::Eps;
  std::vector<Expr *> args;
  if (takesEps && expr->args.size() == 1 && expr->args[0].keyword == "eps") {
    args.push_back(ctx.exprs.checkExpr(expr->args[0].value));
    if (isError(args[0]))
      return fail(range);
  } else if (!ctx.builtins.builtinArgs(expr, takesOne, takesOne || takesEps,
                                       args)) {
    return fail(range);
  }
  bool needsFloat =
      takesEps || method == Method::Inverse || method == Method::Determinant;
  if (needsFloat && !base->type->scalar()->isFloat())
    base = build.promote(base, types.untypedFloat);
  if (base->type->scalar()->isBool() && method != Method::Any &&
      method != Method::All && method != Method::Sum)
    return refuseMethod(expr, base, name, nameRange);
  return applyMethod(range, method, name, base, args);
}

static Expr *makeBuiltin(Builder &build, SourceRange range, Builtin op,
                         TypeRef result, std::vector<Expr *> operands) {
  auto *call = build.make<BuiltinExpr>(range, result);
  call->op = op;
  call->args = std::move(operands);
  return call;
}

Expr *MethodChecker::applyMethod(SourceRange range, Method method,
                                 llvm::StringRef name, Expr *base,
                                 llvm::ArrayRef<Expr *> args) {
  TypeRef type = base->type, scalar = type->scalar();
  auto make = [&](Builtin op, TypeRef result) {
    return makeBuiltin(build, range, op, result, {base});
  };
  switch (method) {
  case Method::Norm:
  case Method::Normalized:
    return normOf(range, method, name, base, args.empty() ? nullptr : args[0]);
  case Method::NormSqr:
    return make(Builtin::NormSqr, scalar);
  case Method::Dot:
    return dot(range, base, args[0]);
  case Method::Cross:
    return cross(range, base, args[0]);
  case Method::Outer:
    return outer(range, base, args[0]);
  case Method::Transpose:
    return make(Builtin::Transpose,
                types.mat(type->shape[1], type->shape[0], scalar));
  case Method::Determinant:
    return make(Builtin::Determinant, scalar);
  case Method::Trace:
    return make(Builtin::Trace, scalar);
  case Method::Inverse:
    return make(Builtin::Inverse, type);
  case Method::Column:
    return columnOf(range, base, args[0]);
  case Method::Sum:
    return reduceVector(range, Builtin::Sum, base);
  case Method::Product:
    return reduceVector(range, Builtin::Product, base);
  case Method::Min:
    return reduceVector(range, Builtin::MinElement, base);
  case Method::Max:
    return reduceVector(range, Builtin::MaxElement, base);
  case Method::Any:
    return reduceVector(range, Builtin::Any, base);
  case Method::All:
    return reduceVector(range, Builtin::All, base);
  }
  return fail(range);
}

Expr *MethodChecker::normOf(SourceRange range, Method method,
                            llvm::StringRef name, Expr *base, Expr *eps) {
  TypeRef scalar = base->type->scalar();
  if (!eps)
    eps = build.realLiteral(range, 0, types.untypedFloat);
  if (!eps->type->isScalar()) {
    diags
        .report(eps->range, diag::BadArgument, name, "a number",
                build.defaulted(eps->type)->str())
        .send();
    return fail(range);
  }
  TypeRef joined = build.joinScalars(scalar, eps->type);
  if (!isUntyped(scalar) && isUntyped(eps->type))
    joined = scalar;
  base = build.promote(base, joined);
  eps = build.promote(eps, joined);
  bool isNorm = method == Method::Norm;
  return makeBuiltin(build, range, isNorm ? Builtin::Norm : Builtin::Normalized,
                     isNorm ? joined : base->type, {base, eps});
}

Expr *MethodChecker::cross(SourceRange range, Expr *a, Expr *b) {
  TypeRef type = a->type;
  Expr *operands[] = {a, b};
  if (!b->type->isVec() || b->type->shape != type->shape ||
      type->shape[0] < 2 || type->shape[0] > 3) {
    std::string both = build.defaulted(type)->str() + "` and `" +
                       build.defaulted(b->type)->str();
    diags
        .report(range, diag::BadArgument, "cross",
                "two vecs of one size, 2 or 3", both)
        .send();
    return fail(range);
  }
  if (!build.unify(range, "cross", operands))
    return fail(range);
  TypeRef both = operands[0]->type;
  return makeBuiltin(build, range, Builtin::Cross,
                     type->shape[0] == 3 ? both : both->scalar(),
                     {operands[0], operands[1]});
}

Expr *MethodChecker::outer(SourceRange range, Expr *a, Expr *b) {
  TypeRef other = b->type;
  TypeRef joined = other->isVec()
                       ? build.joinScalars(a->type->scalar(), other->scalar())
                       : nullptr;
  if (!joined || joined->isBool()) {
    diags
        .report(range, diag::BadArgument, "outer", "a vec",
                build.defaulted(other)->str())
        .send();
    return fail(range);
  }
  return makeBuiltin(build, range, Builtin::Outer,
                     types.mat(a->type->shape[0], other->shape[0], joined),
                     {build.promote(a, joined), build.promote(b, joined)});
}

Expr *MethodChecker::columnOf(SourceRange range, Expr *base, Expr *number) {
  TypeRef type = base->type;
  Expr *index = build.withDefault(number);
  if (isError(index) || !index->type->isInt()) {
    if (!isError(index))
      diags.report(index->range, diag::IndexNotInt, index->type->str()).send();
    return fail(range);
  }
  if (auto known = constantInt(index);
      known && !build.isDead && (*known < 0 || *known >= type->shape[1])) {
    diags
        .report(index->range, diag::IndexOutOfRange, *known,
                build.defaulted(type)->str(), type->shape[1])
        .send();
    return fail(range);
  }
  return makeBuiltin(build, range, Builtin::Column,
                     types.vec(type->shape[0], type->scalar()), {base, index});
}

//===----------------------------------------------------------------------===//
// Fields (host code)
//===----------------------------------------------------------------------===//

TypeRef MethodChecker::sumType(TypeRef element) const {
  TypeRef scalar = element->scalar();
  if (scalar->isInt())
    return types.withScalar(element, types.intType(64, scalar->isSigned));
  return scalar->bits < 32 ? types.withScalar(element, types.f32) : element;
}

/// `x.mean()`: the sum over the number of elements, in f64. The sum of integers
/// does not wrap, as their mean would not.
Expr *MethodChecker::fieldMean(const ast::CallExpr *expr, Expr *base) {
  SourceRange range = expr->range;
  TypeRef type = base->type, element = type->element;
  TypeRef scalar = element->scalar();
  if (!ctx.builtins.onlyPositional(expr, 0, 0) ||
      !state.hostOnly(range, "`mean` of a field"))
    return fail(range);
  if (scalar->isBool()) {
    diags
        .report(range, diag::BadArgument, "mean", "a field of numbers",
                type->str())
        .send();
    return fail(range);
  }
  std::vector<LetExpr *> lets;
  base = build.reusable(base, lets);
  Expr *sum = ctx.hostCalls.hostOp(
      range, HostOp::FieldSum, types.withScalar(element, types.f64), {base});
  Expr *count = build.realLiteral(range, 1, types.f64);
  Expr *shape =
      type->rank() == 0
          ? nullptr
          : ctx.subscripts.member(build.clone(base), "shape", range, range);
  for (unsigned axis = 0; axis < type->rank(); ++axis) {
    Expr *extent = build.cast(build.tupleMember(shape, axis), types.f64);
    count = build.binary(range, range, BinaryOp::Mul, count, extent);
  }
  Expr *mean = build.binary(range, range, BinaryOp::Div,
                            build.cast(sum, types.f64), count);
  return build.closeLets(mean, lets);
}

Expr *MethodChecker::noFieldMethod(const ast::CallExpr *expr, Expr *base,
                                   llvm::StringRef name,
                                   SourceRange nameRange) {
  static constexpr llvm::StringRef kSparse[] = {
      "activate", "deactivate", "is_active", "clear", "append", "length"};
  SourceRange range = expr->range;
  if (name == "get") {
    diags.report(range, diag::NotSupportedYet, "`get` of a field").send();
    return fail(range);
  }
  if (llvm::is_contained(kSparse, name)) {
    reportLater(diags, range, "a sparse field");
    return fail(range);
  }
  for (const ast::Argument &arg : expr->args)
    ctx.exprs.checkExpr(arg.value);
  Expr *read = ctx.subscripts.member(base, name, nameRange, range);
  if (!isError(read))
    diags.report(nameRange, diag::NotCallable, read->type->str())
        .fixIt({nameRange.file, nameRange.end, range.end}, "")
        .send();
  return fail(range);
}

Expr *MethodChecker::fieldMethod(const ast::CallExpr *expr, Expr *base,
                                 llvm::StringRef name, SourceRange nameRange) {
  SourceRange range = expr->range;
  if (isFieldOfComplex(base->type) && (name == "sum" || name == "mean"))
    return complexOf(build, fieldMethod(expr, ctx.complexes.fieldOfParts(base),
                                        name, nameRange));
  const FieldMethod *known = findFieldMethod(name);
  if (known && base->type->isFieldOfClass() && known->op != HostOp::FieldFill &&
      known->op != HostOp::FieldCopy) {
    diags
        .report(range, diag::BadArgument, name, "a field of numbers",
                base->type->str())
        .send();
    return fail(range);
  }
  if (name == "mean")
    return fieldMean(expr, base);
  if (!known)
    return noFieldMethod(expr, base, name, nameRange);
  std::vector<Expr *> args;
  if (!ctx.builtins.builtinArgs(expr, known->arity, known->arity, args) ||
      !state.hostOnly(range, ("`" + name + "` of a field").str()))
    return fail(range);
  return applyFieldMethod(range, known->op, name, base, args);
}

/// Whether the argument of `copy_from` or `dot` fits the field.
static bool isFieldLike(TypeRef type, TypeRef other, HostOp op) {
  if (!other->isField() || other->rank() != type->rank())
    return false;
  return op == HostOp::FieldDot ? other->element->shape == type->element->shape
                                : other->element == type->element;
}

/// An index from the first element on as the field counts it.
Expr *MethodChecker::fromOffset(SourceRange range, TypeRef field, Expr *index) {
  if (field->offset.empty())
    return index;
  std::vector<Expr *> first;
  for (int64_t each : field->offset)
    first.push_back(build.intLiteral(range, each, types.i64));
  Expr *offset = first.size() == 1
                     ? first[0]
                     : build.construct(range, index->type, std::move(first));
  return build.binary(range, range, BinaryOp::Add, index, offset);
}

Expr *MethodChecker::applyFieldMethod(SourceRange range, HostOp op,
                                      llvm::StringRef name, Expr *base,
                                      llvm::ArrayRef<Expr *> args) {
  TypeRef type = base->type, element = type->element;
  auto refuse = [&](const char *wanted) {
    diags.report(range, diag::BadArgument, name, wanted, type->str()).send();
    return fail(range);
  };
  bool takesField = op == HostOp::FieldCopy || op == HostOp::FieldDot;
  if (takesField && !isFieldLike(type, args[0]->type, op)) {
    diags
        .report(args[0]->range, diag::TypeMismatch,
                ("the argument of `" + name + "`").str(), type->str(),
                build.defaulted(args[0]->type)->str())
        .send();
    return fail(range);
  }
  switch (op) {
  case HostOp::FieldFill: {
    Expr *value = build.convert(args[0], element, "the element");
    return isError(value)
               ? value
               : ctx.hostCalls.hostOp(range, op, types.voidTy, {base, value});
  }
  case HostOp::FieldCopy:
    return ctx.hostCalls.hostOp(range, op, types.voidTy, {base, args[0]});
  case HostOp::FieldArgMin:
  case HostOp::FieldArgMax:
    if (!element->isScalar() || type->rank() == 0)
      return refuse("a field of scalars");
    return fromOffset(
        range, type,
        ctx.hostCalls.hostOp(
            range, op,
            type->rank() == 1 ? types.i64 : types.vec(type->rank(), types.i64),
            {base}));
  default:
    if (element->scalar()->isBool())
      return refuse("a field of numbers");
    if (op == HostOp::FieldDot)
      return ctx.hostCalls.hostOp(range, op, types.f64, {base, args[0]});
    return ctx.hostCalls.hostOp(
        range, op, op == HostOp::FieldSum ? sumType(element) : element, {base});
  }
}
