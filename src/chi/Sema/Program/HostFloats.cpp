//===- HostFloats.cpp - Floats that leave a tape and come back ([AD.4]) ---===//
// Host code is not differentiated. A float that it reads, inside a tape, from a
// field that has a derivative there, and that gets back into the tape as an
// argument of a kernel, as a store to a field, or in a top-level variable that
// a kernel reads, would lose its derivative silently. This follows such
// floats through a tape in the order of its statements: through arithmetic,
// variables, tuples and arrays as a whole, and calls. Branches join; loops run
// until nothing changes. Integers, bools and texts carry none, nor do
// conditions. Which fields have a derivative is found first: those that are
// marked, and what anything in the tape writes that reads such a field.
#include "chi/Sema/Program/Gradients.h"
#include "llvm/ADT/StringExtras.h"

using namespace chi;
using namespace chi::sema;

namespace {
/// Where a float was read; null if it carries no derivative.
using Taint = const Expr *;
/// Of variables and top-level variables.
using State = llvm::DenseMap<const void *, Taint>;

/// Calls are followed one by one. Calls of calls can multiply; no program of a
/// person has so many.
constexpr unsigned kMostCalls = 100000;

/// What one kernel call reads and writes.
struct Effects {
  OriginSet reads, writes;
  llvm::SmallSetVector<const Global *, 4> scalars; ///< floats that it reads
};

/// Follows the floats of one tape.
class TapeFloats {
public:
  explicit TapeFloats(const TapeProgram &all) : all(all) {}
  void run(const TapeStmt &tape);
  /// A call of a function, where all fields have a derivative.
  void run(const Function &function);

private:
  // Which fields have a derivative.
  void gatherEffects(const Function &function, const OriginMap &bound,
                     Effects &to) const;
  void addAccess(const Expr *field, const OriginMap &bound,
                 OriginSet &to) const;
  void gatherLaunches(const Body &body, const OriginMap *bound);
  void addNested();
  bool isEntry(const Function &callee) const;
  bool isActive(const OriginSet &origins) const;
  bool isActive(const Expr *field) const {
    return isActive(all.origins.of(field, bound));
  }

  // Where floats go.
  void body(const Body &body);
  void statement(const Stmt *stmt);
  void assign(const LValue &lvalue, const Expr *value, bool isUpdate);
  void update(const AccumulateStmt &update);
  void branch(const IfStmt &branch);
  void repeat(llvm::function_ref<void()> body);
  Taint value(const Expr *expr);
  Taint carried(const Expr *expr);
  Taint element(const Expr *expr);
  Taint joined(const Expr *expr);
  Taint named(const void *entity) const { return state.lookup(entity); }
  Taint call(const CallExpr &call);
  Taint launch(const CallExpr &call, llvm::ArrayRef<Taint> given);
  Taint hostOp(const HostOpExpr &op);
  void refuse(SourceRange range, const std::string &what, SourceRange read);

  const TapeProgram &all;
  const OriginMap *bound = nullptr; ///< of the current function
  std::vector<Effects> launches;
  bool hasNested = false;
  bool isForward = false;
  bool isAllActive = false;
  OriginSet active;
  State state;
  State *leavesLoop = nullptr; ///< where `break` and `continue` take a state
  Taint result = nullptr;      ///< of the current function
  bool isPassive = false;      ///< in a `@nograd` function
  unsigned numCalls = 0;
};
} // namespace

/// Adds to a state what is known on another path.
static bool joinInto(State &to, const State &from) {
  bool changed = false;
  for (auto &[entity, taint] : from)
    if (taint && !to.lookup(entity)) {
      to[entity] = taint;
      changed = true;
    }
  return changed;
}

//===----------------------------------------------------------------------===//
// Which fields have a derivative
//===----------------------------------------------------------------------===//

bool TapeFloats::isActive(const OriginSet &origins) const {
  // A parameter that others give may be anything.
  return isAllActive || origins.empty() ||
         llvm::any_of(origins,
                      [&](Origin origin) { return active.contains(origin); });
}

void TapeFloats::addAccess(const Expr *field, const OriginMap &bound,
                           OriginSet &to) const {
  if (!holdsFloats(field->type->element))
    return;
  OriginSet found = all.origins.of(field, &bound);
  to.insert(found.begin(), found.end());
}

/// Is a call of it one step of a tape, which does not look into it? Forward
/// mode differentiates what it does, whatever adjoint it has.
bool TapeFloats::isEntry(const Function &callee) const {
  return callee.isKernel || (callee.callAdjoint && !isForward);
}

/// The accesses of a kernel, or of a function that it calls.
void TapeFloats::gatherEffects(const Function &function, const OriginMap &bound,
                               Effects &to) const {
  forEachStmt(function.body, [&](Stmt *stmt) {
    auto *set = llvm::dyn_cast<AssignStmt>(stmt);
    auto *update = llvm::dyn_cast<AccumulateStmt>(stmt);
    const LValue *lvalue = set      ? &set->lvalue
                           : update ? &update->lvalue
                                    : nullptr;
    if (lvalue && lvalue->kind == LValue::Element)
      addAccess(lvalue->field, bound, to.writes);
  });
  forEachInner(function.body, [&](Expr *expr) {
    if (auto *load = llvm::dyn_cast<LoadExpr>(expr))
      addAccess(load->field, bound, to.reads);
    if (auto *global = llvm::dyn_cast<GlobalExpr>(expr))
      if (holdsFloats(global->type))
        to.scalars.insert(global->global);
    if (auto *atomic = llvm::dyn_cast<AtomicExpr>(expr)) {
      addAccess(atomic->field, bound, to.reads);
      addAccess(atomic->field, bound, to.writes);
    }
    auto *op = llvm::dyn_cast<HostOpExpr>(expr);
    if (op && op->op == HostOp::FieldCopy) {
      addAccess(op->args[1], bound, to.reads);
      addAccess(op->args[0], bound, to.writes);
    }
    auto *inner = llvm::dyn_cast<CallExpr>(expr);
    if (inner && !inner->callee->isPassive)
      gatherEffects(*inner->callee, all.origins.bind(*inner, &bound), to);
  });
}

/// What the tape runs that writes fields: kernels and copies, also in the host
/// functions that it calls.
void TapeFloats::gatherLaunches(const Body &body, const OriginMap *bound) {
  forEachStmt(body,
              [&](Stmt *stmt) { hasNested |= llvm::isa<TapeStmt>(stmt); });
  forEachInner(body, [&](Expr *expr) {
    if (auto *op = llvm::dyn_cast<HostOpExpr>(expr)) {
      hasNested |= op->op == HostOp::KernelGrad;
      if (op->op == HostOp::FieldCopy)
        launches.push_back({all.origins.of(op->args[1], bound),
                            all.origins.of(op->args[0], bound),
                            {}});
    }
    auto *call = llvm::dyn_cast<CallExpr>(expr);
    if (!call || call->callee->isPassive || ++numCalls > kMostCalls)
      return;
    OriginMap given = all.origins.bind(*call, bound);
    if (!isEntry(*call->callee))
      return gatherLaunches(call->callee->body, &given);
    launches.emplace_back();
    gatherEffects(*call->callee, given, launches.back());
  });
}

/// A tape in this one, or the adjoint of a kernel, writes gradients.
void TapeFloats::addNested() {
  OriginSet marked = active;
  for (Origin origin : marked)
    active.insert(Origin(origin.getPointer(), true));
}

//===----------------------------------------------------------------------===//
// Where floats go
//===----------------------------------------------------------------------===//

void TapeFloats::refuse(SourceRange range, const std::string &what,
                        SourceRange read) {
  if (isPassive)
    return;
  all.diags.report(range, diag::FloatThroughHost, what)
      .note(read, diag::HostFloatRead)
      .note({}, diag::Advice,
            "store it in a 0-D field or in a variable of a kernel; "
            "`stop_gradient(…)` marks it as having no derivative")
      .send();
}

/// All operands, of which one that carries a derivative.
Taint TapeFloats::joined(const Expr *expr) {
  Taint found = nullptr;
  forEachOperand(const_cast<Expr *>(expr), [&](Expr *&operand) {
    Taint taint = value(operand);
    found = found ? found : taint;
  });
  return found;
}

/// Whether the derivative of the function is zero, or it has none.
static bool endsDerivative(Builtin op) {
  return op == Builtin::StopGradient || op == Builtin::Sign ||
         op == Builtin::Step || op == Builtin::Floor || op == Builtin::Ceil ||
         op == Builtin::Round || op == Builtin::Trunc;
}

/// An element that is read, or updated at once.
Taint TapeFloats::element(const Expr *expr) {
  auto *atomic = llvm::dyn_cast<AtomicExpr>(expr);
  forEachOperand(const_cast<Expr *>(expr), [&](Expr *&operand) {
    Taint taint = value(operand);
    if (taint && atomic && operand == atomic->value)
      refuse(operand->range, "this value", taint->range);
  });
  const Expr *field =
      atomic ? atomic->field : llvm::cast<LoadExpr>(expr)->field;
  return isActive(field) ? expr : nullptr;
}

Taint TapeFloats::value(const Expr *expr) {
  Taint taint = carried(expr);
  return holdsFloats(expr->type) ? taint : nullptr;
}

/// As `value`, also of what is no float.
Taint TapeFloats::carried(const Expr *expr) {
  switch (expr->kind) {
  case ExprKind::Variable:
    return named(llvm::cast<VariableExpr>(expr)->variable);
  case ExprKind::Global:
    return named(llvm::cast<GlobalExpr>(expr)->global);
  case ExprKind::Builtin: {
    Taint taint = joined(expr);
    bool ends = endsDerivative(llvm::cast<BuiltinExpr>(expr)->op);
    return ends ? nullptr : taint;
  }
  case ExprKind::Let: {
    auto *let = llvm::cast<LetExpr>(expr);
    const void *to = let->variable;
    if (let->global)
      to = let->global;
    state[to] = value(let->value);
    return value(let->body);
  }
  case ExprKind::Call:
    return call(*llvm::cast<CallExpr>(expr));
  case ExprKind::HostOp:
    return hostOp(*llvm::cast<HostOpExpr>(expr));
  case ExprKind::Load:
  case ExprKind::Atomic:
    return element(expr);
  case ExprKind::Random:
    joined(expr);
    return nullptr;
  default: // indices and conditions are no floats
    return joined(expr);
  }
}

Taint TapeFloats::hostOp(const HostOpExpr &op) {
  Taint taint = joined(&op);
  if (const void *inside = insideOf(op)) {
    if (op.type->isVoid() && taint)
      state[inside] = taint;
    return op.type->isVoid() ? nullptr : named(inside);
  }
  switch (op.op) {
  case HostOp::FieldFill:
    if (taint)
      refuse(op.args[1]->range, "this value", taint->range);
    return nullptr;
  case HostOp::FieldSum:
  case HostOp::FieldMin:
  case HostOp::FieldMax:
    return isActive(op.args[0]) ? &op : nullptr;
  case HostOp::FieldDot:
    return isActive(op.args[0]) || isActive(op.args[1]) ? &op : nullptr;
  default:
    return nullptr;
  }
}

/// Does a kernel, or what it calls, read an element of a field of floats?
static bool mayReadFloats(Function &kernel) {
  bool reads = false;
  reachableFunctions({&kernel}, [&](Expr *expr) {
    if (auto *load = llvm::dyn_cast<LoadExpr>(expr))
      reads |= holdsFloats(load->field->type->element);
    if (auto *atomic = llvm::dyn_cast<AtomicExpr>(expr))
      reads |= holdsFloats(atomic->field->type->element);
  });
  return reads;
}

Taint TapeFloats::launch(const CallExpr &call, llvm::ArrayRef<Taint> given) {
  if (call.callee->isPassive)
    return nullptr;
  for (auto [k, taint] : llvm::enumerate(given))
    if (taint)
      refuse(call.args[k]->range, "this argument", taint->range);
  Effects effects;
  gatherEffects(*call.callee, all.origins.bind(call, bound), effects);
  for (const Global *global : effects.scalars)
    if (Taint taint = named(global))
      refuse(call.range, "`" + global->name + "`, which this kernel reads,",
             taint->range);
  bool readsActive = llvm::any_of(
      effects.reads, [&](Origin origin) { return active.contains(origin); });
  return readsActive || (isAllActive && mayReadFloats(*call.callee)) ? &call
                                                                     : nullptr;
}

Taint TapeFloats::call(const CallExpr &call) {
  llvm::SmallVector<Taint> given;
  for (const Expr *arg : call.args)
    given.push_back(value(arg));
  const Function &callee = *call.callee;
  if (isEntry(callee))
    return launch(call, given);
  if (++numCalls > kMostCalls) {
    auto *first = llvm::find_if(given, [](Taint taint) { return taint; });
    return first == given.end() ? nullptr : *first;
  }
  OriginMap names = all.origins.bind(call, bound);
  const OriginMap *outerBound = std::exchange(bound, &names);
  bool wasPassive = std::exchange(isPassive, isPassive || callee.isPassive);
  Taint outerResult = std::exchange(result, nullptr);
  State *outerLoop = std::exchange(leavesLoop, nullptr);
  State before = state;
  for (auto [parameter, taint] : llvm::zip(callee.params, given))
    state[parameter] = taint;
  body(callee.body);
  state = std::move(before);
  bound = outerBound, isPassive = wasPassive, leavesLoop = outerLoop;
  Taint taint = std::exchange(result, outerResult);
  return callee.isPassive ? nullptr : taint;
}

void TapeFloats::assign(const LValue &lvalue, const Expr *given,
                        bool isUpdate) {
  for (const Expr *index : lvalue.indices)
    value(index);
  for (const PathStep &step : lvalue.path)
    if (!step.isMember())
      value(step.index);
  Taint taint = value(given);
  if (!holdsFloats(lvalue.type))
    taint = nullptr;
  if (lvalue.kind == LValue::Element) {
    // What is stored in a gradient is none of the tape's values.
    bool isSeed = llvm::isa<CompanionExpr>(lvalue.field) && !hasNested;
    if (taint && !isSeed)
      refuse(given->range, "this value", taint->range);
    return;
  }
  const void *entity = lvalue.variable;
  if (lvalue.kind == LValue::TopLevel)
    entity = lvalue.global;
  Taint &known = state[entity];
  bool keeps = isUpdate || !lvalue.path.empty();
  known = keeps && known ? known : taint;
}

/// What multiplies an element, or takes the smaller of two, reads it.
void TapeFloats::update(const AccumulateStmt &update) {
  const LValue &lvalue = update.lvalue;
  bool isSum = update.op == BinaryOp::Add || update.op == BinaryOp::Sub;
  if (!isSum && lvalue.kind == LValue::Element && holdsFloats(lvalue.type) &&
      isActive(lvalue.field))
    refuse(lvalue.range, "this update", lvalue.range);
  assign(lvalue, update.value, true);
}

void TapeFloats::branch(const IfStmt &branch) {
  value(branch.condition);
  State before = state;
  body(branch.thenBody);
  State after = std::exchange(state, std::move(before));
  body(branch.elseBody);
  joinInto(state, after);
}

/// Runs a loop until it brings nothing new.
void TapeFloats::repeat(llvm::function_ref<void()> body) {
  State left;
  State *outer = std::exchange(leavesLoop, &left);
  for (bool changed = true; changed;) {
    State before = state;
    body();
    joinInto(state, before);
    joinInto(state, left);
    changed = joinInto(before, state);
  }
  leavesLoop = outer;
}

void TapeFloats::statement(const Stmt *stmt) {
  if (auto *set = llvm::dyn_cast<AssignStmt>(stmt))
    return assign(set->lvalue, set->value, false);
  if (auto *update = llvm::dyn_cast<AccumulateStmt>(stmt))
    return this->update(*update);
  if (auto *choice = llvm::dyn_cast<IfStmt>(stmt))
    return branch(*choice);
  if (auto *loop = llvm::dyn_cast<WhileStmt>(stmt))
    return repeat([&] { value(loop->condition), body(loop->body); });
  if (auto *unrolled = llvm::dyn_cast<UnrolledStmt>(stmt))
    return repeat([&] {
      for (const Body &unrolled : unrolled->bodies)
        body(unrolled);
    });
  if (auto *leave = llvm::dyn_cast<ReturnStmt>(stmt)) {
    Taint taint = leave->value ? value(leave->value) : nullptr;
    result = result ? result : taint;
    return state.clear();
  }
  if (llvm::isa<BreakStmt, ContinueStmt>(stmt)) {
    if (leavesLoop)
      joinInto(*leavesLoop, state);
    return state.clear();
  }
  if (auto *loop = llvm::dyn_cast<ForStmt>(stmt)) {
    for (const ForStmt::Range &range : loop->ranges)
      value(range.begin), value(range.end);
    return repeat([&] { body(loop->body); });
  }
  if (auto *inner = llvm::dyn_cast<TapeStmt>(stmt))
    return body(inner->body);
  // A call in an expression, a text or a condition.
  std::vector<Stmt *> alone = {const_cast<Stmt *>(stmt)};
  forEachExpr(alone, [&](Expr *expr) { value(expr); });
}

void TapeFloats::body(const Body &body) {
  for (const Stmt *stmt : body)
    statement(stmt);
}

void TapeFloats::run(const TapeStmt &tape) {
  isForward = tape.isForward;
  gatherLaunches(tape.body, nullptr);
  for (const auto &function : all.program.functions)
    forEachInner(function->body, [&](Expr *expr) {
      auto *made = llvm::dyn_cast<HostOpExpr>(expr);
      Origin origin(made, false);
      if (made && (isForward ? hasDualMark(origin) : isMarked(origin)))
        active.insert(origin);
    });
  if (hasNested)
    addNested();
  for (bool changed = true; changed;) {
    changed = false;
    for (const Effects &each : launches) {
      if (!isActive(each.reads) || each.reads.empty())
        continue;
      for (Origin origin : each.writes)
        changed |= active.insert(origin);
    }
  }
  body(tape.body);
}

void TapeFloats::run(const Function &function) {
  isAllActive = true;
  gatherLaunches(function.body, nullptr);
  body(function.body);
}

bool sema::losesDerivatives(const TapeProgram &all, const Function &function) {
  DiagnosticEngine silent;
  TapeProgram quiet{all.program, all.sources, all.origins, silent};
  TapeFloats(quiet).run(function);
  return silent.hasErrors();
}

void sema::checkHostFloats(const TapeProgram &all) {
  for (const auto &function : all.program.functions)
    forEachStmt(function->body, [&](Stmt *stmt) {
      if (auto *tape = llvm::dyn_cast<TapeStmt>(stmt))
        TapeFloats(all).run(*tape);
    });
}
