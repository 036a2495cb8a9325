//===- ClassChecker.cpp - Constructors, members and methods ---------------===//
#include "chi/Sema/Exprs/ClassChecker.h"
#include "chi/Sema/Advice/Advice.h"
#include "chi/Sema/Builtins/Foreign.h"
#include "chi/Sema/Exprs/CallChecker.h"
#include "chi/Sema/Exprs/DerivativeChecker.h"
#include "chi/Sema/Exprs/ExprChecker.h"
#include "chi/Sema/Exprs/ObjectChecker.h"
#include "llvm/ADT/STLExtras.h"

using namespace chi;
using namespace chi::sema;

//===----------------------------------------------------------------------===//
// Constructors
//===----------------------------------------------------------------------===//

/// Gives each argument the number of its member; false after a report.
bool ClassChecker::matchMembers(const ast::CallExpr *expr,
                                const ClassDecl &decl,
                                std::vector<size_t> &numbers) {
  llvm::StringRef name = decl.ast->name;
  size_t numPositional = 0;
  std::vector<llvm::StringRef> names;
  for (const ClassMember &member : decl.members)
    names.push_back(member.name);
  for (const ast::Argument &arg : expr->args)
    numPositional += arg.keyword.empty();
  if (numPositional > names.size()) {
    diags
        .report(expr->range, diag::ArgCountRange, name, size_t(0), names.size(),
                numPositional)
        .note(decl.ast->nameRange, diag::DeclaredHere, name)
        .send();
    return false;
  }
  bool ok = true;
  std::vector<bool> isGiven(names.size());
  for (const ast::Argument &arg : expr->args) {
    size_t k = arg.keyword.empty()
                   ? numbers.size()
                   : llvm::find(names, arg.keyword) - names.begin();
    numbers.push_back(k);
    if (k == names.size()) {
      std::string best = nearest(arg.keyword, names);
      auto report = diags.report(arg.keywordRange, diag::UnknownKeyword, name,
                                 arg.keyword);
      report.addNote(decl.ast->nameRange, diag::DeclaredHere, name);
      if (!best.empty())
        report.addFixIt(arg.keywordRange, best);
      ok = false;
    } else if (isGiven[k]) {
      diags.report(arg.keywordRange, diag::ArgTwice, arg.keyword).send();
      ok = false;
    } else {
      isGiven[k] = true;
    }
  }
  return ok;
}

Expr *ClassChecker::makeObject(const ast::CallExpr *expr, TypeRef type,
                               llvm::ArrayRef<size_t> numbers,
                               std::vector<Expr *> values) {
  ClassInstance &of = classOf(type);
  std::vector<Expr *> parts;
  for (const ClassMember &member : of.members)
    parts.push_back(nullptr);
  bool ok = true;
  for (auto [number, value] : llvm::zip(numbers, values)) {
    const ClassMember &member = of.members[number];
    parts[number] = build.convert(value, member.type,
                                  ("the member `" + member.name + "`").str());
    ok &= !isError(parts[number]);
  }
  if (!ok)
    return fail(expr->range);
  // [Num.5] Where two of them do something, they do it as they are written.
  llvm::SmallVector<size_t> order;
  for (size_t number : numbers)
    if (!build.isPure(parts[number]))
      order.push_back(number);
  std::vector<LetExpr *> lets;
  if (!llvm::is_sorted(order))
    for (size_t number : order)
      parts[number] = build.reusable(parts[number], lets);
  for (auto [part, member] : llvm::zip(parts, of.members))
    if (!part)
      part = build.clone(member.value);
  return build.closeLets(build.construct(expr->range, type, std::move(parts)),
                         lets);
}

/// What the type parameters of a generic class are, by the members that are
/// given; false after a report. What has a type counts before literals.
bool ClassChecker::inferArguments(const ast::CallExpr *expr, ClassDecl &decl,
                                  llvm::ArrayRef<size_t> numbers,
                                  llvm::ArrayRef<Expr *> values,
                                  TypeNames &typeNames) {
  for (bool isLiteral : {false, true})
    for (auto [number, value] : llvm::zip(numbers, values))
      if (isUntyped(value->type) == isLiteral)
        ctx.calls.inferClass(decl, decl.members[number].written,
                             build.defaulted(value->type), typeNames);
  for (const ast::TypeParameter &parameter : decl.ast->typeParams) {
    if (typeNames.count(parameter.name))
      continue;
    std::string names;
    for (const ast::TypeParameter &each : decl.ast->typeParams)
      names += (names.empty() ? "" : ", ") + each.name.str();
    diags.report(expr->range, diag::NotInferred, parameter.name, decl.ast->name)
        .note({}, diag::NameArguments,
              (decl.ast->name + "[" + names + "](…)").str())
        .send();
    return false;
  }
  return true;
}

static bool isEach(llvm::ArrayRef<Expr *> values) {
  return llvm::none_of(values, [](Expr *value) { return isError(value); });
}

Expr *ClassChecker::construct(const ast::CallExpr *expr, ClassDecl &decl) {
  std::vector<size_t> numbers;
  bool ok = !decl.isBroken && matchMembers(expr, decl, numbers);
  std::vector<Expr *> values;
  for (const ast::Argument &arg : expr->args) {
    values.push_back(ctx.exprs.checkExpr(arg.value));
    if (!isError(values.back()) && values.back()->type->isVoid()) {
      diags.report(arg.value->range, diag::NoValue).send();
      ok = false;
    }
  }
  TypeNames typeNames;
  if (!ok || !isEach(values) ||
      !inferArguments(expr, decl, numbers, values, typeNames))
    return fail(expr->range);
  TypeRef type = program.classType(decl, typeNames, expr->range);
  if (type->isError())
    return fail(expr->range);
  return makeObject(expr, type, numbers, std::move(values));
}

Expr *ClassChecker::construct(const ast::CallExpr *expr, TypeRef type) {
  std::vector<size_t> numbers;
  bool ok = matchMembers(expr, *classOf(type).decl, numbers);
  std::vector<Expr *> values;
  for (const ast::Argument &arg : expr->args) {
    values.push_back(ctx.exprs.checkExpr(arg.value));
    if (!isError(values.back()) && values.back()->type->isVoid()) {
      diags.report(arg.value->range, diag::NoValue).send();
      ok = false;
    }
  }
  if (!ok || !isEach(values))
    return fail(expr->range);
  return makeObject(expr, type, numbers, std::move(values));
}

//===----------------------------------------------------------------------===//
// Members
//===----------------------------------------------------------------------===//

bool ClassChecker::hasMethod(TypeRef type, llvm::StringRef name) {
  return type->isStruct() && classOf(type).decl->methods.count(name) != 0;
}

void ClassChecker::reportNoMember(TypeRef type, llvm::StringRef name,
                                  SourceRange nameRange) {
  const ClassDecl &decl = *classOf(type).decl;
  std::vector<llvm::StringRef> names;
  for (const ClassMember &member : decl.members)
    names.push_back(member.name);
  for (auto &[method, overloads] : decl.methods)
    names.push_back(method);
  std::string best = nearest(name, names);
  if (!best.empty())
    diags.report(nameRange, diag::NoMemberNear, type->str(), name, best)
        .fixIt(nameRange, best)
        .send();
  else
    diags.report(nameRange, diag::NoMember, type->str(), name)
        .note(decl.ast->nameRange, diag::DeclaredHere, decl.ast->name)
        .send();
}

Expr *ClassChecker::member(Expr *base, llvm::StringRef name,
                           SourceRange nameRange, SourceRange range) {
  TypeRef type = base->type;
  if (auto k = type->memberNamed(name))
    return memberAt(base, *k, range);
  if (!hasMethod(type, name)) {
    reportNoMember(type, name, nameRange);
    return fail(range);
  }
  diags.report(nameRange, diag::MethodAsValue, name, type->str())
      .note({}, diag::CallMethod, program.sources.text(range))
      .send();
  return fail(range);
}

Expr *ClassChecker::memberAt(Expr *base, unsigned k, SourceRange range) {
  if (base->type->isField())
    return fieldOfMember(base, k, range);
  // Of an element of a field only the member is loaded.
  if (auto *load = llvm::dyn_cast<LoadExpr>(base)) {
    load->field = fieldOfMember(load->field, k, load->field->range);
    load->type = base->type->members[k];
    load->range = range;
    return isError(load->field) ? fail(range) : load;
  }
  if (auto *let = llvm::dyn_cast<LetExpr>(base)) {
    let->body = memberAt(let->body, k, range);
    let->type = let->body->type;
    let->range = range;
    return isError(let->body) ? fail(range) : let;
  }
  auto *parts = llvm::dyn_cast<ConstructExpr>(base);
  if (parts && build.isPure(base)) {
    Expr *part = build.clone(parts->parts[k]);
    part->range = range;
    return part;
  }
  auto *part = build.make<ExtractExpr>(range, base->type->members[k]);
  part->base = base;
  part->path = {PathStep::ofMember(k)};
  return part;
}

Expr *ClassChecker::fieldOfMember(Expr *field, unsigned k, SourceRange range) {
  if (auto *companion = llvm::dyn_cast<CompanionExpr>(field))
    return ctx.derivatives.companionOf(
        fieldOfMember(companion->field, k, companion->field->range), range,
        companion->isDual);
  auto *part = build.make<ExtractExpr>(range, field->type->members[k]);
  part->base = field;
  part->path = {PathStep::ofMember(k)};
  return part;
}

Expr *ClassChecker::leafOf(Expr *field) {
  while (field->type->isFieldOfClass())
    field = fieldOfMember(field, 0, field->range);
  return field;
}

//===----------------------------------------------------------------------===//
// Methods
//===----------------------------------------------------------------------===//

/// "(f32, Ray)", of arguments.
static std::string typesOf(const Builder &build, llvm::ArrayRef<Expr *> args) {
  std::string text;
  for (Expr *arg : args)
    text +=
        (text.empty() ? "`" : ", `") + build.defaulted(arg->type)->str() + "`";
  return text.empty() ? "no argument" : text;
}

/// The method that fits the arguments best; null after a report.
FunctionDecl *ClassChecker::choose(const ast::CallExpr *expr, TypeRef type,
                                   llvm::ArrayRef<FunctionDecl *> methods,
                                   llvm::ArrayRef<Expr *> args,
                                   SourceRange nameRange) {
  if (methods.size() == 1)
    return methods[0];
  FunctionDecl *best = nullptr;
  unsigned least = 0;
  bool isTied = false;
  for (FunctionDecl *method : methods) {
    auto distance = ctx.calls.distanceTo(*method, expr, type, args);
    if (!distance || (best && *distance > least))
      continue;
    isTied = best && *distance == least;
    best = method;
    least = *distance;
  }
  if (best && !isTied)
    return best;
  llvm::StringRef name = methods[0]->ast->name;
  auto report =
      diags.report(nameRange, best ? diag::ManyOverloads : diag::NoOverload,
                   name, type->str(), typesOf(build, args));
  for (FunctionDecl *method : methods)
    report.addNote(method->ast->nameRange, diag::DeclaredHere, name);
  return nullptr;
}

Expr *ClassChecker::callMethod(const ast::CallExpr *expr, Expr *base,
                               const ast::AttributeExpr *callee) {
  TypeRef type = base->type;
  auto found = classOf(type).decl->methods.find(callee->name);
  bool isMethod = found != classOf(type).decl->methods.end();
  std::vector<Expr *> args;
  bool ok = true;
  // Of one method the parameters say what the arguments may be.
  if (!isMethod || found->second.size() > 1)
    for (const ast::Argument &arg : expr->args) {
      args.push_back(ctx.exprs.checkExpr(arg.value));
      ok &= !isError(args.back());
    }
  if (!isMethod) {
    if (auto k = type->memberNamed(callee->name)) {
      Expr *value = memberAt(base, *k, callee->range);
      if (Expr *result = callNamed(expr->range, "__call__", value, args))
        return result;
      diags
          .report(callee->nameRange, diag::NotCallable,
                  type->members[*k]->str())
          .send();
    } else {
      reportNoMember(type, callee->name, callee->nameRange);
    }
    return fail(expr->range);
  }
  if (!ok)
    return fail(expr->range);
  FunctionDecl *method =
      choose(expr, type, found->second, args, callee->nameRange);
  return method ? ctx.calls.callMethod(expr, *method, base, args)
                : fail(expr->range);
}

Expr *ClassChecker::callNamed(SourceRange range, llvm::StringRef name,
                              Expr *self, llvm::ArrayRef<Expr *> args) {
  if (!hasMethod(self->type, name))
    return nullptr;
  if (!isEach(args))
    return fail(range);
  // The arguments are checked; their places are all that is left of them.
  std::deque<ast::NoneExpr> places;
  std::vector<ast::Argument> given;
  for (Expr *arg : args) {
    places.emplace_back(arg->range);
    ast::Argument argument;
    argument.value = &places.back();
    given.push_back(argument);
  }
  ast::CallExpr call(range);
  call.args = given;
  ast::NoneExpr callee(range);
  call.callee = &callee;
  FunctionDecl *method =
      choose(&call, self->type,
             classOf(self->type).decl->methods.find(name)->second, args, range);
  return method ? ctx.calls.callMethod(&call, *method, self, args)
                : fail(range);
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

/// "add" of `__add__`, `__radd__` and `__iadd__`.
static llvm::StringRef methodOf(ast::BinaryOp op) {
  static constexpr llvm::StringRef kNames[] = {
      "add",    "sub", "mul", "truediv", "floordiv", "mod",   "pow",
      "matmul", "and", "or",  "xor",     "lshift",   "rshift"};
  return kNames[unsigned(op)];
}

Expr *ClassChecker::binary(SourceRange range, SourceRange opRange,
                           ast::BinaryOp op, Expr *lhs, Expr *rhs,
                           bool isInPlace) {
  std::string stem = methodOf(op).str();
  if (isInPlace)
    if (Expr *result = callNamed(range, "__i" + stem + "__", lhs, {rhs}))
      return result;
  bool isReflected = !hasMethod(lhs->type, "__" + stem + "__");
  std::string name = (isReflected ? "__r" : "__") + stem + "__";
  Expr *self = isReflected ? rhs : lhs;
  if (hasMethod(self->type, name)) {
    if (!isReflected)
      return callNamed(range, name, lhs, {rhs});
    // [Num.5] The left side is evaluated first.
    std::vector<LetExpr *> lets;
    if (!build.isPure(lhs))
      lhs = build.reusable(lhs, lets);
    return build.closeLets(callNamed(range, name, rhs, {lhs}), lets);
  }
  const Expr *object = lhs->type->isStruct() ? lhs : rhs;
  diags
      .report(range, diag::OperatorTypes, program.sources.text(opRange),
              build.defaulted(lhs->type)->str(),
              build.defaulted(rhs->type)->str())
      .note({}, diag::NoOperator, object->type->str(),
            (object == lhs ? "__" : "__r") + stem + "__")
      .send();
  return fail(range);
}

Expr *ClassChecker::unary(SourceRange range, ast::UnaryOp op, Expr *operand) {
  llvm::StringRef name = op == ast::UnaryOp::Minus    ? "__neg__"
                         : op == ast::UnaryOp::Invert ? "__invert__"
                                                      : "__pos__";
  if (Expr *result = callNamed(range, name, operand, {}))
    return result;
  diags.report(range, diag::UnaryType, ast::spelling(op), operand->type->str())
      .note({}, diag::NoOperator, operand->type->str(), name)
      .send();
  return fail(range);
}

Expr *ClassChecker::compare(SourceRange range, ast::CompareOp op, Expr *lhs,
                            Expr *rhs,
                            llvm::function_ref<Expr *(Expr *, Expr *)> equal) {
  struct Names {
    ast::CompareOp op;
    llvm::StringRef own, reflected;
  };
  static constexpr Names kNames[] = {{ast::CompareOp::Eq, "__eq__", "__eq__"},
                                     {ast::CompareOp::Ne, "__ne__", "__ne__"},
                                     {ast::CompareOp::Lt, "__lt__", "__gt__"},
                                     {ast::CompareOp::Le, "__le__", "__ge__"},
                                     {ast::CompareOp::Gt, "__gt__", "__lt__"},
                                     {ast::CompareOp::Ge, "__ge__", "__le__"}};
  const Names &names =
      *llvm::find_if(kNames, [&](const Names &each) { return each.op == op; });
  if (Expr *result = callNamed(range, names.own, lhs, {rhs}))
    return result;
  if (Expr *result = callNamed(range, names.reflected, rhs, {lhs}))
    return result;
  if (op == ast::CompareOp::Ne)
    return build.unary(range, UnaryOp::Not,
                       compare(range, ast::CompareOp::Eq, lhs, rhs, equal));
  if (op == ast::CompareOp::Eq && lhs->type == rhs->type)
    return equal(lhs, rhs);
  const Expr *object = lhs->type->isStruct() ? lhs : rhs;
  diags
      .report(range, diag::OperatorTypes, ast::spelling(op),
              build.defaulted(lhs->type)->str(),
              build.defaulted(rhs->type)->str())
      .note({}, diag::NoOperator, object->type->str(),
            object == lhs ? names.own : names.reflected)
      .send();
  return fail(range);
}

//===----------------------------------------------------------------------===//
// Self (Note [Self])
//===----------------------------------------------------------------------===//

/// The name that an object is called by.
static const ast::NameExpr *rootOf(const ast::Expr *expr) {
  while (auto *attribute = llvm::dyn_cast_or_null<ast::AttributeExpr>(expr))
    expr = attribute->base;
  return llvm::dyn_cast_or_null<ast::NameExpr>(expr);
}

/// Whether a method may change what it is called on; false after a report.
bool ClassChecker::mayStore(Expr *place, SourceRange range,
                            const ast::Expr *callee) {
  const ast::NameExpr *name = rootOf(callee);
  if (auto *read = llvm::dyn_cast<VariableExpr>(place)) {
    state.noteWrite(read->variable);
    for (auto &[key, local] : state.locals) {
      if (local->variable != read->variable)
        continue;
      if (!local->partWritten.isValid())
        local->partWritten = range;
      if (local->isCaptured)
        diags.report(range, diag::ChangesCaptured, local->name).send();
      if (!state.inParallel() || !local->atKernelLevel)
        return true;
      diags.report(range, diag::AssignInParallel, local->name)
          .note(local->range, diag::DeclaredHere, local->name)
          .send();
      return false;
    }
    return true;
  }
  if (llvm::isa<GlobalExpr>(place)) {
    Meaning meaning = name ? ctx.names.lookup(name->name) : Meaning();
    if (state.where == Where::Script || meaning.kind != Meaning::TopLevel)
      return true;
    ctx.advice.refuseTopLevel(name, meaning);
    return false;
  }
  Meaning meaning =
      name && isConstant(place) ? ctx.names.lookup(name->name) : Meaning();
  if (meaning.kind != Meaning::Const && meaning.kind != Meaning::Constant)
    return true; // an object without a name, which nothing sees afterwards
  diags.report(name->range, diag::AssignsConstant, name->name, "a constant")
      .note(meaning.range, diag::DeclaredHere, name->name)
      .send();
  return false;
}

/// `whole` with another value for the part that a path leads to.
Expr *ClassChecker::replaced(Expr *whole, llvm::ArrayRef<unsigned> path,
                             Expr *part) {
  if (path.empty())
    return part;
  std::vector<Expr *> parts;
  for (unsigned k = 0; k < whole->type->members.size(); ++k) {
    Expr *member = memberAt(build.clone(whole), k, whole->range);
    parts.push_back(
        k == path.front() ? replaced(member, path.drop_front(), part) : member);
  }
  return build.construct(whole->range, whole->type, std::move(parts));
}

/// The same, of what is in a list or dict, or a part of that.
Expr *ClassChecker::storeElement(Expr *call, TypeRef result,
                                 HostOpExpr *element,
                                 llvm::ArrayRef<unsigned> path) {
  SourceRange range = call->range;
  Expr *object = element->args[0], *key = element->args[1];
  bool isPure = build.isPure(object) && build.isPure(key);
  if (!result->isVoid() || !isPure) {
    reportLater(diags, range,
                isPure ? "a method that changes an object in a list or dict, "
                         "and returns a value"
                       : "a change of an object in a list or dict that a call "
                         "gives");
    return fail(range);
  }
  Expr *put = ctx.objects.put(range, build.clone(object), build.clone(key),
                              replaced(element, path, call));
  if (isError(put))
    return put;
  state.emit<ExprStmt>(range)->value = put;
  return build.make<ConstructExpr>(range, result);
}

Expr *ClassChecker::storeSelf(Expr *call, TypeRef result, Expr *self,
                              const ast::Expr *callee) {
  SourceRange range = call->range;
  std::vector<unsigned> path;
  Expr *place = self;
  for (auto *part = llvm::dyn_cast<ExtractExpr>(place);
       part && part->base->type->hasMembers();
       part = llvm::dyn_cast<ExtractExpr>(place)) {
    path.insert(path.begin(), part->path[0].member);
    place = part->base;
  }
  if (!mayStore(place, range, callee))
    return fail(range);
  auto *element = llvm::dyn_cast<HostOpExpr>(place);
  if (element &&
      (element->op == HostOp::ListAt || element->op == HostOp::DictAt))
    return storeElement(call, result, element, path);
  auto *variable = llvm::dyn_cast<VariableExpr>(place);
  auto *global = llvm::dyn_cast<GlobalExpr>(place);
  auto *let = build.make<LetExpr>(range, result);
  if (result->isVoid()) {
    // A statement: nothing else takes the place of what gives no value.
    Expr *none = build.make<ConstructExpr>(range, result);
    if (!variable && !global) {
      state.emit<ExprStmt>(range)->value = call;
      return none;
    }
    auto *assign = state.emit<AssignStmt>(range);
    assign->lvalue.kind = variable ? LValue::Local : LValue::TopLevel;
    assign->lvalue.variable = variable ? variable->variable : nullptr;
    assign->lvalue.global = global ? global->global : nullptr;
    for (unsigned k : path)
      assign->lvalue.path.push_back(PathStep::ofMember(k));
    assign->lvalue.type = self->type;
    assign->lvalue.range = self->range;
    assign->value = call;
    return none;
  }
  Variable *both = build.make<Variable>(range, call->type);
  both->name = ".self";
  let->variable = both;
  let->value = call;
  Expr *pair = build.variable(range, both);
  let->body = build.tupleMember(pair, 0);
  if (!variable && !global)
    return let;
  auto *store = build.make<LetExpr>(range, result);
  store->variable = variable ? variable->variable : nullptr;
  store->global = global ? global->global : nullptr;
  store->value = replaced(place, path, build.tupleMember(pair, 1));
  store->body = let->body;
  let->body = store;
  return let;
}
