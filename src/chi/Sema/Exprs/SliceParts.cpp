//===- SliceParts.cpp - Slices of vecs and tuples -------------------------===//
#include "chi/Sema/Exprs/ExprChecker.h"
#include "chi/Sema/Exprs/SubscriptChecker.h"
#include "llvm/ADT/STLExtras.h"

using namespace chi;
using namespace chi::sema;

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
