//===- ObjectMethods.cpp - Methods, operators and functions of objects ----===//
#include "chi/Sema/Advice/Advice.h"
#include "chi/Sema/Build/Objects.h"
#include "chi/Sema/Builtins/Foreign.h"
#include "chi/Sema/Builtins/ObjectMembers.h"
#include "chi/Sema/Exprs/BuiltinChecker.h"
#include "chi/Sema/Exprs/CallChecker.h"
#include "chi/Sema/Exprs/ExprChecker.h"
#include "chi/Sema/Exprs/IterableChecker.h"
#include "chi/Sema/Exprs/ObjectChecker.h"
#include "chi/Sema/Names/NameChecker.h"

using namespace chi;
using namespace chi::sema;

//===----------------------------------------------------------------------===//
// Methods
//===----------------------------------------------------------------------===//

static Expr *i32(Builder &build, SourceRange range, int64_t value) {
  return build.intLiteral(range, value, build.types.i32);
}

/// The method that takes as many arguments as there are; null after a report.
static const ObjectMethod *chosen(ExprContext &ctx, const ast::CallExpr *expr,
                                  TypeRef type,
                                  const ast::AttributeExpr *callee) {
  DiagnosticEngine &diags = ctx.program.diags;
  auto known = objectMethods(type, callee->name);
  if (known.empty()) {
    ctx.advice.reportNoMember(type, callee->base->range, callee->name,
                              callee->nameRange);
    return nullptr;
  }
  for (const ObjectMethod *method : known)
    if (method->numArguments() == expr->args.size())
      return method;
  size_t least = known.front()->numArguments();
  size_t most = known.back()->numArguments();
  if (least == most)
    diags
        .report(expr->range, diag::ArgCountMismatch, callee->name, least,
                expr->args.size())
        .send();
  else
    diags
        .report(expr->range, diag::ArgCountRange, callee->name, least, most,
                expr->args.size())
        .send();
  return nullptr;
}

/// An argument in the type that the letter of a method stands for.
Expr *ObjectChecker::argumentOf(char letter, const ast::Expr *written,
                                TypeRef object, llvm::StringRef name) {
  if (letter == 'i')
    return indexOf(written);
  TypeRef wanted = letter == 's'                       ? types.str
                   : letter == 'l'                     ? types.list(types.str)
                   : letter == 'o'                     ? object
                   : letter == 'e' && object->isDict() ? object->key
                                                       : object->element;
  Expr *value = checkAs(written, wanted);
  if (isError(value))
    return value;
  // `xs.extend(…)`, `s.update(…)`, `s.union(…)` take any elements.
  bool takesElements = letter == 'o' && !object->isDict();
  if (takesElements && value->type != object)
    if (Expr *list = asList(written->range, value)) {
      list = build.convert(list, types.list(object->element),
                           ("the argument of `" + name + "`").str());
      return object->isSet()
                 ? run(written->range, "chirt_set_of", object, {list})
                 : list;
    }
  return build.convert(value, wanted, ("the argument of `" + name + "`").str());
}

/// The type that the letter of a method stands for.
static TypeRef resultOf(Builder &build, char letter, TypeRef object) {
  TypeContext &types = build.types;
  if (object->isOpen() && llvm::StringRef("KVI").contains(letter))
    return types.list(nullptr);
  switch (letter) {
  case 'b':
    return types.boolTy;
  case 'i':
    return build.defaultInt();
  case 's':
    return types.str;
  case 'S':
    return types.list(types.str);
  case 'o':
    return object;
  case 'e':
  case 'v':
    return object->element;
  case 'K':
    return types.list(object->key);
  case 'V':
    return types.list(object->element);
  case 'I':
    return types.list(types.tuple({object->key, object->element}));
  default:
    return types.voidTy;
  }
}

/// `xs.append(1)` of an `xs` that was `[]` so far says what its elements are.
bool ObjectChecker::settleByCall(const ast::CallExpr *expr, Expr *base,
                                 const ast::AttributeExpr *callee) {
  TypeRef type = base->type;
  bool isAdded = (type->isList() && callee->name == "append") ||
                 (type->isSet() && callee->name == "add");
  bool isJoined = callee->name == "extend" || callee->name == "update";
  bool isKept = callee->name == "get" || callee->name == "setdefault";
  if (type->isDict() && isKept && expr->args.size() == 2) {
    Expr *key = ctx.exprs.checkTyped(expr->args[0].value);
    Expr *value = ctx.exprs.checkTyped(expr->args[1].value);
    settleByPut(callee->base, base, key, value);
    return true;
  }
  if ((!isAdded && !isJoined) || expr->args.size() != 1)
    return false;
  Expr *value = ctx.exprs.checkTyped(expr->args[0].value);
  if (isError(value) || value->type->isVoid())
    return false;
  TypeRef element = value->type;
  if (isJoined && type->isDict()) {
    if (element->isDict() && !element->isOpen())
      settle(callee->base, type, element);
    return true;
  }
  if (isJoined) {
    Expr *list = asList(value->range, value);
    if (!list || list->type->isOpen())
      return false;
    element = list->type->element;
  }
  if (mayHold(value->range, type->isSet() ? "a set" : "a list", element) &&
      (!type->isSet() || mayBeKey(diags, value->range, element)))
    settle(callee->base, type,
           type->isSet() ? types.set(element) : types.list(element));
  return true;
}

Expr *ObjectChecker::callMethod(const ast::CallExpr *expr, Expr *base,
                                const ast::AttributeExpr *callee) {
  SourceRange range = expr->range;
  base = build.withDefault(base);
  TypeRef type = base->type;
  std::string what = "`" + callee->name.str() + "` of a `" + type->str() + "`";
  if (isError(base) || !state.hostOnly(range, what))
    return fail(range);
  if (type->isOpen() && settleByCall(expr, base, callee))
    return fail(range); // another round knows its elements
  if (type->isList() && callee->name == "sort")
    return callSort(expr, base);
  const ObjectMethod *method = chosen(ctx, expr, type, callee);
  for (const ast::Argument &arg : expr->args)
    if (method && !arg.keyword.empty()) {
      diags
          .report(arg.keywordRange, diag::UnknownKeyword, callee->name,
                  arg.keyword)
          .send();
      method = nullptr;
    }
  if (!method) {
    for (const ast::Argument &arg : expr->args)
      ctx.exprs.checkExpr(arg.value);
    return fail(range);
  }
  std::vector<Expr *> args = {base};
  unsigned next = 0;
  for (llvm::StringRef rest = method->takes; !rest.empty();) {
    char letter = rest[0];
    if (letter != '#' && letter != '"') {
      if (type->isOpen() && (letter == 'e' || letter == 'v' || letter == 'o'))
        return fail(range);
      args.push_back(
          argumentOf(letter, expr->args[next++].value, type, callee->name));
      rest = rest.drop_front();
      continue;
    }
    auto [constant, others] = rest.split(';');
    rest = others;
    int64_t number = 0;
    if (letter == '"') {
      auto *text = build.make<StringLiteralExpr>(range, types.str);
      text->value = constant.drop_front().str();
      args.push_back(text);
    } else if (!constant.drop_front().getAsInteger(10, number)) {
      args.push_back(build.intLiteral(range, number, types.i64));
    }
  }
  if (callee->name == "setdefault" || callee->name == "popitem")
    return callInBlock(range, callee->name, args);
  TypeRef result = resultOf(build, method->gives, type);
  if (!result)
    return fail(range); // of an open one
  Expr *made = op(range, method->op, result, std::move(args));
  if (auto *call = llvm::dyn_cast<HostOpExpr>(made))
    call->text = method->function.str();
  return made;
}

/// `reverse=…`, `key=…`; false after a report.
bool ObjectChecker::sortArguments(const ast::CallExpr *expr, unsigned first,
                                  SortArguments &given) {
  given.isReversed = build.boolLiteral(expr->range, false);
  llvm::StringRef name = first ? "sorted" : "sort";
  for (const ast::Argument &arg :
       llvm::ArrayRef<ast::Argument>(expr->args).drop_front(first)) {
    if (arg.keyword == "reverse") {
      given.isReversed = build.convert(ctx.exprs.checkExpr(arg.value),
                                       types.boolTy, "`reverse`");
      if (isError(given.isReversed))
        return false;
    } else if (arg.keyword == "key") {
      given.key = arg.value;
    } else if (!arg.keyword.empty()) {
      diags.report(arg.keywordRange, diag::UnknownKeyword, name, arg.keyword)
          .send();
      return false;
    } else {
      diags
          .report(expr->range, diag::ArgCountMismatch, name, size_t(first),
                  expr->args.size())
          .send();
      return false;
    }
  }
  return true;
}

/// Whether values of the type have an order.
static bool isOrdered(TypeRef type) {
  if (!type)
    return true;
  if (type->hasMembers())
    return llvm::all_of(type->members, isOrdered);
  return type->isScalar() || type->isStr() ||
         (type->isList() && isOrdered(type->element));
}

/// What `what` gives of the list and the function `key`.
Expr *ObjectChecker::bestBy(const ast::CallExpr *expr, Expr *list,
                            const ast::Expr *key,
                            MadeFunctions::KeyFunction what) {
  Meaning meaning;
  meaning.kind = Meaning::Function;
  meaning.function = &program.made.byKey(*state.module, key->range, what);
  ast::NameExpr callee(key->range), values(expr->range);
  callee.name = meaning.function->ast->name;
  ast::Argument args[2];
  args[0].value = &values;
  args[1].value = const_cast<ast::Expr *>(key);
  ast::CallExpr call(expr->range);
  call.callee = &callee;
  call.args = args;
  Expr *given[] = {list, nullptr};
  return ctx.calls.callFunction(&call, meaning, given);
}

/// Sorts the list itself.
static Expr *sortBy(ExprContext &ctx, const ast::CallExpr *expr, Expr *list,
                    const SortArguments &given, llvm::StringRef name) {
  Builder &build = ctx.program.build;
  TypeContext &types = ctx.program.types;
  Expr *keys = nullptr;
  if (given.key)
    keys = ctx.objects.bestBy(expr, list, given.key, MadeFunctions::Keys);
  if (keys && isError(keys))
    return keys;
  Expr *ordered = keys ? keys : list;
  if (!isOrdered(ordered->type->element)) {
    ctx.program.diags
        .report(given.key ? given.key->range : expr->range, diag::BadArgument,
                name,
                keys ? "a `key` that gives numbers, strs or tuples of them"
                     : "a list of numbers, strs or tuples of them",
                ordered->type->str())
        .send();
    return build.error(expr->range);
  }
  if (keys)
    return ctx.objects.run(expr->range, "chirt_list_sort_by", types.voidTy,
                           {build.clone(list), keys, given.isReversed});
  return ctx.objects.run(expr->range, "chirt_list_sort", types.voidTy,
                         {list, given.isReversed});
}

Expr *ObjectChecker::callSort(const ast::CallExpr *expr, Expr *base) {
  SortArguments given;
  if (!sortArguments(expr, 0, given))
    return fail(expr->range);
  return sortBy(ctx, expr, given.key ? state.held(base) : base, given, "sort");
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

static Expr *combineSets(ObjectChecker &objects, Builder &build,
                         SourceRange range, BinaryOp op, Expr *lhs, Expr *rhs) {
  int operation = op == BinaryOp::BitOr    ? 0
                  : op == BinaryOp::BitAnd ? 1
                  : op == BinaryOp::Sub    ? 2
                  : op == BinaryOp::BitXor ? 3
                                           : -1;
  if (operation < 0)
    return nullptr;
  rhs = build.convert(rhs, lhs->type, "the set");
  return objects.run(range, "chirt_set_combine", lhs->type,
                     {lhs, rhs, i32(build, range, operation)});
}

Expr *ObjectChecker::binary(SourceRange range, BinaryOp op, Expr *lhs,
                            Expr *rhs) {
  if (isError(lhs) || isError(rhs))
    return nullptr;
  bool isText = lhs->type->isStr() || rhs->type->isStr();
  bool isObject = lhs->type->isObject() || rhs->type->isObject();
  if (!isText && !isObject)
    return nullptr;
  if (op == BinaryOp::Mod)
    return nullptr; // has a report of its own
  if (!state.hostOnly(range, isText ? "an operator of `str`s"
                                    : "an operator of lists and sets"))
    return fail(range);
  lhs = build.withDefault(lhs);
  bool isJoined = op == BinaryOp::Add;
  if (isJoined && lhs->type->isStr() && rhs->type->isStr())
    return run(range, "chirt_str_concat", types.str, {lhs, rhs});
  if (isJoined && lhs->type->isList() &&
      (rhs->type->isList() || rhs->type->isVec())) {
    if (lhs->type->isOpen())
      return rhs;
    rhs = build.convert(rhs, lhs->type, "the list");
    return run(range, "chirt_list_concat", lhs->type, {lhs, rhs});
  }
  if (op == BinaryOp::Mul) {
    rhs = build.withDefault(rhs);
    if (lhs->type->isInt())
      std::swap(lhs, rhs);
    bool isRepeated =
        rhs->type->isInt() && (lhs->type->isStr() || lhs->type->isList());
    if (isRepeated)
      return run(range,
                 lhs->type->isStr() ? "chirt_str_repeat" : "chirt_list_repeat",
                 lhs->type, {lhs, build.cast(rhs, types.i64)});
  }
  if (lhs->type->isSet() && rhs->type->isSet())
    return combineSets(*this, build, range, op, lhs, rhs);
  return nullptr; // as for other types that do not fit
}

Expr *ObjectChecker::extension(const ast::AugAssignStmt *stmt, Expr *object,
                               Expr *value) {
  TypeRef type = object->type;
  bool isJoined = stmt->op == ast::BinaryOp::Add && type->isList();
  bool isUnited =
      stmt->op == ast::BinaryOp::BitOr && (type->isSet() || type->isDict());
  if (!isJoined && !isUnited)
    return nullptr;
  if (isJoined && value->type->isVec())
    value = build.convert(
        value,
        type->isOpen() ? types.list(build.defaulted(value->type->element))
                       : type,
        "the list");
  Expr *given = isError(value)   ? value
                : type->isList() ? asList(stmt->value->range, value)
                                 : build.withDefault(value);
  if (!given) {
    diags
        .report(stmt->value->range, diag::NotIterable,
                build.defaulted(value->type)->str())
        .send();
    return fail(stmt->range);
  }
  if (isError(given))
    return given;
  if (type->isOpen()) {
    if (given->type->kind == type->kind && !given->type->isOpen())
      settle(stmt->target, type, given->type);
    return fail(stmt->range); // another round knows its elements
  }
  given = build.convert(given, type, "the right side");
  return run(stmt->range,
             type->isList() ? "chirt_list_extend" : "chirt_dict_update",
             types.voidTy, {object, given});
}

void ObjectChecker::settleByPut(const ast::Expr *written, Expr *object,
                                Expr *key, Expr *value) {
  key = build.withDefault(key), value = build.withDefault(value);
  if (isError(key) || isError(value))
    return;
  if (!object->type->isDict() || !mayBeKey(diags, key->range, key->type) ||
      !mayHold(value->range, "a dict", value->type))
    return; // an index of an empty list is out of range
  settle(written, object->type, types.dict(key->type, value->type));
}

Expr *ObjectChecker::compare(SourceRange range, CompareOp op, Expr *lhs,
                             Expr *rhs) {
  if (isError(lhs) || isError(rhs) ||
      (!lhs->type->isObject() && !rhs->type->isObject()))
    return nullptr;
  if (!state.hostOnly(range, "a comparison of lists"))
    return fail(range);
  lhs = build.withDefault(lhs), rhs = build.withDefault(rhs);
  // A bracket has the type of the other side.
  if (lhs->type->isObject() && !lhs->type->isOpen())
    rhs = build.convert(rhs, lhs->type, "the right side");
  else
    lhs = build.convert(lhs, rhs->type, "the left side");
  if (isError(lhs) || isError(rhs))
    return fail(range);
  TypeRef type = lhs->type;
  if (op == CompareOp::Eq || op == CompareOp::Ne) {
    Expr *same = run(range, "chirt_object_equal", types.boolTy, {lhs, rhs});
    return op == CompareOp::Eq ? same : build.unary(range, UnaryOp::Not, same);
  }
  if (type->isSet() && op == CompareOp::Le)
    return run(range, "chirt_set_within", types.boolTy, {lhs, rhs});
  if (type->isSet() && op == CompareOp::Ge)
    return run(range, "chirt_set_within", types.boolTy, {rhs, lhs});
  if (type->isList() && isOrdered(type->element))
    return build.compare(
        range, op, run(range, "chirt_list_compare", types.i32, {lhs, rhs}),
        i32(build, range, 0));
  diags
      .report(range, diag::OperatorTypes, spelling(op), type->str(),
              type->str())
      .send();
  return fail(range);
}

Expr *ObjectChecker::contains(SourceRange range, Expr *value, Expr *object) {
  object = build.withDefault(object);
  TypeRef type = object->type;
  if (isError(object) || isError(value) ||
      !state.hostOnly(range, "a search in a `" + type->str() + "`"))
    return fail(range);
  if (type->isOpen())
    return build.boolLiteral(range, false);
  if (type->isFile()) {
    diags.report(object->range, diag::NotSearchable, type->str()).send();
    return fail(range);
  }
  TypeRef wanted = type->isStr()    ? types.str
                   : type->isDict() ? type->key
                                    : type->element;
  value = build.convert(value, wanted, "the value before `in`");
  if (type->isStr())
    return run(range, "chirt_str_contains", types.boolTy, {object, value});
  Expr *found = op(range, HostOp::Search,
                   type->isList() ? types.i64 : types.boolTy, {object, value});
  if (isError(found))
    return found;
  llvm::cast<HostOpExpr>(found)->text =
      type->isList() ? "chirt_list_find" : "chirt_dict_has";
  return type->isList() ? build.compare(range, CompareOp::Ge, found,
                                        build.intLiteral(range, 0, types.i64))
                        : found;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

Expr *ObjectChecker::length(SourceRange range, Expr *value) {
  value = build.withDefault(value);
  bool isText = value->type->isStr();
  if (isError(value) ||
      !state.hostOnly(range, "the length of a `" + value->type->str() + "`"))
    return fail(range);
  if (value->type->isFile()) {
    diags
        .report(range, diag::BadArgument, "len", "a list, dict, set or str",
                "file")
        .send();
    return fail(range);
  }
  return run(range, isText ? "chirt_str_length" : "chirt_object_length",
             build.defaultInt(), {value});
}

Expr *ObjectChecker::textOf(Expr *object) {
  if (!state.hostOnly(object->range, "the text of a list"))
    return fail(object->range);
  return run(object->range, "chirt_object_text", types.str, {object});
}

Expr *ObjectChecker::toNumber(SourceRange range, Expr *text, TypeRef type) {
  if (!state.hostOnly(range, "a number from a `str`"))
    return fail(range);
  if (type->isFloat())
    return run(range, "chirt_str_float", type, {text});
  if (type->isInt()) {
    // The chirt_dtype of the type.
    int64_t log = type->bits == 8    ? 0
                  : type->bits == 16 ? 1
                  : type->bits == 32 ? 2
                                     : 3;
    return run(
        range, "chirt_str_integer", type,
        {text, i32(build, range,
                   (type->isSigned ? kFirstSigned : kFirstUnsigned) + log)});
  }
  diags.report(range, diag::NotConvertible, "str", type->str()).send();
  return fail(range);
}

Expr *ObjectChecker::asList(SourceRange range, Expr *value) {
  value = build.withDefault(value);
  TypeRef type = value->type;
  if (type->isList())
    return value;
  if (type->isOpen())
    return makeObject(build, range, types.list(nullptr), {});
  if (type->isStr())
    return run(range, "chirt_str_points", types.list(types.str), {value});
  if (type->isDict() || type->isSet())
    return run(range, "chirt_dict_keys",
               types.list(type->isDict() ? type->key : type->element), {value});
  if (type->isFile())
    return run(range, "chirt_file_lines", types.list(types.str), {value});
  return nullptr;
}

static Expr *sum(ObjectChecker &objects, Builder &build, SourceRange range,
                 Expr *list) {
  TypeContext &types = build.types;
  TypeRef element = list->type->element;
  if (!element || !element->isScalar()) {
    build.diags
        .report(range, diag::BadArgument, "sum", "a list of numbers",
                list->type->str())
        .send();
    return build.error(range);
  }
  if (element->isFloat())
    return objects.run(range, "chirt_list_sum_float",
                       element->bits < 32 ? types.f32 : element, {list});
  bool isUnsigned = element->isInt() && !element->isSigned;
  return objects.run(range, "chirt_list_sum",
                     isUnsigned ? types.u64 : types.i64, {list});
}

static Expr *extreme(ObjectChecker &objects, Builder &build, SourceRange range,
                     bool isMax, Expr *list) {
  TypeRef element = list->type->element;
  if (!element || !isOrdered(element)) {
    build.diags
        .report(range, diag::BadArgument, isMax ? "max" : "min",
                "a list of numbers, strs or tuples of them", list->type->str())
        .send();
    return build.error(range);
  }
  std::vector<LetExpr *> lets;
  list = build.reusable(list, lets);
  Expr *place = objects.run(range, "chirt_list_extreme", build.types.i64,
                            {list, i32(build, range, isMax)});
  return build.closeLets(objects.elementAt(range, build.clone(list), place),
                         lets);
}

Expr *ObjectChecker::reduce(SourceRange range, BuiltinName builtin,
                            Expr *value) {
  Expr *list = asList(range, value);
  if (!list || isError(list) ||
      !state.hostOnly(range,
                      ("`" + builtinText(builtin) + "` of a list").str()))
    return fail(range);
  if (builtin == BuiltinName::Sum)
    return sum(*this, build, range, list);
  if (builtin == BuiltinName::Min || builtin == BuiltinName::Max)
    return extreme(*this, build, range, builtin == BuiltinName::Max, list);
  if (!list->type->element || !list->type->element->isBool()) {
    diags
        .report(range, diag::BadArgument, builtinText(builtin),
                "a list of bools", list->type->str())
        .send();
    return fail(range);
  }
  bool isAll = builtin == BuiltinName::All;
  Expr *all = run(range, "chirt_list_all", types.boolTy,
                  {list, i32(build, range, isAll)});
  return isAll ? all : build.unary(range, UnaryOp::Not, all);
}

//===----------------------------------------------------------------------===//
// list, dict, set, sorted, open, ord, chr
//===----------------------------------------------------------------------===//

/// The value of the only argument; an error after a report.
static Expr *only(ExprContext &ctx, const ast::CallExpr *expr) {
  Builder &build = ctx.program.build;
  std::vector<Expr *> args;
  if (!ctx.builtins.builtinArgs(expr, 1, 1, args))
    return build.error(expr->range);
  return build.withDefault(args[0]);
}

Expr *ObjectChecker::callList(const ast::CallExpr *expr) {
  SourceRange range = expr->range;
  if (expr->args.empty())
    return makeObject(build, range, types.list(nullptr), {});
  Iteration iteration;
  auto *call = llvm::dyn_cast<ast::CallExpr>(expr->args[0].value);
  Meaning callee = call ? ctx.names.resolve(call->callee) : Meaning();
  if (expr->args.size() == 1 && callee.kind == Meaning::Builtin &&
      callee.builtin == BuiltinName::Range) {
    if (!ctx.iterables.checkRange(call, iteration))
      return fail(range);
    Iteration::Range &axis = iteration.ranges[0];
    TypeRef type = axis.type ? axis.type : build.defaulted(axis.begin->type);
    Expr *step = axis.step ? axis.step : i32(build, range, 1);
    return run(range, "chirt_list_range", types.list(type),
               {build.cast(axis.begin, types.i64),
                build.cast(axis.end, types.i64), build.cast(step, types.i64)});
  }
  Expr *value = only(ctx, expr);
  if (isError(value))
    return value;
  if (value->type->isVec()) {
    Expr *held = state.held(value);
    std::vector<Expr *> parts;
    for (int64_t k = 0; k < value->type->shape[0]; ++k)
      parts.push_back(build.component(held, k));
    return finished(range, types.list(value->type->element), std::move(parts));
  }
  Expr *list = asList(range, value);
  if (!list) {
    diags.report(value->range, diag::NotIterable, value->type->str()).send();
    return fail(range);
  }
  bool isNew = list != value || llvm::isa<BlockExpr>(list);
  return isNew ? list : run(range, "chirt_object_copy", list->type, {list});
}

Expr *ObjectChecker::callSet(const ast::CallExpr *expr) {
  SourceRange range = expr->range;
  if (expr->args.empty())
    return makeObject(build, range, types.set(nullptr), {});
  Expr *value = only(ctx, expr);
  if (isError(value))
    return value;
  if (value->type->isVec()) // `set([1, 2])`
    value = build.convert(value, types.list(value->type->element), "the list");
  if (isError(value))
    return value;
  Expr *list = asList(range, value);
  if (!list) {
    diags.report(value->range, diag::NotIterable, value->type->str()).send();
    return fail(range);
  }
  if (list->type->isOpen())
    return makeObject(build, range, types.set(nullptr), {});
  if (!mayBeKey(diags, range, list->type->element))
    return fail(range);
  return run(range, "chirt_set_of", types.set(list->type->element), {list});
}

Expr *ObjectChecker::callSorted(const ast::CallExpr *expr) {
  SourceRange range = expr->range;
  SortArguments given;
  if (expr->args.empty() || !expr->args[0].keyword.empty() ||
      !sortArguments(expr, 1, given))
    return fail(range);
  Expr *value = ctx.exprs.checkTyped(expr->args[0].value);
  if (isError(value))
    return fail(range);
  if (value->type->isVec())
    value = build.convert(value, types.list(value->type->element), "the list");
  Expr *list = isError(value) ? nullptr : asList(range, value);
  if (!list) {
    if (!isError(value))
      diags.report(value->range, diag::NotIterable, value->type->str()).send();
    return fail(range);
  }
  auto *block = build.make<BlockExpr>(range, list->type);
  Variable *made = state.freshVariable(".sorted", range, list->type);
  auto *assign = build.makeStmt<AssignStmt>(range);
  assign->lvalue.kind = LValue::Local;
  assign->lvalue.variable = made;
  assign->lvalue.type = list->type;
  assign->lvalue.range = range;
  assign->value = run(range, "chirt_object_copy", list->type, {list});
  auto *sort = build.makeStmt<ExprStmt>(range);
  sort->value = sortBy(ctx, expr, build.variable(range, made), given, "sorted");
  if (isError(sort->value))
    return fail(range);
  block->body = {assign, sort};
  block->value = build.variable(range, made);
  return block;
}

Expr *ObjectChecker::callOpen(const ast::CallExpr *expr) {
  std::vector<Expr *> args;
  if (!ctx.builtins.builtinArgs(expr, 1, 2, args))
    return fail(expr->range);
  if (args.size() == 1) {
    auto *mode = build.make<StringLiteralExpr>(expr->range, types.str);
    mode->value = "r";
    args.push_back(mode);
  }
  for (Expr *&arg : args)
    arg = build.convert(arg, types.str, "the argument of `open`");
  return run(expr->range, "chirt_file_open", types.file, args);
}

Expr *ObjectChecker::callBuiltin(const ast::CallExpr *expr,
                                 BuiltinName builtin) {
  SourceRange range = expr->range;
  if (!state.hostOnly(range, ("`" + builtinText(builtin) + "`").str()))
    return fail(range);
  switch (builtin) {
  case BuiltinName::List:
    return callList(expr);
  case BuiltinName::Set:
    return callSet(expr);
  case BuiltinName::Sorted:
    return callSorted(expr);
  case BuiltinName::Open:
    return callOpen(expr);
  case BuiltinName::Dict: {
    if (expr->args.empty())
      return makeObject(build, range, types.dict(nullptr, nullptr), {});
    Expr *value = only(ctx, expr);
    if (!isError(value) && !value->type->isDict()) {
      diags
          .report(range, diag::BadArgument, "dict", "a dict",
                  value->type->str())
          .send();
      return fail(range);
    }
    return run(range, "chirt_object_copy", value->type, {value});
  }
  default: {
    bool isOrd = builtin == BuiltinName::Ord;
    Expr *value = only(ctx, expr);
    value = isError(value) || isOrd
                ? build.convert(value, types.str, "the argument of `ord`")
                : build.convert(value, types.i64, "the argument of `chr`");
    return run(range, isOrd ? "chirt_str_point" : "chirt_point_str",
               isOrd ? build.defaultInt() : types.str, {value});
  }
  }
}
