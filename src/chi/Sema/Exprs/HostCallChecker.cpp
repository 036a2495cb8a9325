//===- HostCallChecker.cpp - Fields and what else only host code does -===//
#include "chi/Sema/Exprs/HostCallChecker.h"
#include "chi/Sema/Advice/Advice.h"
#include "chi/Sema/Advice/ForeignNames.h"
#include "chi/Sema/Exprs/BuiltinChecker.h"
#include "chi/Sema/Exprs/ClassChecker.h"
#include "chi/Sema/Exprs/DerivativeChecker.h"
#include "chi/Sema/Exprs/ExprChecker.h"
#include "chi/Sema/Exprs/ObjectChecker.h"
#include "chi/Sema/Exprs/TypeExprChecker.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace chi;
using namespace chi::sema;

/// `shape=n`, `shape=(n, m)`, `shape=x.shape`; false after an error.
bool HostCallChecker::fieldExtents(const ast::Expr *shape,
                                   std::vector<Expr *> &extents) {
  std::vector<Expr *> parts;
  if (auto *tuple = llvm::dyn_cast<ast::TupleExpr>(shape)) {
    for (const ast::Expr *element : tuple->elements)
      parts.push_back(ctx.exprs.checkExpr(element));
  } else {
    Expr *value = ctx.exprs.checkExpr(shape);
    if (isError(value))
      return false;
    if (value->type->isTuple()) {
      if (!llvm::isa<ConstructExpr>(value))
        value = state.store(build.withDefault(value));
      for (unsigned k = 0; k < value->type->members.size(); ++k)
        parts.push_back(build.tupleMember(value, k));
    } else if (value->type->isVec() && value->type->scalar()->isInt()) {
      value = isConstant(value) ? value : state.held(value);
      for (int64_t k = 0; k < value->type->shape[0]; ++k)
        parts.push_back(build.component(value, k));
    } else {
      parts.push_back(value);
    }
  }
  bool ok = true;
  auto *written = llvm::dyn_cast<ast::TupleExpr>(shape);
  for (auto [k, given] : llvm::enumerate(parts)) {
    Expr *part = build.withDefault(given);
    if (isError(part)) {
      ok = false;
      continue;
    }
    if (!part->type->isInt()) {
      ctx.advice.reportNotInt(diag::ShapeNotInt,
                              written ? written->elements[k] : shape,
                              part->type);
      ok = false;
      continue;
    }
    auto known = constantInt(part);
    if (known && *known < 0) {
      diags.report(part->range, diag::NegativeExtent, *known).send();
      ok = false;
    }
    bool isWide = part->type->bits == 64 ||
                  (part->type->bits == 32 && !part->type->isSigned);
    extents.push_back(build.cast(part, isWide ? types.i64 : types.i32));
  }
  if (ok && int64_t(extents.size()) > kMaxRank) {
    diags.report(shape->range, diag::BadRank, kMaxRank).send();
    return false;
  }
  return ok;
}

/// `field(100, f32)`, `field(dtype=f32, shape=100)`, `field(shape=100)`: the
/// type is not where it belongs. True after a report.
bool HostCallChecker::refuseFieldOrder(const ast::CallExpr *expr) {
  const ast::Argument *type = nullptr, *shape = nullptr, *wrong = nullptr;
  std::vector<const ast::Argument *> extents; // positional
  for (const ast::Argument &arg : expr->args) {
    bool isType =
        arg.keyword.empty() && (ctx.foreign.isForeignTypeExpr(arg.value) ||
                                ctx.typeExprs.isTypeExpr(arg.value));
    if (arg.keyword == "dtype" || arg.keyword == "type" ||
        arg.keyword == "element")
      type = wrong = &arg;
    else if (isType && &arg != expr->args.begin())
      type = &arg, wrong = wrong ? wrong : expr->args.begin();
    else if (isType)
      return false;
    else if (arg.keyword.empty())
      extents.push_back(&arg);
    else if (arg.keyword == "shape")
      shape = &arg;
  }
  // Of `field(3, dtype=f32, shape=4)` it is not clear what is meant by the 3.
  bool isClear = !shape || extents.empty();
  const ast::Argument *first = shape             ? shape
                               : extents.empty() ? nullptr
                                                 : extents[0];
  bool isNumber =
      first && llvm::isa<ast::IntExpr, ast::TupleExpr>(first->value);
  bool isMissing = !type && first && expr->args.size() == 1 &&
                   (isNumber || !first->keyword.empty());
  if (!type && !isMissing)
    return false; // the argument is reported as not being a type
  if (isMissing && first->keyword.empty())
    wrong = first;
  auto text = [&](const ast::Argument *arg) {
    return program.sources.text(arg->value->range).str();
  };
  std::vector<std::string> counts;
  for (const ast::Argument *extent : extents)
    counts.push_back(text(extent));
  std::string right =
      "field(" + (type ? ctx.foreign.ownType(type->value) : "f32");
  if (shape || counts.size() == 1)
    right += ", shape=" + (shape ? text(shape) : counts[0]);
  else if (!counts.empty())
    right += ", shape=(" + llvm::join(counts, ", ") + ")";
  for (const ast::Argument &arg : expr->args)
    if (&arg != type && &arg != shape && !arg.keyword.empty())
      right += ", " + arg.keyword.str() + "=" + text(&arg);
  right += ")";
  bool isKeyword = wrong && !wrong->keyword.empty();
  auto report =
      isKeyword ? diags.report(wrong->keywordRange, diag::UnknownKeyword,
                               "field", wrong->keyword)
      : wrong   ? diags.report(wrong->value->range, diag::NotAType,
                               program.sources.text(wrong->value->range))
                : diags.report(expr->range, diag::MissingArgument, "field",
                               "the element type");
  report.addNote({}, diag::TypeComesFirst, right);
  if (type && isClear)
    report.addFixIt(expr->range, right);
  return true;
}

/// `field(f32, 3, 4)`.
void HostCallChecker::refuseExtents(const ast::CallExpr *expr) {
  auto report = diags.report(expr->range, diag::ArgCountMismatch, "field",
                             size_t(2), expr->args.size());
  std::string shape;
  for (const ast::Argument &arg : expr->args.drop_front()) {
    if (!arg.keyword.empty())
      return;
    shape += (shape.empty() ? "" : ", ") +
             program.sources.text(arg.value->range).str();
  }
  std::string right = "field(" +
                      program.sources.text(expr->args[0].value->range).str() +
                      ", shape=(" + shape + "))";
  report.addNote({}, diag::ShapeIsTuple, right);
  report.addFixIt(expr->range, right);
}

/// `field(f32, shape=4, dtype=f32)`: argument `k` gives the type again.
void HostCallChecker::adviseTypeOnce(DiagnosticBuilder &report,
                                     const ast::CallExpr *expr, size_t k,
                                     const ast::Expr *element) {
  const ast::Argument &again = expr->args[k];
  std::string type = ctx.foreign.ownType(element);
  report.addNote({}, diag::Advice,
                 "the first argument is already the element type: `" + type +
                     "`");
  if (ctx.foreign.ownType(again.value) != type)
    return;
  SourceRange removed = again.value->range;
  removed.begin = expr->args[k - 1].value->range.end; // with the comma
  report.addFixIt(removed, "");
}

/// What a keyword of other libraries, or a misspelt one, is here.
static std::string ownKeyword(llvm::StringRef keyword) {
  if (keyword == "size" || keyword == "n" || keyword == "dims")
    return "shape";
  if (keyword == "needs_grad" || keyword == "requires_grad")
    return "grad";
  if (keyword == "needs_dual")
    return "dual";
  return nearest(keyword,
                 {"shape", "layout", "order", "grad", "dual", "offset"});
}

/// The arguments of `field(…)` as they are written; false after an error.
bool HostCallChecker::fieldArguments(const ast::CallExpr *expr,
                                     FieldArguments &given) {
  bool ok = true;
  auto later = [&](const ast::Argument &arg, llvm::StringRef what) {
    if (auto *flag = llvm::dyn_cast<ast::BoolExpr>(arg.value);
        flag && !flag->value)
      return;
    diags
        .report(arg.keywordRange.to(arg.value->range), diag::NotSupportedYet,
                what)
        .send();
    ok = false;
  };
  for (auto [k, arg] : llvm::enumerate(expr->args)) {
    llvm::StringRef keyword = arg.keyword;
    if (keyword.empty() && k == 0)
      given.element = arg.value;
    else if ((keyword.empty() && k == 1) || keyword == "shape")
      given.shape = arg.value;
    else if (keyword == "layout")
      given.layout = arg.value;
    else if (keyword == "order")
      given.order = arg.value;
    else if (keyword == "offset")
      given.offset = arg.value;
    else if (keyword == "grad")
      given.grad = &arg;
    else if (keyword == "dual")
      given.dual = &arg;
    else if (keyword == "on")
      later(arg, "a sparse field");
    else if (!keyword.empty()) {
      ok = false;
      bool isType =
          keyword == "dtype" || keyword == "type" || keyword == "element";
      std::string best = isType ? "" : ownKeyword(keyword);
      auto report =
          best.empty()
              ? diags.report(arg.keywordRange, diag::UnknownKeyword, "field",
                             keyword)
              : diags.report(arg.keywordRange, diag::UnknownKeywordNear,
                             "field", keyword, best);
      if (isType && k > 0 && given.element)
        adviseTypeOnce(report, expr, k, given.element);
      else if (!best.empty())
        report.addFixIt(arg.keywordRange, best);
    } else {
      refuseExtents(expr);
      return false;
    }
  }
  if (given.element || !ok)
    return ok;
  diags.report(expr->range, diag::MissingArgument, "field", "the element type")
      .send();
  return false;
}

/// `order="ji"`: each axis once, outermost first; false after an error.
bool HostCallChecker::fieldOrder(const ast::Expr *order, size_t rank,
                                 std::vector<unsigned> &axes) {
  auto *text = llvm::dyn_cast<ast::StringExpr>(order);
  llvm::StringRef letters = text ? text->value : "";
  std::vector<bool> seen(rank);
  for (char letter : letters) {
    unsigned axis = unsigned(letter - 'i');
    if (axis >= rank || seen[axis])
      break;
    seen[axis] = true;
    axes.push_back(axis);
  }
  if (axes.size() == rank && letters.size() == rank)
    return true;
  std::string natural;
  for (unsigned axis = 0; axis < rank; ++axis)
    natural += char('i' + axis);
  diags.report(order->range, diag::BadOrder, natural).send();
  return false;
}

/// `offset=-n`, `offset=(-n, -m)`: the first index of each axis, a constant;
/// false after an error.
bool HostCallChecker::fieldOffset(const ast::Expr *offset,
                                  llvm::ArrayRef<Expr *> extents,
                                  std::vector<int64_t> &first) {
  Expr *value = ctx.exprs.checkConstant(offset, "the offset of a field");
  if (!value)
    return false;
  TypeRef type = value->type;
  bool isTuple = type->isTuple();
  size_t count = isTuple         ? type->members.size()
                 : type->isVec() ? size_t(type->shape[0])
                                 : 1;
  if (count != extents.size()) {
    diags.report(offset->range, diag::OffsetCount, count, extents.size())
        .send();
    return false;
  }
  for (size_t k = 0; k < count; ++k) {
    Expr *part = isTuple         ? build.tupleMember(value, k)
                 : type->isVec() ? build.component(value, k)
                                 : value;
    auto known = part->type->isInt() ? constantInt(part) : std::nullopt;
    if (!known) {
      ctx.advice.reportNotInt(diag::OffsetNotInt, offset, part->type);
      return false;
    }
    // All indices of the axis have its type.
    int64_t limit = extents[k]->type->bits == 64 ? INT64_MAX / 4 : 1 << 30;
    if (*known < -limit || *known > limit) {
      diags
          .report(offset->range, diag::LiteralOutOfRange,
                  std::to_string(*known), extents[k]->type->str())
          .send();
      return false;
    }
    first.push_back(*known);
  }
  return true;
}

Expr *HostCallChecker::makeField(const ast::CallExpr *expr) {
  SourceRange range = expr->range;
  FieldArguments given;
  if (!state.hostOnly(range, "making a field",
                      "`array(f32, 8)` is a local of constant size, one for "
                      "each iteration; a field is created by host code before "
                      "the kernel"))
    return fail(range);
  if (refuseFieldOrder(expr))
    return fail(range);
  bool ok = fieldArguments(expr, given);
  if (!given.element)
    return fail(range);
  TypeRef type = ctx.typeExprs.checkType(given.element);
  std::vector<Expr *> extents;
  ok &= !given.shape || fieldExtents(given.shape, extents);
  Layout split = Layout::AoS;
  if (given.layout) {
    auto *text = llvm::dyn_cast<ast::StringExpr>(given.layout);
    if (text && text->value == "soa") {
      split = Layout::SoA;
    } else if (!text || text->value != "aos") {
      diags.report(given.layout->range, diag::BadLayout).send();
      ok = false;
    }
  }
  std::vector<unsigned> axes;
  if (given.order && ok)
    ok = fieldOrder(given.order, extents.size(), axes);
  std::vector<int64_t> offset;
  if (given.offset && ok)
    ok = fieldOffset(given.offset, extents, offset);
  if (type->isError() || !ok)
    return fail(range);
  bool isElement = type->isScalar() || type->isAggregate() ||
                   (type->isStruct() && !type->holds(TypeKind::Tuple));
  if (!isElement) {
    diags.report(given.element->range, diag::BadElement, "a field", type->str())
        .send();
    return fail(range);
  }
  auto hasGrad = ctx.derivatives.fieldMark(given.grad, type, extents.size());
  auto hasDual = ctx.derivatives.fieldMark(given.dual, type, extents.size());
  if (!hasGrad || !hasDual)
    return fail(range);
  std::vector<int64_t> sizes;
  uint32_t wide = 0;
  for (auto [axis, extent] : llvm::enumerate(extents)) {
    sizes.push_back(constantInt(extent).value_or(-1));
    if (extent->type->bits == 64)
      wide |= 1u << axis;
  }
  std::string marks = *hasGrad ? "grad" : "";
  if (*hasDual)
    marks += *hasGrad ? ";dual" : "dual";
  TypeRef field = types.field(type, sizes, split, axes, wide, offset);
  if (!type->isStruct())
    return newField(range, field, extents, marks);
  std::vector<LetExpr *> lets;
  for (Expr *&extent : extents)
    extent = build.reusable(extent, lets);
  return build.closeLets(newField(range, field, extents, marks), lets);
}

/// A new field; of a class one for each member.
Expr *HostCallChecker::newField(SourceRange range, TypeRef field,
                                llvm::ArrayRef<Expr *> extents,
                                llvm::StringRef marks) {
  if (field->isFieldOfClass()) {
    std::vector<Expr *> parts;
    std::string own = marks.str();
    if (field->element->isComplex)
      own = "complex" + (own.empty() ? own : ";" + own);
    for (TypeRef member : field->members)
      parts.push_back(newField(range, member, extents, own));
    return build.construct(range, field, std::move(parts));
  }
  std::vector<Expr *> args;
  for (Expr *extent : extents)
    args.push_back(build.clone(extent));
  HostOpExpr *made = hostOp(range, HostOp::MakeField, field, std::move(args));
  if (isDifferentiable(field->element))
    made->text = marks.str();
  return made;
}

Expr *HostCallChecker::callExit(const ast::CallExpr *expr) {
  std::vector<Expr *> args;
  if (!ctx.builtins.builtinArgs(expr, 0, 1, args) ||
      !state.hostOnly(expr->range, "`exit`"))
    return fail(expr->range);
  Expr *code = args.empty() ? build.intLiteral(expr->range, 0, types.i32)
                            : build.convert(args[0], types.i32, "the code");
  if (isError(code))
    return fail(expr->range);
  return hostOp(expr->range, HostOp::Exit, types.voidTy, {code});
}

HostOpExpr *HostCallChecker::hostOp(SourceRange range, HostOp op, TypeRef type,
                                    std::vector<Expr *> args) {
  auto *call = build.make<HostOpExpr>(range, type);
  call->op = op;
  call->args = std::move(args);
  return call;
}

/// A text that `function` takes as `what`; null after an error.
Expr *HostCallChecker::textArgument(const ast::Expr *expr,
                                    llvm::StringRef function,
                                    llvm::StringRef what) {
  Expr *text = ctx.exprs.checkExpr(expr);
  if (isError(text))
    return nullptr;
  if (text->type->isStr())
    return text;
  diags
      .report(expr->range, diag::BadArgument, function, what,
              build.defaulted(text->type)->str())
      .send();
  return nullptr;
}

//===----------------------------------------------------------------------===//
// load
//===----------------------------------------------------------------------===//

/// `load(path, type, cast=True)`, `load(path, name, type, cast=True)`; false
/// after an error.
bool HostCallChecker::loadArguments(const ast::CallExpr *expr,
                                    std::vector<const ast::Expr *> &given,
                                    bool &isCast) {
  for (const ast::Argument &arg : expr->args) {
    if (arg.keyword.empty()) {
      given.push_back(arg.value);
      continue;
    }
    if (arg.keyword != "cast") {
      diags.report(arg.keywordRange, diag::UnknownKeyword, "load", arg.keyword)
          .send();
      return false;
    }
    Expr *flag = ctx.exprs.checkConstant(arg.value, "`cast`");
    if (!flag)
      return false;
    flag = build.convert(flag, types.boolTy, "`cast`");
    auto *literal = llvm::dyn_cast<LiteralExpr>(flag);
    if (isError(flag) || !literal)
      return false;
    isCast = literal->integer != 0;
  }
  if (given.size() == 2 || given.size() == 3)
    return true;
  diags
      .report(expr->range, diag::ArgCountRange, "load", size_t(2), size_t(3),
              given.size())
      .send();
  return false;
}

Expr *HostCallChecker::callLoad(const ast::CallExpr *expr) {
  bool isCast = false;
  std::vector<const ast::Expr *> given;
  if (!state.hostOnly(expr->range, "`load`") ||
      !loadArguments(expr, given, isCast))
    return fail(expr->range);
  Expr *path = textArgument(given[0], "load", "a file name");
  bool isNamed = given.size() == 3;
  Expr *name =
      isNamed ? textArgument(given[1], "load", "a name in the file") : nullptr;
  TypeRef type = ctx.typeExprs.checkType(given.back());
  if (!path || (isNamed && !name) || type->isError())
    return fail(expr->range);
  bool isValue = type->isScalar() || type->isAggregate() || type->isStr() ||
                 type->isComplex;
  if (!type->isField() && !(isNamed && isValue)) {
    diags
        .report(given.back()->range, diag::BadArgument, "load",
                isNamed ? "the type of a field, number, vec, mat or str"
                        : "a type such as `field(f32, 2)`",
                type->str())
        .send();
    return fail(expr->range);
  }
  // What a file holds may need more than 31 bits ([Loop.4]).
  TypeRef made = isValue && isNamed
                     ? type
                     : types.field(type->element, type->shape, type->layout,
                                   type->order, (1u << type->rank()) - 1);
  if (!made->isFieldOfClass() || made->element->isComplex)
    return loadOne(expr->range, made, path, name, isCast);
  auto *stem = llvm::dyn_cast_or_null<StringLiteralExpr>(name);
  if (!stem) {
    diags
        .report(expr->range, diag::NeedsNames, "load",
                "load(\"a.npz\", \"p\", field(P, 1))")
        .send();
    return fail(expr->range);
  }
  std::vector<LetExpr *> lets;
  path = build.reusable(path, lets);
  return build.closeLets(
      loadMembers(expr->range, made, path, stem->value, isCast), lets);
}

/// One array of a file; `name` is null if the file holds one only.
Expr *HostCallChecker::loadOne(SourceRange range, TypeRef type, Expr *path,
                               Expr *name, bool isCast) {
  if (isFieldOfComplex(type)) {
    Expr *parts = loadOne(range, type->members[0], path, name, isCast);
    llvm::cast<HostOpExpr>(parts)->text += "complex";
    return build.construct(range, type, {parts});
  }
  HostOpExpr *op = hostOp(range, HostOp::LoadFile, type, {path});
  if (name)
    op->args.push_back(name);
  op->text = isCast ? "cast" : "";
  return op;
}

/// A field of a class, whose members have names such as "p.x" in the file.
Expr *HostCallChecker::loadMembers(SourceRange range, TypeRef type, Expr *path,
                                   const std::string &name, bool isCast) {
  if (!type->isFieldOfClass() || type->element->isComplex) {
    auto *text = build.make<StringLiteralExpr>(range, types.str);
    text->value = name;
    return loadOne(range, type, build.clone(path), text, isCast);
  }
  std::vector<Expr *> parts;
  for (auto [member, own] : llvm::zip(type->members, type->memberNames))
    parts.push_back(loadMembers(range, member, path, name + "." + own, isCast));
  return build.construct(range, type, std::move(parts));
}

//===----------------------------------------------------------------------===//
// save
//===----------------------------------------------------------------------===//

/// `save(path, x, axes="xy")`; false after an error.
bool HostCallChecker::saveArguments(const ast::CallExpr *expr,
                                    std::vector<Expr *> &args, bool &isXY) {
  for (const ast::Argument &arg : expr->args) {
    if (arg.keyword == "axes") {
      auto *axes = llvm::dyn_cast<ast::StringExpr>(arg.value);
      if (!axes || (axes->value != "xy" && axes->value != "ij")) {
        diags.report(arg.value->range, diag::BadAxes).send();
        return false;
      }
      isXY = axes->value == "xy";
      continue;
    }
    if (!arg.keyword.empty()) {
      diags.report(arg.keywordRange, diag::UnknownKeyword, "save", arg.keyword)
          .send();
      return false;
    }
    args.push_back(ctx.exprs.checkExpr(arg.value));
    if (isError(args.back()))
      return false;
  }
  if (args.size() == 2)
    return true;
  diags
      .report(expr->range, diag::ArgCountMismatch, "save", size_t(2),
              args.size())
      .send();
  return false;
}

/// Files hold fields: one with the elements of a list of numbers, vecs or mats;
/// any other value as it is.
Expr *HostCallChecker::asField(Expr *value) {
  TypeRef type = value->type;
  if (!type->isList() || !type->element ||
      (!type->element->isScalar() && !type->element->isAggregate() &&
       !type->element->isComplex))
    return value;
  SourceRange range = value->range;
  value = state.store(value);
  Expr *length = state.store(ctx.objects.length(range, build.clone(value)));
  TypeRef field = types.field(type->element, {-1}, Layout::AoS, {});
  Expr *made = state.store(newField(range, field, {length}, ""));
  auto *loop = state.emit<ForStmt>(range);
  Variable *index = state.freshVariable(".k", range, length->type);
  loop->variables = {index};
  loop->ranges.push_back(
      {build.intLiteral(range, 0, length->type), build.clone(length)});
  llvm::SaveAndRestore<Body *> inside(state.out, &loop->body);
  auto *put = state.emit<AssignStmt>(range);
  put->lvalue.kind = LValue::Element;
  put->lvalue.field = build.clone(made);
  put->lvalue.indices = {build.variable(range, index)};
  put->lvalue.type = type->element;
  put->lvalue.range = range;
  put->value = ctx.objects.elementAt(
      range, build.clone(value),
      build.cast(build.variable(range, index), types.i64));
  return made;
}

/// Reports that `args` are no file name and field.
void HostCallChecker::refuseSave(SourceRange range,
                                 llvm::ArrayRef<Expr *> args) {
  bool isPath = args[0]->type->isStr();
  TypeRef wrong = build.defaulted(args[isPath ? 1 : 0]->type);
  if (args[0]->type->isField() && args[1]->type->isStr()) {
    std::string right = ("save(" + program.sources.text(args[1]->range) + ", " +
                         program.sources.text(args[0]->range) + ")")
                            .str();
    diags
        .report(args[0]->range, diag::BadArgument, "save",
                "a file name as its first argument", args[0]->type->str())
        .fixIt(range, right)
        .send();
    return;
  }
  if (isPath && (wrong->isScalar() || wrong->isAggregate() || wrong->isStr())) {
    diags
        .report(args[1]->range, diag::NeedsNames, "save",
                "save(\"a.npz\", x=x)")
        .send();
    return;
  }
  diags
      .report(args[isPath ? 1 : 0]->range, diag::BadArgument, "save",
              isPath ? "a field or a list of numbers" : "a file name",
              wrong->str())
      .send();
}

Expr *HostCallChecker::callSave(const ast::CallExpr *expr) {
  SourceRange range = expr->range;
  if (!state.hostOnly(range, "`save`"))
    return fail(range);
  size_t positional =
      llvm::count_if(expr->args, [](auto &arg) { return arg.keyword.empty(); });
  if (positional == 1 && expr->args.size() > 1)
    return callNamed(expr, HostOp::SaveNamed);
  std::vector<Expr *> args;
  bool isXY = false;
  if (!saveArguments(expr, args, isXY))
    return fail(range);
  if (args[0]->type->isStr())
    args[1] = asField(args[1]);
  if (isFieldOfComplex(args[1]->type))
    args[1] = ctx.complexes.fieldOfParts(args[1]);
  if (args[0]->type->isStr() && args[1]->type->isFieldOfClass()) {
    diags
        .report(args[1]->range, diag::NeedsNames, "save",
                "save(\"a.npz\", p=p)")
        .send();
    return fail(range);
  }
  if (!args[0]->type->isStr() || !args[1]->type->isField()) {
    refuseSave(range, args);
    return fail(range);
  }
  HostOpExpr *op = hostOp(range, HostOp::SaveFile, types.voidTy, args);
  op->text = isXY ? "axes=xy" : "";
  return op;
}

//===----------------------------------------------------------------------===//
// Named values
//===----------------------------------------------------------------------===//

namespace {
/// What a call with named values takes.
struct NamedCall {
  llvm::StringRef name, example, values;
  bool hasPath;
};
NamedCall namedCall(HostOp op) {
  switch (op) {
  case HostOp::SaveNamed:
    return {"save", "save(\"a.npz\", x=x)",
            "a field, a list, a number, a vec, a mat or a str", true};
  case HostOp::AppendRow:
    return {"append", "append(\"t.csv\", loss=l)", "a number or a str", true};
  default:
    return {"report", "report(loss=l)", "a number, a vec or a str", false};
  }
}
bool takes(HostOp op, TypeRef type) {
  return type->isScalar() || type->isStr() ||
         (op != HostOp::AppendRow && type->isAggregate()) ||
         (op == HostOp::SaveNamed && (type->isField() || type->isComplex));
}
} // namespace

/// Adds an argument with its name to a call; false after an error.
bool HostCallChecker::addNamed(const ast::Argument &arg, HostOpExpr *op) {
  NamedCall call = namedCall(op->op);
  if (arg.keyword.empty()) {
    diags.report(arg.value->range, diag::NeedsNames, call.name, call.example)
        .send();
    return false;
  }
  Expr *value = ctx.exprs.checkTyped(arg.value);
  if (isError(value))
    return false;
  if (op->op == HostOp::SaveNamed)
    value = asField(value);
  if (!takes(op->op, value->type)) {
    diags
        .report(arg.value->range, diag::BadArgument, call.name, call.values,
                value->type->str())
        .send();
    return false;
  }
  if (value->type->isFieldOfClass() &&
      !llvm::isa<VariableExpr, GlobalExpr>(value))
    value = state.store(value);
  addMembers(value, arg.keyword.str(), op);
  return true;
}

/// A value by its name; a field of a class by the names of its members.
void HostCallChecker::addMembers(Expr *value, const std::string &name,
                                 HostOpExpr *op) {
  if (isFieldOfComplex(value->type))
    value = ctx.complexes.fieldOfParts(value);
  if (!value->type->isFieldOfClass()) {
    op->args.push_back(value);
    op->names.push_back(name);
    return;
  }
  for (auto [k, own] : llvm::enumerate(value->type->memberNames))
    addMembers(ctx.classes.fieldOfMember(build.clone(value), k, value->range),
               name + "." + own, op);
}

Expr *HostCallChecker::callNamed(const ast::CallExpr *expr, HostOp kind) {
  NamedCall call = namedCall(kind);
  if (!state.hostOnly(expr->range, ("`" + call.name + "`").str()))
    return fail(expr->range);
  HostOpExpr *op = hostOp(expr->range, kind, types.voidTy, {});
  llvm::ArrayRef<ast::Argument> args = expr->args;
  bool ok = true;
  if (call.hasPath) {
    if (args.size() < 2 || !args[0].keyword.empty()) {
      diags.report(expr->range, diag::NeedsNames, call.name, call.example)
          .send();
      return fail(expr->range);
    }
    Expr *path = textArgument(args[0].value, call.name, "a file name");
    op->args.push_back(path);
    ok = path != nullptr;
    args = args.drop_front();
  }
  for (const ast::Argument &arg : args)
    ok &= addNamed(arg, op);
  return ok ? op : fail(expr->range);
}

//===----------------------------------------------------------------------===//
// What lies around a program
//===----------------------------------------------------------------------===//

Expr *HostCallChecker::callExists(const ast::CallExpr *expr) {
  if (!state.hostOnly(expr->range, "`exists`") ||
      !ctx.builtins.onlyPositional(expr, 1, 1))
    return fail(expr->range);
  Expr *path = textArgument(expr->args[0].value, "exists", "a file name");
  if (!path)
    return fail(expr->range);
  return hostOp(expr->range, HostOp::FileExists, types.boolTy, {path});
}

Expr *HostCallChecker::callEnv(const ast::CallExpr *expr) {
  if (!state.hostOnly(expr->range, "`env`") ||
      !ctx.builtins.onlyPositional(expr, 2, 2))
    return fail(expr->range);
  Expr *name = textArgument(expr->args[0].value, "env",
                            "the name of a variable of the environment");
  Expr *fallback = ctx.exprs.checkTyped(expr->args[1].value);
  if (!name || isError(fallback))
    return fail(expr->range);
  if (!fallback->type->isScalar() && !fallback->type->isStr()) {
    diags
        .report(fallback->range, diag::BadArgument, "env",
                "a number, a bool or a str for a variable that is not set",
                fallback->type->str())
        .send();
    return fail(expr->range);
  }
  return hostOp(expr->range, HostOp::EnvValue, fallback->type,
                {name, fallback});
}
