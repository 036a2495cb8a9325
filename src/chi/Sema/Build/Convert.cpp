//===- Convert.cpp - Implicit conversions ---------------------------------===//
#include "chi/Sema/Build/Complex.h"
#include "chi/Sema/Build/Objects.h"

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
    // f16 has the finer numbers, bf16 the larger ones: f32 has both.
    if (a->bits == b->bits)
      return types.f32;
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
      a->layout != b->layout || a->order != b->order || a->offset != b->offset)
    return nullptr;
  std::vector<int64_t> extents;
  for (unsigned axis = 0; axis < a->rank(); ++axis)
    extents.push_back(a->shape[axis] == b->shape[axis] ? a->shape[axis] : -1);
  return types.field(a->element, extents, a->layout, a->order,
                     a->wideAxes | b->wideAxes, a->offset);
}

/// The name of `type` as it differs from that of `other`.
static std::string nameBeside(TypeRef type, TypeRef other) {
  std::string text = type->str();
  if (text != other->str())
    return text;
  if (type->isTuple()) {
    text.clear();
    for (auto [mine, theirs] : llvm::zip(type->members, other->members))
      text += (text.empty() ? "" : ", ") + nameBeside(mine, theirs);
    return "(" + text + (type->members.size() == 1 ? ",)" : ")");
  }
  if (!type->isField())
    return text;
  text.pop_back();
  if (type->layout != other->layout)
    text +=
        type->layout == Layout::SoA ? ", layout=\"soa\"" : ", layout=\"aos\"";
  if (type->order != other->order) {
    text += ", order=\"";
    for (unsigned axis : type->order)
      text += "ijklmnop"[axis];
    text += '"';
  }
  if (type->offset != other->offset) {
    std::string first;
    for (unsigned axis = 0; axis < type->rank(); ++axis)
      first += (axis ? ", " : "") +
               std::to_string(type->offset.empty() ? 0 : type->offset[axis]);
    text += ", offset=(" + first + (type->rank() == 1 ? ",)" : ")");
  }
  return text + ")";
}

std::pair<std::string, std::string> sema::distinctNames(TypeRef a, TypeRef b) {
  return {nameBeside(a, b), nameBeside(b, a)};
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
  bool isBool = a->isBool() || b->isBool();
  if (a->isComplex || b->isComplex)
    return isBool ? nullptr : joinComplex(*this, a, b);
  if (a->isRef() || b->isRef())
    return nullptr;
  if (a->isObject() || b->isObject())
    return joinObjects(*this, a, b);
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
static TypeRef besideLiterals(const Builder &build, TypeRef joined, TypeRef a,
                              TypeRef b) {
  if (joined->isTuple() && a->isTuple() && b->isTuple()) {
    std::vector<TypeRef> members;
    for (auto [member, x, y] :
         llvm::zip(joined->members, a->members, b->members))
      members.push_back(besideLiterals(build, member, x, y));
    return build.types.tuple(members);
  }
  if (isUntyped(a) == isUntyped(b) || isUntyped(joined) || !hasNumbers(joined))
    return joined;
  TypeRef scalar = joined->scalar();
  TypeRef least = scalar->isInt() ? build.defaultInt() : build.defaultFloat();
  if (scalar->isBool() || scalar->bits >= least->bits)
    return joined;
  return build.types.withScalar(joined, least);
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
    joined = besideLiterals(*this, joined, current, given);
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

static void reportNarrowing(Builder &build, Expr *expr, TypeRef to) {
  std::string text =
      (to->str() + "(" + build.sources.text(expr->range) + ")").str();
  std::string from = expr->type->str();
  auto report =
      build.options.strictTypes
          ? build.diags.report(expr->range, diag::NarrowingRefused, from,
                               to->str())
          : build.diags.report(expr->range, diag::Narrowing, from, to->str());
  if (!to->isArray()) // no call converts arrays
    report.addFixIt(expr->range, text);
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
static bool convertible(Builder &build, Expr *expr, TypeRef to,
                        llvm::StringRef what) {
  TypeRef from = expr->type->scalar();
  TypeRef target = to->scalar();
  auto mismatch = [&] {
    build.diags
        .report(expr->range, diag::TypeMismatch, what, to->str(),
                build.defaulted(expr->type)->str())
        .send();
    return false;
  };
  if (from == target || from->isBool())
    return from == target || !target->isBool();
  if (target->isBool()) {
    build.diags
        .report(expr->range, diag::NotABool, what,
                build.defaulted(expr->type)->str())
        .fixIt(expr->range, (build.sources.text(expr->range) + " != 0").str())
        .send();
    return false;
  }
  if (from->isFloat() && target->isInt()) {
    TypeRef shown = build.types.withScalar(expr->type, target);
    auto report =
        build.diags.report(expr->range, diag::FloatToInt,
                           build.defaulted(expr->type)->str(), shown->str());
    auto division = integerDivision(expr);
    if (division && build.sources.text(*division) == "/") {
      report.addNote(*division, diag::TrueDivision);
      report.addFixIt(*division, "//");
    } else if (!shown->isArray()) {
      report.addFixIt(
          expr->range,
          (shown->str() + "(" + build.sources.text(expr->range) + ")").str());
    }
    return false;
  }
  if (from->isInt() && target->isFloat())
    return true;
  if (from->bits == 0)
    return true;
  bool isOtherHalf = from->isBrain != target->isBrain && from->bits == 16;
  if (from->bits > target->bits || (isOtherHalf && target->bits == 16)) {
    reportNarrowing(build, expr, build.types.withScalar(expr->type, target));
    return !build.options.strictTypes;
  }
  if (from->isFloat() || from->isSigned == target->isSigned)
    return true;
  bool sameWidth = from->bits == target->bits && from->bits >= 32;
  bool fitsInside = target->isSigned && target->bits > from->bits;
  return sameWidth || fitsInside || mismatch();
}

static Expr *convertScalars(Builder &build, Expr *expr, TypeRef type,
                            llvm::StringRef what) {
  TypeRef scalar = type->scalar();
  if (!convertible(build, expr, type, what))
    return build.error(expr->range);
  return build.pin(build.promote(expr, scalar));
}

static Expr *convertTuple(Builder &build, Expr *expr, TypeRef type,
                          llvm::StringRef what) {
  std::vector<LetExpr *> lets;
  bool isLiteral = llvm::isa<ConstructExpr>(expr);
  Expr *value = isLiteral ? expr : build.reusable(expr, lets);
  std::vector<Expr *> parts;
  for (unsigned k = 0; k < type->members.size(); ++k) {
    Expr *member = isLiteral ? llvm::cast<ConstructExpr>(value)->parts[k]
                             : build.tupleMember(value, k);
    parts.push_back(build.convert(member, type->members[k], what));
  }
  return build.closeLets(build.construct(expr->range, type, std::move(parts)),
                         lets);
}

/// To a complex number: of another precision, or from a real one.
static Expr *convertComplex(Builder &build, Expr *expr, TypeRef type,
                            llvm::StringRef what) {
  TypeRef from = expr->type->scalar(), scalar = type->scalar();
  if (!expr->type->isComplex) {
    Expr *real = convertScalars(build, expr, scalar, what);
    return isError(real) ? real : withoutImaginary(build, real, scalar);
  }
  if (from->bits > scalar->bits) {
    reportNarrowing(build, expr, type);
    if (build.options.strictTypes)
      return build.error(expr->range);
  }
  return build.pin(build.promote(expr, scalar));
}

Expr *Builder::convert(Expr *expr, TypeRef type, llvm::StringRef what) {
  if (isError(expr) || type->isError())
    return error(expr->range);
  TypeRef from = expr->type;
  if (from == type)
    return pin(expr);
  if (type->isObject() && !type->isRef())
    return convertObject(*this, expr, type, what);
  if (from->isTuple() && type->isTuple() &&
      from->members.size() == type->members.size())
    return convertTuple(*this, expr, type, what);
  if (from->isField() && type->isField() && joinFields(types, from, type))
    return expr;
  if (type->isComplex && (from->isComplex || from->isScalar()))
    return convertComplex(*this, expr, type, what);
  bool targetHasScalars =
      type->isScalar() || type->isAggregate() || type->isArray();
  bool hasScalars = from->isScalar() || from->isAggregate() || from->isArray();
  if (hasScalars && targetHasScalars) {
    if (from->kind == type->kind || (from->isScalar() && type->isScalar()))
      if (from->shape == type->shape &&
          (!from->isArray() || from->element->shape == type->element->shape))
        return convertScalars(*this, expr, type, what);
    if (from->isScalar() && !type->isScalar()) {
      Expr *scalar = convertScalars(*this, expr, type->scalar(), what);
      if (isError(scalar))
        return scalar;
      auto *fill = make<SplatExpr>(expr->range, type);
      fill->operand = scalar;
      return fill;
    }
  }
  auto [wanted, found] = distinctNames(type, defaulted(from));
  diags.report(expr->range, diag::TypeMismatch, what, wanted, found).send();
  return error(expr->range);
}
