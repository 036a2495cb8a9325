//===- ClassChecker.cpp - Constructors, members and methods ---------------===//
#include "chi/Sema/Exprs/ClassChecker.h"
#include "chi/Sema/Advice/Advice.h"
#include "chi/Sema/Build/Objects.h"
#include "chi/Sema/Builtins/Foreign.h"
#include "chi/Sema/Exprs/CallChecker.h"
#include "chi/Sema/Exprs/DerivativeChecker.h"
#include "chi/Sema/Exprs/ExprChecker.h"
#include "chi/Sema/Exprs/HostCallChecker.h"
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
  std::vector<Expr *> parts(of.members.size(), nullptr);
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
  if (type->isRef())
    return build.closeLets(makeReference(expr->range, type, std::move(parts),
                                         /*isInitialized=*/false),
                           lets);
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
  return areInferred(expr, decl, typeNames);
}

/// Whether each type parameter has an argument; reports if not.
bool ClassChecker::areInferred(const ast::CallExpr *expr, const ClassDecl &decl,
                               const TypeNames &typeNames) {
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

/// The values of the arguments; false after a report.
bool ClassChecker::checkValues(const ast::CallExpr *expr,
                               std::vector<Expr *> &values) {
  bool ok = true;
  for (const ast::Argument &arg : expr->args) {
    values.push_back(ctx.exprs.checkExpr(arg.value));
    ok &= !isError(values.back());
    if (!isError(values.back()) && values.back()->type->isVoid()) {
      diags.report(arg.value->range, diag::NoValue).send();
      ok = false;
    }
  }
  return ok;
}

Expr *ClassChecker::construct(const ast::CallExpr *expr, ClassDecl &decl) {
  if (!decl.isBroken && decl.methods.count("__init__"))
    return inferInitialized(expr, decl);
  std::vector<size_t> numbers;
  bool ok = !decl.isBroken && matchMembers(expr, decl, numbers);
  std::vector<Expr *> values;
  ok &= checkValues(expr, values);
  TypeNames typeNames;
  if (!ok || !inferArguments(expr, decl, numbers, values, typeNames))
    return fail(expr->range);
  TypeRef type = program.classType(decl, typeNames, expr->range);
  if (type->isError())
    return fail(expr->range);
  return makeObject(expr, type, numbers, std::move(values));
}

Expr *ClassChecker::construct(const ast::CallExpr *expr, TypeRef type) {
  if (hasMethod(type, "__init__"))
    return initialized(expr, type);
  std::vector<size_t> numbers;
  bool ok = matchMembers(expr, *classOf(type).decl, numbers);
  std::vector<Expr *> values;
  ok &= checkValues(expr, values);
  if (!ok)
    return fail(expr->range);
  return makeObject(expr, type, numbers, std::move(values));
}

//===----------------------------------------------------------------------===//
// Members
//===----------------------------------------------------------------------===//

bool ClassChecker::hasMethod(TypeRef type, llvm::StringRef name) {
  return type->isOfClass() && classOf(type).decl->methods.count(name) != 0;
}

void ClassChecker::reportNoMember(TypeRef type, llvm::StringRef name,
                                  SourceRange nameRange) {
  const ClassDecl &decl = *classOf(type).decl;
  if (type->isComplex) {
    diags.report(nameRange, diag::NoMember, type->str(), name)
        .note({}, diag::Advice,
              "a complex number has `real`, `imag` and `conjugate()`; of a "
              "field each element has them: `z[i].real`")
        .send();
    return;
  }
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
  if (type->isComplex)
    if (auto part = ComplexChecker::partNamed(name))
      return ctx.complexes.part(base, *part, range);
  if (auto k = type->memberNamed(name))
    return memberAt(base, *k, range);
  if (isView(type))
    if (auto k = classOf(type).viewed->type->memberNamed(name)) {
      std::string kind = classOf(type).viewed->type->members[*k]->str();
      state.hostOnly(range, "`" + name.str() + "`, a `" + kind + "`,");
      return fail(range);
    }
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
  if (base->type->isRef())
    return ctx.objects.memberOf(range, base, k);
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
  if (auto *made = llvm::dyn_cast<ConstructExpr>(field))
    return build.clone(made->parts[k]);
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
  if (expr->args.empty())
    if (Expr *known = foldComplexMethod(build, expr->range, callee->name, base))
      return known;
  base = build.withDefault(base);
  TypeRef type = base->type;
  auto found = classOf(type).decl->methods.find(callee->name);
  bool isMethod = found != classOf(type).decl->methods.end();
  if (isMethod)
    return callOne(expr, base, found->second, callee->nameRange);
  std::vector<Expr *> args;
  for (const ast::Argument &arg : expr->args)
    args.push_back(ctx.exprs.checkExpr(arg.value));
  if (auto k = type->memberNamed(callee->name)) {
    Expr *value = memberAt(base, *k, callee->range);
    if (Expr *result = callNamed(expr->range, "__call__", value, args))
      return result;
    diags.report(callee->nameRange, diag::NotCallable, type->members[*k]->str())
        .send();
  } else {
    reportNoMember(type, callee->name, callee->nameRange);
  }
  return fail(expr->range);
}

/// A call of one of several methods of one name.
Expr *ClassChecker::callOne(const ast::CallExpr *expr, Expr *self,
                            llvm::ArrayRef<FunctionDecl *> methods,
                            SourceRange nameRange) {
  std::vector<Expr *> args;
  // Of one method the parameters say what the arguments may be.
  if (methods.size() > 1)
    for (const ast::Argument &arg : expr->args)
      args.push_back(ctx.exprs.checkExpr(arg.value));
  if (!isEach(args))
    return fail(expr->range);
  FunctionDecl *method = choose(expr, self->type, methods, args, nameRange);
  return method ? ctx.calls.callMethod(expr, *method, self, args)
                : fail(expr->range);
}

Expr *ClassChecker::callNamed(SourceRange range, llvm::StringRef name,
                              Expr *self, llvm::ArrayRef<Expr *> args) {
  if (!hasMethod(self->type, name))
    return nullptr;
  if (!isEach(args))
    return fail(range);
  if (args.empty())
    if (Expr *known = foldComplexMethod(build, range, name, self))
      return known;
  self = build.withDefault(self);
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
  bool isComplex = lhs->type->isComplex || rhs->type->isComplex;
  if (isComplex && op == ast::BinaryOp::Pow)
    if (Expr *product = ctx.complexes.power(range, lhs, rhs))
      return product;
  if (isComplex && !joinComplex(build, lhs->type, rhs->type)) {
    diags
        .report(range, diag::OperatorTypes, program.sources.text(opRange),
                build.defaulted(lhs->type)->str(),
                build.defaulted(rhs->type)->str())
        .send();
    return fail(range);
  }
  if (isComplex)
    if (Expr *known = ctx.complexes.unify(range, op, lhs, rhs))
      return known;
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
  const Expr *object = lhs->type->isOfClass() ? lhs : rhs;
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
  if (operand->type->isComplex && op == ast::UnaryOp::Minus)
    if (Expr *known = ctx.complexes.negated(range, operand))
      return known;
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
  bool isEquality = op == ast::CompareOp::Eq || op == ast::CompareOp::Ne;
  if (isEquality && (lhs->type->isComplex || rhs->type->isComplex))
    ctx.complexes.makeAlike(lhs, rhs);
  if (Expr *result = callNamed(range, names.own, lhs, {rhs}))
    return result;
  if (Expr *result = callNamed(range, names.reflected, rhs, {lhs}))
    return result;
  if (op == ast::CompareOp::Ne)
    return build.unary(range, UnaryOp::Not,
                       compare(range, ast::CompareOp::Eq, lhs, rhs, equal));
  if (op == ast::CompareOp::Eq && lhs->type == rhs->type && lhs->type->isRef())
    return ctx.objects.run(range, "chirt_object_equal", types.boolTy,
                           {lhs, rhs});
  if (op == ast::CompareOp::Eq && lhs->type == rhs->type)
    return equal(lhs, rhs);
  const Expr *object = lhs->type->isOfClass() ? lhs : rhs;
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

/// The same, of what is in a list, a dict or an object, or a part of that.
Expr *ClassChecker::storeElement(Expr *call, TypeRef result,
                                 HostOpExpr *element,
                                 llvm::ArrayRef<unsigned> path) {
  SourceRange range = call->range;
  std::vector<LetExpr *> lets;
  // A statement: nothing else takes the place of what gives no value.
  bool isStatement = result->isVoid();
  for (Expr *&arg : element->args)
    if (!build.isPure(arg))
      arg = isStatement ? state.store(arg) : build.reusable(arg, lets);
  auto put = [&](Expr *value) {
    return ctx.objects.put(range, build.clone(element->args[0]),
                           build.clone(element->args[1]),
                           replaced(element, path, value));
  };
  if (isStatement) {
    Expr *stored = put(call);
    if (isError(stored))
      return stored;
    state.emit<ExprStmt>(range)->value = stored;
    return build.make<ConstructExpr>(range, result);
  }
  auto *block = build.make<BlockExpr>(range, result);
  auto *store = build.makeStmt<ExprStmt>(range);
  block->body.push_back(store);
  auto *let = build.make<LetExpr>(range, result);
  let->variable = build.make<Variable>(range, call->type);
  let->variable->name = ".self";
  let->value = call;
  Expr *pair = build.variable(range, let->variable);
  store->value = put(build.tupleMember(pair, 1));
  block->value = build.tupleMember(build.clone(pair), 0);
  let->body = block;
  return isError(store->value) ? fail(range) : build.closeLets(let, lets);
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
      (element->op == HostOp::ListAt || element->op == HostOp::DictAt ||
       element->op == HostOp::MemberAt))
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

//===----------------------------------------------------------------------===//
// Note [Host objects]
//===----------------------------------------------------------------------===//

Expr *ClassChecker::viewed(Expr *object) {
  SourceRange range = object->range;
  std::vector<LetExpr *> lets;
  object = build.reusable(object, lets);
  TypeRef view = viewOf(object->type);
  std::vector<Expr *> parts;
  for (const std::string &name : view->memberNames) {
    Expr *part =
        memberAt(build.clone(object), *object->type->memberNamed(name), range);
    parts.push_back(part->type->isRef() ? viewed(part) : part);
    if (isError(parts.back()))
      return fail(range);
  }
  return build.closeLets(build.construct(range, view, std::move(parts)), lets);
}

/// What a new object has where a member is not given; null, without a report,
/// if there is nothing.
Expr *ClassChecker::omitted(SourceRange range, TypeRef type, unsigned number,
                            std::vector<Expr *> &parts,
                            std::vector<LetExpr *> &lets) {
  ClassInstance &of = classOf(type);
  ClassMember &member = of.members[number];
  if (member.maker) {
    std::vector<Expr *> args;
    for (unsigned k : member.maker->given) {
      if (!parts[k]) {
        diags
            .report(range, diag::MissingArgument, type->str(),
                    of.members[k].name)
            .note(of.members[k].range, diag::DeclaredHere, of.members[k].name)
            .send();
        return fail(range);
      }
      parts[k] = build.reusable(parts[k], lets);
      args.push_back(build.clone(parts[k]));
    }
    Expr *made = ctx.calls.callWith(range, member.maker->decl, std::move(args),
                                    of.typeNames);
    return build.pin(build.convert(
        made, member.type, ("the default of `" + member.name + "`").str()));
  }
  if (member.value)
    return build.clone(member.value);
  if (member.type->isContainer())
    return sema::makeObject(build, range, member.type, {});
  if (member.type->isField() && member.type->rank() == 0)
    return ctx.hostCalls.newField(range, member.type, {}, "");
  return nullptr;
}

/// A new object of the members that are given, which `__init__` may complete.
Expr *ClassChecker::makeReference(SourceRange range, TypeRef type,
                                  std::vector<Expr *> parts,
                                  bool isInitialized) {
  if (!state.hostOnly(range, "making a `" + type->str() + "`"))
    return fail(range);
  std::vector<LetExpr *> lets;
  std::vector<Expr *> given;
  std::string numbers;
  bool ok = true;
  for (unsigned k = 0; k < parts.size(); ++k) {
    if (!parts[k])
      parts[k] = omitted(range, type, k, parts, lets);
    const ClassMember &member = classOf(type).members[k];
    if (!parts[k] && !isInitialized)
      diags.report(range, diag::MissingArgument, type->str(), member.name)
          .note(member.range, diag::DeclaredHere, member.name)
          .send();
    ok &= parts[k] ? !isError(parts[k]) : isInitialized;
  }
  if (!ok)
    return fail(range);
  for (auto [k, part] : llvm::enumerate(parts))
    if (part) {
      given.push_back(part);
      numbers += (numbers.empty() ? "" : " ") + std::to_string(k);
    }
  Expr *made = sema::makeObject(build, range, type, std::move(given));
  llvm::cast<HostOpExpr>(made)->text = numbers;
  return build.closeLets(made, lets);
}
