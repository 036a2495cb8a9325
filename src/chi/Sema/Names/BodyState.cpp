//===- BodyState.cpp - Scopes, flow and output of a body ------------------===//
#include "chi/Sema/Names/BodyState.h"

using namespace chi;
using namespace chi::sema;

//===----------------------------------------------------------------------===//
// Rounds
//===----------------------------------------------------------------------===//

void BodyState::startRound() {
  changed = false;
  scopes.clear(), assigned.clear(), loops.clear();
  kernelReads.clear(), reductions.clear();
  reachable = true, parallelDepth = 0;
  unrolledIterations = 0;
  breakFlags.clear();
  reportedEarly.clear();
  firstReturn = {};
  refusedReturn = false;
  if (!hasDeclaredResult)
    resultType = resultHint;
  self->function->body.clear();
  self->hostCause.reset();
  self->reads.clear();
  self->calls.clear();
  for (auto &[key, local] : locals) {
    local->type = local->hint;
    local->variable = nullptr;
    local->isCopyOfElement = false;
    local->partWritten = {};
    local->numReads = 0;
  }
  out = &self->function->body;
}

/// Settles the types of variables; true if another round is needed.
bool BodyState::endRound() {
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
void BodyState::warnOfLostCopies() {
  for (auto &[key, local] : locals)
    if (local->variable && local->isCopyOfElement && !local->numReads &&
        local->partWritten.isValid())
      diags.report(local->partWritten, diag::LostCopy, local->name)
          .note(local->range, diag::AssignedHere, local->name)
          .send();
}

//===----------------------------------------------------------------------===//
// Scopes
//===----------------------------------------------------------------------===//

void BodyState::enter(Scope::Kind kind, ast::Body body, const void *node,
                      unsigned number) {
  unsigned parent = scopes.empty() ? 0 : scopes.back().id;
  unsigned &id = scopeIds[{parent, node, number}];
  if (!id)
    id = scopeIds.size();
  Scope scope;
  scope.id = id;
  scope.kind = kind;
  scope.body = body;
  scopes.push_back(std::move(scope));
}

void BodyState::leave() { scopes.pop_back(); }

Meaning BodyState::lookupLocal(llvm::StringRef name) {
  for (Scope &scope : llvm::reverse(scopes)) {
    auto found = scope.names.find(name);
    if (found != scope.names.end())
      return found->second;
  }
  return {};
}

Variable *BodyState::freshVariable(llvm::StringRef name, SourceRange range,
                                   TypeRef type) {
  auto *variable = build.make<Variable>(range, type);
  variable->name = name.str();
  variable->isKernelLevel = inKernel() && !inParallel();
  return variable;
}

LocalVariable &BodyState::declareLocal(llvm::StringRef name,
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

LocalVariable &BodyState::declareTyped(llvm::StringRef name, SourceRange range,
                                       TypeRef type) {
  LocalVariable &local = declareLocal(name, range);
  local.type = type;
  local.variable->type = type;
  local.variable->hasWrittenType = true;
  local.isAnnotated = true;
  return local;
}

void BodyState::bind(llvm::StringRef name, SourceRange range, Expr *constant) {
  Meaning meaning;
  meaning.kind = Meaning::Constant;
  meaning.constant = constant;
  meaning.range = range;
  scopes.back().names[name.str()] = meaning;
}

/// A name whose assignment is reported: its uses are no errors of their own.
void BodyState::declareBroken(llvm::StringRef name) {
  if (scopes.empty())
    return;
  Meaning broken;
  broken.kind = Meaning::Broken;
  scopes.back().names.try_emplace(name.str(), broken);
}

void BodyState::setType(LocalVariable &local, TypeRef type) {
  if (local.type && local.type != type)
    changed = true;
  local.type = type;
  if (local.variable)
    local.variable->type = type;
}

//===----------------------------------------------------------------------===//
// Flow
//===----------------------------------------------------------------------===//

void BodyState::markHostOnly(SourceRange range, llvm::StringRef what,
                             const Instance *through) {
  if (self && !self->hostCause && where == Where::Function)
    self->hostCause = HostCause{range, what.str(), through};
}

bool BodyState::hostOnly(SourceRange range, llvm::StringRef what,
                         llvm::StringRef advice) {
  if (where == Where::Constant) {
    diags.report(range, diag::NotConstant, what).send();
    return false;
  }
  if (!inKernel()) {
    markHostOnly(range, what);
    return true;
  }
  auto report = diags.report(range, diag::HostOnlyInKernel, what);
  if (!advice.empty())
    report.addNote({}, diag::Advice, advice);
  return false;
}

//===----------------------------------------------------------------------===//
// Output
//===----------------------------------------------------------------------===//

/// Sets a new variable to a value with a type, and reads it.
Expr *BodyState::store(Expr *value) {
  Variable *temporary = freshVariable(".t", value->range, value->type);
  auto *assign = emit<AssignStmt>(value->range);
  assign->lvalue.kind = LValue::Local;
  assign->lvalue.variable = temporary;
  assign->lvalue.type = value->type;
  assign->lvalue.range = value->range;
  assign->value = value;
  return build.variable(value->range, temporary);
}

/// A value in a variable of its own, set by a statement here; cheap ones stay.
Expr *BodyState::held(Expr *value) {
  value = build.withDefault(value);
  if (isError(value) || build.isCheap(value))
    return value;
  return store(value);
}
