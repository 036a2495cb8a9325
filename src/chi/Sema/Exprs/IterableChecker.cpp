//===- IterableChecker.cpp - What a `for` runs over -----------------------===//
#include "chi/Sema/Exprs/IterableChecker.h"
#include "chi/Sema/Advice/Advice.h"
#include "chi/Sema/Builtins/Foreign.h"
#include "chi/Sema/Exprs/ClassChecker.h"
#include "chi/Sema/Exprs/ExprChecker.h"
#include "chi/Sema/Exprs/ObjectChecker.h"
#include "chi/Sema/Exprs/SubscriptChecker.h"
#include "chi/Sema/Names/NameChecker.h"

using namespace chi;
using namespace chi::sema;

bool IterableChecker::unifyRange(SourceRange range, Iteration::Range &axis,
                                 const ast::Expr *written) {
  std::vector<Expr *> parts = {axis.begin, axis.end};
  if (axis.step)
    parts.push_back(axis.step);
  for (Expr *part : parts) {
    if (isError(part))
      return false;
    if (part->type->isInt())
      continue;
    TypeRef type = build.defaulted(part->type);
    bool isStep = axis.step && !isError(axis.step) &&
                  build.defaulted(axis.step->type)->isFloat();
    if (type->isFloat())
      ctx.advice.reportFloatBound(written, isStep ? axis.step : part, axis);
    else if (auto report =
                 diags.report(part->range, diag::RangeNotInt, type->str());
             type->isTuple())
      report.addNote({}, diag::Advice,
                     "each axis is a separate argument: `ndrange(n, m)`; a "
                     "field can be iterated directly: `for i, j in x:`");
    return false;
  }
  // A literal bound adapts; i32 beside u32 converts as an argument does.
  TypeRef joined = parts[0]->type;
  for (Expr *part : parts)
    if (joined)
      joined = build.joinScalars(joined, part->type);
  if (!joined) {
    diags
        .report(range, diag::SignMix, "range", parts[0]->type->str(),
                parts[1]->type->str())
        .send();
    return false;
  }
  if (isUntyped(joined) && !state.isStaticArgument) {
    joined = build.defaultInt();
    for (Expr *part : parts)
      if (auto known = constantInt(part))
        if (!fits(*known, joined))
          joined = types.i64;
  }
  auto adapt = [&](Expr *&part) {
    if (part)
      part = build.promote(part, joined);
  };
  adapt(axis.begin), adapt(axis.end), adapt(axis.step);
  return !isError(axis.begin) && !isError(axis.end) &&
         (!axis.step || !isError(axis.step));
}

/// `block=128` of `range` and `ndrange`; false after an error.
static bool takeBlock(Expr *value, int64_t &block) {
  auto known = value ? constantInt(value) : std::nullopt;
  if (known && *known > 0)
    block = *known;
  return bool(known);
}

bool IterableChecker::checkRange(const ast::CallExpr *call,
                                 Iteration &iteration) {
  std::vector<Expr *> bounds;
  bool ok = true;
  for (const ast::Argument &arg : call->args) {
    if (arg.keyword == "block") {
      Expr *value = ctx.exprs.checkConstant(arg.value, "`block`");
      ok &= takeBlock(value, iteration.block);
    } else if (!arg.keyword.empty()) {
      diags.report(arg.keywordRange, diag::UnknownKeyword, "range", arg.keyword)
          .send();
      ok = false;
    } else {
      bounds.push_back(ctx.exprs.checkExpr(arg.value));
      ok &= !isError(bounds.back());
    }
  }
  if (!ok)
    return false;
  if (bounds.empty() || bounds.size() > 3) {
    diags
        .report(call->range, diag::ArgCountRange, "range", size_t(1), size_t(3),
                bounds.size())
        .send();
    return false;
  }
  Iteration::Range axis;
  if (bounds.size() == 1) {
    axis.begin = build.intLiteral(call->range, 0, types.untypedInt);
    axis.end = bounds[0];
  } else {
    axis.begin = bounds[0];
    axis.end = bounds[1];
    if (bounds.size() == 3)
      axis.step = bounds[2];
  }
  if (axis.step)
    if (auto step = constantInt(axis.step); step && *step == 0) {
      diags.report(axis.step->range, diag::StepZero).send();
      return false;
    }
  if (!unifyRange(call->range, axis, call))
    return false;
  if (axis.step)
    if (auto step = constantInt(axis.step); step && *step == 1)
      axis.step = nullptr;
  iteration.ranges.push_back(axis);
  return true;
}

bool IterableChecker::checkNdRange(const ast::CallExpr *call,
                                   Iteration &iteration) {
  bool ok = true;
  for (const ast::Argument &arg : call->args) {
    if (arg.keyword == "block") {
      Expr *value = ctx.exprs.checkConstant(arg.value, "`block`");
      ok &= takeBlock(value, iteration.block);
      continue;
    }
    if (!arg.keyword.empty()) {
      diags
          .report(arg.keywordRange, diag::UnknownKeyword, "ndrange",
                  arg.keyword)
          .send();
      ok = false;
      continue;
    }
    Iteration::Range axis;
    auto *pair = llvm::dyn_cast<ast::TupleExpr>(arg.value);
    if (pair && pair->elements.size() == 2) {
      axis.begin = ctx.exprs.checkExpr(pair->elements[0]);
      axis.end = ctx.exprs.checkExpr(pair->elements[1]);
    } else if (pair) {
      diags.report(arg.value->range, diag::NdRangePair).send();
      ok = false;
      continue;
    } else {
      axis.begin = build.intLiteral(arg.value->range, 0, types.untypedInt);
      axis.end = ctx.exprs.checkExpr(arg.value);
    }
    ok &= unifyRange(arg.value->range, axis, arg.value);
    iteration.ranges.push_back(axis);
  }
  if (ok && iteration.ranges.empty()) {
    diags
        .report(call->range, diag::ArgCountMismatch, "ndrange", size_t(1),
                size_t(0))
        .send();
    return false;
  }
  return ok;
}

/// The elements of a tuple, a vec or a mat, or of several names of things.
bool IterableChecker::unrollTuple(const ast::Expr *expr, Iteration &iteration) {
  iteration.isUnrolled = true;
  if (auto *tuple = llvm::dyn_cast<ast::TupleExpr>(expr)) {
    for (const ast::Expr *element : tuple->elements) {
      Meaning meaning = ctx.names.resolve(element);
      bool isThing =
          meaning.kind == Meaning::Function || meaning.kind == Meaning::Type ||
          meaning.kind == Meaning::Alias ||
          (meaning.kind == Meaning::Builtin && mathFunction(meaning.builtin));
      if (isThing) {
        iteration.bindings.push_back({meaning});
        continue;
      }
      Expr *value = ctx.exprs.checkExpr(element);
      if (isError(value))
        return false;
      bool staysInPlace = isConstant(value) || value->type->isField();
      if (!staysInPlace)
        value = state.store(build.withDefault(value));
      iteration.bindings.push_back({boundTo(value)});
    }
    return true;
  }
  return false;
}

static void eachElement(Builder &build, Expr *value, Iteration &iteration) {
  TypeRef type = value->type;
  unsigned count =
      type->isTuple() ? type->members.size() : unsigned(type->shape[0]);
  for (unsigned k = 0; k < count; ++k)
    iteration.bindings.push_back(
        {boundTo(type->isTuple() ? build.tupleMember(value, k)
                                 : build.component(value, k))});
}

/// The indices of a field that begins elsewhere are ranges.
void IterableChecker::rangesOf(Expr *field, SourceRange range,
                               Iteration &iteration) {
  Expr *shape = ctx.subscripts.member(field, "shape", range, range);
  for (auto [axis, first] : llvm::enumerate(field->type->offset)) {
    Iteration::Range made;
    TypeRef scalar = ctx.subscripts.axisType(field->type, axis);
    made.begin = build.intLiteral(range, first, scalar);
    made.end = build.binary(range, range, BinaryOp::Add,
                            build.tupleMember(shape, axis),
                            build.intLiteral(range, first, scalar));
    iteration.ranges.push_back(made);
  }
}

bool IterableChecker::checkIterable(const ast::Expr *expr,
                                    Iteration &iteration) {
  if (auto *call = llvm::dyn_cast<ast::CallExpr>(expr)) {
    Meaning callee = ctx.names.resolve(call->callee);
    if (callee.kind == Meaning::Builtin)
      switch (callee.builtin) {
      case BuiltinName::Range:
      case BuiltinName::NdRange:
      case BuiltinName::Static:
      case BuiltinName::Serial:
      case BuiltinName::Grouped:
      case BuiltinName::Progress:
      case BuiltinName::Reversed:
      case BuiltinName::Enumerate:
      case BuiltinName::Zip:
        return checkIterationCall(call, callee.builtin, iteration);
      default:
        break;
      }
  }
  if (llvm::isa<ast::TupleExpr>(expr))
    return unrollTuple(expr, iteration);
  Expr *value = ctx.exprs.checkExpr(expr);
  if (isError(value))
    return false;
  if (value->type->isField() && !value->type->offset.empty()) {
    rangesOf(value, expr->range, iteration);
    return true;
  }
  if (value->type->isField()) {
    iteration.field = ctx.classes.leafOf(value);
    return true;
  }
  if (value->type->isStr() ||
      (value->type->isObject() && !value->type->isRef())) {
    if (!state.hostOnly(expr->range,
                        "a loop over a `" + value->type->str() + "`"))
      return false;
    Expr *list = ctx.objects.asList(expr->range, value);
    if (!list || isError(list) || list->type->isOpen())
      return false; // another round knows its elements
    iteration.lists.push_back(list);
    return true;
  }
  if (value->type->isTuple() || value->type->isVec()) {
    iteration.isUnrolled = true;
    value = build.withDefault(value);
    if (!isConstant(value) && !llvm::isa<VariableExpr>(value) &&
        !isError(value))
      value = state.store(value);
    if (isError(value))
      return false;
    eachElement(build, value, iteration);
    return true;
  }
  diags
      .report(expr->range, diag::NotIterable,
              build.defaulted(value->type)->str())
      .send();
  return false;
}

bool IterableChecker::checkIterationCall(const ast::CallExpr *call,
                                         BuiltinName builtin,
                                         Iteration &iteration) {
  if (builtin == BuiltinName::Range || builtin == BuiltinName::NdRange) {
    bool ok = builtin == BuiltinName::Range ? checkRange(call, iteration)
                                            : checkNdRange(call, iteration);
    if (ok)
      widenAxes(iteration);
    return ok;
  }
  if (builtin == BuiltinName::Enumerate)
    return enumerate(call, iteration);
  if (builtin == BuiltinName::Zip)
    return zip(call, iteration);
  if (call->args.size() != 1 || !call->args[0].keyword.empty()) {
    diags
        .report(call->range, diag::ArgCountMismatch, builtinText(builtin),
                size_t(1), call->args.size())
        .send();
    return false;
  }
  const ast::Expr *inner = call->args[0].value;
  bool outer = state.isStaticArgument;
  if (builtin == BuiltinName::Static)
    state.isStaticArgument = true;
  bool ok = checkIterable(inner, iteration);
  state.isStaticArgument = outer;
  if (!ok)
    return false;
  switch (builtin) {
  case BuiltinName::Static:
    iteration.isStatic = true;
    if (iteration.field || !iteration.lists.empty()) {
      diags.report(inner->range, diag::NotConstant, "a `static` loop").send();
      return false;
    }
    return iteration.isUnrolled || unrollRanges(inner->range, iteration);
  case BuiltinName::Serial:
    iteration.isSerial = true;
    return true;
  case BuiltinName::Grouped:
    if ((iteration.isUnrolled && !iteration.isStatic) ||
        iteration.isEnumerated || !iteration.zipped.empty() ||
        !iteration.lists.empty()) {
      diags.report(inner->range, diag::NotGroupable).send();
      return false;
    }
    iteration.isGrouped = true;
    return true;
  case BuiltinName::Progress:
    if (!state.hostOnly(call->range, "`progress`"))
      return false;
    if (!iteration.lists.empty()) {
      reportLater(diags, call->range, "`progress` over a list");
      return false;
    }
    iteration.showsProgress = true;
    return true;
  default:
    return reverse(call->range, iteration);
  }
}

/// All turns of constant ranges; the last axis runs fastest.
bool IterableChecker::unrollRanges(SourceRange range, Iteration &iteration) {
  std::vector<std::vector<int64_t>> axes;
  size_t total = 1;
  for (Iteration::Range &axis : iteration.ranges) {
    auto begin = constantInt(axis.begin), end = constantInt(axis.end);
    auto step = axis.step ? constantInt(axis.step) : std::optional<int64_t>(1);
    for (Expr *bound : {axis.begin, axis.end, axis.step})
      if (bound && !constantInt(bound)) {
        ctx.exprs.reportNotConstant(bound, "the bound of a `static` loop");
        return false;
      }
    std::vector<int64_t> numbers;
    for (__int128 k = *begin; *step > 0 ? k < *end : k > *end; k += *step) {
      numbers.push_back(int64_t(k));
      if (numbers.size() > kMaxIterations)
        break;
    }
    total *= numbers.size();
    if (total > kMaxIterations ||
        state.unrolledIterations + total > kMaxIterations) {
      if (state.unrolledIterations > kMaxIterations)
        return false; // reported
      state.unrolledIterations = kMaxIterations + 1;
      diags.report(range, diag::UnrollTooLarge, kMaxIterations).send();
      return false;
    }
    axes.push_back(std::move(numbers));
  }
  for (size_t number = 0; number < total; ++number) {
    std::vector<Expr *> values(axes.size());
    size_t rest = number;
    for (size_t k = axes.size(); k-- > 0;) {
      values[k] = build.intLiteral(range, axes[k][rest % axes[k].size()],
                                   types.untypedInt);
      rest /= axes[k].size();
    }
    std::vector<Meaning> meanings;
    if (iteration.isGrouped) {
      meanings.push_back(boundTo(build.construct(
          range, types.vec(values.size(), types.untypedInt), values)));
    } else {
      for (Expr *value : values)
        meanings.push_back(boundTo(value));
    }
    if (iteration.isEnumerated)
      meanings.insert(
          meanings.begin(),
          boundTo(build.intLiteral(range, iteration.enumerateFrom + number,
                                   types.untypedInt)));
    iteration.bindings.push_back(std::move(meanings));
  }
  iteration.isUnrolled = true;
  return true;
}

//===----------------------------------------------------------------------===//
// reversed, enumerate, zip
//===----------------------------------------------------------------------===//

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
