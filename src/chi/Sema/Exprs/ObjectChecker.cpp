//===- ObjectChecker.cpp - Literals and elements of objects ---------------===//
#include "chi/Sema/Exprs/ObjectChecker.h"
#include "chi/Sema/Advice/Advice.h"
#include "chi/Sema/Build/Objects.h"
#include "chi/Sema/Exprs/ExprChecker.h"
#include "chi/Sema/Exprs/HostCallChecker.h"
#include "chi/Sema/Names/NameChecker.h"
#include "llvm/ADT/STLExtras.h"

using namespace chi;
using namespace chi::sema;

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

Expr *ObjectChecker::op(SourceRange range, HostOp kind, TypeRef type,
                        std::vector<Expr *> args) {
  for (const Expr *arg : args)
    if (isError(arg))
      return fail(range);
  auto *made = build.make<HostOpExpr>(range, type);
  made->op = kind;
  made->args = std::move(args);
  return made;
}

Expr *ObjectChecker::run(SourceRange range, llvm::StringRef function,
                         TypeRef type, std::vector<Expr *> args) {
  Expr *made = op(range, HostOp::Run, type, std::move(args));
  if (auto *call = llvm::dyn_cast<HostOpExpr>(made))
    call->text = function.str();
  return made;
}

static Expr *i32(Builder &build, SourceRange range, int64_t value) {
  return build.intLiteral(range, value, build.types.i32);
}

//===----------------------------------------------------------------------===//
// Types of elements
//===----------------------------------------------------------------------===//

/// A value of an object has at most as many scalars and handles.
static constexpr int64_t kMaxScalars = 16;

static bool holdsArray(TypeRef type) { return type->holds(TypeKind::Array); }

bool ObjectChecker::mayHold(SourceRange range, llvm::StringRef what,
                            TypeRef element) {
  bool isValue = element->isScalar() || element->isAggregate() ||
                 element->isStr() || element->isObject() ||
                 element->isField() || element->hasMembers();
  if (isValue && !holdsArray(element) && element->numScalars() <= kMaxScalars)
    return true;
  if (!element->isError())
    diags.report(range, diag::BadElement, what, build.defaulted(element)->str())
        .send();
  return false;
}

bool sema::mayBeKey(DiagnosticEngine &diags, SourceRange range, TypeRef key) {
  if (!key->holdsObject() && !key->holdsField())
    return true;
  diags.report(range, diag::BadKey, key->str()).send();
  return false;
}

/// The type of the elements of a list with these parts; null after an error.
TypeRef ObjectChecker::elementOf(llvm::ArrayRef<Expr *> parts) {
  TypeRef joined = nullptr;
  bool hasList = false, hasOthers = false;
  for (const Expr *part : parts) {
    hasList |= part->type->isList();
    hasOthers |=
        part->type->isVec() && part->type->shape != parts[0]->type->shape;
  }
  for (const Expr *part : parts) {
    TypeRef type = part->type;
    // Beside lists, and where they differ in size, brackets are lists.
    if ((hasList || hasOthers) && type->isVec() &&
        llvm::isa<ConstructExpr>(part))
      type = types.list(type->element);
    TypeRef next = joined ? build.joinTypes(joined, type) : type;
    if (!next) {
      auto [was, is] =
          distinctNames(build.defaulted(joined), build.defaulted(type));
      diags.report(part->range, diag::ElementsDiffer, was, is).send();
      return nullptr;
    }
    joined = next;
  }
  return joined;
}

/// A literal whose parts get the types of its elements, if these are decided.
Expr *ObjectChecker::finished(SourceRange range, TypeRef type,
                              std::vector<Expr *> parts) {
  if (!isUntyped(type))
    for (auto [k, part] : llvm::enumerate(parts)) {
      bool isKey = type->isDict() && k % 2 == 0;
      part =
          build.convert(part, isKey ? type->key : type->element, "the element");
      if (isError(part))
        return fail(range);
    }
  return makeObject(build, range, type, std::move(parts));
}

//===----------------------------------------------------------------------===//
// Literals
//===----------------------------------------------------------------------===//

Expr *ObjectChecker::listOf(SourceRange range, std::vector<Expr *> parts) {
  if (!state.hostOnly(range, "a list"))
    return fail(range);
  if (parts.empty())
    return makeObject(build, range, types.list(nullptr), {});
  TypeRef element = elementOf(parts);
  if (!element || !mayHold(range, "a list", element))
    return fail(range);
  return finished(range, types.list(element), std::move(parts));
}

Expr *ObjectChecker::checkBraces(const ast::Expr *expr) {
  auto *set = llvm::dyn_cast<ast::SetExpr>(expr);
  llvm::ArrayRef<ast::Expr *> written =
      set ? set->elements : llvm::cast<ast::DictExpr>(expr)->items;
  std::vector<Expr *> parts, keys, values;
  bool ok = state.hostOnly(expr->range, set ? "a set" : "a dict");
  for (auto [k, each] : llvm::enumerate(written)) {
    Expr *part = ctx.exprs.checkExpr(each);
    if (part->type->isVoid()) {
      diags.report(each->range, diag::NoValue).send();
      part = fail(each->range);
    }
    ok &= !isError(part);
    parts.push_back(part);
    (set || k % 2 == 0 ? keys : values).push_back(part);
  }
  if (!ok)
    return fail(expr->range);
  if (parts.empty())
    return makeObject(build, expr->range, types.dict(nullptr, nullptr), {});
  TypeRef key = elementOf(keys);
  TypeRef value = set ? key : elementOf(values);
  if (!key || !value || !mayHold(expr->range, set ? "a set" : "a dict", key) ||
      !mayHold(expr->range, "a dict", value) ||
      !mayBeKey(diags, expr->range, key))
    return fail(expr->range);
  return finished(expr->range, set ? types.set(key) : types.dict(key, value),
                  std::move(parts));
}

Expr *ObjectChecker::checkComprehension(const ast::ComprehensionExpr *expr,
                                        TypeRef wanted) {
  SourceRange range = expr->range;
  if (!state.hostOnly(range, "a comprehension") || !ctx.statements)
    return fail(range);
  auto *block = build.make<BlockExpr>(range, nullptr);
  Collector collector;
  collector.isDict = expr->of == ast::ComprehensionExpr::Dict;
  collector.isSet = expr->of == ast::ComprehensionExpr::Set;
  collector.wanted = wanted;
  collector.made = state.freshVariable(".made", range, nullptr);
  auto *assign = build.makeStmt<AssignStmt>(range);
  assign->lvalue.kind = LValue::Local;
  assign->lvalue.variable = collector.made;
  assign->lvalue.range = range;
  assign->value = makeObject(build, range, nullptr, {});
  block->body.push_back(assign);
  collectors.push_back(collector);
  ctx.statements->checkInto(expr->loop, block->body);
  collector = collectors.back();
  collectors.pop_back();
  if (!collector.keeps)
    return fail(range);
  llvm::ArrayRef<Expr *> kept = collector.keeps->args;
  TypeRef element = kept.back()->type;
  TypeRef type = collector.isSet    ? types.set(element)
                 : collector.isDict ? types.dict(kept[1]->type, element)
                                    : types.list(element);
  collector.made->type = type;
  assign->lvalue.type = assign->value->type = kept[0]->type = type;
  block->value = build.variable(range, collector.made);
  block->type = type;
  block->keeps = collector.keeps;
  return block;
}

void ObjectChecker::collect(const ast::CollectedExpr *expr) {
  Collector collector = collectors.back(); // inner ones move them
  std::vector<Expr *> args = {build.variable(expr->range, collector.made)};
  for (const ast::Expr *each : {expr->key, expr->value}) {
    if (!each)
      continue;
    bool isKey = each == expr->key || collector.isSet;
    TypeRef wanted = collector.wanted;
    Expr *part = wanted && each == expr->value ? checkAs(each, wanted->element)
                                               : ctx.exprs.checkExpr(each);
    if (!isError(part) && part->type->isVoid())
      diags.report(each->range, diag::NoValue).send();
    if (isError(part) || part->type->isVoid() ||
        !mayHold(each->range, "a list", part->type) ||
        (isKey && !mayBeKey(diags, each->range, part->type)))
      return;
    args.push_back(part);
  }
  bool isList = !collector.isDict && !collector.isSet;
  auto *keeps = build.make<HostOpExpr>(expr->range, types.voidTy);
  keeps->op = isList ? HostOp::ListPush : HostOp::DictPut;
  keeps->args = std::move(args);
  collectors.back().keeps = keeps;
  state.emit<ExprStmt>(expr->range)->value = keeps;
}

/// `[e] * n`, `n * [e]`: the bracket, and what it is multiplied with.
static std::pair<const ast::ListExpr *, const ast::Expr *>
repeatedBracket(const ast::Expr *expr) {
  auto *product = llvm::dyn_cast<ast::BinaryExpr>(expr);
  if (!product || product->op != ast::BinaryOp::Mul)
    return {};
  if (auto *list = llvm::dyn_cast<ast::ListExpr>(product->lhs))
    return {list, product->rhs};
  return {llvm::dyn_cast<ast::ListExpr>(product->rhs), product->lhs};
}

Expr *ObjectChecker::checkAs(const ast::Expr *expr, TypeRef type) {
  if (!type || !type->isObject() || type->isOpen() || type->isFile())
    return ctx.exprs.checkExpr(expr);
  if (auto *comprehension = llvm::dyn_cast<ast::ComprehensionExpr>(expr))
    return checkComprehension(comprehension, type);
  if (!type->isList())
    return ctx.exprs.checkExpr(expr);
  auto *list = llvm::dyn_cast<ast::ListExpr>(expr);
  if (list && type->element->isList()) {
    std::vector<Expr *> parts;
    for (const ast::Expr *each : list->elements) {
      parts.push_back(build.convert(checkAs(each, type->element), type->element,
                                    "the element"));
      if (isError(parts.back()))
        return fail(expr->range);
    }
    return state.hostOnly(expr->range, "a list")
               ? makeObject(build, expr->range, type, std::move(parts))
               : fail(expr->range);
  }
  auto [bracket, factor] = repeatedBracket(expr);
  if (!bracket || !state.hostOnly(expr->range, "a list"))
    return ctx.exprs.checkExpr(expr);
  Expr *one = build.convert(checkAs(bracket, type), type, "the list");
  Expr *count = ctx.exprs.checkTyped(factor);
  if (isError(one) || isError(count))
    return fail(expr->range);
  return binary(expr->range, BinaryOp::Mul, one, count);
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// An index or bound as an i64; an error after a report.
Expr *ObjectChecker::indexOf(const ast::Expr *expr) {
  Expr *value = ctx.exprs.checkTyped(expr);
  if (isError(value))
    return value;
  if (value->type->isInt())
    return build.cast(value, types.i64);
  ctx.advice.reportNotInt(diag::IndexNotInt, expr, value->type);
  return fail(expr->range);
}

Expr *ObjectChecker::sliceOf(Expr *base, const ast::SliceExpr *slice,
                             SourceRange range) {
  int64_t flags =
      (slice->begin ? kSliceBegin : 0) | (slice->end ? kSliceEnd : 0);
  std::vector<Expr *> args = {base, i32(build, range, flags)};
  for (const ast::Expr *bound : {slice->begin, slice->end, slice->step})
    args.push_back(bound ? indexOf(bound)
                         : build.intLiteral(range, 0, types.i64));
  if (!slice->step)
    args.back() = build.intLiteral(range, 1, types.i64);
  return run(range,
             base->type->isStr() ? "chirt_str_slice" : "chirt_list_slice",
             base->type, std::move(args));
}

Expr *ObjectChecker::keyOf(Expr *object, const ast::SubscriptExpr *expr) {
  TypeRef type = object->type;
  if (expr->indices.size() != 1 && !type->isDict()) {
    ctx.advice.reportRank(expr->range, type, 1, expr->indices.size()).send();
    return nullptr;
  }
  const ast::Expr *written = expr->indices[0];
  if (llvm::isa<ast::NoneExpr>(written)) {
    diags.report(written->range, diag::NoneValue).send();
    return nullptr;
  }
  if (!type->isDict()) {
    Expr *index = indexOf(written);
    return isError(index) ? nullptr : index;
  }
  Expr *key = nullptr;
  if (expr->indices.size() == 1) {
    key = ctx.exprs.checkExpr(written);
  } else { // `d[a, b]`: a tuple
    std::vector<Expr *> parts;
    std::vector<TypeRef> members;
    for (const ast::Expr *each : expr->indices) {
      parts.push_back(ctx.exprs.checkExpr(each));
      members.push_back(parts.back()->type);
      if (isError(parts.back()))
        return nullptr;
    }
    key = build.construct(expr->range, types.tuple(members), parts);
  }
  if (!isError(key) && !type->isOpen())
    key = build.convert(key, type->key, "the key");
  return isError(key) ? nullptr : key;
}

Expr *ObjectChecker::elementAt(SourceRange range, Expr *object, Expr *key) {
  TypeRef type = object->type;
  if (type->isRef())
    return op(range, HostOp::MemberAt, type->members[*constantInt(key)],
              {object, key});
  if (type->isStr())
    return run(range, "chirt_str_at", types.str, {object, key});
  return op(range, type->isDict() ? HostOp::DictAt : HostOp::ListAt,
            type->element, {object, key});
}

Expr *ObjectChecker::memberOf(SourceRange range, Expr *object,
                              unsigned number) {
  if (!state.hostOnly(range, "a `" + object->type->str() + "`"))
    return fail(range);
  return elementAt(range, object, build.intLiteral(range, number, types.i64));
}

Expr *ObjectChecker::put(SourceRange range, Expr *object, Expr *key,
                         Expr *value) {
  if (isError(object) || isError(key))
    return fail(range);
  if (object->type->isRef()) {
    int64_t number = *constantInt(key);
    value = build.convert(value, object->type->members[number],
                          "`" + object->type->memberNames[number] + "`");
    return op(range, HostOp::MemberPut, types.voidTy, {object, key, value});
  }
  bool isDict = object->type->isDict();
  value = build.convert(value, object->type->element, "the element");
  return op(range, isDict ? HostOp::DictPut : HostOp::ListPut, types.voidTy,
            {object, key, value});
}

Expr *ObjectChecker::subscript(Expr *base, const ast::SubscriptExpr *expr) {
  base = build.withDefault(base);
  TypeRef type = base->type;
  if (isError(base) ||
      !state.hostOnly(expr->range,
                      type->isStr() ? "an index of a `str`" : "a list"))
    return fail(expr->range);
  if (type->isSet() || type->isFile()) {
    diags.report(expr->base->range, diag::NotIndexable, type->str()).send();
    return fail(expr->range);
  }
  auto *slice = expr->indices.size() == 1
                    ? llvm::dyn_cast<ast::SliceExpr>(expr->indices[0])
                    : nullptr;
  if (slice && !type->isDict())
    return sliceOf(base, slice, expr->range);
  Expr *key = keyOf(base, expr);
  if (!key || type->isOpen())
    return fail(expr->range); // another round knows its elements
  return elementAt(expr->range, base, key);
}

//===----------------------------------------------------------------------===//
// Objects whose elements are not known yet
//===----------------------------------------------------------------------===//

void sema::reportOpen(DiagnosticEngine &diags, SourceRange range,
                      llvm::StringRef name, TypeRef type) {
  std::string written = type->isDict()  ? "dict[str, i32] = {}"
                        : type->isSet() ? "set[i32] = set()"
                                        : "list[i32] = []";
  diags.report(range, diag::OpenElements, name)
      .note({}, diag::Advice,
            "write the type of the elements, for example `" + name.str() +
                ": " + written + "`")
      .send();
}

/// Gives the variable `written` the type that its first element says; false if
/// it cannot have one.
bool ObjectChecker::settle(const ast::Expr *written, TypeRef open,
                           TypeRef type) {
  Meaning meaning = ctx.names.resolve(written);
  if (meaning.kind == Meaning::Local && !meaning.local->isAnnotated) {
    state.setType(*meaning.local, type);
    return true;
  }
  if (meaning.kind == Meaning::TopLevel && !meaning.topLevel->isAnnotated) {
    meaning.topLevel->type = type;
    program.askForRound();
    return true;
  }
  reportOpen(diags, written->range, program.sources.text(written->range), open);
  return false;
}

//===----------------------------------------------------------------------===//
// Methods that take several statements
//===----------------------------------------------------------------------===//

namespace {
/// An expression that begins with statements.
class Block {
public:
  Block(Builder &build, BodyState &state, SourceRange range)
      : build(build), state(state), range(range),
        made(build.make<BlockExpr>(range, nullptr)) {}

  /// A read of a new variable that is set to the value in the block.
  Expr *keep(Expr *value) {
    Variable *variable = state.freshVariable(".part", range, value->type);
    auto *assign = build.makeStmt<AssignStmt>(range);
    assign->lvalue.kind = LValue::Local;
    assign->lvalue.variable = variable;
    assign->lvalue.type = value->type;
    assign->lvalue.range = range;
    assign->value = value;
    made->body.push_back(assign);
    return build.variable(range, variable);
  }
  void add(Stmt *stmt) { made->body.push_back(stmt); }
  Expr *finish(Expr *value) {
    made->value = value;
    made->type = value->type;
    return made;
  }

private:
  Builder &build;
  BodyState &state;
  SourceRange range;
  BlockExpr *made;
};
} // namespace

/// `d.setdefault(k, v)`
static Expr *setDefault(ExprContext &ctx, Block &block, SourceRange range,
                        Expr *dict, Expr *key, Expr *value) {
  Builder &build = ctx.program.build;
  dict = block.keep(dict), key = block.keep(key), value = block.keep(value);
  Expr *has = ctx.objects.contains(range, build.clone(key), build.clone(dict));
  auto *store = build.makeStmt<ExprStmt>(range);
  store->value =
      ctx.objects.put(range, build.clone(dict), build.clone(key), value);
  auto *branch = build.makeStmt<IfStmt>(range);
  branch->condition = build.unary(range, UnaryOp::Not, has);
  branch->thenBody.push_back(store);
  block.add(branch);
  return block.finish(ctx.objects.elementAt(range, dict, key));
}

/// `d.popitem()`
static Expr *popItem(ExprContext &ctx, Block &block, SourceRange range,
                     Expr *dict) {
  Builder &build = ctx.program.build;
  TypeContext &types = build.types;
  TypeRef type = dict->type;
  dict = block.keep(dict);
  Expr *keys =
      block.keep(ctx.objects.run(range, "chirt_dict_last_key",
                                 types.list(type->key), {build.clone(dict)}));
  Expr *key = block.keep(ctx.objects.elementAt(
      range, keys, build.intLiteral(range, 0, types.i64)));
  Expr *value = block.keep(ctx.hostCalls.hostOp(
      range, HostOp::DictPop, type->element, {dict, build.clone(key)}));
  return block.finish(build.construct(
      range, types.tuple({type->key, type->element}), {key, value}));
}

Expr *ObjectChecker::callInBlock(SourceRange range, llvm::StringRef name,
                                 llvm::ArrayRef<Expr *> args) {
  if (args[0]->type->isOpen() || llvm::any_of(args, isError))
    return fail(range);
  Block block(build, state, range);
  return name == "popitem"
             ? popItem(ctx, block, range, args[0])
             : setDefault(ctx, block, range, args[0], args[1], args[2]);
}
