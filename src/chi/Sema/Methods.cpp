//===- Methods.cpp - Methods of vec, mat and field ------------------------===//
#include "chi/Sema/BodyCheck.h"
#include "chi/Sema/Foreign.h"

using namespace chi;
using namespace chi::sema;

Expr *BodyChecker::callMethod(const ast::CallExpr *expr, Expr *base,
                              const ast::AttributeExpr *callee) {
  if (base->type->isField())
    return fieldMethod(expr, base, callee->name, callee->nameRange);
  if (base->type->isAggregate())
    return vectorMethod(expr, base, callee->name, callee->nameRange);
  for (const ast::Argument &arg : expr->args)
    checkExpr(arg.value);
  if (base->type->isStr())
    diags.report(expr->range, diag::NotSupportedYet, "a method of a string")
        .send();
  else
    reportNoMember(base->type, callee->base->range, callee->name,
                   callee->nameRange);
  return fail(expr->range);
}

//===----------------------------------------------------------------------===//
// vec and mat
//===----------------------------------------------------------------------===//

Expr *BodyChecker::reduceVector(SourceRange range, Builtin op, Expr *base) {
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
  auto *call = build.make<BuiltinExpr>(range, scalar);
  call->op = op;
  call->args = {base};
  return call;
}

Expr *BodyChecker::dot(SourceRange range, Expr *a, Expr *b) {
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

namespace {
enum class Method {
  Norm,
  NormSqr,
  Normalized,
  Dot,
  Cross,
  Outer,
  Transpose,
  Determinant,
  Trace,
  Inverse,
  Sum,
  Product,
  Min,
  Max,
  Any,
  All,
  Column,
  None,
};
} // namespace

static Method methodNamed(llvm::StringRef name) {
  static constexpr std::pair<llvm::StringRef, Method> kNames[] = {
      {"norm", Method::Norm},
      {"norm_sqr", Method::NormSqr},
      {"normalized", Method::Normalized},
      {"dot", Method::Dot},
      {"cross", Method::Cross},
      {"outer", Method::Outer},
      {"transpose", Method::Transpose},
      {"determinant", Method::Determinant},
      {"trace", Method::Trace},
      {"inverse", Method::Inverse},
      {"sum", Method::Sum},
      {"prod", Method::Product},
      {"min", Method::Min},
      {"max", Method::Max},
      {"any", Method::Any},
      {"all", Method::All},
      {"col", Method::Column}};
  for (auto &[known, method] : kNames)
    if (known == name)
      return method;
  return Method::None;
}

/// What a method is called on.
static SourceRange calleeBase(const ast::CallExpr *expr) {
  auto *attribute = llvm::dyn_cast<ast::AttributeExpr>(expr->callee);
  return attribute ? attribute->base->range : SourceRange();
}

/// The methods of a field, as `fieldMethod` knows them.
static constexpr std::pair<llvm::StringRef, bool> kFieldMethods[] = {
    {"fill", true}, {"copy_from", true}, {"sum", false},
    {"mean", false}, {"min", false},     {"max", false},
    {"argmax", false}, {"dot", true}};

std::vector<llvm::StringRef> sema::membersOf(TypeRef type) {
  std::vector<llvm::StringRef> names;
  if (type->isField()) {
    names.push_back("shape");
    for (auto [name, takesOne] : kFieldMethods)
      names.push_back(name);
    return names;
  }
  if (!type->isAggregate())
    return names;
  for (llvm::StringRef name :
       {"norm", "norm_sqr", "normalized", "dot", "cross", "outer", "transpose",
        "determinant", "trace", "inverse", "sum", "prod", "min", "max", "any",
        "all", "col"})
    if (methodTakes(type, name))
      names.push_back(name);
  return names;
}

std::optional<bool> sema::methodTakes(TypeRef type, llvm::StringRef name) {
  if (type->isField()) {
    for (auto [known, takesOne] : kFieldMethods)
      if (known == name)
        return takesOne;
    return std::nullopt;
  }
  Method method = type->isAggregate() ? methodNamed(name) : Method::None;
  bool isOfBoth = false;
  switch (method) {
  case Method::None:
    return std::nullopt;
  case Method::Norm:
  case Method::NormSqr:
  case Method::Normalized:
  case Method::Dot:
  case Method::Cross:
  case Method::Outer:
    if (!type->isVec())
      return std::nullopt;
    break;
  case Method::Transpose:
  case Method::Determinant:
  case Method::Trace:
  case Method::Inverse:
  case Method::Column:
    if (!type->isMat())
      return std::nullopt;
    break;
  default:
    isOfBoth = true;
  }
  return !isOfBoth && (method == Method::Dot || method == Method::Cross ||
                       method == Method::Outer || method == Method::Column);
}

Expr *BodyChecker::vectorMethod(const ast::CallExpr *expr, Expr *base,
                                llvm::StringRef name, SourceRange nameRange) {
  SourceRange range = expr->range;
  Method method = methodNamed(name);
  TypeRef type = base->type;
  auto refuse = [&] {
    for (const ast::Argument &arg : expr->args)
      checkExpr(arg.value);
    if (type->isVec() && !swizzle(name, type->shape[0]).empty())
      diags.report(nameRange, diag::NotCallable, type->scalar()->str()).send();
    else
      reportNoMember(type, calleeBase(expr), name, nameRange);
    return fail(range);
  };
  bool needsVec = method == Method::NormSqr || method == Method::Normalized ||
                  method == Method::Dot || method == Method::Cross ||
                  method == Method::Outer;
  bool needsMat = method == Method::Transpose || method == Method::Trace ||
                  method == Method::Determinant || method == Method::Inverse ||
                  method == Method::Column;
  bool needsSquare = method == Method::Determinant ||
                     method == Method::Inverse || method == Method::Trace;
  if (method == Method::None || (needsMat && !type->isMat()) ||
      (needsVec && method != Method::NormSqr && !type->isVec()) ||
      (needsSquare && type->shape[0] != type->shape[1]))
    return refuse();
  bool takesOne = method == Method::Dot || method == Method::Cross ||
                  method == Method::Outer || method == Method::Column;
  bool takesEps = method == Method::Norm || method == Method::Normalized;
  std::vector<Expr *> args;
  if (takesEps && expr->args.size() == 1 && expr->args[0].keyword == "eps") {
    args.push_back(checkExpr(expr->args[0].value));
    if (isError(args[0]))
      return fail(range);
  } else if (!wordArgs(expr, takesOne, takesOne || takesEps, args)) {
    return fail(range);
  }
  auto make = [&](Builtin op, TypeRef result, std::vector<Expr *> operands) {
    auto *call = build.make<BuiltinExpr>(range, result);
    call->op = op;
    call->args = std::move(operands);
    return call;
  };
  TypeRef scalar = type->scalar();
  bool needsFloat =
      takesEps || method == Method::Inverse || method == Method::Determinant;
  if ((needsFloat && !scalar->isFloat()) || method == Method::NormSqr) {
    base = scalar->isFloat() ? base
           : needsFloat      ? build.promote(base, types.untypedFloat)
                             : base;
    scalar = base->type->scalar(), type = base->type;
  }
  if (scalar->isBool() && method != Method::Any && method != Method::All &&
      method != Method::Sum)
    return refuse();
  switch (method) {
  case Method::Norm:
  case Method::Normalized: {
    Expr *eps = args.empty() ? build.realLiteral(range, 0, types.untypedFloat)
                             : args[0];
    if (!eps->type->isScalar() || !type->isVec()) {
      if (!type->isVec())
        return refuse();
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
    return make(method == Method::Norm ? Builtin::Norm : Builtin::Normalized,
                method == Method::Norm ? joined : base->type, {base, eps});
  }
  case Method::NormSqr:
    return make(Builtin::NormSqr, scalar, {base});
  case Method::Dot:
    return dot(range, base, args[0]);
  case Method::Cross: {
    Expr *operands[] = {base, args[0]};
    if (!args[0]->type->isVec() || args[0]->type->shape != type->shape ||
        type->shape[0] < 2 || type->shape[0] > 3) {
      std::string both = build.defaulted(type)->str() + "` and `" +
                         build.defaulted(args[0]->type)->str();
      diags
          .report(range, diag::BadArgument, "cross",
                  "two vecs of one size, 2 or 3", both)
          .send();
      return fail(range);
    }
    if (!build.unify(range, "cross", operands))
      return fail(range);
    TypeRef both = operands[0]->type;
    return make(Builtin::Cross, type->shape[0] == 3 ? both : both->scalar(),
                {operands[0], operands[1]});
  }
  case Method::Outer: {
    TypeRef other = args[0]->type;
    TypeRef joined =
        other->isVec() ? build.joinScalars(scalar, other->scalar()) : nullptr;
    if (!joined || joined->isBool()) {
      diags
          .report(range, diag::BadArgument, "outer", "a vec",
                  build.defaulted(other)->str())
          .send();
      return fail(range);
    }
    return make(Builtin::Outer,
                types.mat(type->shape[0], other->shape[0], joined),
                {build.promote(base, joined), build.promote(args[0], joined)});
  }
  case Method::Transpose:
    return make(Builtin::Transpose,
                types.mat(type->shape[1], type->shape[0], scalar), {base});
  case Method::Determinant:
    return make(Builtin::Determinant, scalar, {base});
  case Method::Trace:
    return make(Builtin::Trace, scalar, {base});
  case Method::Inverse:
    return make(Builtin::Inverse, type, {base});
  case Method::Column: {
    Expr *index = build.withDefault(args[0]);
    if (isError(index) || !index->type->isInt()) {
      if (!isError(index))
        diags.report(index->range, diag::IndexNotInt, index->type->str())
            .send();
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
    return make(Builtin::Column, types.vec(type->shape[0], scalar),
                {base, index});
  }
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
  case Method::None:
    break;
  }
  return refuse();
}

//===----------------------------------------------------------------------===//
// Fields (host code)
//===----------------------------------------------------------------------===//

TypeRef BodyChecker::sumType(TypeRef element) const {
  TypeRef scalar = element->scalar();
  if (scalar->isInt())
    return types.withScalar(element, types.intType(64, scalar->isSigned));
  return scalar->bits < 32 ? types.withScalar(element, types.f32) : element;
}

HostOpExpr *BodyChecker::hostOp(SourceRange range, HostOp op, TypeRef type,
                                std::vector<Expr *> args) {
  auto *call = build.make<HostOpExpr>(range, type);
  call->op = op;
  call->args = std::move(args);
  return call;
}

/// `x.mean()`: the sum over the number of elements, in f64. The sum of integers
/// does not wrap, as their mean would not.
Expr *BodyChecker::fieldMean(const ast::CallExpr *expr, Expr *base) {
  SourceRange range = expr->range;
  TypeRef type = base->type, element = type->element;
  TypeRef scalar = element->scalar();
  if (!onlyPositional(expr, 0, 0) || !hostOnly(range, "`mean` of a field"))
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
  Expr *sum = hostOp(range, HostOp::FieldSum,
                     types.withScalar(element, types.f64), {base});
  Expr *count = build.realLiteral(range, 1, types.f64);
  Expr *shape = type->rank() == 0
                    ? nullptr
                    : member(build.clone(base), "shape", range, range);
  for (unsigned axis = 0; axis < type->rank(); ++axis) {
    Expr *extent = build.cast(build.tupleMember(shape, axis), types.f64);
    count = build.binary(range, range, BinaryOp::Mul, count, extent);
  }
  Expr *mean = build.binary(range, range, BinaryOp::Div,
                            build.cast(sum, types.f64), count);
  return build.closeLets(mean, lets);
}

Expr *BodyChecker::fieldMethod(const ast::CallExpr *expr, Expr *base,
                               llvm::StringRef name, SourceRange nameRange) {
  SourceRange range = expr->range;
  TypeRef type = base->type, element = type->element;
  struct Entry {
    llvm::StringRef name;
    HostOp op;
    unsigned arity;
  };
  static constexpr Entry kEntries[] = {
      {"fill", HostOp::FieldFill, 1}, {"copy_from", HostOp::FieldCopy, 1},
      {"sum", HostOp::FieldSum, 0},   {"min", HostOp::FieldMin, 0},
      {"max", HostOp::FieldMax, 0},   {"argmax", HostOp::FieldArgMax, 0},
      {"dot", HostOp::FieldDot, 1}};
  static constexpr llvm::StringRef kSparse[] = {
      "activate", "deactivate", "is_active", "clear", "append", "length"};
  if (name == "get") {
    diags.report(range, diag::NotSupportedYet, "`get` of a field").send();
    return fail(range);
  }
  if (name == "mean")
    return fieldMean(expr, base);
  if (llvm::is_contained(kSparse, name)) {
    reportLater(diags, range, "a sparse field");
    return fail(range);
  }
  const Entry *entry = llvm::find_if(
      kEntries, [&](const Entry &known) { return known.name == name; });
  if (entry == std::end(kEntries)) {
    for (const ast::Argument &arg : expr->args)
      checkExpr(arg.value);
    Expr *read = member(base, name, nameRange, range);
    if (!isError(read))
      diags.report(nameRange, diag::NotCallable, read->type->str())
          .fixIt({nameRange.file, nameRange.end, expr->range.end}, "")
          .send();
    return fail(range);
  }
  std::vector<Expr *> args;
  if (!wordArgs(expr, entry->arity, entry->arity, args))
    return fail(range);
  if (!hostOnly(range, ("`" + name + "` of a field").str()))
    return fail(range);
  bool wantsNumbers = !element->scalar()->isBool();
  auto refuseBools = [&] {
    diags
        .report(range, diag::BadArgument, name, "a field of numbers",
                type->str())
        .send();
    return fail(range);
  };
  auto fieldArgument = [&]() {
    TypeRef other = args[0]->type;
    bool ok =
        other->isField() && other->rank() == type->rank() &&
        (entry->op == HostOp::FieldDot ? other->element->shape == element->shape
                                       : other->element == element);
    if (!ok)
      diags
          .report(args[0]->range, diag::TypeMismatch,
                  ("the argument of `" + name + "`").str(), type->str(),
                  build.defaulted(other)->str())
          .send();
    return ok;
  };
  switch (entry->op) {
  case HostOp::FieldFill: {
    Expr *value = build.convert(args[0], element, "the element");
    if (isError(value))
      return value;
    return hostOp(range, entry->op, types.voidTy, {base, value});
  }
  case HostOp::FieldCopy:
    return fieldArgument()
               ? hostOp(range, entry->op, types.voidTy, {base, args[0]})
               : fail(range);
  case HostOp::FieldDot:
    if (!fieldArgument())
      return fail(range);
    return wantsNumbers ? hostOp(range, entry->op, types.f64, {base, args[0]})
                        : refuseBools();
  case HostOp::FieldArgMax:
    if (!element->isScalar() || type->rank() == 0) {
      diags
          .report(range, diag::BadArgument, name, "a field of scalars",
                  type->str())
          .send();
      return fail(range);
    }
    return hostOp(range, entry->op,
                  type->rank() == 1 ? types.i64
                                    : types.vec(type->rank(), types.i64),
                  {base});
  default:
    if (!wantsNumbers)
      return refuseBools();
    return hostOp(range, entry->op,
                  entry->op == HostOp::FieldSum ? sumType(element) : element,
                  {base});
  }
}
