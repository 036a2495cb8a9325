//===- NameChecker.cpp - What names stand for -----------------------------===//
#include "chi/Sema/Names/NameChecker.h"
#include "chi/AST/Walk.h"
#include "chi/Sema/Builtins/Foreign.h"

using namespace chi;
using namespace chi::sema;

TypeRef NameChecker::typeNamed(llvm::StringRef name) const {
  TypeRef scalar = llvm::StringSwitch<TypeRef>(name)
                       .Case("bool", types.boolTy)
                       .Case("i8", types.i8)
                       .Case("i16", types.i16)
                       .Case("i32", types.i32)
                       .Case("i64", types.i64)
                       .Case("u8", types.u8)
                       .Case("u16", types.u16)
                       .Case("u32", types.u32)
                       .Case("u64", types.u64)
                       .Case("f16", types.f16)
                       .Case("bf16", types.bf16)
                       .Case("f32", types.f32)
                       .Case("f64", types.f64)
                       .Case("int", build.defaultInt())
                       .Case("float", build.defaultFloat())
                       .Case("str", types.str)
                       .Case("complex", types.complexOf(build.defaultFloat()))
                       .Case("complex64", types.complexOf(types.f32))
                       .Case("complex128", types.complexOf(types.f64))
                       .Default(nullptr);
  if (scalar)
    return scalar;
  llvm::StringRef rest = name;
  scalar = build.defaultFloat();
  if (rest.consume_front("i"))
    scalar = build.defaultInt();
  else if (rest.consume_front("u"))
    scalar = types.intType(program.options.defaultIntBits, false);
  else if (rest.consume_front("d"))
    scalar = types.f64;
  bool isMat = rest.consume_front("mat");
  if (!isMat && !rest.consume_front("vec"))
    return nullptr;
  if (rest.size() != 1 || rest[0] < '2' || rest[0] > '4')
    return nullptr;
  if (isMat && name[0] != 'm' && name[0] != 'd')
    return nullptr;
  int64_t n = rest[0] - '0';
  return isMat ? types.mat(n, n, scalar) : types.vec(n, scalar);
}

Meaning NameChecker::lookup(llvm::StringRef name) {
  Meaning meaning = state.lookupLocal(name);
  if (meaning.kind != Meaning::Nothing)
    return meaning;
  auto found = state.module->names.find(name);
  if (found != state.module->names.end())
    return found->second;
  if (TypeRef type = typeNamed(name)) {
    meaning.kind = Meaning::Type;
    meaning.type = type;
    return meaning;
  }
  auto word = findBuiltin(name);
  if (!word || (name.starts_with("__") && !state.module->isInternal) ||
      name.contains('.'))
    return meaning;
  meaning.kind = Meaning::Builtin;
  meaning.builtin = *word;
  return meaning;
}

/// A name that other modules do not see ([Src.3]). Those of intrinsics, which
/// begin with two, are of no module.
static bool isPrivate(llvm::StringRef name) { return name.starts_with("_"); }

static void reportPrivate(DiagnosticEngine &diags, SourceRange range,
                          llvm::StringRef module, llvm::StringRef name) {
  diags.report(range, diag::NoModuleMember, module, name)
      .note({}, diag::Advice,
            "names that begin with `_` are private: only their own module has "
            "them")
      .send();
}

Meaning NameChecker::resolve(const ast::Expr *expr) {
  if (auto *name = llvm::dyn_cast<ast::NameExpr>(expr))
    return lookup(name->name);
  if (auto *lambda = llvm::dyn_cast<ast::LambdaExpr>(expr))
    return nested(lambda->function);
  auto *attribute = llvm::dyn_cast<ast::AttributeExpr>(expr);
  if (!attribute)
    return {};
  std::string base = ast::dottedName(attribute->base);
  if (base.empty())
    return {};
  Meaning module = lookup(base);
  if (module.kind == Meaning::Broken)
    return module;
  if (module.kind != Meaning::Module) {
    Meaning foreign;
    if (observer.reportForeignMember(attribute, base))
      foreign.kind = Meaning::Broken;
    return foreign;
  }
  if (isPrivate(attribute->name)) {
    reportPrivate(diags, attribute->nameRange, base, attribute->name);
    module.kind = Meaning::Broken;
    return module;
  }
  auto found = module.module->names.find(attribute->name);
  if (found != module.module->names.end() &&
      found->second.kind != Meaning::Module)
    return found->second;
  std::vector<llvm::StringRef> candidates;
  for (auto &[known, meaning] : module.module->names)
    candidates.push_back(known);
  std::string best = nearest(attribute->name, candidates);
  // Clocks have other names in Python.
  bool isClock = attribute->name == "time" ||
                 attribute->name == "perf_counter" ||
                 attribute->name == "monotonic";
  if (isClock && module.module->path == "time")
    best = "now";
  if (best.empty())
    diags
        .report(attribute->nameRange, diag::NoModuleMember, base,
                attribute->name)
        .send();
  else
    diags
        .report(attribute->nameRange, diag::NoModuleMemberNear, base,
                attribute->name, best)
        .fixIt(attribute->nameRange, best)
        .send();
  Meaning broken;
  broken.kind = Meaning::Broken;
  return broken;
}

/// Whether a name is one of the body that is checked, or will be.
bool NameChecker::isOfBody(llvm::StringRef name) {
  if (state.lookupLocal(name).kind != Meaning::Nothing)
    return true;
  return llvm::any_of(state.scopes, [&](const Scope &scope) {
    return !scope.body.empty() &&
           (program.countsOf(scope.body).all.count(name) ||
            bindsOtherwise(scope.body, name));
  });
}

Meaning NameChecker::nested(const ast::FunctionStmt *stmt) {
  Meaning meaning;
  meaning.kind = Meaning::Function;
  meaning.range = stmt->nameRange;
  meaning.function = &program.made.nested(*state.module, stmt, [&] {
    std::vector<const ast::NameExpr *> captures = freeNames(stmt);
    llvm::erase_if(captures, [&](const ast::NameExpr *name) {
      return !isOfBody(name->name);
    });
    return captures;
  });
  for (auto &entry : program.countsOf(stmt->body).all)
    if (isOfBody(entry.first()))
      meaning.function->hidden.insert(entry.first());
  return meaning;
}

bool NameChecker::isAssignedLater(llvm::StringRef name, SourceRange *range) {
  for (Scope &scope : llvm::reverse(state.scopes)) {
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

bool NameChecker::isHiddenLater(const ast::Expr *expr) {
  auto *name = llvm::dyn_cast<ast::NameExpr>(expr);
  SourceRange later;
  return name && state.where != Where::Script &&
         state.lookupLocal(name->name).kind == Meaning::Nothing &&
         isAssignedLater(name->name, &later);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Expr *NameChecker::checkName(const ast::NameExpr *expr) {
  Meaning meaning = state.lookupLocal(expr->name);
  if (meaning.kind == Meaning::Nothing) {
    SourceRange later;
    Meaning outer = lookup(expr->name);
    bool isGlobal = state.where == Where::Script &&
                    outer.kind == Meaning::TopLevel && outer.topLevel->isSeen;
    if (!isGlobal && isAssignedLater(expr->name, &later)) {
      if (!state.reportedEarly.insert(expr->name).second)
        return fail(expr->range);
      // `x, y = y, x` of two fields: no field's name can be bound again here.
      if (state.refusedBinding && state.inKernel() &&
          outer.kind == Meaning::TopLevel) {
        if (*state.refusedBinding)
          return fail(expr->range);
        state.refusedBinding = true;
      }
      auto report =
          diags.report(expr->range, diag::UseBeforeAssignment, expr->name);
      bool hides =
          outer.kind == Meaning::TopLevel || outer.kind == Meaning::Function;
      if (hides && state.where != Where::Script) {
        report.addNote(later, diag::HidesTopLevel, expr->name);
        if (outer.topLevel)
          adviseKeeping(report, expr->name, *outer.topLevel);
      } else {
        report.addNote(later, diag::AssignedHere, expr->name);
      }
      return fail(expr->range);
    }
    meaning = outer;
  }
  return valueOf(meaning, expr->name, expr->range);
}

static const char *nounOf(Meaning::Kind kind) {
  switch (kind) {
  case Meaning::Function:
  case Meaning::Builtin:
    return "a function";
  case Meaning::Module:
    return "a module";
  default:
    return "a type";
  }
}

Expr *NameChecker::valueOf(const Meaning &meaning, llvm::StringRef name,
                           SourceRange range) {
  switch (meaning.kind) {
  case Meaning::Nothing:
    reportUnknown(name, range);
    return fail(range);
  case Meaning::Broken:
    return fail(range);
  case Meaning::Local:
    return readLocal(*meaning.local, range);
  case Meaning::Constant: {
    if (meaning.flowKey && !state.isAssigned(meaning.flowKey) &&
        state.reachable) {
      diags.report(range, diag::MaybeUnassigned, name)
          .note(meaning.range, diag::AssignedHere, name)
          .send();
      state.assigned.insert(meaning.flowKey);
    }
    Expr *copy = build.clone(meaning.constant);
    copy->range = range;
    return copy;
  }
  case Meaning::TopLevel:
    return readTopLevel(*meaning.topLevel, range);
  case Meaning::Const: {
    Expr *value = program.constantValue(*meaning.constDecl, range);
    Expr *copy = build.clone(value);
    copy->range = range;
    return copy;
  }
  case Meaning::Param: {
    Expr *value = program.paramValue(*meaning.param, range);
    if (value->type->isStr() && state.inKernel() && !isConstant(value) &&
        !state.hostOnly(range, "a `str`"))
      return fail(range);
    if (value->type->isStr() && state.where == Where::Function &&
        !isConstant(value))
      state.markHostOnly(range, "a `str`");
    return value;
  }
  case Meaning::Builtin: {
    switch (meaning.builtin) {
#define CHI_MATH_CONST(Name, Text, Value)                                      \
  case BuiltinName::Name:                                                      \
    return build.realLiteral(range, Value, types.untypedFloat);
#include "chi/Sema/Builtins/Builtins.def"
#define CHI_LATER(Name, Text) case BuiltinName::Name:
#include "chi/Sema/Builtins/Builtins.def"
      reportLater(diags, range,
                  ("`" + builtinText(meaning.builtin) + "`").str());
      return fail(range);
    default:
      break;
    }
    [[fallthrough]];
  }
  default:
    diags.report(range, diag::NotAValue, name, nounOf(meaning.kind)).send();
    return fail(range);
  }
}

Expr *NameChecker::readLocal(LocalVariable &local, SourceRange range) {
  ++local.numReads;
  if (!local.type) {
    // Another path assigns it; its type is known in the next round.
    if (!local.hint && !state.isAssigned(&local)) {
      diags.report(range, diag::UseBeforeAssignment, local.name)
          .note(local.range, diag::AssignedHere, local.name)
          .send();
      return fail(range);
    }
    return fail(range);
  }
  if (!state.isAssigned(&local) && state.reachable) {
    diags.report(range, diag::MaybeUnassigned, local.name)
        .note(local.range, diag::AssignedHere, local.name)
        .send();
    state.assigned.insert(&local); // once is enough
  }
  if (state.inParallel() && local.atKernelLevel)
    state.kernelReads.push_back({&local, range});
  if (local.type->isError())
    return fail(range);
  return build.variable(range, local.variable);
}

Expr *NameChecker::readTopLevel(TopLevelVariable &variable, SourceRange range) {
  ++variable.numReads;
  if (state.where == Where::Constant) {
    if (variable.constant)
      return build.clone(variable.constant);
    diags.report(range, diag::NotConstant, ("`" + variable.name + "`"))
        .note(variable.range, diag::AssignedHere, variable.name)
        .send();
    return fail(range);
  }
  if (state.self)
    state.self->reads.insert({&variable, range});
  bool isEarly = state.where == Where::Script && !state.isAssigned(&variable) &&
                 state.reachable;
  if (isEarly) {
    if (variable.isSeen)
      diags.report(range, diag::MaybeUnassigned, variable.name)
          .note(variable.range, diag::AssignedHere, variable.name)
          .send();
    else
      diags.report(range, diag::UseBeforeAssignment, variable.name)
          .note(variable.range, diag::AssignedHere, variable.name)
          .send();
    state.assigned.insert(&variable);
  }
  if (variable.constant) {
    Expr *copy = build.clone(variable.constant);
    copy->range = range;
    return copy;
  }
  TypeRef type = variable.type ? variable.type : variable.hint;
  if (!type) {
    // `x = field(f32, shape=x)`: no round would find a type.
    if (!isEarly)
      program.askForRound();
    return fail(range);
  }
  if (type->isError())
    return fail(range);
  if (type->holdsStr() && !state.hostOnly(range, "a `str`"))
    return fail(range);
  std::string advice = type->isRef()
                           ? "pass it to the kernel: `" + variable.name + ": " +
                                 type->str() + "` as a parameter has its fields"
                           : "";
  if (type->holdsObject() &&
      !state.hostOnly(range, "a `" + type->str() + "`", advice))
    return fail(range);
  auto *read = build.make<GlobalExpr>(range, type);
  read->global = variable.global;
  return read;
}

void NameChecker::adviseKeeping(DiagnosticBuilder &report, llvm::StringRef name,
                                const TopLevelVariable &variable) {
  TypeRef type = variable.type ? variable.type : variable.hint;
  if (!type || type->isError() || (!type->isScalar() && !type->isAggregate()))
    return;
  report.addNote({}, diag::KeepInField, name, build.defaulted(type)->str());
}

//===----------------------------------------------------------------------===//
// Names that nothing declares
//===----------------------------------------------------------------------===//

/// Of a name that a loop which has ended assigns: its first use after it. True
/// if it is such a name.
bool NameChecker::reportLoopsOwn(llvm::StringRef name, SourceRange range) {
  ast::Body whole =
      state.scopes.empty() ? ast::Body() : state.scopes.front().body;
  if (state.where == Where::Script)
    whole = state.module->ast->body;
  if (whole.empty())
    return false;
  const AssignCounts &counts = program.countsOf(whole);
  auto assigned = counts.inLoops.find(name);
  if (assigned != counts.inLoops.end()) {
    if (state.reportedEarly.insert(name).second)
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
  if (state.reportedEarly.insert(name).second)
    diags.report(range, diag::LoopsOwnName, name)
        .note(declared, diag::DeclaredHere, name)
        .send();
  return true;
}

/// Whether `name` is a function inside of this code, which stands further down
/// or in a block of its own: that is the error then.
bool NameChecker::reportNested(llvm::StringRef name, SourceRange range) {
  ast::Body whole =
      state.scopes.empty() ? ast::Body() : state.scopes.front().body;
  const ast::FunctionStmt *nested = nullptr;
  walkStmts(state.where == Where::Script ? ast::Body(state.module->ast->body)
                                         : whole,
            [&](const ast::Stmt *stmt) {
              auto *function = llvm::dyn_cast<ast::FunctionStmt>(stmt);
              if (function && function->name == name)
                nested = function;
            });
  if (nested)
    diags.report(range, diag::UseBeforeAssignment, name)
        .note(nested->nameRange, diag::DeclaredHere, name)
        .send();
  return nested != nullptr;
}

void NameChecker::reportUnknown(llvm::StringRef name, SourceRange range) {
  if (state.self && state.self->decl && state.self->decl->hidden.count(name)) {
    diags.report(range, diag::ChangesCaptured, name).send();
    return;
  }
  if (observer.reportForeign(name, range) || reportNested(name, range))
    return;
  std::vector<llvm::StringRef> candidates;
  for (Scope &scope : state.scopes)
    for (auto &[known, meaning] : scope.names)
      candidates.push_back(known);
  for (auto &[known, meaning] : state.module->names)
    candidates.push_back(known);
  for (const char *type :
       {"f32",   "f64",   "i32",   "i64",   "u32",   "u64",   "bool",
        "vec2",  "vec3",  "vec4",  "ivec2", "ivec3", "mat2",  "mat3",
        "mat4",  "dvec2", "dvec3", "float", "int",   "f16",   "bf16",
        "i8",    "i16",   "u8",    "u16",   "ivec4", "dvec4", "uvec2",
        "uvec3", "uvec4", "dmat2", "dmat3", "dmat4"})
    candidates.push_back(type);
  for (unsigned k = 0; k <= unsigned(BuiltinName::IntrinPopCount); ++k)
    if (!builtinText(BuiltinName(k)).contains('.') &&
        !builtinText(BuiltinName(k)).starts_with("__"))
      candidates.push_back(builtinText(BuiltinName(k)));
  candidates.push_back("str"); // as near to `sqr` as `sqrt` is
  if (findBuiltin(("math." + name).str())) {
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
