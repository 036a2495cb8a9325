//===- AdjointReads.cpp - What the adjoints of calls read -----------------===//
// A tape keeps, for the adjoint of a call ([AD.7]), what the fields held that
// the adjoint reads: its arguments and top-level fields. A field that it
// overwrites completely before it reads it is none of these, so that an adjoint
// which computes its intermediate fields again needs no copies of them.
//
// Other top-level variables it finds as they are when it runs. So they may be
// set but once.
#include "chi/Sema/Program/Gradients.h"
#include "chi/Sema/Program/ProgramChecker.h"
#include "llvm/ADT/MapVector.h"

using namespace chi;
using namespace chi::sema;

namespace {
/// Fields by the Variable or Global that names them: is their content read?
using Uses = llvm::MapVector<const void *, bool>;
/// What the parameters of a function name in its caller; null: anything.
using Names = llvm::DenseMap<const void *, const void *>;

class AdjointReads {
public:
  /// Statements in their order, of the adjoint or of what it calls.
  void add(const Body &body, const Names &names);
  bool isRead(const void *entity) const { return uses.lookup(entity); }
  bool isMade(const void *entity) const { return made.contains(entity); }
  /// What the call does to the field that `own` names there, and `given` in its
  /// adjoint.
  static CallUses usesOf(const AdjointReads &call, const void *own,
                         const AdjointReads &adjoint, const void *given);

private:
  void addStatement(const Stmt *stmt, const Names &names, bool isReached);
  void use(const void *entity, bool isRead);
  const Uses &usesOf(const Function &function);
  void gather(const Body &body, Uses &to);
  const Expr *elementsSet(const ForStmt &loop);

  Uses uses;
  llvm::DenseMap<const Function *, Uses> known;
  llvm::DenseSet<const void *> made;
  /// Overwritten completely if it has the shape of another field.
  llvm::DenseMap<const void *, const void *> madeLike;
};
} // namespace

/// The variable that an expression is; null of all others.
static const void *entityOf(const Expr *expr) {
  if (auto *variable = llvm::dyn_cast<VariableExpr>(expr))
    return variable->variable;
  auto *global = llvm::dyn_cast<GlobalExpr>(expr);
  return global ? global->global : nullptr;
}

static const void *resolved(const void *entity, const Names &names) {
  auto found = names.find(entity);
  return found == names.end() ? entity : found->second;
}

/// Names of fields that stand where their content is not read.
static void findUnread(const Body &body, llvm::DenseSet<const Expr *> &unread) {
  forEachStmt(body, [&](Stmt *stmt) {
    if (auto *set = llvm::dyn_cast<AssignStmt>(stmt))
      unread.insert(set->lvalue.field);
    if (auto *update = llvm::dyn_cast<AccumulateStmt>(stmt))
      unread.insert(update->lvalue.field);
    if (auto *loop = llvm::dyn_cast<ForStmt>(stmt))
      unread.insert(loop->field);
  });
  forEachInner(body, [&](Expr *expr) {
    if (auto *companion = llvm::dyn_cast<CompanionExpr>(expr))
      unread.insert(companion->field);
    if (auto *extent = llvm::dyn_cast<DimExpr>(expr))
      unread.insert(extent->field);
    auto *op = llvm::dyn_cast<HostOpExpr>(expr);
    if (op && (op->op == HostOp::FieldFill || op->op == HostOp::FieldCopy))
      unread.insert(op->args[0]);
    if (auto *call = llvm::dyn_cast<CallExpr>(expr))
      unread.insert(call->args.begin(), call->args.end());
  });
}

/// What statements use, in whatever order.
void AdjointReads::gather(const Body &body, Uses &to) {
  llvm::DenseSet<const Expr *> unread;
  findUnread(body, unread);
  forEachInner(body, [&](Expr *expr) {
    const void *entity = entityOf(expr);
    if (entity && expr->type->holdsField())
      to[entity] |= !unread.contains(expr);
    auto *call = llvm::dyn_cast<CallExpr>(expr);
    if (!call)
      return;
    Names names;
    for (auto [parameter, value] : llvm::zip(call->callee->params, call->args))
      names[parameter] = entityOf(value);
    // A copy: `known` may grow.
    const Uses inner = usesOf(*call->callee);
    for (auto [used, isRead] : inner)
      if (const void *outer = resolved(used, names))
        to[outer] |= isRead;
  });
}

const Uses &AdjointReads::usesOf(const Function &function) {
  auto [found, isNew] = known.insert({&function, {}});
  if (!isNew)
    return found->second;
  Uses made;
  gather(function.body, made);
  return known[&function] = std::move(made);
}

void AdjointReads::use(const void *entity, bool isRead) {
  if (entity)
    uses[entity] |= isRead && !isMade(entity);
}

/// May it leave a loop or function before that is done?
static bool mayLeave(const Stmt *stmt) {
  bool may = false;
  forEachStmt({const_cast<Stmt *>(stmt)}, [&](Stmt *inner) {
    may |= llvm::isa<ReturnStmt, BreakStmt>(inner);
  });
  return may;
}

/// The field that a statement overwrites completely; null if there is none.
static const void *madeBy(const Stmt *stmt) {
  if (auto *loop = llvm::dyn_cast<ForStmt>(stmt)) {
    if (mayLeave(loop))
      return nullptr;
    const AssignStmt *set = wholeStore(*loop);
    return set ? entityOf(set->lvalue.field) : nullptr;
  }
  auto *plain = llvm::dyn_cast<ExprStmt>(stmt);
  auto *op = plain ? llvm::dyn_cast<HostOpExpr>(plain->value) : nullptr;
  bool isWhole =
      op && (op->op == HostOp::FieldFill || op->op == HostOp::FieldCopy);
  return isWhole ? entityOf(op->args[0]) : nullptr;
}

/// The field `y` of `for I in x: … y[I] = …`, if each iteration comes to that
/// and nothing else in the loop uses y; else null.
const Expr *AdjointReads::elementsSet(const ForStmt &loop) {
  bool leaves = !loop.field;
  forEachStmt(loop.body, [&](Stmt *stmt) {
    leaves |= llvm::isa<ReturnStmt, BreakStmt, ContinueStmt>(stmt);
  });
  for (Stmt *stmt : loop.body) {
    auto *set = llvm::dyn_cast<AssignStmt>(stmt);
    bool isSet = !leaves && set && set->lvalue.kind == LValue::Element &&
                 set->lvalue.path.empty() && entityOf(set->lvalue.field) &&
                 set->lvalue.indices.size() == loop.variables.size();
    for (size_t k = 0; isSet && k < loop.variables.size(); ++k) {
      auto *index = llvm::dyn_cast<VariableExpr>(set->lvalue.indices[k]);
      isSet = index && index->variable == loop.variables[k];
    }
    if (!isSet)
      continue;
    const void *entity = entityOf(set->lvalue.field);
    unsigned count = 0;
    forEachInner(loop.body, [&](Expr *expr) {
      auto *call = llvm::dyn_cast<CallExpr>(expr);
      count += entityOf(expr) == entity ||
               (call && usesOf(*call->callee).contains(entity));
    });
    if (count == 1)
      return set->lvalue.field;
  }
  return nullptr;
}

void AdjointReads::addStatement(const Stmt *stmt, const Names &names,
                                bool isReached) {
  Uses found;
  gather({const_cast<Stmt *>(stmt)}, found);
  for (auto [entity, isRead] : found)
    use(resolved(entity, names), isRead);
  const void *entity = madeBy(stmt);
  entity = entity ? resolved(entity, names) : nullptr;
  if (entity && isReached && !isRead(entity))
    made.insert(entity);
  auto *loop = llvm::dyn_cast<ForStmt>(stmt);
  const Expr *set = loop && isReached ? elementsSet(*loop) : nullptr;
  entity = set ? resolved(entityOf(set), names) : nullptr;
  const void *over = set ? entityOf(loop->field) : nullptr;
  over = over ? resolved(over, names) : nullptr;
  if (entity && over && !isRead(entity))
    madeLike.insert({entity, over});
}

void AdjointReads::add(const Body &body, const Names &names) {
  bool isReached = true;
  for (const Stmt *stmt : body) {
    bool wasReached = isReached;
    isReached &= !mayLeave(stmt);
    auto *plain = llvm::dyn_cast<ExprStmt>(stmt);
    auto *call = plain ? llvm::dyn_cast<CallExpr>(plain->value) : nullptr;
    bool isPlain = call && llvm::all_of(call->args, [](const Expr *arg) {
                     return !arg->type->holdsField() || entityOf(arg);
                   });
    if (!isPlain || !wasReached) {
      addStatement(stmt, names, wasReached);
      continue;
    }
    Names inner;
    for (auto [parameter, value] :
         llvm::zip(call->callee->params, call->args)) {
      const void *entity = entityOf(value);
      inner[parameter] = entity ? resolved(entity, names) : nullptr;
    }
    for (const Expr *arg : call->args)
      if (!entityOf(arg)) {
        ExprStmt given;
        given.value = const_cast<Expr *>(arg);
        addStatement(&given, names, wasReached);
      }
    add(call->callee->body, inner);
  }
}

/// Where top-level variables are set, except for the first time at the start of
/// the program.
static llvm::DenseMap<const Global *, SourceRange>
findChanged(const Program &program) {
  llvm::DenseMap<const Global *, SourceRange> changed;
  llvm::DenseSet<const Global *> isSet;
  llvm::DenseSet<const Stmt *> first;
  for (const Stmt *stmt : program.script->body)
    if (auto *set = llvm::dyn_cast<AssignStmt>(stmt);
        set && set->lvalue.kind == LValue::TopLevel &&
        set->lvalue.path.empty() && isSet.insert(set->lvalue.global).second)
      first.insert(stmt);
  for (const auto &function : program.functions)
    forEachStmt(function->body, [&](Stmt *stmt) {
      auto *set = llvm::dyn_cast<AssignStmt>(stmt);
      auto *update = llvm::dyn_cast<AccumulateStmt>(stmt);
      const LValue *lvalue = set      ? &set->lvalue
                             : update ? &update->lvalue
                                      : nullptr;
      if (lvalue && lvalue->kind == LValue::TopLevel && !first.contains(stmt))
        changed.insert({lvalue->global, lvalue->range});
    });
  return changed;
}

/// An adjoint finds other variables as they are when it runs.
static void
refuseChanged(const TapeProgram &all, Function *adjoint,
              const llvm::DenseMap<const Global *, SourceRange> &changed) {
  llvm::DenseSet<const Global *> seen;
  reachableFunctions({adjoint}, [&](Expr *expr) {
    auto *global = llvm::dyn_cast<GlobalExpr>(expr);
    auto lvalue = global ? changed.find(global->global) : changed.end();
    if (lvalue == changed.end() || !seen.insert(global->global).second)
      return;
    llvm::StringRef name = global->global->name;
    all.diags.report(global->range, diag::AdjointReadsChanged, name)
        .note(lvalue->second, diag::ChangedHere, name)
        .note({}, diag::Advice, "pass it as an argument")
        .send();
  });
}

CallUses AdjointReads::usesOf(const AdjointReads &call, const void *own,
                              const AdjointReads &adjoint, const void *given) {
  CallUses uses;
  uses.isRead = adjoint.isRead(given);
  uses.isMade = call.isMade(own);
  if (!uses.isMade) {
    uses.like = call.madeLike.lookup(own);
    uses.isMade = uses.like != nullptr;
  }
  return uses;
}

/// Finds what a call and its adjoint do to fields.
static void findUses(Function &function) {
  AdjointReads call, adjoint;
  call.add(function.body, Names());
  adjoint.add(function.callAdjoint->body, Names());
  for (auto [own, given] :
       llvm::zip(function.params, function.callAdjoint->params))
    function.paramUses.push_back(
        AdjointReads::usesOf(call, own, adjoint, given));
  llvm::SetVector<Global *> globals;
  reachableFunctions({&function, function.callAdjoint}, [&](Expr *expr) {
    auto *global = llvm::dyn_cast<GlobalExpr>(expr);
    if (global && global->type->holdsField())
      globals.insert(global->global);
  });
  for (Global *global : globals)
    function.globalUses.push_back(
        {global, AdjointReads::usesOf(call, global, adjoint, global)});
}

void sema::findAdjointReads(const TapeProgram &all) {
  auto changed = findChanged(all.program);
  llvm::DenseSet<const Function *> done;
  for (const auto &function : all.program.functions) {
    if (!function->callAdjoint)
      continue;
    findUses(*function);
    if (done.insert(function->callAdjoint).second)
      refuseChanged(all, function->callAdjoint, changed);
  }
}
