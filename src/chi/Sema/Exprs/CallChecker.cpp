//===- CallChecker.cpp - Calls of functions -------------------------------===//
#include "chi/Sema/Exprs/CallChecker.h"
#include "chi/Sema/Advice/Advice.h"
#include "chi/Sema/Advice/ForeignNames.h"
#include "chi/Sema/Builtins/Foreign.h"
#include "chi/Sema/Exprs/BuiltinChecker.h"
#include "chi/Sema/Exprs/DerivativeChecker.h"
#include "chi/Sema/Exprs/ExprChecker.h"
#include "chi/Sema/Exprs/ExprCheckers.h"
#include "chi/Sema/Exprs/IterableChecker.h"
#include "chi/Sema/Exprs/MethodChecker.h"
#include "chi/Sema/Exprs/TypeExprChecker.h"
#include "chi/Sema/Names/ClosureChecker.h"
#include "chi/Sema/Names/NameChecker.h"

using namespace chi;
using namespace chi::sema;

Expr *CallChecker::checkCall(const ast::CallExpr *expr) {
  auto check = [&](const ast::Expr *part) { return ctx.exprs.checkExpr(part); };
  if (ctx.foreign.reportForeignField(expr, check))
    return fail(expr->range);
  Meaning callee = ctx.names.resolve(expr->callee);
  auto checkArgs = [&] {
    for (const ast::Argument &arg : expr->args) {
      // `ti.static(range(3))`: perhaps it stands in a `for`.
      auto *call = llvm::dyn_cast<ast::CallExpr>(arg.value);
      Meaning called = call ? ctx.names.resolve(call->callee) : Meaning();
      if (called.kind == Meaning::Builtin && isOnlyInFor(called.builtin)) {
        Iteration ignored;
        ctx.iterables.checkIterable(call, ignored);
        continue;
      }
      Meaning::Kind kind = ctx.names.resolve(arg.value).kind;
      bool isNoValue = kind == Meaning::Type || kind == Meaning::Alias ||
                       kind == Meaning::Class || kind == Meaning::Function;
      if (!isNoValue &&
          !llvm::isa<ast::UnsupportedExpr, ast::NoneExpr>(arg.value))
        ctx.exprs.checkExpr(arg.value);
    }
    return fail(expr->range);
  };
  switch (callee.kind) {
  case Meaning::Function:
    if (ctx.names.isHiddenLater(expr->callee)) {
      ctx.exprs.checkExpr(expr->callee);
      return checkArgs();
    }
    return callFunction(expr, callee);
  case Meaning::Builtin:
    return ctx.builtins.callBuiltin(expr, callee.builtin);
  case Meaning::Type:
    return convertCall(expr, callee.type,
                       llvm::isa<ast::NameExpr>(expr->callee));
  case Meaning::Alias:
    return convertCall(expr, program.aliasType(*callee.alias, expr->range),
                       false);
  case Meaning::Class:
    if (callee.klass->isGeneric() || callee.klass->isBroken)
      return ctx.classes.construct(expr, *callee.klass);
    return convertCall(expr, program.classType(*callee.klass, {}, expr->range),
                       false);
  case Meaning::Broken:
    return checkArgs();
  default:
    break;
  }
  if (auto *attribute = llvm::dyn_cast<ast::AttributeExpr>(expr->callee)) {
    if (callee.kind == Meaning::Nothing) {
      if (Meaning base = ctx.names.resolve(attribute->base);
          base.kind == Meaning::Function && attribute->name == "grad")
        return ctx.derivatives.callKernelGrad(expr, *base.function);
      Expr *base = ctx.exprs.checkExpr(attribute->base);
      if (isError(base))
        return checkArgs();
      return ctx.methods.callMethod(expr, base, attribute);
    }
  }
  // `vec(3, f32)(1)`, `Ring[f32, 8]()`: a type written out.
  if (llvm::isa<ast::CallExpr, ast::SubscriptExpr>(expr->callee) &&
      ctx.typeExprs.isTypeExpr(expr->callee))
    return convertCall(expr, ctx.typeExprs.checkType(expr->callee), false);
  if (callee.kind == Meaning::Nothing &&
      ctx.foreign.reportForeignCall(expr, check))
    return checkArgs();
  Expr *value = ctx.exprs.checkExpr(expr->callee);
  if (ClassChecker::hasMethod(value->type, "__call__")) {
    std::vector<Expr *> args;
    for (const ast::Argument &arg : expr->args)
      args.push_back(ctx.exprs.checkExpr(arg.value));
    return ctx.classes.callNamed(expr->range, "__call__", value, args);
  }
  if (value->type->isVoid())
    diags.report(value->range, diag::NoValue).send();
  else if (!isError(value))
    ctx.advice.reportNotCallable(expr->callee, value->type);
  return checkArgs();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// Gives each parameter its argument; false after an error was reported.
bool CallChecker::matchArguments(const ast::CallExpr *expr, FunctionDecl &decl,
                                 std::vector<const ast::Expr *> &given,
                                 std::vector<bool> &isDefault) {
  llvm::ArrayRef<ast::Parameter> params = decl.givenParams();
  llvm::StringRef name =
      decl.isInitializer() ? decl.klass->ast->name : decl.ast->name;
  given.assign(params.size(), nullptr);
  isDefault.assign(params.size(), false);
  size_t position = 0, numPositional = 0;
  bool ok = true;
  for (const ast::Argument &arg : expr->args) {
    if (llvm::isa<ast::UnsupportedExpr>(arg.value)) { // `f(*values)`
      ctx.exprs.checkExpr(arg.value);
      return false;
    }
    numPositional += arg.keyword.empty();
  }
  if (numPositional > params.size()) {
    diags
        .report(expr->range, diag::ArgCountMismatch, name, params.size(),
                numPositional)
        .note(decl.ast->nameRange, diag::DeclaredHere, name)
        .send();
    return false;
  }
  for (const ast::Argument &arg : expr->args) {
    if (arg.keyword.empty()) {
      given[position++] = arg.value;
      continue;
    }
    size_t k = 0;
    while (k < params.size() && params[k].name != arg.keyword)
      ++k;
    if (k == params.size()) {
      std::vector<llvm::StringRef> names;
      for (const ast::Parameter &parameter : params)
        names.push_back(parameter.name);
      std::string best = nearest(arg.keyword, names);
      auto report = diags.report(arg.keywordRange, diag::UnknownKeyword, name,
                                 arg.keyword);
      if (best.empty())
        std::move(report)
            .note(decl.ast->nameRange, diag::DeclaredHere, name)
            .send();
      else
        std::move(report)
            .note(decl.ast->nameRange, diag::DeclaredHere, name)
            .fixIt(arg.keywordRange, best)
            .send();
      ok = false;
    } else if (given[k]) {
      diags.report(arg.keywordRange, diag::ArgTwice, arg.keyword).send();
      ok = false;
    } else {
      given[k] = arg.value;
    }
  }
  for (auto [k, parameter] : llvm::enumerate(params)) {
    if (given[k])
      continue;
    given[k] = parameter.defaultValue;
    isDefault[k] = true;
    if (!given[k] && ok) {
      diags.report(expr->range, diag::MissingArgument, name, parameter.name)
          .note(decl.ast->nameRange, diag::DeclaredHere, name)
          .send();
      return false;
    }
  }
  return ok;
}

/// Whether a name can stand for the word: a function of values.
bool CallChecker::isPassable(BuiltinName builtin) {
  switch (builtin) {
  case BuiltinName::Min:
  case BuiltinName::Max:
  case BuiltinName::Sum:
  case BuiltinName::Any:
  case BuiltinName::All:
  case BuiltinName::Len:
  case BuiltinName::Clamp:
  case BuiltinName::Mix:
  case BuiltinName::Pow:
  case BuiltinName::Radians:
  case BuiltinName::Degrees:
    return true;
  default:
    return mathFunction(builtin).has_value();
  }
}

bool CallChecker::isForeignlyTyped(const FunctionDecl &decl,
                                   const ast::Parameter &parameter) {
  state.scopes.push_back({});
  for (const ast::TypeParameter &type : decl.ast->typeParams)
    state.declareBroken(type.name);
  bool isForeign = ctx.foreign.reportForeignType(parameter.type);
  state.scopes.pop_back();
  return isForeign;
}

/// Whether the type of a parameter has a name that no argument so far gives a
/// meaning: `v: vec(n, T)` for a number.
static bool lacksType(const FunctionDecl &decl, const ast::Parameter &parameter,
                      const TypeNames &typeNames) {
  bool lacks = false;
  walkExpr(parameter.type, [&](const ast::Expr *part) {
    auto *name = llvm::dyn_cast<ast::NameExpr>(part);
    bool isOwn = name && llvm::any_of(decl.ast->typeParams,
                                      [&](const ast::TypeParameter &own) {
                                        return own.name == name->name;
                                      });
    lacks |= isOwn && !typeNames.count(name->name);
  });
  return lacks;
}

/// Whether a function or type is passed as an argument; an alias or a class
/// becomes its type.
bool CallChecker::bindEntity(Meaning &meaning, SourceRange range) {
  switch (meaning.kind) {
  case Meaning::Function:
  case Meaning::Type:
    return true;
  case Meaning::Builtin:
    return isPassable(meaning.builtin);
  case Meaning::Alias:
    meaning.type = program.aliasType(*meaning.alias, range);
    meaning.kind = Meaning::Type;
    return true;
  case Meaning::Class:
    if (meaning.klass->isGeneric())
      return false;
    meaning.type = program.classType(*meaning.klass, {}, range);
    meaning.kind = Meaning::Type;
    return true;
  default:
    return false;
  }
}

bool CallChecker::bindArgument(
    FunctionDecl &decl, const ast::Parameter &parameter, const ast::Expr *given,
    bool isDefault, ArgBinding &binding, Expr *&value,
    std::map<std::string, Meaning, std::less<>> &typeNames) {
  ExprCheckers declared(program, *decl.module, Where::Constant, nullptr);
  // An annotation of another language is reported; the body is checked with
  // what is given.
  bool isTyped = parameter.type && !declared.isForeignlyTyped(decl, parameter);
  if (!isTyped && !value) {
    Meaning meaning =
        isDefault ? declared.resolve(given) : ctx.names.resolve(given);
    bool isHidden = meaning.kind == Meaning::Function && !isDefault &&
                    ctx.names.isHiddenLater(given);
    if (!isHidden && bindEntity(meaning, given->range)) {
      binding.meaning = meaning;
      return ctx.closures.bind(binding, given->range);
    }
  }
  if (!value)
    value = isDefault ? declared.checkExpr(given) : ctx.exprs.checkExpr(given);
  if (isError(value))
    return false;
  if (value->type->isVoid()) {
    diags.report(given->range, diag::NoValue).send();
    return false;
  }
  if (isTyped) {
    TypeRef seen = build.defaulted(value->type);
    if (!decl.ast->typeParams.empty())
      inferTypes(parameter.type, seen, decl.ast->typeParams, declared.ctx.names,
                 typeNames);
    if (lacksType(decl, parameter, typeNames)) {
      diags
          .report(given->range, diag::TypeMismatch,
                  ("argument `" + parameter.name + "`").str(),
                  program.sources.text(parameter.type->range), seen->str())
          .send();
      return false;
    }
    declared.state.scopes.push_back({});
    for (auto &[name, meaning] : typeNames)
      declared.state.scopes.back().names[name] = meaning;
    TypeRef type = declared.checkType(parameter.type);
    if (type->isError())
      return false;
    // A kernel has a value of the object.
    if (type->isRef() && value->type == viewOf(type))
      type = value->type;
    bool isAnyField = type->isField() && value->type->isField() &&
                      type->element == value->type->element &&
                      type->rank() == value->type->rank();
    if (isAnyField) {
      type = value->type;
    } else {
      value->range = given->range;
      size_t mark = diags.errorCount();
      value = build.pin(build.convert(
          value, type, "argument `" + parameter.name.str() + "`"));
      if (isError(value)) {
        assert(diags.errorCount() != mark && "a silent failure");
        (void)mark;
        return false;
      }
    }
    binding.type = type;
  } else {
    bool wantsConstant = decl.constantParams.count(parameter.name);
    if (!(wantsConstant && isConstant(value)))
      value = build.withDefault(value);
    if (isError(value))
      return false;
    binding.type = value->type;
  }
  if (decl.constantParams.count(parameter.name) && isConstant(value))
    binding.constant = value;
  return true;
}

/// Binds the arguments to the parameters that they are given to, those behind
/// `self` of a method; false after a report.
bool CallChecker::bindAll(const ast::CallExpr *expr, FunctionDecl &decl,
                          llvm::ArrayRef<const ast::Expr *> given,
                          const std::vector<bool> &isDefault,
                          llvm::ArrayRef<Expr *> checked,
                          llvm::MutableArrayRef<ArgBinding> bindings,
                          llvm::MutableArrayRef<Expr *> values,
                          TypeNames &typeNames) {
  bool ok = true;
  size_t first = decl.klass != nullptr;
  for (auto [k, parameter] : llvm::enumerate(decl.givenParams())) {
    for (auto [arg, value] : llvm::zip(expr->args, checked))
      if (arg.value == given[k])
        values[first + k] = value;
    ok &= bindArgument(decl, parameter, given[k], isDefault[k],
                       bindings[first + k], values[first + k], typeNames);
  }
  return ok;
}

std::optional<unsigned> CallChecker::distanceTo(FunctionDecl &method,
                                                const ast::CallExpr *expr,
                                                TypeRef self,
                                                llvm::ArrayRef<Expr *> args) {
  constexpr unsigned kConverted = 4, kFilled = 8, kNarrowed = 16,
                     kAnything = 64;
  size_t mark = diags.mark();
  std::vector<const ast::Expr *> given;
  std::vector<bool> isDefault;
  std::vector<Expr *> copies;
  for (Expr *arg : args)
    copies.push_back(build.clone(arg));
  std::vector<ArgBinding> bindings(method.ast->params.size());
  std::vector<Expr *> values(method.ast->params.size());
  TypeNames typeNames = classOf(self).typeNames;
  bool fits = !method.isBroken &&
              matchArguments(expr, method, given, isDefault) &&
              bindAll(expr, method, given, isDefault, copies, bindings, values,
                      typeNames);
  unsigned distance =
      diags.pending().size() > mark ? kNarrowed : 0; // a warning
  diags.discardSince(mark);
  if (!fits)
    return std::nullopt;
  for (auto [k, parameter] : llvm::enumerate(method.givenParams())) {
    TypeRef to = bindings[k + 1].type;
    for (auto [arg, value] : llvm::zip(expr->args, args)) {
      if (arg.value != given[k] || !to)
        continue;
      bool isLiteral = isUntyped(value->type) && hasNumbers(to) &&
                       hasNumbers(value->type) &&
                       value->type->scalar()->kind == to->scalar()->kind;
      if (!parameter.type)
        distance += kAnything;
      else if (isLiteral)
        distance += to != build.defaulted(value->type);
      else if (value->type != to)
        distance += to->kind == value->type->kind ||
                            (to->isScalar() && value->type->isScalar())
                        ? kConverted
                        : kFilled;
    }
  }
  return distance + 2 * method.ast->typeParams.size();
}

void CallChecker::inferClass(ClassDecl &decl, const ast::Expr *pattern,
                             TypeRef type, TypeNames &typeNames) {
  ExprCheckers declared(program, *decl.module, Where::Constant, nullptr);
  inferTypes(pattern, type, decl.ast->typeParams, declared.ctx.names,
             typeNames);
}

Expr *CallChecker::callFunction(const ast::CallExpr *expr,
                                const Meaning &callee,
                                llvm::ArrayRef<Expr *> checked) {
  ctx.closures.checkDefined(callee, expr->callee->range);
  return call(expr, *callee.function, nullptr, checked, &callee);
}

Expr *CallChecker::callWith(SourceRange range, FunctionDecl &decl,
                            std::vector<Expr *> args,
                            const TypeNames &typeNames) {
  std::vector<ArgBinding> bindings(args.size());
  for (auto [binding, arg] : llvm::zip(bindings, args)) {
    arg = build.withDefault(arg);
    if (isError(arg))
      return fail(range);
    binding.type = arg->type;
  }
  Instance &callee =
      program.instantiate(decl, std::move(bindings), range, typeNames);
  ast::CallExpr call(range);
  return finishCall(&call, callee, std::move(args));
}

/// A kernel gets what it can have of an object that is a reference.
void CallChecker::viewObjects(llvm::MutableArrayRef<ArgBinding> bindings,
                              llvm::MutableArrayRef<Expr *> values) {
  for (auto [binding, value] : llvm::zip(bindings, values)) {
    if (!value || !value->type->isRef())
      continue;
    value = ctx.classes.viewed(value);
    binding.type = value->type;
  }
}

/// The values of what functions among the arguments capture.
static void addCaptured(const ArgBinding &binding, std::vector<Expr *> &args) {
  for (auto [inner, value] : llvm::zip(binding.captured, binding.values)) {
    if (value && !inner.constant)
      args.push_back(value);
    addCaptured(inner, args);
  }
}

/// Kernels are launched by host code.
bool CallChecker::mayLaunch(const ast::CallExpr *expr,
                            const FunctionDecl &decl) {
  if (state.inKernel()) {
    diags.report(expr->range, diag::KernelFromKernel, decl.ast->name)
        .note(decl.ast->nameRange, diag::DeclaredHere, decl.ast->name)
        .note({}, diag::PlainDef)
        .send();
    return false;
  }
  state.markHostOnly(expr->range,
                     ("a launch of the kernel `" + decl.ast->name + "`").str());
  return true;
}

/// A call of a function, of which `callee` is the meaning, or of a method on
/// `self`.
Expr *CallChecker::call(const ast::CallExpr *expr, FunctionDecl &decl,
                        Expr *self, llvm::ArrayRef<Expr *> checked,
                        const Meaning *callee) {
  if (state.where == Where::Constant) {
    diags
        .report(expr->range, diag::NotConstant,
                ("a call of `" + decl.ast->name + "`").str())
        .send();
    return fail(expr->range);
  }
  std::vector<const ast::Expr *> given;
  std::vector<bool> isDefault;
  if (decl.isBroken || !matchArguments(expr, decl, given, isDefault)) {
    if (decl.isBroken && checked.empty())
      for (const ast::Argument &arg : expr->args)
        ctx.exprs.checkExpr(arg.value);
    return fail(expr->range);
  }
  if (decl.isKernel && !mayLaunch(expr, decl))
    return fail(expr->range);
  program.findConstantParams(decl);
  std::vector<ArgBinding> bindings(decl.ast->params.size());
  std::vector<Expr *> values(decl.ast->params.size());
  TypeNames typeNames;
  if (self) {
    bindings[0].type = self->type;
    values[0] = self;
    typeNames = classOf(self->type).typeNames;
    given.insert(given.begin(), nullptr);
    isDefault.insert(isDefault.begin(), false);
  }
  size_t first = self != nullptr;
  if (callee && !ctx.closures.bindCaptured(*callee, expr->callee->range,
                                           bindings, values, typeNames))
    return fail(expr->range);
  if (!bindAll(expr, decl, llvm::ArrayRef(given).drop_front(first),
               std::vector<bool>(isDefault.begin() + first, isDefault.end()),
               checked, bindings, values, typeNames))
    return fail(expr->range);
  if (decl.isKernel)
    viewObjects(bindings, values);
  Instance &instance =
      chooseInstance(decl, bindings, values, expr->range, typeNames);
  if (decl.isOneEntry && !decl.isKernel)
    state.markHostOnly(expr->range, ("a call of `" + decl.ast->name +
                                     "`, which has an adjoint in host code")
                                        .str());
  if (decl.adjoint && !instance.isBroken && instance.state == Instance::Done &&
      !(decl.isOneEntry ? ctx.derivatives.giveCallAdjoint(expr, instance)
                        : ctx.derivatives.giveAdjoint(expr, instance)))
    return fail(expr->range);
  std::vector<LetExpr *> lets;
  evaluateAsWritten(expr, given, values,
                    self ? instance.givenResult : instance.function->result,
                    lets);
  if (self)
    holdArguments(values, instance.givenResult, lets);
  if (self && instance.writesSelf && decl.isKernel && !instance.isBroken) {
    diags.report(expr->range, diag::KernelChangesObject, decl.ast->name)
        .note(decl.ast->nameRange, diag::DeclaredHere, decl.ast->name)
        .send();
    return fail(expr->range);
  }
  bool byReference = instance.writesSelf || decl.isInitializer();
  if (self && byReference && !instance.isBroken)
    return build.closeLets(
        callByReference(expr, decl, std::move(bindings), values, typeNames),
        lets);
  std::vector<Expr *> args;
  for (auto [k, value] : llvm::enumerate(values)) {
    if (value && !instance.args[k].constant)
      args.push_back(value);
    addCaptured(bindings[k], args);
  }
  return build.closeLets(finishCall(expr, instance, std::move(args)), lets);
}

/// `self` is a reference: what arguments do to the object, the method sees.
void CallChecker::holdArguments(llvm::MutableArrayRef<Expr *> values,
                                TypeRef result, std::vector<LetExpr *> &lets) {
  bool isPlace =
      llvm::isa<VariableExpr, GlobalExpr, ExtractExpr, LoadExpr, HostOpExpr>(
          values[0]);
  bool areHeld = llvm::any_of(values.drop_front(), [&](Expr *value) {
    return value && !build.isPure(value);
  });
  for (auto [k, value] : llvm::enumerate(values)) {
    if (!areHeld || !value || build.isPure(value) || (k == 0 && isPlace))
      continue;
    // What gives nothing is a statement.
    value = result && result->isVoid() ? state.store(build.withDefault(value))
                                       : build.reusable(value, lets);
  }
}

/// A call of a method that changes its `self` (Note [Self]).
Expr *CallChecker::callByReference(const ast::CallExpr *expr,
                                   FunctionDecl &decl,
                                   std::vector<ArgBinding> bindings,
                                   llvm::ArrayRef<Expr *> values,
                                   const TypeNames &typeNames) {
  std::vector<LetExpr *> lets; // an index with effects
  Expr *self = values[0];
  while (auto *let = llvm::dyn_cast<LetExpr>(self)) {
    if (!llvm::isa<LoadExpr, LetExpr>(let->body))
      break;
    lets.push_back(let);
    self = let->body;
  }
  std::vector<Expr *> args;
  auto *element = llvm::dyn_cast<LoadExpr>(self);
  if (element) {
    bindings[0].self = ArgBinding::Element;
    bindings[0].type = element->field->type;
    args.push_back(element->field);
    for (Expr *index : element->indices) {
      bool isWide = index->type->bits == 64 ||
                    (index->type->bits == 32 && !index->type->isSigned);
      TypeRef type = isWide ? types.i64 : types.i32;
      bindings[0].indexTypes.push_back(type);
      args.push_back(build.cast(index, type));
    }
  } else {
    lets.clear();
    bindings[0].self = ArgBinding::Returned;
    args.push_back(values[0]);
  }
  Instance &callee =
      chooseInstance(decl, bindings, values, expr->range, typeNames);
  for (auto [k, value] : llvm::enumerate(values)) {
    if (k && value && !callee.args[k].constant)
      args.push_back(value);
    addCaptured(bindings[k], args);
  }
  Expr *result = finishCall(expr, callee, std::move(args));
  if (isError(result))
    return result;
  if (decl.isInitializer()) {
    if (callee.givenResult->isVoid())
      return result;
    diags
        .report(decl.ast->nameRange, diag::InitializerReturns,
                values[0]->type->str())
        .send();
    return fail(expr->range);
  }
  if (!element)
    return ctx.classes.storeSelf(result, callee.givenResult, values[0],
                                 expr->callee);
  return build.closeLets(result, lets);
}

/// [Num.5] Keywords may stand in another order than the parameters: where two
/// arguments do something, they do it as they are written.
void CallChecker::evaluateAsWritten(const ast::CallExpr *expr,
                                    llvm::ArrayRef<const ast::Expr *> given,
                                    llvm::MutableArrayRef<Expr *> values,
                                    TypeRef result,
                                    std::vector<LetExpr *> &lets) {
  llvm::SmallVector<size_t> order;
  for (const ast::Argument &arg : expr->args) {
    size_t k = llvm::find(given, arg.value) - given.begin();
    bool isValue =
        k < values.size() && values[k] &&
        (values[k]->type->isScalar() || values[k]->type->isAggregate());
    if (isValue && !build.isPure(values[k]))
      order.push_back(k);
  }
  if (llvm::is_sorted(order))
    return;
  // What gives nothing is a statement.
  for (size_t k : order)
    values[k] = result && result->isVoid() ? state.store(values[k])
                                           : build.reusable(values[k], lets);
}

/// The instance for the arguments' types; where that lacks a value while
/// compiling which the call knows (`t[k]` and `static(j)` with `j = k + 1`, in
/// a `static` loop over k), the one for the known values. A parameter with a
/// type has none: whether a function is right is no matter of one call.
Instance &CallChecker::chooseInstance(
    FunctionDecl &decl, llvm::ArrayRef<ArgBinding> bindings,
    llvm::ArrayRef<Expr *> values, SourceRange range,
    const std::map<std::string, Meaning, std::less<>> &typeNames) {
  Instance &general =
      program.instantiate(decl, bindings.vec(), range, typeNames);
  bool lacksValue =
      general.isBroken &&
      llvm::any_of(general.diagnostics, [](const Diagnostic &known) {
        return known.code == diag::NotConstant.code;
      });
  if (!lacksValue)
    return general;
  std::vector<ArgBinding> known = bindings.vec();
  bool knowsMore = false;
  const AssignCounts &counts = program.countsOf(decl.ast->body);
  for (auto [k, value] : llvm::enumerate(values))
    if (value && !known[k].constant && isConstant(value) &&
        !(decl.klass && k == 0) && !decl.ast->params[k].type &&
        !value->type->isArray() &&
        !counts.all.count(decl.ast->params[k].name)) {
      known[k].constant = build.clone(value);
      knowsMore = true;
    }
  if (!knowsMore)
    return general;
  Instance &exact =
      program.instantiate(decl, std::move(known), range, typeNames);
  return exact.isBroken ? general : exact;
}

/// Notes from the call down to the construct that is host only.
static void addChain(DiagnosticBuilder report, const Instance *at) {
  if (!at || !at->hostCause)
    return; // sent as it dies
  const HostCause &cause = *at->hostCause;
  addChain(std::move(report).note(cause.range, diag::HostOnlyBecause,
                                  at->function->display, cause.what),
           cause.through);
}

/// Whether a function that writes no type of its result has one.
static bool returnsValue(ast::Body body) {
  bool returns = false;
  walkStmts(body, [&](const ast::Stmt *stmt) {
    auto *result = llvm::dyn_cast<ast::ReturnStmt>(stmt);
    returns |= result && result->value;
  });
  return returns;
}

/// Whether a callee that is being checked, if it is, can be called again.
bool CallChecker::mayRecur(const ast::CallExpr *expr, Instance &callee) {
  const FunctionDecl &decl = *callee.decl;
  llvm::StringRef name = callee.function->display;
  if (callee.isEndless) {
    diags.report(expr->range, diag::EndlessInstances, decl.ast->name)
        .note(decl.ast->nameRange, diag::DeclaredHere, decl.ast->name)
        .send();
    return false;
  }
  if (callee.state != Instance::Busy)
    return true;
  bool isKnown = decl.ast->returnType || !returnsValue(decl.ast->body);
  if (!isKnown) {
    diags.report(expr->range, diag::RecursionNeedsType, name, decl.ast->name)
        .note(decl.ast->nameRange, diag::DeclaredHere, decl.ast->name)
        .send();
    return false;
  }
  // Host code that launches this kernel, which calls it.
  if (decl.isKernel || state.inKernel()) {
    diags.report(expr->range, diag::RecursionThroughKernel, name)
        .note(decl.ast->nameRange, diag::DeclaredHere, decl.ast->name)
        .send();
    return false;
  }
  if (state.self != &callee)
    callee.calledBusy = expr->range;
  return true;
}

Expr *CallChecker::finishCall(const ast::CallExpr *expr, Instance &callee,
                              std::vector<Expr *> args) {
  FunctionDecl &decl = *callee.decl;
  if (!mayRecur(expr, callee))
    return fail(expr->range);
  if (state.self)
    state.self->calls.push_back({&callee, expr->range});
  for (const Diagnostic &known : callee.diagnostics) {
    Diagnostic again = known;
    if (decl.hasUnannotated() && again.notes.size() < 8)
      again.notes.push_back(
          {expr->range,
           llvm::formatv(diag::CalledHere.text, callee.function->display)
               .str()});
    diags.add(std::move(again));
  }
  if (state.self)
    for (auto &[variable, range] : callee.reads) {
      state.self->reads.insert({variable, expr->range});
      if (state.where == Where::Script && !state.isAssigned(variable) &&
          state.reachable) {
        diags
            .report(expr->range, diag::CallReadsUnassigned, decl.ast->name,
                    variable->name)
            .note(range, diag::ReadHere, variable->name)
            .note(variable->range, diag::AssignedHere, variable->name)
            .send();
        state.assigned.insert(variable);
      }
    }
  if (callee.hostCause) {
    if (state.inKernel()) {
      addChain(diags.report(expr->range, diag::HostOnlyCall, decl.ast->name),
               &callee);
      return fail(expr->range);
    }
    state.markHostOnly(expr->range,
                       ("the call of `" + decl.ast->name + "`").str(), &callee);
  }
  if (callee.isBroken || callee.function->result->isError())
    return fail(expr->range);
  auto *call = build.make<CallExpr>(expr->range, callee.function->result);
  call->callee = callee.function;
  call->args = std::move(args);
  return call;
}
