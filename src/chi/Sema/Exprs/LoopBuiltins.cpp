//===- LoopBuiltins.cpp - reversed, enumerate, zip ------------------------===//
#include "chi/Sema/Exprs/ExprChecker.h"
#include "chi/Sema/Exprs/IterableChecker.h"
#include "chi/Sema/Exprs/ObjectChecker.h"
#include "chi/Sema/Exprs/SubscriptChecker.h"

using namespace chi;
using namespace chi::sema;

/// Numbers of u64 may be larger than those of i64: a range of them counts from
/// 0, and over no more than an i64 holds; the loop's name adds where it begins.
void IterableChecker::countFromZero(Iteration::Range &axis) {
  auto begin = constantInt(axis.begin), end = constantInt(axis.end);
  if (begin && end && *begin >= 0 && *end >= 0)
    return; // as they are
  SourceRange at = axis.end->range;
  TypeRef type = axis.begin->type;
  Expr *zero = build.intLiteral(at, 0, type), *span = axis.end;
  if (!begin || *begin != 0) {
    axis.base = pinned(axis.begin);
    Expr *last = pinned(axis.end);
    Expr *some = build.compare(at, CompareOp::Lt, build.clone(axis.base),
                               build.clone(last));
    Expr *distance =
        build.binary(at, at, BinaryOp::Sub, last, build.clone(axis.base));
    span = build.select(at, some, distance, build.clone(zero));
  }
  axis.begin = zero;
  axis.end = build.elementwise(
      at, Builtin::Min, {span, build.intLiteral(at, INT64_MAX, type)}, type);
}

/// Loops count in i32 or i64: an axis of another type is converted, and the
/// loop's name converts back.
void IterableChecker::widenAxes(Iteration &iteration) {
  for (Iteration::Range &axis : iteration.ranges) {
    TypeRef type = axis.begin->type;
    if (isUntyped(type) || type == types.i32 || type == types.i64)
      continue;
    if (type->bits == 64 && !type->isBool())
      countFromZero(axis);
    bool isNarrow = type->bits < 32 || type->isBool();
    TypeRef wide = isNarrow ? types.i32 : types.i64;
    for (Expr **part : {&axis.begin, &axis.end, &axis.step})
      if (*part)
        *part = build.cast(*part, wide);
    axis.type = type;
  }
}

/// Whether what counts the numbers of a range fits in the type of its bounds.
static bool countFits(const TypeContext &types, const Iteration::Range &axis) {
  bool isNarrow = axis.type && axis.type->bits < 32;
  if (axis.begin->type != types.i32 || isNarrow)
    return true;
  auto step = axis.step ? constantInt(axis.step) : std::optional<int64_t>(1);
  auto begin = constantInt(axis.begin), end = constantInt(axis.end);
  if (!begin || !step)
    return false;
  return (*begin >= 0 && *step > 0) || (end && llvm::isInt<32>(*end - *begin));
}

/// Counts a range of i32 in i64, where -2^31 to 2^31 - 1 is no overflow.
void IterableChecker::countWide(Iteration::Range &axis) {
  TypeRef type = axis.type ? axis.type : axis.begin->type;
  for (Expr **part : {&axis.begin, &axis.end, &axis.step})
    if (*part)
      *part = build.cast(*part, types.i64);
  axis.type = type;
}

/// How many numbers a range has; less than zero for an empty one.
Expr *IterableChecker::countOf(SourceRange range,
                               const Iteration::Range &axis) {
  auto op = [&](BinaryOp kind, Expr *a, Expr *b) {
    return build.binary(range, range, kind, a, b);
  };
  Expr *begin = build.clone(axis.begin), *end = build.clone(axis.end);
  auto from = constantInt(begin);
  auto step = axis.step ? constantInt(axis.step) : std::optional<int64_t>(1);
  // The distance down to an end far below may wrap, but from 0.
  bool mayWrap = !from || *from > 0 || axis.step;
  if (mayWrap && begin->type == types.i32 && step && *step > 0)
    end = build.elementwise(range, Builtin::Max, {end, build.clone(begin)},
                            end->type);
  if (!axis.step)
    return op(BinaryOp::Sub, end, begin);
  // Rounded up, whatever the step's sign: -((begin - end) // step).
  Expr *count = op(BinaryOp::FloorDiv, op(BinaryOp::Sub, begin, end),
                   build.clone(axis.step));
  return build.unary(range, UnaryOp::Neg, count);
}

/// The same numbers from the last to the first.
bool IterableChecker::reverse(SourceRange range, Iteration &iteration) {
  if (iteration.isUnrolled) {
    std::reverse(iteration.bindings.begin(), iteration.bindings.end());
    return true;
  }
  if (iteration.lists.size() == 1 && !iteration.isEnumerated) {
    auto number = [&](int64_t value, TypeRef type) {
      return build.intLiteral(range, value, type);
    };
    Expr *list = iteration.lists[0];
    iteration.lists[0] =
        ctx.objects.run(range, "chirt_list_slice", list->type,
                        {list, number(0, types.i32), number(0, types.i64),
                         number(0, types.i64), number(-1, types.i64)});
    return true;
  }
  if (iteration.field || iteration.ranges.size() != 1 ||
      iteration.isEnumerated || !iteration.zipped.empty()) {
    diags.report(range, diag::NotReversible).send();
    return false;
  }
  if (!state.isStaticArgument)
    pinBounds(iteration);
  Iteration::Range &axis = iteration.ranges[0];
  // In i32 the number before one of -2^31 would be none.
  auto begin = constantInt(axis.begin);
  bool isAboveLeast = begin && *begin > INT32_MIN;
  bool isKept = axis.step ? countFits(types, axis) : isAboveLeast;
  if (!isKept && axis.begin->type == types.i32)
    countWide(axis);
  auto op = [&](BinaryOp kind, Expr *a, Expr *b) {
    return build.binary(range, range, kind, a, b);
  };
  Expr *one = build.intLiteral(range, 1, types.untypedInt);
  Expr *step = axis.step ? axis.step : one;
  // From the last number, begin + (count - 1) * step, down to the one before
  // `begin`.
  Expr *last = nullptr;
  if (axis.step) {
    Expr *count = op(BinaryOp::Sub, countOf(range, axis), build.clone(one));
    last = op(BinaryOp::Add, build.clone(axis.begin),
              op(BinaryOp::Mul, count, build.clone(step)));
  } else {
    Expr *some = axis.end;
    if (isAboveLeast)
      some = build.elementwise(range, Builtin::Max,
                               {axis.end, build.clone(axis.begin)},
                               axis.end->type);
    last = op(BinaryOp::Sub, some, build.clone(one));
  }
  axis.end = op(BinaryOp::Sub, axis.begin, build.clone(step));
  axis.begin = last;
  axis.step = build.unary(range, UnaryOp::Neg, step);
  return unifyRange(range, axis);
}

bool IterableChecker::enumerate(const ast::CallExpr *call,
                                Iteration &iteration) {
  int64_t from = 0;
  const ast::Expr *inner = nullptr;
  for (const ast::Argument &arg : call->args) {
    if (!inner && arg.keyword.empty()) {
      inner = arg.value;
      continue;
    }
    if (!arg.keyword.empty() && arg.keyword != "start") {
      diags
          .report(arg.keywordRange, diag::UnknownKeyword, "enumerate",
                  arg.keyword)
          .send();
      return false;
    }
    Expr *value =
        ctx.exprs.checkConstant(arg.value, "the start of `enumerate`");
    auto known = value ? constantInt(value) : std::nullopt;
    if (!known)
      return false;
    from = *known;
  }
  if (!inner || call->args.size() > 2) {
    diags
        .report(call->range, diag::ArgCountMismatch, "enumerate", size_t(1),
                call->args.size())
        .send();
    return false;
  }
  if (!checkIterable(inner, iteration))
    return false;
  if (iteration.isUnrolled) {
    for (auto [k, binding] : llvm::enumerate(iteration.bindings))
      binding.insert(
          binding.begin(),
          boundTo(build.intLiteral(call->range, from + k, types.untypedInt)));
    return true;
  }
  if (!state.isStaticArgument)
    pinBounds(iteration);
  iteration.isEnumerated = true;
  iteration.enumerateFrom = from;
  return true;
}

/// Several ranges and fields of one axis side by side: one loop that counts to
/// the shortest of them.
bool IterableChecker::zipRanges(const ast::CallExpr *call,
                                llvm::ArrayRef<Iteration> parts,
                                Iteration &iteration) {
  SourceRange range = call->range;
  Expr *shortest = nullptr;
  bool anyFits = false;
  for (const Iteration &part : parts) {
    Iteration::Range axis;
    if (part.field) {
      Expr *shape =
          ctx.subscripts.member(build.clone(part.field), "shape", range, range);
      axis.end = pinned(build.tupleMember(shape, 0));
      axis.begin = build.intLiteral(range, 0, axis.end->type);
    } else {
      Iteration one = part;
      pinBounds(one);
      axis = one.ranges[0];
    }
    if (isError(axis.begin) || isError(axis.end))
      return false;
    bool isWide = axis.begin->type->bits > 32;
    if (!countFits(types, axis))
      countWide(axis);
    else
      anyFits |= !isWide;
    Expr *count = countOf(range, axis);
    Expr *both[] = {shortest, count};
    if (shortest && !build.unify(range, "zip", both))
      return false;
    shortest = shortest ? build.elementwise(range, Builtin::Min,
                                            {both[0], both[1]}, both[0]->type)
                        : count;
    iteration.zipped.push_back(axis);
  }
  if (anyFits && shortest->type->bits > 32) {
    Expr *none = build.intLiteral(range, 0, shortest->type);
    shortest = build.cast(
        build.elementwise(range, Builtin::Max, {shortest, none}, types.i64),
        types.i32);
  }
  iteration.ranges.push_back(
      {build.intLiteral(range, 0, shortest->type), shortest, nullptr, nullptr});
  return true;
}

/// Lists side by side; a range beside them is a list, too.
bool IterableChecker::zipLists(const ast::CallExpr *call,
                               llvm::ArrayRef<Iteration> parts,
                               Iteration &iteration) {
  for (auto [k, part] : llvm::enumerate(parts)) {
    SourceRange range = call->args[k].value->range;
    if (part.lists.size() == 1) {
      iteration.lists.push_back(part.lists[0]);
      continue;
    }
    if (part.ranges.size() != 1 || part.isUnrolled) {
      diags.report(range, diag::NotZippable).send();
      return false;
    }
    const Iteration::Range &axis = part.ranges[0];
    TypeRef type = axis.type ? axis.type : build.defaulted(axis.begin->type);
    Expr *step = axis.step ? axis.step : build.intLiteral(range, 1, types.i64);
    iteration.lists.push_back(ctx.objects.run(
        range, "chirt_list_range", types.list(type),
        {build.cast(axis.begin, types.i64), build.cast(axis.end, types.i64),
         build.cast(step, types.i64)}));
  }
  return true;
}

bool IterableChecker::zip(const ast::CallExpr *call, Iteration &iteration) {
  std::vector<Iteration> parts;
  bool anyUnrolled = state.isStaticArgument || call->args.empty();
  bool hasLists = false;
  for (const ast::Argument &arg : call->args) {
    Iteration &one = parts.emplace_back();
    if (!checkIterable(arg.value, one))
      return false;
    anyUnrolled |= one.isUnrolled;
    hasLists |= !one.lists.empty();
    bool isSimple = one.isUnrolled ||
                    (one.lists.size() == 1 && !one.isEnumerated) ||
                    (one.numAxes() == 1 && !one.isEnumerated &&
                     one.zipped.empty() && !one.isGrouped);
    if (!isSimple) {
      diags.report(arg.value->range, diag::NotZippable).send();
      return false;
    }
  }
  if (hasLists)
    return zipLists(call, parts, iteration);
  if (!anyUnrolled)
    return zipRanges(call, parts, iteration);
  // Beside a tuple each turn is a copy of the body.
  for (auto [k, one] : llvm::enumerate(parts)) {
    SourceRange range = call->args[k].value->range;
    if (one.field) {
      diags
          .report(range, diag::NotConstant,
                  "the extent of a field beside "
                  "a tuple in `zip`")
          .send();
      return false;
    }
    if (!one.isUnrolled && !unrollRanges(range, one))
      return false;
    if (k == 0)
      iteration.bindings.resize(one.bindings.size());
    iteration.bindings.resize(
        std::min(iteration.bindings.size(), one.bindings.size()));
    for (auto [binding, more] : llvm::zip(iteration.bindings, one.bindings))
      binding.insert(binding.end(), more.begin(), more.end());
  }
  iteration.isUnrolled = true;
  return true;
}

Expr *IterableChecker::pinned(Expr *value) {
  value = build.withDefault(value);
  return isError(value) || isConstant(value) ? value : state.store(value);
}

/// Bounds that the body reads are evaluated once, like those of the loop.
void IterableChecker::pinBounds(Iteration &iteration) {
  for (Iteration::Range &axis : iteration.ranges) {
    axis.begin = pinned(axis.begin);
    axis.end = pinned(axis.end);
    if (axis.step)
      axis.step = pinned(axis.step);
  }
}
