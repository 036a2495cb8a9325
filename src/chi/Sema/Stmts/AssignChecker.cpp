//===- AssignChecker.cpp - Assignments to names and places ----------------===//
#include "chi/Sema/Stmts/AssignChecker.h"
#include "chi/Sema/Exprs/CallChecker.h"
#include "chi/Sema/Exprs/ExprChecker.h"
#include "chi/Sema/Exprs/ObjectChecker.h"
#include "chi/Sema/Exprs/SubscriptChecker.h"
#include "chi/Sema/Exprs/TypeExprChecker.h"
#include "chi/Sema/Names/NameChecker.h"
#include "chi/Sema/Stmts/LValueChecker.h"
#include "chi/Sema/Stmts/UpdateChecker.h"
#include "llvm/ADT/StringExtras.h"

using namespace chi;
using namespace chi::sema;

/// A value of several that are assigned at once, in a variable of its own. It
/// takes the precision of its target here: it is read once only.
Expr *AssignChecker::temporaryFor(const ast::Expr *target, Expr *value) {
  if (isError(value) || isConstant(value) || value->type->isVoid())
    return value;
  if (auto *name = llvm::dyn_cast<ast::NameExpr>(target))
    if (isUntyped(value->type) && !value->type->isTuple()) {
      Meaning meaning = state.lookupLocal(name->name);
      TypeRef type =
          meaning.kind == Meaning::Local ? meaning.local->type : nullptr;
      TypeRef scalar = type ? type->scalarOrNull() : nullptr;
      if (scalar && scalar->isFloat() && !isUntyped(scalar))
        value = build.materialise(value, scalar);
    }
  value = build.withDefault(value);
  if (isError(value))
    return value;
  return state.store(value);
}

void AssignChecker::checkAssign(const ast::AssignStmt *stmt) {
  state.refusedBinding = false;
  if (!ctx.updates.checkReduction(stmt))
    checkAssignment(stmt);
  state.refusedBinding.reset();
}

/// The type that a variable has so far; null if it has none.
TypeRef AssignChecker::knownType(const ast::NameExpr *name) {
  Meaning meaning = state.lookupLocal(name->name);
  if (meaning.kind == Meaning::Local)
    return meaning.local->type;
  if (meaning.kind != Meaning::Nothing || state.where != Where::Script)
    return nullptr;
  auto found = state.module->names.find(name->name);
  bool isVariable = found != state.module->names.end() &&
                    found->second.kind == Meaning::TopLevel;
  return isVariable ? found->second.topLevel->type : nullptr;
}

/// `g = f`, `square = lambda x: x * x`: another name of a function.
bool AssignChecker::namesFunction(const ast::AssignStmt *stmt) {
  auto *name = llvm::dyn_cast<ast::NameExpr>(stmt->targets[0]);
  if (!name || stmt->targets.size() != 1)
    return false;
  if (!llvm::isa<ast::NameExpr, ast::LambdaExpr>(stmt->value) ||
      ctx.names.isHiddenLater(stmt->value))
    return false;
  bool isTop = state.where == Where::Script && state.scopes.size() == 1;
  Meaning::Kind known = ctx.names.lookup(name->name).kind;
  if (isTop && (known == Meaning::Function || known == Meaning::Builtin))
    return true; // ProgramChecker::declareVariables has seen it
  Meaning meaning = ctx.names.resolve(stmt->value);
  bool isBuiltin = meaning.kind == Meaning::Builtin &&
                   CallChecker::isPassable(meaning.builtin);
  if (meaning.kind != Meaning::Function && !isBuiltin)
    return false;
  const AssignCounts &counts = state.where == Where::Script
                                   ? program.countsOf(state.module->ast->body)
                                   : *state.functionCounts;
  if (isTop || counts.all.lookup(name->name) != 1 ||
      state.lookupLocal(name->name).kind != Meaning::Nothing) {
    diags
        .report(stmt->value->range, diag::FunctionAsValue,
                ("`" + program.sources.text(stmt->value->range) + "`").str())
        .send();
    state.declareBroken(name->name);
    return true;
  }
  meaning.flowKey = stmt;
  state.assigned.insert(stmt);
  state.scopes.back().names[name->name.str()] = meaning;
  return true;
}

void AssignChecker::checkAssignment(const ast::AssignStmt *stmt) {
  if (namesFunction(stmt))
    return;
  auto *single = llvm::dyn_cast<ast::NameExpr>(stmt->targets[0]);
  llvm::SaveAndRestore<std::string> target{
      build.assigned,
      single && stmt->targets.size() == 1 ? single->name.str() : ""};
  // `a, b = b, a`: all values are there before the first is stored.
  auto *values = llvm::dyn_cast<ast::TupleExpr>(stmt->value);
  if (stmt->targets.size() == 1 && values) {
    llvm::ArrayRef<ast::Expr *> targets;
    if (auto *tuple = llvm::dyn_cast<ast::TupleExpr>(stmt->targets[0]))
      targets = tuple->elements;
    else if (auto *list = llvm::dyn_cast<ast::ListExpr>(stmt->targets[0]))
      targets = list->elements;
    if (!targets.empty() && targets.size() == values->elements.size()) {
      std::vector<Expr *> parts;
      for (auto [target, each] : llvm::zip(targets, values->elements))
        parts.push_back(temporaryFor(target, ctx.exprs.checkExpr(each)));
      for (auto [target, value] : llvm::zip(targets, parts))
        assignTo(target, value);
      return;
    }
  }
  Expr *value = ctx.updates.checkValue(
      stmt->value,
      single && stmt->targets.size() == 1 ? knownType(single) : nullptr);
  if (stmt->targets.size() == 1)
    return assignTo(stmt->targets[0], value);
  if (!isError(value) && !isConstant(value))
    value = state.held(value);
  for (const ast::Expr *target : stmt->targets)
    assignTo(target, build.clone(value));
}

void AssignChecker::assignTo(const ast::Expr *target, Expr *value) {
  if (!isError(value) && value->type->isVoid()) {
    diags.report(value->range, diag::NoValue).send();
    value = fail(value->range);
  }
  switch (target->kind) {
  case ast::ExprKind::Name:
    if (llvm::cast<ast::NameExpr>(target)->name == "_")
      return forget(value);
    return assignName(llvm::cast<ast::NameExpr>(target), value);
  case ast::ExprKind::Tuple:
    return unpack(llvm::cast<ast::TupleExpr>(target)->elements, target->range,
                  value);
  case ast::ExprKind::List:
    return unpack(llvm::cast<ast::ListExpr>(target)->elements, target->range,
                  value);
  case ast::ExprKind::Unsupported:
    ctx.exprs.checkExpr(target);
    return;
  case ast::ExprKind::Subscript:
    if (assignSlice(llvm::cast<ast::SubscriptExpr>(target), value))
      return;
    [[fallthrough]];
  case ast::ExprKind::Attribute: {
    OpenLValue lvalue = ctx.lvalues.checkLValue(target);
    if (!lvalue.isBroken)
      ctx.lvalues.assignLValue(lvalue, value);
    return;
  }
  default:
    diags.report(target->range, diag::NotAssignable).send();
  }
}

/// `xs[a:b] = value` of a list; false if it is none.
bool AssignChecker::assignSlice(const ast::SubscriptExpr *target, Expr *value) {
  if (target->indices.size() != 1 ||
      !llvm::isa<ast::SliceExpr>(target->indices[0]))
    return false;
  size_t mark = diags.mark();
  Expr *list = ctx.exprs.checkExpr(target->base);
  if (isError(list) || !list->type->isList()) {
    diags.discardSince(mark); // the place reports it
    return false;
  }
  if (isError(value) || list->type->isOpen())
    return true;
  Expr *given =
      value->type->isVec() ? value : ctx.objects.asList(value->range, value);
  if (!given) {
    diags
        .report(value->range, diag::NotIterable,
                build.defaulted(value->type)->str())
        .send();
    return true;
  }
  given = build.convert(given, list->type, "the slice");
  // What reads the slice has the arguments of what stores it.
  auto *cut = llvm::dyn_cast<HostOpExpr>(ctx.objects.subscript(list, target));
  if (!cut || isError(given) || llvm::any_of(cut->args, isError))
    return true;
  std::vector<Expr *> args = cut->args;
  args.push_back(given);
  state.emit<ExprStmt>(target->range)->value = ctx.objects.run(
      target->range, "chirt_list_put_slice", types.voidTy, std::move(args));
  return true;
}

/// `a, b = xs` of a list, whose length the run time compares.
void AssignChecker::unpackList(llvm::ArrayRef<ast::Expr *> targets,
                               SourceRange range, Expr *list) {
  list = state.store(build.withDefault(list));
  state.emit<ExprStmt>(range)->value = ctx.objects.run(
      range, "chirt_list_unpack", types.voidTy,
      {build.clone(list),
       build.intLiteral(range, int64_t(targets.size()), types.i64)});
  for (auto [k, target] : llvm::enumerate(targets))
    assignTo(target, ctx.objects.elementAt(
                         list->range, build.clone(list),
                         build.intLiteral(list->range, k, types.i64)));
}

/// `_ = f()`: `_` takes anything and is no variable; only the effects of what
/// it is assigned are left.
void AssignChecker::forget(Expr *value) {
  value = build.withDefault(value);
  if (!isError(value) && !isConstant(value) &&
      !llvm::isa<VariableExpr, ExtractExpr>(value))
    state.emit<ExprStmt>(value->range)->value = value;
}

void AssignChecker::unpack(llvm::ArrayRef<ast::Expr *> targets,
                           SourceRange range, Expr *value) {
  auto failAll = [&] {
    for (const ast::Expr *target : targets)
      if (llvm::isa<ast::NameExpr>(target))
        assignTo(target, fail(range));
  };
  bool hasUnsupported = false;
  for (const ast::Expr *target : targets)
    if (llvm::isa<ast::UnsupportedExpr>(target)) { // `a, *b = v`
      ctx.exprs.checkExpr(target);
      hasUnsupported = true;
    }
  if (isError(value) || hasUnsupported)
    return failAll();
  TypeRef type = value->type;
  if (type->isList() && type->isOpen())
    return failAll(); // another round knows its elements
  if (type->isList())
    return unpackList(targets, range, value);
  if (!type->isTuple() && !type->isAggregate()) {
    diags
        .report(value->range, diag::NotUnpackable, build.defaulted(type)->str())
        .send();
    return failAll();
  }
  size_t count = type->isTuple() ? type->members.size() : type->shape[0];
  if (count != targets.size()) {
    diags
        .report(range, diag::UnpackCount, build.defaulted(type)->str(), count,
                targets.size())
        .send();
    return failAll();
  }
  bool inPlace = llvm::isa<ConstructExpr>(value) && isConstant(value);
  if (!inPlace && !llvm::isa<VariableExpr>(value)) {
    value = build.withDefault(value);
    if (isError(value))
      return failAll();
    value = state.store(value);
  }
  for (auto [k, target] : llvm::enumerate(targets)) {
    Expr *part;
    if (type->isTuple())
      part = build.tupleMember(value, k);
    else if (type->isVec())
      part = build.component(value, k);
    else
      part = ctx.subscripts.indexValue(
          build.clone(value), build.intLiteral(value->range, k, types.i32),
          value->range);
    assignTo(target, part);
  }
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

static llvm::StringRef kindWord(Meaning::Kind kind) {
  switch (kind) {
  case Meaning::Const:
  case Meaning::Constant:
    return "a constant";
  case Meaning::Param:
    return "a param";
  case Meaning::Function:
    return "a function";
  case Meaning::Module:
    return "a module";
  default:
    return "a type";
  }
}

void AssignChecker::reportAssignsConstant(const ast::NameExpr *name,
                                          const Meaning &meaning) {
  diags
      .report(name->range, diag::AssignsConstant, name->name,
              kindWord(meaning.kind))
      .note(meaning.range, diag::DeclaredHere, name->name)
      .send();
}

/// In a script: true if the name is one of the module's, and then assigned or
/// refused.
bool AssignChecker::assignModuleName(const ast::NameExpr *name, Expr *value,
                                     TypeRef annotation) {
  auto found = state.module->names.find(name->name);
  if (found == state.module->names.end())
    return false;
  Meaning &known = found->second;
  bool atTop = state.scopes.size() == 1;
  switch (known.kind) {
  case Meaning::TopLevel:
    if (!atTop && !known.topLevel->isSeen)
      return false;
    if (value || annotation)
      assignTopLevel(*known.topLevel, value, name->range, annotation);
    return true;
  case Meaning::Const:
  case Meaning::Param:
    reportAssignsConstant(name, known);
    return true;
  case Meaning::Broken:
    return true;
  default:
    return atTop; // declared twice: reported where names are declared
  }
}

/// A name that is bound once to a constant, or to a field that is not bound
/// again meanwhile, is another name of it. False if it is not.
bool AssignChecker::bindAlias(const ast::NameExpr *name, Expr *value,
                              bool once) {
  auto *read = llvm::dyn_cast<VariableExpr>(value);
  bool staysBound =
      llvm::isa<GlobalExpr>(value) ||
      (read && read->variable->isParameter && state.functionCounts &&
       !state.functionCounts->all.count(read->variable->name));
  bool isAlias =
      value->type->isField() && state.where != Where::Script && staysBound;
  // A method may change an object.
  bool isFolded = once && isConstant(value) && !value->type->isStr() &&
                  !value->type->isArray() &&
                  !value->type->holds(TypeKind::Struct);
  if (!isFolded && !isAlias)
    return false;
  state.bind(name->name, name->range, value);
  state.scopes.back().names[name->name.str()].flowKey = value;
  state.assigned.insert(value);
  return true;
}

void AssignChecker::assignName(const ast::NameExpr *name, Expr *value,
                               TypeRef annotation) {
  Meaning meaning = state.lookupLocal(name->name);
  if (name->name == "self" && state.self && state.self->decl &&
      state.self->decl->klass) {
    std::string example =
        "self." + state.self->decl->klass->members[0].name.str() + " = …";
    diags.report(name->range, diag::AssignsSelf)
        .note({}, diag::AssignMembers, example)
        .send();
    return;
  }
  if (meaning.kind == Meaning::Local) {
    LocalVariable &local = *meaning.local;
    if (annotation && annotation != local.type && !annotation->isError())
      diags.report(name->range, diag::AnnotatedTwice, name->name)
          .note(local.range, diag::DeclaredHere, name->name)
          .send();
    if (value)
      assignLocal(local, value, name->range);
    return;
  }
  if (meaning.kind == Meaning::Broken)
    return; // reported
  if (meaning.kind != Meaning::Nothing)
    return reportAssignsConstant(name, meaning);
  if (state.where == Where::Script && assignModuleName(name, value, annotation))
    return;
  // In a function a plain assignment makes a local, whatever it hides.
  const AssignCounts *counts =
      state.scopes.back().body.empty()
          ? nullptr
          : &program.countsOf(state.scopes.back().body);
  bool bindsOnce = counts && counts->all.lookup(name->name) == 1;
  bool once = bindsOnce && counts->parts.lookup(name->name) == 0;
  bool isGood = value && !isError(value);
  if (!annotation && isGood && bindsOnce && bindAlias(name, value, once))
    return;
  // Bound in one place it is another name of what it is bound to.
  if (isGood && value->type->holdsField() && !bindsOnce &&
      !mayBindField(name->range, "a variable that holds a field")) {
    state.scopes.back().names[name->name.str()].kind = Meaning::Broken;
    return;
  }
  if (annotation) {
    LocalVariable &local =
        state.declareTyped(name->name, name->range, annotation);
    if (value)
      assignLocal(local, value, name->range);
    return;
  }
  assignLocal(state.declareLocal(name->name, name->range), value, name->range);
}

/// As hostOnly; `a, b = b, a` is one error.
bool AssignChecker::mayBindField(SourceRange range, llvm::StringRef what) {
  if (state.refusedBinding.value_or(false))
    return false;
  bool ok = state.hostOnly(range, what);
  if (state.refusedBinding)
    state.refusedBinding = !ok;
  return ok;
}

/// `s = s + e` in the text from the name on: what of it `s += e` replaces, and
/// the operator.
static std::optional<std::pair<uint32_t, std::string>>
asUpdate(llvm::StringRef name, llvm::StringRef rest) {
  llvm::StringRef text = rest.ltrim(' ');
  if (!text.consume_front("=") || text.starts_with("="))
    return std::nullopt;
  text = text.ltrim(' ');
  if (!text.consume_front(name))
    return std::nullopt;
  text = text.ltrim(' ');
  bool isUpdate = text.size() > 1 &&
                  llvm::StringRef("+-*&|^").contains(text[0]) &&
                  (text[1] == ' ' || llvm::isAlnum(text[1]));
  llvm::StringRef after = text.drop_front(isUpdate).take_until(
      [](char c) { return c == '\n' || c == '#'; });
  // Of `s = s * a + b` and `s = s + a if c else b` that would not be the same.
  bool isSimple =
      after.find_first_of(text.starts_with("+") ? "&|^<>=" : "+-*/%&|^<>=") ==
          llvm::StringRef::npos &&
      !after.contains(" if ");
  if (!isUpdate || !isSimple)
    return std::nullopt;
  uint32_t size = rest.size() - text.size() + 1;
  return std::pair(size, (" " + text.take_front(1) + "=").str());
}

bool AssignChecker::mayAssign(LocalVariable &local, SourceRange range) {
  if (local.type && local.type->holdsField() && state.isAssigned(&local) &&
      !mayBindField(range, "rebinding the name of a field"))
    return false;
  if (!state.inParallel() || !local.atKernelLevel)
    return true;
  auto report = diags.report(range, diag::AssignInParallel, local.name);
  report.addNote(local.range, diag::DeclaredHere, local.name);
  llvm::StringRef rest = program.sources.text(range.file).drop_front(range.end);
  if (auto update = asUpdate(local.name, rest))
    report.addFixIt({range.file, range.end, range.end + update->first},
                    update->second);
  return false;
}

TypeRef AssignChecker::givenType(Expr *value) const {
  auto *tuple = llvm::dyn_cast<ConstructExpr>(value);
  if (tuple && value->type->isTuple() && isUntyped(value->type)) {
    std::vector<TypeRef> members;
    for (Expr *part : tuple->parts)
      members.push_back(givenType(part));
    return types.tuple(members);
  }
  auto known = constantInt(value);
  if (isUntyped(value->type) && value->type->isInt() && known &&
      !fits(*known, build.defaultInt()))
    return build.types.i64;
  return value->type;
}

TypeRef AssignChecker::joinGiven(TypeRef current, Expr *value,
                                 bool &hasWideLiteral) const {
  TypeRef given = givenType(value);
  if (isUntyped(value->type) && given == types.i64) {
    // It may still become the `u32` or `u64` of what else is assigned.
    hasWideLiteral = true;
    given = value->type;
  }
  TypeRef joined = current ? build.joinAssigned(current, given) : given;
  bool isNarrow = joined && joined->isInt() && joined->bits &&
                  joined->bits <= 32 && joined != types.u32;
  return hasWideLiteral && isNarrow ? types.i64 : joined;
}

void AssignChecker::assignLocal(LocalVariable &local, Expr *value,
                                SourceRange range) {
  if (isError(value)) { // one report for what is wrong with it
    state.assigned.insert(&local);
    if (!local.type)
      local.type = types.error;
    return;
  }
  if (!mayAssign(local, range))
    return;
  state.assigned.insert(&local);
  if (local.isAnnotated) {
    value = build.convert(value, local.type, "`" + local.name + "`");
  } else {
    TypeRef given = givenType(value);
    TypeRef current = local.type;
    if (current && local.isDefault && !isUntyped(given) &&
        !isUntyped(value->type) && !current->isError()) {
      TypeRef scalar = current->scalarOrNull();
      if (scalar && scalar->isInt())
        current = types.withScalar(current, types.untypedInt);
      else if (scalar && scalar->isFloat())
        current = types.withScalar(current, types.untypedFloat);
      else if (current->isTuple() && local.undecided)
        current = local.undecided;
      local.isDefault = false;
    }
    bool isFirst = !current || current->isError();
    TypeRef joined =
        joinGiven(isFirst ? nullptr : current, value, local.hasWideLiteral);
    if (!joined) {
      auto [was, is] = distinctNames(build.defaulted(local.type),
                                     build.defaulted(value->type));
      diags.report(value->range, diag::TypeClash, local.name, was, is)
          .note(local.range, diag::AssignedHere, local.name)
          .send();
      return;
    }
    state.setType(local, joined);
    if (joined->isOpen())
      return reportOpen(diags, range, local.name, joined);
    if (!isUntyped(joined))
      value = build.convert(value, joined, "`" + local.name + "`");
  }
  if (isError(value))
    return;
  local.isCopyOfElement = llvm::isa<LoadExpr>(value);
  auto *assign = state.emit<AssignStmt>(range);
  assign->lvalue.kind = LValue::Local;
  assign->lvalue.variable = local.variable;
  assign->lvalue.type = local.type;
  assign->lvalue.range = range;
  assign->value = value;
}

/// The value in the type that the variable has from here on; null after an
/// error.
Expr *AssignChecker::joinTopLevel(TopLevelVariable &variable, Expr *value) {
  TypeRef current = variable.type ? variable.type : variable.hint;
  bool wasError = current && current->isError();
  TypeRef joined =
      joinGiven(wasError ? nullptr : current, value, variable.hasWideLiteral);
  if (!joined) {
    auto [was, is] =
        distinctNames(build.defaulted(current), build.defaulted(value->type));
    diags.report(value->range, diag::TypeClash, variable.name, was, is)
        .note(variable.range, diag::AssignedHere, variable.name)
        .send();
    return nullptr;
  }
  if (current && joined != current)
    program.askForRound();
  variable.type = joined;
  if (joined->isOpen()) {
    reportOpen(diags, variable.range, variable.name, joined);
    return nullptr;
  }
  return isUntyped(joined)
             ? value
             : build.convert(value, joined, "`" + variable.name + "`");
}

void AssignChecker::assignTopLevel(TopLevelVariable &variable, Expr *value,
                                   SourceRange range, TypeRef annotation) {
  bool isFirst = !variable.isSeen;
  variable.isSeen = true;
  if (annotation && isFirst) {
    variable.isAnnotated = true;
    variable.global->hasWrittenType = true;
    variable.type = annotation;
  } else if (annotation && annotation != variable.type) {
    diags.report(range, diag::AnnotatedTwice, variable.name)
        .note(variable.range, diag::DeclaredHere, variable.name)
        .send();
  }
  if (!value)
    return;
  state.assigned.insert(&variable);
  // Each of its numbers is a variable of the program, for now.
  constexpr int64_t kMaxNumbers = 1 << 14;
  if (value->type->isArray() && value->type->numScalars() > kMaxNumbers) {
    diags
        .report(value->range, diag::NotSupportedYet,
                "a top-level array of more than 16384 numbers (a field holds "
                "more)")
        .send();
    variable.type = types.error;
    return;
  }
  if (!isError(value) && variable.isAnnotated)
    value = build.pin(
        build.convert(value, variable.type, "`" + variable.name + "`"));
  if (isError(value)) {
    if (!variable.type && !variable.hint)
      variable.type = types.error;
    return;
  }
  if (isConstant(value) && reportTooLarge(build, value))
    return;
  bool inBranch = state.reachable && state.scopes.size() == 1 &&
                  state.out == &state.self->function->body;
  bool mayFold = inBranch && !value->type->isStr() &&
                 !value->type->holds(TypeKind::Struct);
  if (variable.numAssignments == 1 && mayFold && isConstant(value)) {
    variable.constant = value;
    variable.type = value->type;
    return;
  }
  // One that is not known while compiling has the default precision.
  if (!variable.isAnnotated && variable.numAssignments == 1) {
    value = build.withDefault(value);
    if (isError(value))
      return;
    if (mayFold && isConstant(value)) {
      variable.constant = value;
      variable.type = value->type;
      return;
    }
  }
  if (!variable.isAnnotated)
    value = joinTopLevel(variable, value);
  if (!value || isError(value))
    return;
  variable.isCopyOfElement = llvm::isa<LoadExpr>(value);
  auto *assign = state.emit<AssignStmt>(range);
  assign->lvalue.kind = LValue::TopLevel;
  assign->lvalue.global = variable.global;
  assign->lvalue.type = variable.type;
  assign->lvalue.range = range;
  assign->value = value;
}

void AssignChecker::checkAnnAssign(const ast::AnnAssignStmt *stmt) {
  TypeRef type = ctx.typeExprs.checkType(stmt->type);
  // A list under a type that is not there yet: one report for both.
  bool isList =
      type->isError() && stmt->value && llvm::isa<ast::ListExpr>(stmt->value);
  Expr *value = isList        ? fail(stmt->value->range)
                : stmt->value ? ctx.updates.checkValue(stmt->value, type)
                              : nullptr;
  auto *name = llvm::dyn_cast<ast::NameExpr>(stmt->target);
  if (!name) {
    diags.report(stmt->type->range, diag::AnnotatesLValue).send();
    return;
  }
  if (value && isError(value) && type->isError()) {
    assignName(name, value);
    return;
  }
  // A field's annotation says less than its value.
  if (value && type->isField() && value->type->isField() &&
      type->element == value->type->element &&
      type->rank() == value->type->rank())
    return assignName(name, value);
  assignName(name, value, type);
}
