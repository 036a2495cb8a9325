//===- LoopChecker.cpp - for ----------------------------------------------===//
#include "chi/Sema/Stmts/LoopChecker.h"
#include "chi/AST/Walk.h"
#include "chi/Sema/Exprs/IterableChecker.h"
#include "chi/Sema/Names/NameChecker.h"
#include "chi/Sema/Stmts/AssignChecker.h"
#include "chi/Sema/Stmts/StmtChecker.h"

using namespace chi;
using namespace chi::sema;

void LoopChecker::checkFor(const ast::ForStmt *stmt) {
  checkWithElse(stmt->range, stmt->body, stmt->elseBody,
                [&] { checkLoop(stmt); });
}

void LoopChecker::checkLoop(const ast::ForStmt *stmt) {
  Iteration iteration;
  bool ok = ctx.iterables.checkIterable(stmt->iterable, iteration);
  for (const ast::Expr *target : stmt->targets)
    if (!llvm::isa<ast::NameExpr, ast::TupleExpr>(target)) {
      diags.report(target->range, diag::NotAssignable).send();
      ok = false;
    }
  if (!ok)
    return checkBrokenFor(stmt);
  if (iteration.isUnrolled)
    return forUnrolled(stmt, iteration);
  if (!iteration.lists.empty())
    return forLists(stmt, iteration);
  if (iteration.field && iteration.zipped.empty())
    warnOfAssignedIndex(stmt, iteration.isEnumerated);
  forRanges(stmt, iteration);
}

/// The element that the names of a loop over a field stand for, as text; empty
/// if the field has no name.
std::string
LoopChecker::elementText(const ast::ForStmt *stmt,
                         llvm::ArrayRef<const ast::NameExpr *> names) {
  const ast::Expr *over = stmt->iterable;
  // `grouped(x)`, `serial(x)`, `enumerate(x)`
  while (auto *call = llvm::dyn_cast<ast::CallExpr>(over)) {
    Meaning callee = ctx.names.resolve(call->callee);
    bool isWrapper = callee.kind == Meaning::Builtin &&
                     callee.builtin != BuiltinName::Field &&
                     !call->args.empty();
    if (!isWrapper)
      return "";
    over = call->args[0].value;
  }
  // An element of a slice is not assigned to by `x[2:4][v]`.
  if (llvm::isa<ast::SubscriptExpr>(over))
    return "";
  std::string element = program.sources.text(over->range).str() + "[";
  for (auto [k, name] : llvm::enumerate(names))
    element += (k ? ", " : "") + name->name.str();
  return element + "]";
}

/// `for v in x: v = 2` changes an index that nothing uses: the element was
/// meant.
void LoopChecker::warnOfAssignedIndex(const ast::ForStmt *stmt,
                                      bool isEnumerated) {
  llvm::SmallVector<const ast::NameExpr *> all = flatNames(stmt->targets);
  llvm::ArrayRef<const ast::NameExpr *> names = all;
  names = names.drop_front(isEnumerated && !names.empty());
  const ast::NameExpr *assigned = nullptr;
  const ast::Expr *value = nullptr; // that it is assigned first
  bool isRead = false;
  auto isOne = [&](const ast::Expr *expr) {
    auto *name = llvm::dyn_cast<ast::NameExpr>(expr);
    return name && llvm::any_of(names, [&](const ast::NameExpr *each) {
             return each->name == name->name;
           });
  };
  walkStmts(stmt->body, [&](const ast::Stmt *inner) {
    const ast::Expr *target = nullptr, *given = nullptr;
    if (auto *assign = llvm::dyn_cast<ast::AssignStmt>(inner)) {
      target = assign->targets.size() == 1 ? assign->targets[0] : nullptr;
      given = assign->value;
    } else if (auto *update = llvm::dyn_cast<ast::AugAssignStmt>(inner)) {
      target = update->target;
      given = update->value;
    }
    if (target && isOne(target)) {
      if (!assigned)
        assigned = llvm::cast<ast::NameExpr>(target), value = given;
      return;
    }
    ast::forEachExpr(inner, [&](ast::Expr *expr) {
      walkExpr(expr, [&](const ast::Expr *part) { isRead |= isOne(part); });
    });
  });
  if (!assigned || isRead)
    return;
  std::string element = elementText(stmt, names);
  if (!element.empty()) {
    auto report = diags.report(assigned->range, diag::AssignsIndex,
                               assigned->name, element);
    report.addFixIt(assigned->range, element);
    // `v = v * 2` reads the element, too.
    walkExpr(value, [&](const ast::Expr *part) {
      auto *name = llvm::dyn_cast<ast::NameExpr>(part);
      if (name && name->name == assigned->name)
        report.addFixIt(name->range, element);
    });
    return;
  }
  // What a call makes has no name to assign its elements by.
  std::string named = "x";
  for (auto [k, name] : llvm::enumerate(names))
    named += (k ? ", " : "[") + name->name.str();
  diags.report(assigned->range, diag::AssignsIndex, assigned->name, named + "]")
      .note({}, diag::Advice,
            ("give the field a name before the loop: `x = " +
             program.sources.text(stmt->iterable->range) + "`")
                .str())
      .send();
}

/// The body is checked with names of unknown type: its own errors count.
void LoopChecker::checkBrokenFor(const ast::ForStmt *stmt) {
  std::set<const void *> before = state.assigned;
  bool wasReachable = state.reachable;
  Body ignored;
  state.loops.push_back(LoopKind::Sequential);
  bool isOutermost = state.inKernel() && !state.inParallel();
  if (isOutermost)
    ++state.parallelDepth;
  state.enter(Scope::Loop, stmt->body, stmt);
  auto declare = [&](auto &self, const ast::Expr *target) -> void {
    if (auto *name = llvm::dyn_cast<ast::NameExpr>(target)) {
      Meaning broken;
      broken.kind = Meaning::Broken;
      state.scopes.back().names[name->name.str()] = broken;
    } else if (auto *tuple = llvm::dyn_cast<ast::TupleExpr>(target)) {
      for (const ast::Expr *element : tuple->elements)
        self(self, element);
    }
  };
  for (const ast::Expr *target : stmt->targets)
    declare(declare, target);
  ctx.stmts.checkBodyInto(stmt->body, ignored);
  state.leave();
  state.loops.pop_back();
  if (isOutermost)
    --state.parallelDepth;
  state.assigned = std::move(before);
  state.reachable = wasReachable;
}

/// Names of the loop are its own, also where top level has such a name.
void LoopChecker::declareNames(ast::Expr *target) {
  for (const ast::NameExpr *name : flatNames(target))
    state.declareLocal(name->name, name->range);
}

/// What a target of an unrolled loop means in one turn.
void LoopChecker::bindIteration(const ast::ForStmt *stmt, ast::Expr *target,
                                const Meaning &meaning) {
  auto *name = llvm::dyn_cast<ast::NameExpr>(target);
  if (!name) {
    declareNames(target);
    if (meaning.kind == Meaning::Constant)
      ctx.assigns.assignTo(target, build.clone(meaning.constant));
    return;
  }
  bool isChanged = program.countsOf(stmt->body).all.count(name->name) ||
                   program.countsOf(stmt->body).parts.count(name->name);
  if (isChanged && meaning.kind == Meaning::Constant &&
      !meaning.constant->type->isField()) {
    LocalVariable &local = state.declareLocal(name->name, name->range);
    ctx.assigns.assignLocal(local, build.clone(meaning.constant), name->range);
    return;
  }
  Meaning bound = meaning;
  bound.range = name->range;
  state.scopes.back().names[name->name.str()] = bound;
}

llvm::SmallVector<ast::Expr *>
sema::openTargets(llvm::ArrayRef<ast::Expr *> targets, size_t count) {
  llvm::SmallVector<ast::Expr *> open(targets);
  while (open.size() < count) {
    auto *inner = llvm::find_if(
        open, [](ast::Expr *each) { return llvm::isa<ast::TupleExpr>(each); });
    if (inner == open.end())
      break;
    auto elements = llvm::cast<ast::TupleExpr>(*inner)->elements;
    inner = open.erase(inner);
    open.insert(inner, elements.begin(), elements.end());
  }
  return open;
}

void LoopChecker::forUnrolled(const ast::ForStmt *stmt, Iteration &iteration) {
  auto *loop = state.emit<UnrolledStmt>(stmt->range);
  loop->bodies.resize(iteration.bindings.size());
  if (state.unrolledIterations > kMaxIterations)
    return;
  state.unrolledIterations += iteration.bindings.size();
  if (state.unrolledIterations > kMaxIterations) {
    diags.report(stmt->range, diag::UnrollTooLarge, kMaxIterations).send();
    return;
  }
  bool wasReachable = state.reachable;
  state.loops.push_back(LoopKind::Unrolled);
  bool hasExit = false;
  walkStmts(stmt->body, [&](const ast::Stmt *inner) {
    hasExit |= llvm::isa<ast::BreakStmt, ast::ContinueStmt>(inner);
  });
  bool isDead = false;
  std::set<const void *> before = state.assigned;
  for (auto [k, binding] : llvm::enumerate(iteration.bindings)) {
    state.enter(Scope::Loop, stmt->body, stmt, k + 1);
    Body *outer = state.out;
    state.out = &loop->bodies[k];
    state.reachable = wasReachable && !isDead;
    auto targets = openTargets(stmt->targets, binding.size());
    if (targets.size() == binding.size()) {
      for (auto [target, meaning] : llvm::zip(targets, binding))
        bindIteration(stmt, target, meaning);
    } else if (binding.size() == 1 && binding[0].kind == Meaning::Constant &&
               (binding[0].constant->type->isTuple() ||
                binding[0].constant->type->isVec())) {
      for (ast::Expr *target : stmt->targets)
        declareNames(target);
      ctx.assigns.unpack(stmt->targets, stmt->range,
                         build.clone(binding[0].constant));
    } else {
      diags
          .report(stmt->range, diag::LoopNames, stmt->targets.size(),
                  binding.size())
          .send();
      state.out = outer;
      state.leave();
      break;
    }
    ctx.stmts.checkBody(stmt->body);
    state.out = outer;
    state.leave();
    isDead |= wasReachable && !state.reachable && !hasExit;
  }
  state.loops.pop_back();
  // A `break` or `continue` may have left any of the turns early.
  if (hasExit)
    state.assigned = std::move(before);
  state.reachable = wasReachable &&
                    (state.reachable || hasExit || iteration.bindings.empty());
}

void LoopChecker::checkParallelReads(SourceRange loop) {
  for (auto &[local, range] : state.kernelReads) {
    auto found =
        llvm::find_if(state.reductions, [&](const Reduction &reduction) {
          return reduction.local == local;
        });
    if (found != state.reductions.end())
      diags.report(range, diag::ReductionRead, local->name)
          .note(found->range, diag::ReducedHere)
          .send();
  }
  state.kernelReads.clear(), state.reductions.clear();
}

/// A 0-D field has one element and no axis: the loop counts that one, and its
/// name is a vector without components, by which `x[I]` is the element.
void LoopChecker::countPoint(Iteration &iteration, SourceRange range) {
  bool isPoint = iteration.isGrouped && iteration.field &&
                 iteration.field->type->rank() == 0;
  if (!isPoint)
    return;
  if (!build.isPure(iteration.field))
    state.store(iteration.field);
  iteration.isPoint = true;
  iteration.field = nullptr;
  iteration.ranges.push_back({build.intLiteral(range, 0, types.i32),
                              build.intLiteral(range, 1, types.i32)});
}

void LoopChecker::forRanges(const ast::ForStmt *stmt, Iteration &iteration) {
  countPoint(iteration, stmt->iterable->range);
  unsigned axes = iteration.numAxes();
  llvm::SmallVector<const ast::NameExpr *> names = flatNames(stmt->targets);
  unsigned wanted = iteration.numNames();
  bool namesFit = names.size() == wanted && axes != 0;
  if (!namesFit) {
    auto report = [&] {
      return diags.report(stmt->range, diag::LoopNames, names.size(),
                          size_t(wanted));
    };
    if (names.size() == 1 && axes > 1 && wanted == axes)
      report()
          .fixIt(
              stmt->iterable->range,
              ("grouped(" + program.sources.text(stmt->iterable->range) + ")")
                  .str())
          .send();
    else
      report().send();
  }
  std::vector<Expr *> extents;
  if (iteration.isEnumerated && axes > 1)
    extents = axisExtents(iteration, stmt->iterable->range);
  auto *loop = state.emit<ForStmt>(stmt->range);
  for (Iteration::Range &axis : iteration.ranges)
    loop->ranges.push_back({axis.begin, axis.end, axis.step});
  loop->field = iteration.field;
  loop->showsProgress = iteration.showsProgress;
  loop->block = iteration.block;
  loop->isParallel =
      state.inKernel() && !state.inParallel() && !iteration.isSerial;
  std::set<const void *> before = state.assigned;
  bool wasReachable = state.reachable;
  state.loops.push_back(loop->isParallel ? LoopKind::Parallel
                                         : LoopKind::Sequential);
  if (loop->isParallel)
    ++state.parallelDepth;
  state.enter(Scope::Loop, stmt->body, stmt);
  Body *outer = state.out;
  state.out = &loop->body;
  if (namesFit) {
    bindLoopNames(stmt, iteration, extents, loop);
  } else {
    for (const ast::NameExpr *name : names) {
      Meaning broken;
      broken.kind = Meaning::Broken;
      state.scopes.back().names[name->name.str()] = broken;
    }
  }
  ctx.stmts.checkBody(stmt->body);
  state.out = outer;
  state.leave();
  state.loops.pop_back();
  if (loop->isParallel) {
    --state.parallelDepth;
    checkParallelReads(stmt->range);
  }
  state.assigned = std::move(before);
  state.reachable = wasReachable;
}
