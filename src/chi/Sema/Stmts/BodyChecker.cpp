//===- BodyChecker.cpp - Rounds over a body -------------------------------===//
#include "chi/Sema/Stmts/BodyChecker.h"

using namespace chi;
using namespace chi::sema;

BodyChecker::BodyChecker(ProgramScope &program, ModuleScope &module,
                         Where where, Instance *self)
    : program(program), build(program.build), types(program.types),
      diags(program.diags), exprs(program, module, where, self),
      state(exprs.state),
      ctx{exprs.ctx, lvalues, assigns, updates, loops, tapes, stmts} {
  exprs.ctx.statements = &stmts;
}

//===----------------------------------------------------------------------===//
// Rounds
//===----------------------------------------------------------------------===//

/// Each round but the last gives at least one variable a wider type, and no
/// variable widens more often than there are scalar types. A chain of
/// variables that are assigned in the wrong order needs a round for each of
/// them (docs/design/0100-inference-by-rounds.md).
void BodyChecker::runRounds(llvm::function_ref<void()> round,
                            size_t numTopLevels) {
  constexpr size_t kMostWidenings = 12;
  for (size_t attempt = 0;; ++attempt) {
    size_t mark = diags.mark();
    unsigned errors = diags.errorCount();
    state.startRound();
    round();
    bool isSettled = !state.endRound();
    size_t variables = state.locals.size() + numTopLevels + 1;
    bool isLast = attempt > kMostWidenings * variables;
    // What is assigned an error and another value has a new type each round.
    if (isSettled || (isLast && diags.errorCount() > errors)) {
      reportTooLarge(build, state.self->function->body);
      showVariables();
      return state.warnOfLostCopies();
    }
    diags.discardSince(mark);
    if (isLast)
      llvm::report_fatal_error("the types of a body do not settle");
  }
}

/// Passes the types of the body's variables to the observer.
void BodyChecker::showVariables() {
  if (!program.observer)
    return;
  for (auto &[key, local] : state.locals)
    if (local->type)
      program.observer->sawDeclared(local->range, local->type);
}

/// A parameter that the body assigns is a variable that starts with it.
void BodyChecker::bindParameters() {
  FunctionDecl &decl = *state.self->decl;
  Function &function = *state.self->function;
  const AssignCounts &counts = program.countsOf(decl.ast->body);
  bool isFirst = function.params.empty();
  unsigned next = 0;
  if (decl.isNested && !counts.all.count(decl.ast->name)) {
    Meaning &own = state.scopes.back().names[decl.ast->name.str()];
    own.kind = Meaning::Function;
    own.function = &decl;
    own.range = decl.ast->nameRange;
  }
  for (auto [k, parameter] : llvm::enumerate(decl.ast->params)) {
    const ArgBinding &binding = state.self->args[k];
    if (binding.self == ArgBinding::Element) {
      bindElement(parameter, binding, isFirst);
      next = 1 + binding.indexTypes.size();
      continue;
    }
    if (binding.constant) {
      state.bind(parameter.name, parameter.nameRange, binding.constant);
      continue;
    }
    if (binding.meaning.kind != Meaning::Nothing) {
      state.scopes.back().names[parameter.name.str()] =
          bindFunction(parameter, binding, isFirst, next);
      continue;
    }
    if (isFirst) {
      Variable *made = state.freshVariable(parameter.name, parameter.nameRange,
                                           binding.type);
      made->isParameter = true;
      made->hasWrittenType = parameter.type != nullptr;
      function.params.push_back(made);
    }
    Variable *variable = function.params[next++];
    // A field that is bound again may have other extents then; in a kernel
    // that is refused.
    bool mayCopy =
        binding.type->isField() ? !state.inKernel() : parameter.type == nullptr;
    bool isCopied = mayCopy && counts.all.count(parameter.name);
    LocalVariable &local =
        isCopied ? state.declareLocal(parameter.name, parameter.nameRange)
                 : state.declareTyped(parameter.name, parameter.nameRange,
                                      binding.type);
    if (isCopied) {
      ctx.assigns.assignLocal(local,
                              build.variable(parameter.nameRange, variable),
                              parameter.nameRange);
      continue;
    }
    variable->isKernelLevel = local.atKernelLevel;
    local.isCaptured = k >= decl.ast->params.size() - decl.captures.size();
    local.variable = variable;
    state.assigned.insert(&local);
    if (decl.klass && k == 0) {
      state.selfVariable = &local;
      state.returnsSelf = binding.self == ArgBinding::Returned;
    }
  }
}

/// A function that is an argument: what it captures is in parameters.
Meaning BodyChecker::bindFunction(const ast::Parameter &parameter,
                                  const ArgBinding &binding, bool isFirst,
                                  unsigned &next) {
  Meaning meaning = binding.meaning;
  if (binding.captured.empty())
    return meaning;
  Closure closure;
  for (auto [k, inner] : llvm::enumerate(binding.captured)) {
    Meaning &value = closure.emplace_back();
    if (inner.meaning.kind != Meaning::Nothing) {
      value = bindFunction(parameter, inner, isFirst, next);
      continue;
    }
    if (inner.constant) {
      value = boundTo(inner.constant);
      continue;
    }
    std::vector<Variable *> &params = state.self->function->params;
    if (isFirst) {
      llvm::StringRef name = meaning.function->captures[k]->name;
      params.push_back(state.freshVariable((parameter.name + "." + name).str(),
                                           parameter.nameRange, inner.type));
      params.back()->isParameter = true;
    }
    value = boundTo(build.variable(parameter.nameRange, params[next++]));
  }
  meaning.closure = std::make_shared<Closure>(std::move(closure));
  return meaning;
}

/// `self` that is an element of a field: its field and its indices are
/// parameters (Note [Self] in ClassChecker.h).
void BodyChecker::bindElement(const ast::Parameter &parameter,
                              const ArgBinding &binding, bool isFirst) {
  std::vector<Variable *> &params = state.self->function->params;
  auto add = [&](const std::string &name, TypeRef type) {
    Variable *made = state.freshVariable(name, parameter.nameRange, type);
    made->isParameter = true;
    params.push_back(made);
  };
  if (isFirst) {
    add("self", binding.type);
    for (auto [axis, type] : llvm::enumerate(binding.indexTypes))
      add("self." + std::to_string(axis), type);
  }
  auto *element =
      build.make<LoadExpr>(parameter.nameRange, binding.type->element);
  element->field = build.variable(parameter.nameRange, params[0]);
  for (size_t axis = 0; axis < binding.indexTypes.size(); ++axis)
    element->indices.push_back(
        build.variable(parameter.nameRange, params[1 + axis]));
  state.bind(parameter.name, parameter.nameRange, element);
}

void BodyChecker::checkFunction(ast::Body body) {
  FunctionDecl *decl = state.self->decl;
  state.functionCounts = &program.countsOf(body);
  if (decl && decl->ast->returnType) {
    ExprCheckers typeChecker(program, *state.module, Where::Constant, nullptr);
    typeChecker.state.scopes.push_back({});
    for (auto [k, parameter] : llvm::enumerate(decl->ast->params))
      if (state.self->args[k].constant)
        typeChecker.state.bind(parameter.name, parameter.nameRange,
                               state.self->args[k].constant);
      else if (state.self->args[k].meaning.kind != Meaning::Nothing)
        typeChecker.state.scopes.back().names[parameter.name.str()] =
            state.self->args[k].meaning;
    for (auto &[name, meaning] : typeNames)
      typeChecker.state.scopes.back().names[name] = meaning;
    const ast::Expr *written = decl->ast->returnType;
    bool isNone = llvm::isa<ast::NoneExpr>(written);
    state.resultType = isNone ? types.voidTy : typeChecker.checkType(written);
    state.hasDeclaredResult = true;
    state.self->function->hasWrittenResult = true;
  }
  setResult(); // a recursive call asks for it
  runRounds([&] {
    state.enter(Scope::Function, body, decl);
    for (auto &[name, meaning] : typeNames)
      state.scopes.back().names[name] = meaning;
    if (decl)
      bindParameters();
    state.lastStmt = body.empty() ? nullptr : body.back();
    ctx.stmts.checkBody(body);
    if (state.reachable && state.resultType && !state.resultType->isVoid() &&
        !state.resultType->isError() && decl && !state.refusedReturn) {
      if (state.firstReturn.isValid())
        diags.report(decl->ast->nameRange, diag::MissingReturn, decl->ast->name)
            .note(state.firstReturn, diag::ReturnedHere)
            .send();
      else
        diags.report(decl->ast->nameRange, diag::MissingReturn, decl->ast->name)
            .send();
    }
    returnSelf();
    state.leave();
  });
  setResult();
}

/// Gives the function the type of what it returns.
void BodyChecker::setResult() {
  TypeRef result = state.resultType ? state.resultType : types.voidTy;
  state.self->givenResult = result;
  if (!state.self->args.empty() &&
      state.self->args[0].self == ArgBinding::Returned) {
    TypeRef self = state.self->args[0].type;
    result = result->isVoid()    ? self
             : result->isError() ? result
                                 : types.tuple({result, self});
  }
  state.self->function->result = result;
}

/// At the end of a method without a result.
void BodyChecker::returnSelf() {
  if (!state.returnsSelf || !state.reachable)
    return;
  SourceRange range = state.self->decl->ast->nameRange;
  state.emit<ReturnStmt>(range)->value = ctx.stmts.withSelf(nullptr, range);
}

void BodyChecker::checkScript(llvm::ArrayRef<ModuleScope *> modules) {
  auto round = [&] {
    // A type of a top-level variable that changes changes every function.
    program.startRound();
    state.enter(Scope::Function, {}, nullptr);
    for (ModuleScope *each : modules) {
      state.module = each;
      ctx.stmts.checkBody(each->ast->body);
    }
    auto main = state.module->names.find("main");
    if (main != state.module->names.end() &&
        main->second.kind == Meaning::Function) {
      FunctionDecl &decl = *main->second.function;
      if (decl.ast->params.empty() && !decl.isKernel && !decl.isBroken) {
        Instance &callee = program.instantiate(decl, {}, decl.ast->nameRange);
        ast::CallExpr call(decl.ast->nameRange);
        Expr *value = ctx.calls.finishCall(&call, callee, {});
        if (!isError(value))
          state.emit<ExprStmt>(decl.ast->nameRange)->value = value;
      } else if (!decl.isBroken) {
        diags.report(decl.ast->nameRange, diag::BadMain).send();
      }
    }
    state.changed |= program.needsRound();
    state.leave();
  };
  size_t numTopLevels = 0;
  for (ModuleScope *each : modules)
    numTopLevels += each->names.size();
  runRounds(round, numTopLevels);
  state.self->function->result = types.voidTy;
}

//===----------------------------------------------------------------------===//
// Names alone
//===----------------------------------------------------------------------===//

void BodyChecker::checkNamesOnly(const FunctionDecl &decl) {
  ast::Body body = decl.ast->body;
  state.enter(Scope::Function, body, &decl);
  Meaning known;
  known.kind = Meaning::Broken;
  auto declare = [&](llvm::StringRef name) {
    state.scopes.back().names[name.str()] = known;
  };
  for (const ast::Parameter &parameter : decl.ast->params)
    declare(parameter.name);
  for (const ast::TypeParameter &parameter : decl.ast->typeParams)
    declare(parameter.name);
  if (decl.klass)
    for (const ast::TypeParameter &parameter : decl.klass->ast->typeParams)
      declare(parameter.name);
  for (auto &entry : program.countsOf(body).all)
    declare(entry.first());
  walkStmts(body, [&](const ast::Stmt *stmt) {
    if (auto *loop = llvm::dyn_cast<ast::ForStmt>(stmt))
      for (const ast::Expr *target : loop->targets)
        walkExpr(target, [&](const ast::Expr *part) {
          if (auto *name = llvm::dyn_cast<ast::NameExpr>(part))
            declare(name->name);
        });
    if (auto *function = llvm::dyn_cast<ast::FunctionStmt>(stmt))
      declare(function->name);
  });
  walkExprs(body, [&](const ast::Expr *expr) {
    if (auto *lambda = llvm::dyn_cast<ast::LambdaExpr>(expr))
      for (const ast::Parameter &parameter : lambda->function->params)
        declare(parameter.name);
    auto *name = llvm::dyn_cast<ast::NameExpr>(expr);
    if (name && ctx.names.lookup(name->name).kind == Meaning::Nothing)
      ctx.names.reportUnknown(name->name, name->range);
  });
  state.leave();
}
