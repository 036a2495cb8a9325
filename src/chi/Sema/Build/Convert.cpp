//===- Convert.cpp - Implicit conversions ---------------------------------===//
#include "chi/Sema/Build/Build.h"

using namespace chi;
using namespace chi::sema;

TypeRef Builder::joinScalars(TypeRef a, TypeRef b) const {
  if (a == b)
    return a;
  if (a->isBool())
    return b;
  if (b->isBool())
    return a;
  if (a->isFloat() || b->isFloat()) {
    if (!a->isFloat())
      return b;
    if (!b->isFloat())
      return a;
    return a->bits > b->bits ? a : b;
  }
  if (a->bits == 0)
    return b;
  if (b->bits == 0)
    return a;
  if (a->isSigned != b->isSigned) {
    // Every u8 and u16 is a number of the wider signed types.
    TypeRef plain = a->isSigned ? a : b, other = a->isSigned ? b : a;
    return plain->bits >= 32 && other->bits < 32 ? plain : nullptr;
  }
  return a->bits > b->bits ? a : b;
}

/// Fields of one kind: extents are kept where both agree.
static TypeRef joinFields(TypeContext &types, TypeRef a, TypeRef b) {
  if (a->element != b->element || a->rank() != b->rank() ||
      a->layout != b->layout || a->order != b->order)
    return nullptr;
  std::vector<int64_t> extents;
  for (unsigned axis = 0; axis < a->rank(); ++axis)
    extents.push_back(a->shape[axis] == b->shape[axis] ? a->shape[axis] : -1);
  return types.field(a->element, extents, a->layout, a->order,
                     a->wideAxes | b->wideAxes);
}

TypeRef Builder::joinTypes(TypeRef a, TypeRef b) const {
  if (a == b || b->isError())
    return a;
  if (a->isError())
    return b;
  if (a->isTuple() && b->isTuple() && a->members.size() == b->members.size()) {
    std::vector<TypeRef> members;
    for (auto [x, y] : llvm::zip(a->members, b->members)) {
      TypeRef member = joinTypes(x, y);
      if (!member)
        return nullptr;
      members.push_back(member);
    }
    return types.tuple(members);
  }
  if (a->isField() && b->isField())
    return joinFields(types, a, b);
  if (a->kind != b->kind && !(a->isScalar() && b->isScalar()))
    return nullptr;
  if (a->isScalar()) {
    if (a->isBool() || b->isBool())
      return nullptr;
    return joinScalars(a, b);
  }
  bool isShaped = a->isAggregate() || a->isArray();
  if (!isShaped || a->shape != b->shape)
    return nullptr;
  if (a->isArray() && a->element->rank() != b->element->rank())
    return nullptr;
  TypeRef x = a->scalar(), y = b->scalar();
  if (x != y && (x->isBool() || y->isBool()))
    return nullptr;
  TypeRef scalar = joinScalars(x, y);
  return scalar ? types.withScalar(a, scalar) : nullptr;
}

/// Beside a literal, which counts with its default type, nothing is narrower
/// than that ([Inf.3]).
TypeRef Builder::besideLiterals(TypeRef joined, TypeRef a, TypeRef b) const {
  if (joined->isTuple() && a->isTuple() && b->isTuple()) {
    std::vector<TypeRef> members;
    for (auto [member, x, y] :
         llvm::zip(joined->members, a->members, b->members))
      members.push_back(besideLiterals(member, x, y));
    return types.tuple(members);
  }
  if (isUntyped(a) == isUntyped(b) || isUntyped(joined) || !hasNumbers(joined))
    return joined;
  TypeRef scalar = joined->scalar();
  TypeRef least = scalar->isInt() ? defaultInt() : defaultFloat();
  if (scalar->isBool() || scalar->bits >= least->bits)
    return joined;
  return types.withScalar(joined, least);
}

TypeRef Builder::joinAssigned(TypeRef current, TypeRef given) const {
  TypeRef joined;
  if (!current->isAggregate() || !given->isScalar()) {
    joined = joinTypes(current, given);
  } else {
    TypeRef scalar = joinTypes(current->scalar(), given);
    joined = scalar ? types.withScalar(current, scalar) : nullptr;
  }
  if (joined)
    joined = besideLiterals(joined, current, given);
  // A variable that holds a typed integer and a float literal is a float of
  // the default precision: nothing else will decide it.
  auto isTypedInt = [](TypeRef type) {
    bool hasScalar = type->isScalar() || type->isAggregate();
    return hasScalar && type->scalar()->isInt() && type->scalar()->bits != 0;
  };
  if (joined && (isTypedInt(current) || isTypedInt(given)))
    return defaulted(joined);
  return joined;
}

void Builder::reportNarrowing(Expr *expr, TypeRef to) {
  std::string text = (to->str() + "(" + sources.text(expr->range) + ")").str();
  std::string from = expr->type->str();
  if (options.strictTypes)
    diags.report(expr->range, diag::NarrowingRefused, from, to->str())
        .fixIt(expr->range, text)
        .send();
  else
    diags.report(expr->range, diag::Narrowing, from, to->str())
        .fixIt(expr->range, text)
        .send();
}

/// Whether `expr` is `a / b` of integers: the place of its operator.
static std::optional<SourceRange> integerDivision(const Expr *expr) {
  auto *quotient = llvm::dyn_cast<BinaryExpr>(expr);
  if (!quotient || quotient->op != BinaryOp::Div)
    return std::nullopt;
  for (const Expr *operand : {quotient->lhs, quotient->rhs}) {
    auto *cast = llvm::dyn_cast<CastExpr>(operand);
    auto *literal = llvm::dyn_cast<LiteralExpr>(operand);
    bool isInt = cast ? cast->operand->type->scalar()->isInt()
                      : literal && literal->real == int64_t(literal->real);
    if (!isInt)
      return std::nullopt;
  }
  return quotient->opRange;
}

/// Whether a scalar of `expr` becomes that of `to` by itself; reports if not.
bool Builder::convertible(Expr *expr, TypeRef to, llvm::StringRef what) {
  TypeRef from = expr->type->scalar();
  TypeRef target = to->scalar();
  auto mismatch = [&] {
    diags
        .report(expr->range, diag::TypeMismatch, what, to->str(),
                defaulted(expr->type)->str())
        .send();
    return false;
  };
  if (from == target || from->isBool())
    return from == target || !target->isBool();
  if (target->isBool()) {
    diags
        .report(expr->range, diag::NotABool, what, defaulted(expr->type)->str())
        .fixIt(expr->range, (sources.text(expr->range) + " != 0").str())
        .send();
    return false;
  }
  if (from->isFloat() && target->isInt()) {
    TypeRef shown = types.withScalar(expr->type, target);
    auto report = diags.report(expr->range, diag::FloatToInt,
                               defaulted(expr->type)->str(), shown->str());
    auto division = integerDivision(expr);
    if (division && sources.text(*division) == "/") {
      report.addNote(*division, diag::TrueDivision);
      report.addFixIt(*division, "//");
    } else {
      report.addFixIt(
          expr->range,
          (shown->str() + "(" + sources.text(expr->range) + ")").str());
    }
    return false;
  }
  if (from->isInt() && target->isFloat())
    return true;
  if (from->bits == 0)
    return true;
  if (from->bits > target->bits) {
    reportNarrowing(expr, types.withScalar(expr->type, target));
    return !options.strictTypes;
  }
  if (from->isFloat() || from->isSigned == target->isSigned)
    return true;
  bool sameWidth = from->bits == target->bits && from->bits >= 32;
  bool fitsInside = target->isSigned && target->bits > from->bits;
  return sameWidth || fitsInside || mismatch();
}

Expr *Builder::convertScalars(Expr *expr, TypeRef type, llvm::StringRef what) {
  TypeRef scalar = type->scalar();
  if (!convertible(expr, type, what))
    return error(expr->range);
  return pin(promote(expr, scalar));
}

Expr *Builder::convertTuple(Expr *expr, TypeRef type, llvm::StringRef what) {
  std::vector<LetExpr *> lets;
  bool isLiteral = llvm::isa<ConstructExpr>(expr);
  Expr *value = isLiteral ? expr : reusable(expr, lets);
  std::vector<Expr *> parts;
  for (unsigned k = 0; k < type->members.size(); ++k) {
    Expr *member = isLiteral ? llvm::cast<ConstructExpr>(value)->parts[k]
                             : tupleMember(value, k);
    parts.push_back(convert(member, type->members[k], what));
  }
  return closeLets(construct(expr->range, type, std::move(parts)), lets);
}

Expr *Builder::convert(Expr *expr, TypeRef type, llvm::StringRef what) {
  if (isError(expr) || type->isError())
    return error(expr->range);
  TypeRef from = expr->type;
  if (from == type)
    return pin(expr);
  if (from->isTuple() && type->isTuple() &&
      from->members.size() == type->members.size())
    return convertTuple(expr, type, what);
  if (from->isField() && type->isField() && joinFields(types, from, type))
    return expr;
  bool targetHasScalars =
      type->isScalar() || type->isAggregate() || type->isArray();
  bool hasScalars = from->isScalar() || from->isAggregate() || from->isArray();
  if (hasScalars && targetHasScalars) {
    if (from->kind == type->kind || (from->isScalar() && type->isScalar()))
      if (from->shape == type->shape &&
          (!from->isArray() || from->element->shape == type->element->shape))
        return convertScalars(expr, type, what);
    if (from->isScalar() && !type->isScalar()) {
      Expr *scalar = convertScalars(expr, type->scalar(), what);
      if (isError(scalar))
        return scalar;
      auto *fill = make<SplatExpr>(expr->range, type);
      fill->operand = scalar;
      return fill;
    }
  }
  diags
      .report(expr->range, diag::TypeMismatch, what, type->str(),
              defaulted(from)->str())
      .send();
  return error(expr->range);
}
