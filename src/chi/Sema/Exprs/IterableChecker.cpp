//===- IterableChecker.cpp - What a `for` runs over -----------------------===//
#include "chi/Sema/Exprs/IterableChecker.h"
#include "chi/Sema/Advice/Advice.h"
#include "chi/Sema/Builtins/Foreign.h"
#include "chi/Sema/Exprs/ExprChecker.h"
#include "chi/Sema/Exprs/ObjectChecker.h"
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
  if (value->type->isField()) {
    iteration.field = value;
    return true;
  }
  if (value->type->isStr() || value->type->isObject()) {
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
