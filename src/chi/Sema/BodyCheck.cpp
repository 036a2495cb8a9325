//===- BodyCheck.cpp - Rounds, scopes, names ------------------------------===//
#include "chi/Sema/BodyCheck.h"

using namespace chi;
using namespace chi::sema;

BodyChecker::BodyChecker(ProgramChecker &program, ModuleScope &module,
                         Where where, Instance *self)
    : program(program), build(program.build), types(program.types),
      diags(program.diags), module(&module), where(where), self(self) {}

//===----------------------------------------------------------------------===//
// Rounds
//===----------------------------------------------------------------------===//

void BodyChecker::runRounds(llvm::function_ref<void()> round) {
  constexpr int kMaxRounds = 40;
  for (int turn = 0; turn < kMaxRounds; ++turn) {
    size_t mark = diags.mark();
    changed = false;
    scopes.clear(), assigned.clear(), loops.clear();
    kernelReads.clear(), reductions.clear();
    reachable = true, parallelDepth = 0;
    unrolledTurns = 0;
    reportedEarly.clear();
    firstReturn = {};
    refusedReturn = false;
    if (!hasDeclaredResult)
      resultType = resultHint;
    self->function->body.clear();
    self->hostCause.reset();
    self->reads.clear();
    for (auto &[key, local] : locals) {
      local->type = local->hint;
      local->variable = nullptr;
      local->isCopyOfElement = false;
      local->partWritten = {};
      local->numReads = 0;
    }
    out = &self->function->body;
    round();
    if (!endRound() || turn + 1 == kMaxRounds) {
      program.reportTooLarge(self->function->body);
      return warnOfLostCopies();
    }
    diags.discardSince(mark);
  }
}

/// Settles the types of variables; true if another round is needed.
bool BodyChecker::endRound() {
  for (auto &[key, local] : locals) {
    if (!local->type || !local->variable)
      continue;
    TypeRef type = build.defaulted(local->type);
    if (local->hasWideLiteral && type->isScalar() && isUntyped(local->type))
      type = types.i64;
    if (type != local->type) {
      local->isDefault = true;
      local->undecided = local->type;
      changed = true;
    }
    local->hint = type->isError() ? nullptr : type;
  }
  if (resultType && !hasDeclaredResult) {
    TypeRef type = build.defaulted(resultType);
    changed |= type != resultType;
    resultHint = type->isError() ? nullptr : type;
  }
  return changed;
}

/// `p = x[i]; p.y = 1`, and p is never read: x was meant ([Vec.1]).
void BodyChecker::warnOfLostCopies() {
  for (auto &[key, local] : locals)
    if (local->variable && local->isCopyOfElement && !local->numReads &&
        local->partWritten.isValid())
      diags.report(local->partWritten, diag::LostCopy, local->name)
          .note(local->range, diag::AssignedHere, local->name)
          .send();
}

void BodyChecker::setType(LocalVariable &local, TypeRef type) {
  if (local.type && local.type != type)
    changed = true;
  local.type = type;
  if (local.variable)
    local.variable->type = type;
}

/// A parameter that the body assigns is a variable that starts with it.
void BodyChecker::bindParameters() {
  FunctionDecl &decl = *self->decl;
  Function &function = *self->function;
  const AssignCounts &counts = program.countsOf(decl.ast->body);
  bool isFirst = function.params.empty();
  unsigned next = 0;
  for (auto [k, parameter] : llvm::enumerate(decl.ast->params)) {
    const ArgBinding &binding = self->args[k];
    if (binding.constant) {
      bind(parameter.name, parameter.nameRange, binding.constant);
      continue;
    }
    if (binding.meaning.kind != Meaning::Nothing) {
      scopes.back().names[parameter.name.str()] = binding.meaning;
      continue;
    }
    if (isFirst) {
      Variable *made =
          freshVariable(parameter.name, parameter.nameRange, binding.type);
      made->isParameter = true;
      made->hasWrittenType = parameter.type != nullptr;
      function.params.push_back(made);
    }
    Variable *variable = function.params[next++];
    bool isCopied = !parameter.type && counts.all.count(parameter.name) &&
                    !binding.type->isField();
    LocalVariable &local =
        isCopied
            ? declareLocal(parameter.name, parameter.nameRange)
            : declareTyped(parameter.name, parameter.nameRange, binding.type);
    if (isCopied) {
      assignLocal(local, build.variable(parameter.nameRange, variable),
                  parameter.nameRange);
      continue;
    }
    variable->isKernelLevel = local.atKernelLevel;
    local.variable = variable;
    assigned.insert(&local);
  }
}

void BodyChecker::checkFunction(ast::Body body) {
  FunctionDecl *decl = self->decl;
  functionCounts = &program.countsOf(body);
  if (decl && decl->ast->returnType) {
    BodyChecker typeChecker(program, *module, Where::Constant, nullptr);
    typeChecker.scopes.push_back({});
    for (auto [k, parameter] : llvm::enumerate(decl->ast->params))
      if (self->args[k].constant)
        typeChecker.bind(parameter.name, parameter.nameRange,
                         self->args[k].constant);
      else if (self->args[k].meaning.kind != Meaning::Nothing)
        typeChecker.scopes.back().names[parameter.name.str()] =
            self->args[k].meaning;
    for (auto &[name, meaning] : typeNames)
      typeChecker.scopes.back().names[name] = meaning;
    const ast::Expr *written = decl->ast->returnType;
    bool isNone = llvm::isa<ast::NoneExpr>(written);
    resultType = isNone ? types.voidTy : typeChecker.checkType(written);
    hasDeclaredResult = true;
    self->function->hasWrittenResult = true;
  }
  runRounds([&] {
    enter(Scope::Function, body, decl);
    for (auto &[name, meaning] : typeNames)
      scopes.back().names[name] = meaning;
    if (decl)
      bindParameters();
    lastStmt = body.empty() ? nullptr : body.back();
    checkBody(body);
    if (reachable && resultType && !resultType->isVoid() &&
        !resultType->isError() && decl && !refusedReturn) {
      if (firstReturn.isValid())
        diags.report(decl->ast->nameRange, diag::MissingReturn, decl->ast->name)
            .note(firstReturn, diag::ReturnedHere)
            .send();
      else
        diags.report(decl->ast->nameRange, diag::MissingReturn, decl->ast->name)
            .send();
    }
    leave();
  });
  self->function->result = resultType ? resultType : types.voidTy;
}

void BodyChecker::checkScript(llvm::ArrayRef<ModuleScope *> modules) {
  runRounds([&] {
    // A type of a top-level variable that changes changes every function.
    program.resetRound();
    enter(Scope::Function, {}, nullptr);
    for (ModuleScope *each : modules) {
      module = each;
      checkBody(each->ast->body);
    }
    auto main = module->names.find("main");
    if (main != module->names.end() && main->second.kind == Meaning::Function) {
      FunctionDecl &decl = *main->second.function;
      if (decl.ast->params.empty() && !decl.isKernel && !decl.isBroken) {
        Instance &callee = program.instantiate(decl, {}, decl.ast->nameRange);
        ast::CallExpr call(decl.ast->nameRange);
        Expr *value = finishCall(&call, callee, {});
        if (!isError(value))
          emit<ExprStmt>(decl.ast->nameRange)->value = value;
      } else if (!decl.isBroken) {
        diags.report(decl.ast->nameRange, diag::BadMain).send();
      }
    }
    for (TopLevelVariable &variable : program.topLevels)
      changed |=
          variable.type && !variable.constant && isUntyped(variable.type);
    changed |= program.needsAnotherRound;
    leave();
  });
  self->function->result = types.voidTy;
}

void BodyChecker::markHostOnly(SourceRange range, llvm::StringRef what,
                               const Instance *through) {
  if (self && !self->hostCause && where == Where::Function)
    self->hostCause = HostCause{range, what.str(), through};
}

bool BodyChecker::hostOnly(SourceRange range, llvm::StringRef what) {
  if (where == Where::Constant) {
    diags.report(range, diag::NotConstant, what).send();
    return false;
  }
  if (!inKernel()) {
    markHostOnly(range, what);
    return true;
  }
  diags.report(range, diag::HostOnlyInKernel, what).send();
  return false;
}

//===----------------------------------------------------------------------===//
// Scopes
//===----------------------------------------------------------------------===//

void BodyChecker::enter(Scope::Kind kind, ast::Body body, const void *node,
                        unsigned turn) {
  unsigned parent = scopes.empty() ? 0 : scopes.back().id;
  unsigned &id = scopeIds[{parent, node, turn}];
  if (!id)
    id = scopeIds.size();
  Scope scope;
  scope.id = id;
  scope.kind = kind;
  scope.body = body;
  scopes.push_back(std::move(scope));
}

void BodyChecker::leave() { scopes.pop_back(); }

Variable *BodyChecker::freshVariable(llvm::StringRef name, SourceRange range,
                                     TypeRef type) {
  auto *variable = program.program.make<Variable>();
  variable->name = name.str();
  variable->range = range;
  variable->type = type;
  variable->isKernelLevel = inKernel() && !inParallel();
  return variable;
}

LocalVariable &BodyChecker::declareLocal(llvm::StringRef name,
                                         SourceRange range) {
  auto &slot = locals[{scopes.back().id, name.str()}];
  if (!slot) {
    slot = std::make_unique<LocalVariable>();
    slot->name = name.str();
    slot->range = range;
  }
  slot->atKernelLevel = inKernel() && !inParallel();
  slot->variable = freshVariable(name, slot->range, slot->type);
  Meaning meaning;
  meaning.kind = Meaning::Local;
  meaning.local = slot.get();
  meaning.range = slot->range;
  scopes.back().names[name.str()] = meaning;
  return *slot;
}

LocalVariable &BodyChecker::declareTyped(llvm::StringRef name,
                                         SourceRange range, TypeRef type) {
  LocalVariable &local = declareLocal(name, range);
  local.type = type;
  local.variable->type = type;
  local.variable->hasWrittenType = true;
  local.isAnnotated = true;
  return local;
}

void BodyChecker::bind(llvm::StringRef name, SourceRange range,
                       Expr *constant) {
  Meaning meaning;
  meaning.kind = Meaning::Constant;
  meaning.constant = constant;
  meaning.range = range;
  scopes.back().names[name.str()] = meaning;
}

Meaning BodyChecker::lookupLocal(llvm::StringRef name) {
  for (Scope &scope : llvm::reverse(scopes)) {
    auto found = scope.names.find(name);
    if (found != scope.names.end())
      return found->second;
  }
  return {};
}

Meaning BodyChecker::lookup(llvm::StringRef name) {
  Meaning meaning = lookupLocal(name);
  if (meaning.kind != Meaning::Nothing)
    return meaning;
  auto found = module->names.find(name);
  if (found != module->names.end())
    return found->second;
  if (TypeRef type = typeNamed(name)) {
    meaning.kind = Meaning::Type;
    meaning.type = type;
    return meaning;
  }
  auto word = findWord(name);
  if (!word || (name.starts_with("__") && !module->isInternal) ||
      name.contains('.'))
    return meaning;
  meaning.kind = Meaning::Word;
  meaning.word = *word;
  return meaning;
}

/// Whether a scope that stands open assigns the name further down, so that it
/// is a local variable there, as in Python.
bool BodyChecker::isAssignedLater(llvm::StringRef name, SourceRange *range) {
  for (Scope &scope : llvm::reverse(scopes)) {
    if (scope.body.empty())
      continue;
    const AssignCounts &counts = program.countsOf(scope.body);
    auto found = counts.own.find(name);
    if (found == counts.own.end())
      continue;
    *range = counts.first.lookup(name);
    return true;
  }
  return false;
}

void BodyChecker::checkNamesOnly(const FunctionDecl &decl) {
  ast::Body body = decl.ast->body;
  enter(Scope::Function, body, &decl);
  Meaning known;
  known.kind = Meaning::Broken;
  auto declare = [&](llvm::StringRef name) {
    scopes.back().names[name.str()] = known;
  };
  for (const ast::Parameter &parameter : decl.ast->params)
    declare(parameter.name);
  for (const ast::TypeParameter &parameter : decl.ast->typeParams)
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
    auto *name = llvm::dyn_cast<ast::NameExpr>(expr);
    if (name && lookup(name->name).kind == Meaning::Nothing)
      reportUnknown(name->name, name->range);
  });
  leave();
}

/// Of a name that a loop which has ended assigns: its first use after it. True
/// if it is such a name.
bool BodyChecker::reportLoopsOwn(llvm::StringRef name, SourceRange range) {
  ast::Body whole = scopes.empty() ? ast::Body() : scopes.front().body;
  if (where == Where::Script)
    whole = module->ast->body;
  if (whole.empty())
    return false;
  const AssignCounts &counts = program.countsOf(whole);
  auto assigned = counts.inLoops.find(name);
  if (assigned != counts.inLoops.end()) {
    if (reportedEarly.insert(name).second)
      diags.report(range, diag::LoopsOwnName, name)
          .note(assigned->second, diag::AssignedHere, name)
          .send();
    return true;
  }
  // A loop's own variable.
  SourceRange declared;
  walkStmts(whole, [&](const ast::Stmt *stmt) {
    if (auto *loop = llvm::dyn_cast<ast::ForStmt>(stmt))
      for (const ast::Expr *target : loop->targets)
        walkExpr(target, [&](const ast::Expr *part) {
          auto *variable = llvm::dyn_cast<ast::NameExpr>(part);
          if (variable && variable->name == name && !declared.isValid())
            declared = variable->range;
        });
  });
  if (!declared.isValid())
    return false;
  if (reportedEarly.insert(name).second)
    diags.report(range, diag::LoopsOwnName, name)
        .note(declared, diag::DeclaredHere, name)
        .send();
  return true;
}

/// Whether `name` is a function inside of this code, which is the error then.
bool BodyChecker::reportNested(llvm::StringRef name) {
  ast::Body whole = scopes.empty() ? ast::Body() : scopes.front().body;
  const ast::Stmt *nested = nullptr;
  walkStmts(where == Where::Script ? ast::Body(module->ast->body) : whole,
            [&](const ast::Stmt *stmt) {
              auto *function = llvm::dyn_cast<ast::FunctionStmt>(stmt);
              if (function && function->name == name)
                nested = stmt;
            });
  if (nested)
    diags.report(nested->range, diag::NotSupportedYet, "a nested function")
        .send();
  return nested != nullptr;
}

void BodyChecker::reportUnknown(llvm::StringRef name, SourceRange range) {
  if (reportForeign(name, range) || reportNested(name))
    return;
  std::vector<llvm::StringRef> candidates;
  for (Scope &scope : scopes)
    for (auto &[known, meaning] : scope.names)
      candidates.push_back(known);
  for (auto &[known, meaning] : module->names)
    candidates.push_back(known);
  for (const char *type :
       {"f32", "f64", "i32", "i64", "u32", "u64", "bool", "vec2", "vec3",
        "vec4", "ivec2", "ivec3", "mat2", "mat3", "mat4", "dvec2", "dvec3"})
    candidates.push_back(type);
  for (unsigned k = 0; k <= unsigned(Word::IntrinPopCount); ++k)
    if (!wordText(Word(k)).contains('.') &&
        !wordText(Word(k)).starts_with("__"))
      candidates.push_back(wordText(Word(k)));
  if (findWord(("math." + name).str())) {
    diags.report(range, diag::UnknownName, name)
        .note(range, diag::IsOfModule, "math", name)
        .send();
    return;
  }
  std::string best = nearest(name, candidates);
  if (reportLoopsOwn(name, range))
    return;
  if (best.empty())
    diags.report(range, diag::UnknownName, name).send();
  else
    diags.report(range, diag::UnknownNameNear, name, best)
        .fixIt(range, best)
        .send();
}
