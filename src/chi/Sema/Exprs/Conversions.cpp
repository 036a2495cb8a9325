//===- Conversions.cpp - i32(x), vec2(x, y), complex64(x, y), P(x) --------===//
#include "chi/Sema/Exprs/CallChecker.h"
#include "chi/Sema/Exprs/ClassChecker.h"
#include "chi/Sema/Exprs/ExprChecker.h"
#include "chi/Sema/Exprs/ObjectChecker.h"
#include "chi/Sema/Exprs/SubscriptChecker.h"
#include <set>

using namespace chi;
using namespace chi::sema;

/// `vec2(…)` and `mat2(…)` take the precision of their arguments ([Inf.2]);
/// a type that names its precision, or an integer one, converts.
Expr *CallChecker::toScalar(Expr *value, TypeRef scalar, bool isFlexible) {
  if (isError(value))
    return value;
  TypeRef from = value->type->scalar();
  if (!isFlexible)
    return build.pin(build.cast(value, scalar));
  if (from->isFloat())
    return value;
  return build.promote(value, types.untypedFloat);
}

/// Gives all parts one scalar type, which is returned; null after an error.
TypeRef CallChecker::joinParts(std::vector<Expr *> &parts, TypeRef element,
                               bool isFlexible) {
  TypeRef scalar = nullptr;
  for (Expr *&part : parts) {
    part = toScalar(part, element, isFlexible);
    if (isError(part))
      return nullptr;
    scalar = scalar ? build.joinScalars(scalar, part->type->scalar())
                    : part->type->scalar();
  }
  for (Expr *&part : parts) {
    part = build.promote(part, scalar);
    if (isError(part))
      return nullptr;
  }
  return scalar;
}

static int64_t numScalarsOf(llvm::ArrayRef<Expr *> parts) {
  int64_t count = 0;
  for (const Expr *part : parts)
    count += part->type->numScalars();
  return count;
}

Expr *CallChecker::vectorFrom(SourceRange range, TypeRef type,
                              std::vector<Expr *> parts, bool isFlexible) {
  TypeRef scalar = joinParts(parts, type->element, isFlexible);
  if (!scalar)
    return fail(range);
  int64_t count = numScalarsOf(parts);
  bool isFill = parts.size() == 1 && parts[0]->type->isScalar();
  if (!isFill && count != type->shape[0]) {
    diags
        .report(range, diag::ComponentCount, type->str(),
                size_t(type->shape[0]), size_t(count))
        .send();
    return fail(range);
  }
  TypeRef result = types.vec(type->shape[0], scalar);
  if (isFill) {
    Expr *filled = build.splat(parts[0], result);
    filled->range = range;
    return filled;
  }
  if (parts.size() == 1)
    return parts[0];
  return build.construct(range, result, std::move(parts));
}

Expr *CallChecker::matrixFrom(SourceRange range, TypeRef type,
                              std::vector<Expr *> parts, bool isFlexible) {
  TypeRef scalar = joinParts(parts, type->element, isFlexible);
  if (!scalar)
    return fail(range);
  int64_t count = numScalarsOf(parts);
  TypeRef result = types.withScalar(type, scalar);
  if (parts.size() == 1 && parts[0]->type == result)
    return parts[0];
  if (parts.size() == 1 && parts[0]->type->isScalar()) {
    Expr *filled = build.splat(parts[0], result);
    filled->range = range;
    return filled;
  }
  bool shapesFit = count == type->numScalars() &&
                   !(parts.size() == 1 && parts[0]->type->isMat());
  if (!shapesFit) {
    diags
        .report(range, diag::ComponentCount, type->str(),
                size_t(type->numScalars()), size_t(count))
        .send();
    return fail(range);
  }
  return build.construct(range, result, std::move(parts));
}

Expr *CallChecker::convertCall(const ast::CallExpr *expr, TypeRef type,
                               bool isShort) {
  if (type->isComplex) {
    auto *name =
        isShort ? llvm::dyn_cast<ast::NameExpr>(expr->callee) : nullptr;
    return ctx.complexes.construct(expr, type, name && name->name == "complex");
  }
  if (type->isOfClass())
    return ctx.classes.construct(expr, type);
  std::vector<Expr *> parts;
  bool ok = !type->isError(), isText = false;
  for (const ast::Argument &arg : expr->args) {
    if (!arg.keyword.empty()) {
      diags
          .report(arg.keywordRange, diag::UnknownKeyword, type->str(),
                  arg.keyword)
          .send();
      ok = false;
    }
    Expr *part = ctx.exprs.checkExpr(arg.value);
    bool hasNumbers = part->type->isScalar() || part->type->isAggregate();
    // `str(x)` of anything, `int("12")`
    isText = expr->args.size() == 1 &&
             (type->isStr() || (type->isScalar() && part->type->isStr()));
    hasNumbers |= isText;
    if (!isError(part) && !hasNumbers && !type->isError()) {
      diags
          .report(arg.value->range, diag::NotConvertible,
                  build.defaulted(part->type)->str(), type->str())
          .send();
      ok = false;
    }
    ok &= !isError(part);
    parts.push_back(part);
  }
  if (!ok)
    return fail(expr->range);
  if (isText)
    return type->isStr() ? ctx.exprs.textOf(expr->range, parts[0])
                         : ctx.objects.toNumber(expr->range, parts[0], type);
  llvm::StringRef written =
      isShort ? llvm::cast<ast::NameExpr>(expr->callee)->name : "";
  bool isFlexible = written.starts_with("vec") || written.starts_with("mat");
  if (type->isScalar()) {
    if (parts.size() != 1) {
      diags
          .report(expr->range, diag::ArgCountMismatch, type->str(), size_t(1),
                  parts.size())
          .send();
      return fail(expr->range);
    }
    Expr *result = build.pin(build.cast(parts[0], type));
    if (result == parts[0] && isError(result))
      return result;
    result->range = expr->range;
    result->isWritten = true;
    return result;
  }
  if (parts.empty() && (type->isAggregate() || type->isArray())) {
    diags.report(expr->range, diag::MissingFill, type->str()).send();
    return fail(expr->range);
  }
  if (type->isVec() || type->isMat()) {
    Expr *made =
        type->isVec()
            ? vectorFrom(expr->range, type, std::move(parts), isFlexible)
            : matrixFrom(expr->range, type, std::move(parts), isFlexible);
    made->isWritten |= !isFlexible;
    return made;
  }
  if (type->isStr())
    diags
        .report(expr->range, diag::ArgCountMismatch, "str", size_t(1),
                parts.size())
        .send();
  else
    diags.report(expr->range, diag::NotCallable, type->str()).send();
  return fail(expr->range);
}

//===----------------------------------------------------------------------===//
// Note [Initializers] in ClassChecker.h
//===----------------------------------------------------------------------===//

/// Whether an initializer names each member as a target that has no default;
/// false after a report. Other methods may assign them for it.
bool ClassChecker::setsMembers(const FunctionDecl &init, TypeRef type) {
  std::set<llvm::StringRef> assigned;
  bool callsMethod = false;
  auto ofSelf = [](const ast::Expr *expr) {
    auto *member = llvm::dyn_cast<ast::AttributeExpr>(expr);
    auto *base = member ? llvm::dyn_cast<ast::NameExpr>(member->base) : nullptr;
    return base && base->name == "self" ? member : nullptr;
  };
  walkStmts(init.ast->body, [&](const ast::Stmt *stmt) {
    if (auto *assign = llvm::dyn_cast<ast::AssignStmt>(stmt))
      for (const ast::Expr *target : assign->targets)
        walkExpr(target, [&](const ast::Expr *part) {
          if (auto *member = ofSelf(part))
            assigned.insert(member->name);
        });
  });
  walkExprs(init.ast->body, [&](const ast::Expr *expr) {
    auto *call = llvm::dyn_cast<ast::CallExpr>(expr);
    callsMethod |= call && ofSelf(call->callee);
  });
  for (const ClassMember &member : classOf(type).members) {
    bool needsValue = type->isRef() && !member.value && !member.maker &&
                      !member.type->isContainer() &&
                      !(member.type->isField() && member.type->rank() == 0);
    if (!needsValue || callsMethod || assigned.count(member.name))
      continue;
    diags
        .report(init.ast->nameRange, diag::MemberNotSet, member.name,
                type->str())
        .note(member.range, diag::DeclaredHere, member.name)
        .send();
    return false;
  }
  return true;
}

Expr *ClassChecker::initialized(const ast::CallExpr *expr, TypeRef type) {
  ClassInstance &of = classOf(type);
  std::vector<Expr *> parts;
  for (const ClassMember &member : of.members)
    parts.push_back(type->isRef() ? nullptr : build.clone(member.value));
  Expr *self = type->isRef()
                   ? makeReference(expr->range, type, std::move(parts), true)
                   : build.construct(expr->range, type, std::move(parts));
  auto &methods = of.decl->methods.find("__init__")->second;
  for (const FunctionDecl *method : methods)
    if (!isError(self) && !method->isBroken && !setsMembers(*method, type))
      return fail(expr->range);
  if (isError(self))
    return self;
  return callOne(expr, self, methods, expr->callee->range);
}

/// Of a generic class the parameters of `__init__` say what its own are.
Expr *ClassChecker::inferInitialized(const ast::CallExpr *expr,
                                     ClassDecl &decl) {
  TypeNames typeNames;
  const FunctionDecl &init = *decl.methods.find("__init__")->second.front();
  llvm::ArrayRef<ast::Parameter> params = init.givenParams();
  size_t mark = diags.mark();
  for (bool isLiteral : {false, true})
    for (auto [k, arg] : llvm::enumerate(expr->args)) {
      const ast::Parameter *parameter = llvm::find_if(
          params, [&](const auto &each) { return each.name == arg.keyword; });
      if (arg.keyword.empty() && k < params.size())
        parameter = &params[k];
      if (parameter == params.end() || !parameter->type)
        continue;
      Expr *value = ctx.exprs.checkExpr(arg.value);
      if (!isError(value) && isUntyped(value->type) == isLiteral)
        ctx.calls.inferClass(decl, parameter->type,
                             build.defaulted(value->type), typeNames);
    }
  diags.discardSince(mark); // the call checks its arguments
  if (!areInferred(expr, decl, typeNames))
    return fail(expr->range);
  TypeRef type = program.classType(decl, typeNames, expr->range);
  return type->isError() ? fail(expr->range) : initialized(expr, type);
}

//===----------------------------------------------------------------------===//
// Note [Complex numbers] in Sema/Build/Complex.cpp
//===----------------------------------------------------------------------===//

Expr *ComplexChecker::literal(const ast::FloatExpr *expr) {
  SourceRange range = expr->range;
  return complexOf(build, range,
                   build.realLiteral(range, 0, types.untypedFloat),
                   build.realLiteral(range, expr->value, types.untypedFloat));
}

//===----------------------------------------------------------------------===//
// complex64(x, y)
//===----------------------------------------------------------------------===//

/// The real and the imaginary part as they are given, null where they are not;
/// false after a report.
bool ComplexChecker::takeArguments(const ast::CallExpr *expr, TypeRef type,
                                   Expr *(&given)[2]) {
  if (expr->args.size() > 2) {
    diags
        .report(expr->range, diag::ArgCountRange, type->str(), size_t(0),
                size_t(2), expr->args.size())
        .send();
    return false;
  }
  bool ok = true;
  for (auto [k, arg] : llvm::enumerate(expr->args)) {
    auto number = arg.keyword.empty() ? unsigned(k) : partNamed(arg.keyword);
    Expr *value = ctx.exprs.checkExpr(arg.value);
    if (!number) {
      diags
          .report(arg.keywordRange, diag::UnknownKeyword, type->str(),
                  arg.keyword)
          .send();
      ok = false;
      continue;
    }
    bool mayBeComplex = expr->args.size() == 1 && *number == 0;
    bool isNumber =
        value->type->isScalar() || (mayBeComplex && value->type->isComplex);
    if (!isError(value) && !isNumber)
      diags
          .report(arg.value->range, diag::NotConvertible,
                  build.defaulted(value->type)->str(), type->str())
          .send();
    if (given[*number])
      diags.report(arg.value->range, diag::ArgTwice, arg.keyword).send();
    ok &= !isError(value) && isNumber && !given[*number];
    given[*number] = value;
  }
  return ok;
}

Expr *ComplexChecker::fromParts(SourceRange range, TypeRef type,
                                bool isFlexible, Expr *real, Expr *imaginary) {
  Expr *parts[] = {real, imaginary};
  for (Expr *&part : parts) {
    if (!part)
      part = build.realLiteral(range, 0, types.untypedFloat);
    if (isFlexible && !part->type->isFloat())
      part = build.promote(part, types.untypedFloat);
  }
  TypeRef scalar = type->scalar();
  if (isFlexible)
    scalar = build.joinScalars(parts[0]->type, parts[1]->type);
  if (scalar->bits == 16)
    scalar = types.f32;
  for (Expr *&part : parts) {
    part = isFlexible ? build.promote(part, scalar)
                      : build.pin(build.cast(part, scalar));
    if (isError(part))
      return fail(range);
  }
  return complexOf(build, range, parts[0], parts[1]);
}

Expr *ComplexChecker::construct(const ast::CallExpr *expr, TypeRef type,
                                bool isFlexible) {
  Expr *given[2] = {nullptr, nullptr};
  if (!takeArguments(expr, type, given))
    return fail(expr->range);
  if (!given[0] || !given[0]->type->isComplex)
    return fromParts(expr->range, type, isFlexible, given[0], given[1]);
  Expr *number =
      isFlexible ? given[0] : build.pin(build.cast(given[0], type->scalar()));
  if (!isError(number))
    number->range = expr->range;
  return number;
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

Expr *ComplexChecker::unify(SourceRange range, ast::BinaryOp op, Expr *&lhs,
                            Expr *&rhs) {
  TypeRef type = joinComplex(build, lhs->type, rhs->type);
  if (!type)
    return nullptr; // no method takes the other
  if (Expr *known = foldComplex(build, range, binaryOpOf(op), lhs, rhs))
    return known;
  type = build.defaulted(type);
  for (Expr **side : {&lhs, &rhs}) {
    *side = build.promote(*side, type->scalar());
    if (isError(*side))
      return fail(range);
  }
  return nullptr;
}

Expr *ComplexChecker::power(SourceRange range, Expr *number, Expr *exponent) {
  if (Expr *constant =
          foldComplex(build, range, BinaryOp::Pow, number, exponent))
    return constant;
  constexpr int64_t kMost = 64;
  auto known = constantInt(exponent);
  if (!known || *known < 1 || *known > kMost || !number->type->isComplex)
    return nullptr;
  std::vector<LetExpr *> lets;
  Expr *square = build.reusable(build.withDefault(number), lets);
  Expr *product = nullptr;
  for (int64_t left = *known; left; left /= 2) {
    if (left % 2)
      product = product ? ctx.classes.callNamed(range, "__mul__",
                                                build.clone(product),
                                                build.clone(square))
                        : square;
    if (left % 2)
      product = build.reusable(product, lets);
    if (left > 1)
      square = build.reusable(ctx.classes.callNamed(range, "__mul__",
                                                    build.clone(square),
                                                    build.clone(square)),
                              lets);
  }
  return build.closeLets(build.clone(product), lets);
}

bool ComplexChecker::makeAlike(Expr *&lhs, Expr *&rhs) {
  TypeRef type = joinComplex(build, lhs->type, rhs->type);
  if (!type)
    return false;
  type = build.defaulted(type);
  for (Expr **side : {&lhs, &rhs}) {
    *side = build.promote(*side, type->scalar());
    if (!isError(*side) && !(*side)->type->isComplex)
      *side = withoutImaginary(build, *side, type->scalar());
  }
  return true;
}

Expr *ComplexChecker::negated(SourceRange range, Expr *operand) {
  if (!isUntyped(operand->type) || !isConstant(operand))
    return nullptr;
  Expr *made = complexOf(
      build, build.unary(range, UnaryOp::Neg, sema::partsOf(build, operand)));
  made->range = range;
  return made;
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

std::optional<unsigned> ComplexChecker::partNamed(llvm::StringRef name) {
  if (name == "real")
    return 0;
  if (name == "imag")
    return 1;
  return std::nullopt;
}

Expr *ComplexChecker::partsOf(Expr *number) {
  return ctx.classes.memberAt(number, 0, number->range);
}

Expr *ComplexChecker::part(Expr *number, unsigned part, SourceRange range) {
  Expr *index = build.intLiteral(range, part, types.i32);
  return ctx.subscripts.indexValue(partsOf(number), index, range);
}

Expr *ComplexChecker::fieldOfParts(Expr *field) {
  return ctx.classes.fieldOfMember(field, 0, field->range);
}
