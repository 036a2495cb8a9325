//===- SubscriptChecker.cpp - Elements, members, swizzles -----------------===//
#include "chi/Sema/Exprs/SubscriptChecker.h"
#include "chi/Sema/Advice/Advice.h"
#include "chi/Sema/Builtins/Members.h"
#include "chi/Sema/Exprs/ClassChecker.h"
#include "chi/Sema/Exprs/DerivativeChecker.h"
#include "chi/Sema/Exprs/ExprChecker.h"
#include "chi/Sema/Exprs/ObjectChecker.h"
#include "chi/Sema/Names/NameChecker.h"
#include "llvm/ADT/STLExtras.h"

using namespace chi;
using namespace chi::sema;

Expr *SubscriptChecker::checkAttribute(const ast::AttributeExpr *expr) {
  Meaning meaning = ctx.names.resolve(expr);
  if (meaning.kind != Meaning::Nothing)
    return ctx.names.valueOf(meaning, expr->name, expr->range);
  Expr *base = ctx.exprs.checkExpr(expr->base);
  if (base->type->isVoid()) {
    diags.report(base->range, diag::NoValue).send();
    return fail(expr->range);
  }
  return member(base, expr->name, expr->nameRange, expr->range);
}

Expr *SubscriptChecker::member(Expr *base, llvm::StringRef name,
                               SourceRange nameRange, SourceRange range) {
  if (isError(base))
    return fail(range);
  TypeRef type = base->type;
  if (type->isVec()) {
    std::vector<unsigned> components = swizzle(name, type->shape[0]);
    if (!components.empty()) {
      if (components.size() == 1) {
        Expr *index = build.intLiteral(nameRange, components[0], types.i32);
        return indexValue(base, index, range);
      }
      auto *extract = build.make<ExtractExpr>(
          range, types.vec(components.size(), type->element));
      extract->base = base;
      extract->components = components;
      if (!isConstant(base))
        return extract;
      std::vector<Expr *> parts;
      for (unsigned k : components)
        parts.push_back(build.component(base, k));
      return build.construct(range, extract->type, parts);
    }
  }
  if (type->isOfClass())
    return ctx.classes.member(base, name, nameRange, range);
  if (type->isField()) {
    if (name == "shape") {
      base = ctx.classes.leafOf(base);
      std::vector<Expr *> parts;
      std::vector<TypeRef> members;
      for (unsigned axis = 0; axis < type->rank(); ++axis) {
        TypeRef scalar = axisType(type, axis);
        Expr *part;
        if (type->shape[axis] >= 0) {
          part = build.intLiteral(range, type->shape[axis], scalar);
        } else {
          auto *dim = build.make<DimExpr>(range, scalar);
          dim->field = build.clone(base);
          dim->axis = axis;
          part = dim;
        }
        parts.push_back(part);
        members.push_back(scalar);
      }
      return build.construct(range, types.tuple(members), parts);
    }
    if (name == "grad" || name == "dual")
      return ctx.derivatives.companionOf(base, range, name == "dual");
    if (type->memberNamed(name))
      return ctx.classes.member(base, name, nameRange, range);
    if (type->isFieldOfClass() && !methodTakes(type, name)) {
      ctx.classes.reportNoMember(type->element, name, nameRange);
      return fail(range);
    }
  }
  ctx.advice.reportNoMember(type, base->range, name, nameRange);
  return fail(range);
}

TypeRef SubscriptChecker::axisType(TypeRef field, unsigned axis) const {
  return field->wideAxes >> axis & 1 ? types.i64 : types.i32;
}

Expr *SubscriptChecker::checkSubscript(const ast::SubscriptExpr *expr) {
  Meaning named = ctx.names.resolve(expr->base);
  if (named.kind == Meaning::Broken)
    return fail(expr->range);
  if (named.kind == Meaning::Class) { // `Ring[f32, 8]`
    diags
        .report(expr->range, diag::TypeAsValue,
                program.sources.text(expr->range))
        .send();
    return fail(expr->range);
  }
  auto *outer = std::exchange(state.outerSubscript, expr);
  Expr *base = ctx.exprs.checkExpr(expr->base);
  state.outerSubscript = outer;
  if (isError(base)) {
    for (const ast::Expr *index : expr->indices)
      if (!llvm::isa<ast::NoneExpr, ast::UnsupportedExpr, ast::SliceExpr>(
              index))
        ctx.exprs.checkExpr(index);
    return base;
  }
  if (base->type->isField())
    return indexField(base, expr);
  bool isSlice =
      expr->indices.size() == 1 && llvm::isa<ast::SliceExpr>(expr->indices[0]);
  if (isSlice && (base->type->isTuple() || base->type->isVec()))
    return sliceParts(base, expr);
  if (base->type->isTuple())
    return indexTuple(base, expr->indices, expr->range);
  if (ClassChecker::hasMethod(base->type, "__getitem__")) {
    std::vector<Expr *> args;
    for (const ast::Expr *index : expr->indices)
      args.push_back(ctx.exprs.checkExpr(index));
    return ctx.classes.callNamed(expr->range, "__getitem__", base, args);
  }
  if (base->type->isStr() || (base->type->isObject() && !base->type->isRef()))
    return ctx.objects.subscript(base, expr);
  if (!base->type->isAggregate() && !base->type->isArray()) {
    if (base->type->isVoid())
      diags.report(base->range, diag::NoValue).send();
    else
      diags
          .report(expr->base->range, diag::NotIndexable,
                  build.defaulted(base->type)->str())
          .send();
    return fail(expr->range);
  }
  std::vector<Expr *> indices;
  if (!valueIndices(expr->indices, indices))
    return fail(expr->range);
  return indexValue(base, indices, expr->range);
}

bool SubscriptChecker::valueIndices(llvm::ArrayRef<ast::Expr *> given,
                                    std::vector<Expr *> &indices) {
  bool ok = true;
  for (const ast::Expr *each : given) {
    if (llvm::isa<ast::NoneExpr>(each)) {
      diags.report(each->range, diag::NoneValue).send();
      ok = false;
      continue;
    }
    Expr *index = ctx.exprs.checkTyped(each);
    if (isError(index)) {
      ok = false;
    } else if (index->type->isInt()) {
      indices.push_back(index);
    } else {
      ctx.advice.reportNotInt(diag::IndexNotInt, each, index->type);
      ok = false;
    }
  }
  return ok;
}

bool SubscriptChecker::checkIndexRange(TypeRef type,
                                       llvm::ArrayRef<Expr *> indices) {
  for (auto [axis, index] : llvm::enumerate(indices)) {
    if (build.isDead)
      return true;
    auto known = constantInt(index);
    int64_t extent = axis < type->rank() ? type->shape[axis] : -1;
    int64_t first = axis < type->offset.size() ? type->offset[axis] : 0;
    if (!known || extent < 0 || (*known >= first && *known < first + extent))
      continue;
    auto report = diags.report(index->range, diag::IndexOutOfRange, *known,
                               build.defaulted(type)->str(), extent);
    if (!type->offset.empty()) {
      report.addNote({}, diag::Advice,
                     "the indices of this axis go from " +
                         std::to_string(first) + " to " +
                         std::to_string(first + extent - 1));
      return false;
    }
    if (*known < 0 && *known >= -extent)
      report.addNote(
          {}, diag::Advice,
          "indices do not count from the end; the index of this element is " +
              std::to_string(extent + *known));
    return false;
  }
  return true;
}

/// Remembers that a variable is indexed by run-time values.
void SubscriptChecker::markDynamic(Expr *base) {
  while (auto *extract = llvm::dyn_cast<ExtractExpr>(base))
    base = extract->base;
  if (auto *read = llvm::dyn_cast<VariableExpr>(base))
    read->variable->hasDynamicIndex = true;
}

Expr *SubscriptChecker::indexValue(Expr *base, llvm::ArrayRef<Expr *> indices,
                                   SourceRange range) {
  TypeRef type = base->type;
  bool isRow = type->isMat() && indices.size() == 1;
  if (!isRow && indices.size() != type->rank()) {
    ctx.advice.reportRank(range, type, type->rank(), indices.size()).send();
    return fail(range);
  }
  if (!checkIndexRange(type, indices))
    return fail(range);
  TypeRef element =
      isRow ? types.vec(type->shape[1], type->element) : type->element;
  bool isDynamic = false;
  for (Expr *index : indices)
    isDynamic |= !isConstant(index);
  if (isDynamic)
    markDynamic(base);
  // Of an element of a field only the component is loaded.
  if (auto *load = llvm::dyn_cast<LoadExpr>(base)) {
    load->path.insert(load->path.end(), indices.begin(), indices.end());
    load->type = element;
    load->range = range;
    return load;
  }
  // So is of a row only the element.
  auto *row = llvm::dyn_cast<ExtractExpr>(base);
  if (row && row->base->type->isMat() && row->path.size() == 1 &&
      row->components.empty()) {
    row->path.push_back(indices[0]);
    row->type = element;
    row->range = range;
    return row;
  }
  if (!isDynamic && !build.isDead && isConstant(base) && type->isAggregate()) {
    int64_t offset = 0;
    for (auto [axis, index] : llvm::enumerate(indices))
      offset = offset * type->shape[axis] + *constantInt(index);
    if (!isRow) {
      Expr *part = build.component(base, offset);
      part->range = range;
      return part;
    }
    std::vector<Expr *> parts;
    for (int64_t k = 0; k < type->shape[1]; ++k)
      parts.push_back(build.component(base, offset * type->shape[1] + k));
    return build.construct(range, element, parts);
  }
  auto *extract = build.make<ExtractExpr>(range, element);
  extract->base = base;
  extract->path.assign(indices.begin(), indices.end());
  return extract;
}

/// A member of a tuple that is written out: the other members are evaluated,
/// too ([Num.5]).
Expr *SubscriptChecker::memberAfterAll(Expr *base, unsigned number,
                                       SourceRange range) {
  Expr *member = build.tupleMember(base, number);
  if (isConstant(member) && isUntyped(member->type)) {
    // The literal takes its precision from where it is used.
    std::vector<LetExpr *> lets;
    if (isError(build.reusable(base, lets)))
      return fail(range);
    LetExpr *let = lets.front();
    let->body = member;
    let->type = member->type;
    let->range = range;
    return let;
  }
  base = build.withDefault(base);
  if (isError(base))
    return fail(range);
  auto *part = build.make<ExtractExpr>(range, base->type->members[number]);
  part->base = base;
  part->path = {PathStep::ofMember(number)};
  return part;
}

Expr *SubscriptChecker::indexTuple(Expr *base,
                                   llvm::ArrayRef<ast::Expr *> indices,
                                   SourceRange range) {
  if (indices.size() != 1) {
    ctx.advice.reportRank(range, base->type, 1, indices.size()).send();
    return fail(range);
  }
  Expr *index = ctx.exprs.checkConstant(indices[0], "the index of a tuple",
                                        &diag::TupleIndex);
  if (!index)
    return fail(range);
  auto k = constantInt(index);
  int64_t size = base->type->members.size();
  if (!k) {
    diags
        .report(indices[0]->range, diag::IndexNotInt,
                build.defaulted(index->type)->str())
        .send();
    return fail(range);
  }
  int64_t position = *k < 0 ? *k + size : *k;
  if (position < 0 || position >= size) {
    diags
        .report(indices[0]->range, diag::IndexOutOfRange, *k,
                build.defaulted(base->type)->str(), size)
        .send();
    return fail(range);
  }
  bool hasEffects = llvm::isa<ConstructExpr>(base) && !build.isPure(base);
  if (hasEffects && !state.isStaticArgument)
    return memberAfterAll(base, position, range);
  Expr *member = build.tupleMember(base, position);
  member->range = range;
  return member;
}

/// Reports the wrong number of indices of a field. `x[i][j]` means `x[i, j]`.
void SubscriptChecker::reportRank(TypeRef type, SourceRange range,
                                  size_t count) {
  auto report = ctx.advice.reportRank(range, type, type->rank(), count);
  bool isChain =
      state.outerSubscript && state.outerSubscript->base->range == range;
  if (!isChain || count > type->rank())
    return;
  llvm::StringRef first = program.sources.text(range).rtrim("] ");
  std::string whole = first.str();
  for (const ast::Expr *index : state.outerSubscript->indices)
    whole += ", " + program.sources.text(index->range).str();
  report.addNote(state.outerSubscript->range, diag::OneBracket, whole + "]");
}

bool SubscriptChecker::fieldIndices(Expr *field,
                                    llvm::ArrayRef<ast::Expr *> given,
                                    SourceRange range,
                                    std::vector<Expr *> &indices,
                                    std::vector<LetExpr *> *lets) {
  TypeRef type = field->type;
  bool ok = true;
  bool isScalarField = given.size() == 1 && llvm::isa<ast::NoneExpr>(given[0]);
  if (!isScalarField) {
    for (const ast::Expr *each : given) {
      if (llvm::isa<ast::NoneExpr>(each)) {
        diags.report(each->range, diag::NoneValue).send();
        ok = false;
        continue;
      }
      Expr *index = ctx.exprs.checkTyped(each);
      if (isError(index)) {
        ok = false;
      } else if (index->type->isInt()) {
        indices.push_back(index);
      } else if (index->type->isVec() && index->type->scalar()->isInt()) {
        Expr *value = lets ? build.reusable(index, *lets) : state.held(index);
        for (int64_t k = 0; k < index->type->shape[0]; ++k) {
          Expr *part = build.component(value, k);
          part->range = each->range;
          indices.push_back(part);
        }
      } else {
        ctx.advice.reportNotInt(diag::IndexNotInt, each, index->type);
        ok = false;
      }
    }
  }
  if (ok && indices.size() != type->rank()) {
    if (type->rank() == 0)
      diags.report(range, diag::ZeroRankIndex, type->str()).send();
    else
      reportRank(type, range, indices.size());
    return false;
  }
  return ok && checkIndexRange(type, indices) && fromFirst(type, indices);
}

/// Indices of a field that begins elsewhere, counted from its first element;
/// false after an error.
bool SubscriptChecker::fromFirst(TypeRef type, std::vector<Expr *> &indices) {
  for (auto [axis, first] : llvm::enumerate(type->offset)) {
    Expr *&index = indices[axis];
    SourceRange range = index->range;
    // Narrow and unsigned indices have no negative numbers.
    TypeRef scalar = axisType(type, axis);
    if (index->type->bits > scalar->bits ||
        (index->type->bits == 32 && !index->type->isSigned))
      scalar = types.i64;
    index = build.binary(range, range, BinaryOp::Sub, build.cast(index, scalar),
                         build.intLiteral(range, first, scalar));
    if (isError(index))
      return false;
  }
  return true;
}

/// An integer of a slice or an index beside one, as an i64; null after an
/// error.
Expr *SubscriptChecker::sliceBound(const ast::Expr *given) {
  if (llvm::isa<ast::NoneExpr>(given)) {
    diags.report(given->range, diag::NoneValue).send();
    return nullptr;
  }
  Expr *value = ctx.exprs.checkTyped(given);
  if (isError(value))
    return nullptr;
  if (!value->type->isInt()) {
    ctx.advice.reportNotInt(diag::IndexNotInt, given, value->type);
    return nullptr;
  }
  value = build.convert(value, types.i64, "the bound");
  return isError(value) ? nullptr : value;
}

/// `x[2:5, 0]`: a view of a field ([Fld.4]).
Expr *SubscriptChecker::sliceField(Expr *field,
                                   const ast::SubscriptExpr *expr) {
  TypeRef type = field->type;
  if (!type->offset.empty()) {
    diags
        .report(expr->range, diag::NotSupportedYet,
                "a view of a field with an offset")
        .send();
    return fail(expr->range);
  }
  if (!state.hostOnly(expr->range, "a view of a field",
                      "use a loop with the indices of the view: `for i in "
                      "range(1, len(x) - 1):` for `x[1:-1]`"))
    return fail(expr->range);
  if (expr->indices.size() > type->rank()) {
    reportRank(type, expr->range, expr->indices.size());
    return fail(expr->range);
  }
  auto *view = build.make<HostOpExpr>(expr->range, types.error);
  view->op = HostOp::FieldView;
  view->args.push_back(field);
  std::vector<int64_t> extents;
  uint32_t wide = 0;
  bool ok = true;
  auto add = [&](const ast::Expr *given, char letter) {
    Expr *bound = given ? sliceBound(given) : nullptr;
    ok &= bound || !given;
    if (!bound)
      return;
    view->args.push_back(bound);
    view->text += letter;
  };
  for (unsigned axis = 0; axis < type->rank(); ++axis) {
    const ast::Expr *index =
        axis < expr->indices.size() ? expr->indices[axis] : nullptr;
    auto *slice = llvm::dyn_cast_or_null<ast::SliceExpr>(index);
    if (index && !slice) {
      add(index, 'i');
    } else {
      bool isWhole = !slice || (!slice->begin && !slice->end && !slice->step);
      wide |= (type->wideAxes >> axis & 1) << extents.size();
      extents.push_back(isWhole ? type->shape[axis] : -1);
    }
    if (slice) {
      add(slice->begin, 'b');
      add(slice->end, 'e');
      add(slice->step, 's');
    }
    view->text += ',';
  }
  view->type = types.field(type->element, extents, Layout::Strided, {}, wide);
  return ok ? view : fail(expr->range);
}

Expr *SubscriptChecker::indexField(Expr *field,
                                   const ast::SubscriptExpr *expr) {
  if (llvm::any_of(expr->indices, [](const ast::Expr *index) {
        return llvm::isa<ast::SliceExpr>(index);
      }))
    return sliceField(field, expr);
  std::vector<Expr *> indices;
  std::vector<LetExpr *> lets;
  if (!fieldIndices(field, expr->indices, expr->range, indices, &lets))
    return fail(expr->range);
  auto *load = build.make<LoadExpr>(expr->range, field->type->element);
  load->field = field;
  load->indices = std::move(indices);
  return build.closeLets(load, lets);
}

//===----------------------------------------------------------------------===//
// Slices of vecs and tuples
//===----------------------------------------------------------------------===//

namespace {
/// A bound of a slice, if it is written.
struct Bound {
  const ast::Expr *written = nullptr;
  std::optional<int64_t> value;
};
} // namespace

/// The places that a slice names, as Python has it: cut to the value.
static std::vector<int64_t> placesOf(int64_t size, std::optional<int64_t> begin,
                                     std::optional<int64_t> end, int64_t step) {
  auto cut = [&](int64_t at) {
    at = at < 0 ? at + size : at;
    return std::clamp<int64_t>(at, step < 0 ? -1 : 0,
                               step < 0 ? size - 1 : size);
  };
  int64_t at = begin ? cut(*begin) : step < 0 ? size - 1 : 0;
  int64_t last = end ? cut(*end) : step < 0 ? -1 : size;
  std::vector<int64_t> places;
  for (; step < 0 ? at > last : at < last; at += step)
    places.push_back(at);
  return places;
}

/// `v[1:3]`, `t[::-1]` with bounds that are constants.
Expr *SubscriptChecker::sliceParts(Expr *base, const ast::SubscriptExpr *expr) {
  SourceRange range = expr->range;
  auto *slice = llvm::cast<ast::SliceExpr>(expr->indices[0]);
  TypeRef type = base->type;
  Bound bounds[] = {{slice->begin, {}}, {slice->end, {}}, {slice->step, {}}};
  for (Bound &bound : bounds) {
    if (!bound.written)
      continue;
    Expr *value = ctx.exprs.checkConstant(
        bound.written, type->isTuple() ? "a bound of a slice of a tuple"
                                       : "a bound of a slice of a vec");
    if (!value)
      return fail(range);
    bound.value = constantInt(value);
    if (!bound.value || (&bound == &bounds[2] && *bound.value == 0)) {
      diags
          .report(bound.written->range, diag::IndexNotInt,
                  build.defaulted(value->type)->str())
          .send();
      return fail(range);
    }
  }
  int64_t size =
      type->isTuple() ? int64_t(type->members.size()) : int64_t(type->shape[0]);
  std::vector<int64_t> places = placesOf(size, bounds[0].value, bounds[1].value,
                                         bounds[2].value.value_or(1));
  if (places.empty()) {
    diags.report(range, diag::NotSupportedYet, "an empty slice of a value")
        .send();
    return fail(range);
  }
  std::vector<LetExpr *> lets;
  base = build.reusable(base, lets);
  std::vector<Expr *> parts;
  std::vector<TypeRef> members;
  for (int64_t place : places) {
    Expr *whole = build.clone(base);
    parts.push_back(type->isTuple() ? build.tupleMember(whole, place)
                                    : build.component(whole, place));
    members.push_back(parts.back()->type);
  }
  TypeRef made = type->isTuple()
                     ? types.tuple(members)
                     : types.vec(int64_t(places.size()), type->element);
  return build.closeLets(build.construct(range, made, std::move(parts)), lets);
}
