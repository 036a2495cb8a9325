//===- CheckLoops.cpp - for -----------------------------------------------===//
#include "chi/Sema/BodyCheck.h"

using namespace chi;
using namespace chi::sema;

/// Turns of all unrolled loops of one body, nested ones multiplied.
static constexpr unsigned kMaxTurns = 1 << 16;

static Meaning constantMeaning(Expr *value) {
  Meaning meaning;
  meaning.kind = Meaning::Constant;
  meaning.constant = value;
  meaning.range = value->range;
  return meaning;
}

//===----------------------------------------------------------------------===//
// What is iterated over
//===----------------------------------------------------------------------===//

bool BodyChecker::unifyRange(SourceRange range, Iteration::Range &axis) {
  std::vector<Expr *> parts = {axis.begin, axis.end};
  if (axis.step)
    parts.push_back(axis.step);
  for (Expr *part : parts) {
    if (isError(part))
      return false;
    if (part->type->isInt())
      continue;
    TypeRef type = build.defaulted(part->type);
    if (type->isFloat())
      diags.report(part->range, diag::FloatToInt, type->str(), "i32")
          .fixIt(part->range,
                 ("i32(" + program.sources.text(part->range) + ")").str())
          .send();
    else
      diags.report(part->range, diag::RangeNotInt, type->str()).send();
    return false;
  }
  // A literal bound adapts; i32 beside u32 converts as an argument does.
  TypeRef joined = parts[0]->type;
  for (Expr *part : parts)
    if (joined)
      joined = build.joinScalars(joined, part->type);
  if (!joined) {
    diags
        .report(range, diag::SignMix, "range", parts[0]->type->str(),
                parts[1]->type->str())
        .send();
    return false;
  }
  if (isUntyped(joined) && !isStaticArgument) {
    joined = build.defaultInt();
    for (Expr *part : parts)
      if (auto known = constantInt(part))
        if (!fits(*known, joined))
          joined = types.i64;
  }
  auto adapt = [&](Expr *&part) {
    if (part)
      part = build.promote(part, joined);
  };
  adapt(axis.begin), adapt(axis.end), adapt(axis.step);
  return !isError(axis.begin) && !isError(axis.end) &&
         (!axis.step || !isError(axis.step));
}

/// `block=128` of `range` and `ndrange`; false after an error.
static bool takeBlock(BodyChecker &checker, const ast::Argument &arg,
                      Expr *value, int64_t &block) {
  auto known = value ? constantInt(value) : std::nullopt;
  if (known && *known > 0)
    block = *known;
  return bool(known);
}

bool BodyChecker::checkRange(const ast::CallExpr *call, Iteration &iteration) {
  std::vector<Expr *> bounds;
  bool ok = true;
  for (const ast::Argument &arg : call->args) {
    if (arg.keyword == "block") {
      Expr *value = checkConstant(arg.value, "`block`");
      ok &= takeBlock(*this, arg, value, iteration.block);
    } else if (!arg.keyword.empty()) {
      diags.report(arg.keywordRange, diag::UnknownKeyword, "range", arg.keyword)
          .send();
      ok = false;
    } else {
      bounds.push_back(checkExpr(arg.value));
      ok &= !isError(bounds.back());
    }
  }
  if (!ok)
    return false;
  if (bounds.empty() || bounds.size() > 3) {
    diags
        .report(call->range, diag::ArgCountMismatch, "range", size_t(3),
                bounds.size())
        .send();
    return false;
  }
  Iteration::Range axis;
  if (bounds.size() == 1) {
    axis.begin = build.intLiteral(call->range, 0, types.untypedInt);
    axis.end = bounds[0];
  } else {
    axis.begin = bounds[0];
    axis.end = bounds[1];
    if (bounds.size() == 3)
      axis.step = bounds[2];
  }
  if (axis.step)
    if (auto step = constantInt(axis.step); step && *step == 0) {
      diags.report(axis.step->range, diag::StepZero).send();
      return false;
    }
  if (!unifyRange(call->range, axis))
    return false;
  if (axis.step)
    if (auto step = constantInt(axis.step); step && *step == 1)
      axis.step = nullptr;
  iteration.ranges.push_back(axis);
  return true;
}

bool BodyChecker::checkNdRange(const ast::CallExpr *call,
                               Iteration &iteration) {
  bool ok = true;
  for (const ast::Argument &arg : call->args) {
    if (arg.keyword == "block") {
      Expr *value = checkConstant(arg.value, "`block`");
      ok &= takeBlock(*this, arg, value, iteration.block);
      continue;
    }
    if (!arg.keyword.empty()) {
      diags
          .report(arg.keywordRange, diag::UnknownKeyword, "ndrange",
                  arg.keyword)
          .send();
      ok = false;
      continue;
    }
    Iteration::Range axis;
    auto *pair = llvm::dyn_cast<ast::TupleExpr>(arg.value);
    if (pair && pair->elements.size() == 2) {
      axis.begin = checkExpr(pair->elements[0]);
      axis.end = checkExpr(pair->elements[1]);
    } else if (pair) {
      diags.report(arg.value->range, diag::NdRangePair).send();
      ok = false;
      continue;
    } else {
      axis.begin = build.intLiteral(arg.value->range, 0, types.untypedInt);
      axis.end = checkExpr(arg.value);
    }
    ok &= unifyRange(arg.value->range, axis);
    iteration.ranges.push_back(axis);
  }
  if (ok && iteration.ranges.empty()) {
    diags
        .report(call->range, diag::ArgCountMismatch, "ndrange", size_t(1),
                size_t(0))
        .send();
    return false;
  }
  return ok;
}

/// The same numbers from the last to the first.
bool BodyChecker::reverse(SourceRange range, Iteration &iteration) {
  if (iteration.isUnrolled) {
    std::reverse(iteration.turns.begin(), iteration.turns.end());
    return true;
  }
  if (iteration.field || iteration.ranges.size() != 1) {
    diags.report(range, diag::NotReversible).send();
    return false;
  }
  Iteration::Range &axis = iteration.ranges[0];
  auto number = [&](int64_t n) {
    return build.intLiteral(range, n, types.untypedInt);
  };
  auto op = [&](BinaryOp kind, Expr *a, Expr *b) {
    return build.binary(range, range, kind, a, b);
  };
  if (!axis.begin->type->isSigned) {
    diags.report(range, diag::NotSupportedYet, "`reversed` of unsigned numbers")
        .send();
    return false;
  }
  Expr *last = op(BinaryOp::Sub, build.clone(axis.end), number(1));
  Expr *step = number(-1);
  if (axis.step) {
    // begin + ((end - begin - sign) // step) * step
    auto known = constantInt(axis.step);
    if (!known) {
      diags
          .report(range, diag::NotSupportedYet,
                  "`reversed` with a step that is not constant")
          .send();
      return false;
    }
    Expr *span =
        op(BinaryOp::Sub, build.clone(axis.end), build.clone(axis.begin));
    span = op(BinaryOp::Sub, span, number(*known > 0 ? 1 : -1));
    Expr *count = op(BinaryOp::FloorDiv, span, number(*known));
    last = op(BinaryOp::Add, build.clone(axis.begin),
              op(BinaryOp::Mul, count, number(*known)));
    step = number(-*known);
    axis.end = op(BinaryOp::Sub, axis.begin, number(*known > 0 ? 1 : -1));
  } else {
    axis.end = op(BinaryOp::Sub, axis.begin, number(1));
  }
  axis.begin = last;
  axis.step = step;
  return unifyRange(range, axis);
}

bool BodyChecker::enumerate(const ast::CallExpr *call, Iteration &iteration) {
  int64_t from = 0;
  const ast::Expr *inner = nullptr;
  for (const ast::Argument &arg : call->args) {
    if (!inner && arg.keyword.empty()) {
      inner = arg.value;
      continue;
    }
    Expr *value = checkConstant(arg.value, "the start of `enumerate`");
    auto known = value ? constantInt(value) : std::nullopt;
    if (!known)
      return false;
    from = *known;
  }
  if (!inner || call->args.size() > 2) {
    diags
        .report(call->range, diag::ArgCountMismatch, "enumerate", size_t(1),
                call->args.size())
        .send();
    return false;
  }
  if (!checkIterable(inner, iteration))
    return false;
  if (iteration.isUnrolled) {
    for (auto [k, turn] : llvm::enumerate(iteration.turns))
      turn.insert(turn.begin(), constantMeaning(build.intLiteral(
                                    call->range, from + k, types.untypedInt)));
    return true;
  }
  if (iteration.field || iteration.ranges.size() != 1) {
    diags
        .report(call->range, diag::NotSupportedYet,
                "`enumerate` over more than one axis")
        .send();
    return false;
  }
  iteration.isEnumerated = true;
  iteration.enumerateFrom = from;
  return true;
}

bool BodyChecker::zip(const ast::CallExpr *call, Iteration &iteration) {
  bool isFirst = true;
  for (const ast::Argument &arg : call->args) {
    Iteration one;
    if (!checkIterable(arg.value, one))
      return false;
    if (!one.isUnrolled) {
      bool outer = isStaticArgument;
      bool known = !one.field && unrollRanges(arg.value->range, one);
      isStaticArgument = outer;
      if (!known) {
        if (one.field)
          diags
              .report(arg.value->range, diag::NotSupportedYet,
                      "`zip` over fields")
              .send();
        return false;
      }
    }
    if (isFirst)
      iteration.turns.resize(one.turns.size());
    iteration.turns.resize(std::min(iteration.turns.size(), one.turns.size()));
    for (auto [turn, more] : llvm::zip(iteration.turns, one.turns))
      turn.insert(turn.end(), more.begin(), more.end());
    isFirst = false;
  }
  iteration.isUnrolled = true;
  return true;
}

/// The elements of a tuple, a vec or a mat, or of several names of things.
bool BodyChecker::unrollTuple(const ast::Expr *expr, Iteration &iteration) {
  iteration.isUnrolled = true;
  if (auto *tuple = llvm::dyn_cast<ast::TupleExpr>(expr)) {
    for (const ast::Expr *element : tuple->elements) {
      Meaning meaning = resolve(element);
      bool isThing =
          meaning.kind == Meaning::Function || meaning.kind == Meaning::Type ||
          meaning.kind == Meaning::Alias ||
          (meaning.kind == Meaning::Word && mathFunction(meaning.word));
      if (isThing) {
        iteration.turns.push_back({meaning});
        continue;
      }
      Expr *value = checkExpr(element);
      if (isError(value))
        return false;
      bool staysInPlace = isConstant(value) || value->type->isField();
      if (!staysInPlace)
        value = store(build.withDefault(value));
      iteration.turns.push_back({constantMeaning(value)});
    }
    return true;
  }
  return false;
}

static void eachElement(Builder &build, Expr *value, Iteration &iteration) {
  TypeRef type = value->type;
  unsigned count =
      type->isTuple() ? type->members.size() : unsigned(type->shape[0]);
  for (unsigned k = 0; k < count; ++k)
    iteration.turns.push_back(
        {constantMeaning(type->isTuple() ? build.tupleMember(value, k)
                                         : build.component(value, k))});
}

bool BodyChecker::checkIterable(const ast::Expr *expr, Iteration &iteration) {
  if (auto *call = llvm::dyn_cast<ast::CallExpr>(expr)) {
    Meaning callee = resolve(call->callee);
    if (callee.kind == Meaning::Word)
      switch (callee.word) {
      case Word::Range:
      case Word::NdRange:
      case Word::Static:
      case Word::Serial:
      case Word::Grouped:
      case Word::Progress:
      case Word::Reversed:
      case Word::Enumerate:
      case Word::Zip:
        return checkIterationCall(call, callee.word, iteration);
      default:
        break;
      }
  }
  if (llvm::isa<ast::TupleExpr>(expr))
    return unrollTuple(expr, iteration);
  Expr *value = checkExpr(expr);
  if (isError(value))
    return false;
  if (value->type->isField()) {
    iteration.field = value;
    return true;
  }
  if (value->type->isTuple() || value->type->isVec()) {
    iteration.isUnrolled = true;
    value = build.withDefault(value);
    if (!isConstant(value) && !llvm::isa<VariableExpr>(value) &&
        !isError(value))
      value = store(value);
    if (isError(value))
      return false;
    eachElement(build, value, iteration);
    return true;
  }
  diags
      .report(expr->range, diag::NotIterable,
              build.defaulted(value->type)->str())
      .send();
  return false;
}

bool BodyChecker::checkIterationCall(const ast::CallExpr *call, Word word,
                                     Iteration &iteration) {
  if (word == Word::Range)
    return checkRange(call, iteration);
  if (word == Word::NdRange)
    return checkNdRange(call, iteration);
  if (word == Word::Enumerate)
    return enumerate(call, iteration);
  if (word == Word::Zip)
    return zip(call, iteration);
  if (call->args.size() != 1 || !call->args[0].keyword.empty()) {
    diags
        .report(call->range, diag::ArgCountMismatch, wordText(word), size_t(1),
                call->args.size())
        .send();
    return false;
  }
  const ast::Expr *inner = call->args[0].value;
  bool outer = isStaticArgument;
  if (word == Word::Static)
    isStaticArgument = true;
  bool ok = checkIterable(inner, iteration);
  isStaticArgument = outer;
  if (!ok)
    return false;
  switch (word) {
  case Word::Static:
    iteration.isStatic = true;
    if (iteration.field) {
      diags.report(inner->range, diag::NotConstant, "a `static` loop").send();
      return false;
    }
    return iteration.isUnrolled || unrollRanges(inner->range, iteration);
  case Word::Serial:
    iteration.isSerial = true;
    return true;
  case Word::Grouped:
    if (iteration.isUnrolled && !iteration.isStatic) {
      diags.report(inner->range, diag::NotGroupable).send();
      return false;
    }
    iteration.isGrouped = true;
    return true;
  case Word::Progress:
    if (!hostOnly(call->range, "`progress`"))
      return false;
    iteration.showsProgress = true;
    return true;
  default:
    return reverse(call->range, iteration);
  }
}

/// All turns of constant ranges; the last axis runs fastest.
bool BodyChecker::unrollRanges(SourceRange range, Iteration &iteration) {
  std::vector<std::vector<int64_t>> axes;
  size_t total = 1;
  for (Iteration::Range &axis : iteration.ranges) {
    auto begin = constantInt(axis.begin), end = constantInt(axis.end);
    auto step = axis.step ? constantInt(axis.step) : std::optional<int64_t>(1);
    for (Expr *bound : {axis.begin, axis.end, axis.step})
      if (bound && !constantInt(bound)) {
        reportNotConstant(bound, "the bound of a `static` loop");
        return false;
      }
    std::vector<int64_t> numbers;
    for (__int128 k = *begin; *step > 0 ? k < *end : k > *end; k += *step) {
      numbers.push_back(int64_t(k));
      if (numbers.size() > kMaxTurns)
        break;
    }
    total *= numbers.size();
    if (total > kMaxTurns) {
      diags.report(range, diag::UnrollTooLarge, kMaxTurns).send();
      return false;
    }
    axes.push_back(std::move(numbers));
  }
  for (size_t turn = 0; turn < total; ++turn) {
    std::vector<Expr *> values(axes.size());
    size_t rest = turn;
    for (size_t k = axes.size(); k-- > 0;) {
      values[k] = build.intLiteral(range, axes[k][rest % axes[k].size()],
                                   types.untypedInt);
      rest /= axes[k].size();
    }
    std::vector<Meaning> meanings;
    if (iteration.isGrouped) {
      meanings.push_back(constantMeaning(build.construct(
          range, types.vec(values.size(), types.untypedInt), values)));
    } else {
      for (Expr *value : values)
        meanings.push_back(constantMeaning(value));
    }
    iteration.turns.push_back(std::move(meanings));
  }
  iteration.isUnrolled = true;
  return true;
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

void BodyChecker::checkFor(const ast::ForStmt *stmt) {
  Iteration iteration;
  bool ok = checkIterable(stmt->iterable, iteration);
  for (const ast::Expr *target : stmt->targets)
    if (!llvm::isa<ast::NameExpr, ast::TupleExpr>(target)) {
      diags.report(target->range, diag::NotAssignable).send();
      ok = false;
    }
  if (!ok) {
    // The body is checked with names of unknown type: its own errors count.
    std::set<const void *> before = assigned;
    bool wasReachable = reachable;
    Body ignored;
    loops.push_back(LoopKind::Sequential);
    bool isOutermost = inKernel() && !inParallel();
    if (isOutermost)
      ++parallelDepth;
    enter(Scope::Loop, stmt->body, stmt);
    auto declare = [&](auto &self, const ast::Expr *target) -> void {
      if (auto *name = llvm::dyn_cast<ast::NameExpr>(target)) {
        Meaning broken;
        broken.kind = Meaning::Broken;
        scopes.back().names[name->name.str()] = broken;
      } else if (auto *tuple = llvm::dyn_cast<ast::TupleExpr>(target)) {
        for (const ast::Expr *element : tuple->elements)
          self(self, element);
      }
    };
    for (const ast::Expr *target : stmt->targets)
      declare(declare, target);
    checkBodyInto(stmt->body, ignored);
    leave();
    loops.pop_back();
    if (isOutermost)
      --parallelDepth;
    assigned = std::move(before);
    reachable = wasReachable;
    return;
  }
  if (iteration.isUnrolled)
    return forUnrolled(stmt, iteration);
  forRanges(stmt, iteration);
}

/// Names of a `for` without the brackets round them.
static llvm::SmallVector<const ast::NameExpr *>
flatNames(llvm::ArrayRef<ast::Expr *> targets) {
  llvm::SmallVector<const ast::NameExpr *> names;
  for (const ast::Expr *target : targets) {
    if (auto *name = llvm::dyn_cast<ast::NameExpr>(target))
      names.push_back(name);
    else if (auto *tuple = llvm::dyn_cast<ast::TupleExpr>(target))
      llvm::append_range(names, flatNames(tuple->elements));
  }
  return names;
}

void BodyChecker::forUnrolled(const ast::ForStmt *stmt, Iteration &iteration) {
  auto *loop = emit<UnrolledStmt>(stmt->range);
  loop->bodies.resize(iteration.turns.size());
  unrolledTurns += iteration.turns.size();
  if (unrolledTurns > kMaxTurns) {
    diags.report(stmt->range, diag::UnrollTooLarge, kMaxTurns).send();
    return;
  }
  bool wasReachable = reachable;
  loops.push_back(LoopKind::Unrolled);
  bool hasExit = false;
  walkStmts(stmt->body, [&](const ast::Stmt *inner) {
    hasExit |= llvm::isa<ast::BreakStmt, ast::ContinueStmt>(inner);
  });
  bool isDead = false;
  std::set<const void *> before = assigned;
  for (auto [k, turn] : llvm::enumerate(iteration.turns)) {
    enter(Scope::Loop, stmt->body, stmt, k + 1);
    Body *outer = out;
    out = &loop->bodies[k];
    reachable = wasReachable && !isDead;
    // Names of the loop are its own, also where top level has such a name.
    auto declareNames = [&](ast::Expr *target) {
      for (const ast::NameExpr *name : flatNames(target))
        declareLocal(name->name, name->range);
    };
    auto bindOne = [&](ast::Expr *target, const Meaning &meaning) {
      auto *name = llvm::dyn_cast<ast::NameExpr>(target);
      if (!name) {
        declareNames(target);
        if (meaning.kind == Meaning::Constant)
          assignTo(target, build.clone(meaning.constant));
        return;
      }
      bool isChanged = program.countsOf(stmt->body).all.count(name->name) ||
                       program.countsOf(stmt->body).parts.count(name->name);
      if (isChanged && meaning.kind == Meaning::Constant &&
          !meaning.constant->type->isField()) {
        LocalVariable &local = declareLocal(name->name, name->range);
        assignLocal(local, build.clone(meaning.constant), name->range);
        return;
      }
      Meaning bound = meaning;
      bound.range = name->range;
      scopes.back().names[name->name.str()] = bound;
    };
    bool fits = stmt->targets.size() == turn.size();
    if (fits) {
      for (auto [target, meaning] : llvm::zip(stmt->targets, turn))
        bindOne(target, meaning);
    } else if (turn.size() == 1 && turn[0].kind == Meaning::Constant &&
               (turn[0].constant->type->isTuple() ||
                turn[0].constant->type->isVec())) {
      for (ast::Expr *target : stmt->targets)
        declareNames(target);
      unpack(stmt->targets, stmt->range, build.clone(turn[0].constant));
    } else {
      diags
          .report(stmt->range, diag::LoopNames, stmt->targets.size(),
                  turn.size())
          .send();
      out = outer;
      leave();
      break;
    }
    checkBody(stmt->body);
    out = outer;
    leave();
    isDead |= wasReachable && !reachable && !hasExit;
  }
  loops.pop_back();
  // A `break` or `continue` may have left any of the turns early.
  if (hasExit)
    assigned = std::move(before);
  reachable = wasReachable && (reachable || hasExit || iteration.turns.empty());
}

/// Declares the loop's names and, where the body assigns one or it is grouped
/// or counted, the statement that makes it from the axes' variables.
void BodyChecker::bindLoopNames(const ast::ForStmt *stmt,
                                const Iteration &iteration, ForStmt *loop) {
  llvm::SmallVector<const ast::NameExpr *> names = flatNames(stmt->targets);
  const AssignCounts &counts = program.countsOf(stmt->body);
  auto axisVariable = [&](unsigned axis, llvm::StringRef name,
                          SourceRange range) {
    TypeRef type = iteration.field ? axisType(iteration.field->type, axis)
                                   : iteration.ranges[axis].begin->type;
    Variable *variable = freshVariable(name, range, type);
    loop->variables.push_back(variable);
    return variable;
  };
  auto copyTo = [&](const ast::NameExpr *name, Expr *value) {
    LocalVariable &local = declareLocal(name->name, name->range);
    assignLocal(local, value, name->range);
  };
  unsigned axes = iteration.numAxes();
  if (iteration.isGrouped) {
    std::vector<Expr *> parts;
    TypeRef scalar = types.i32;
    for (unsigned axis = 0; axis < axes; ++axis) {
      Variable *variable =
          axisVariable(axis, "." + names[0]->name.str() + std::to_string(axis),
                       names[0]->range);
      parts.push_back(build.variable(names[0]->range, variable));
      if (variable->type->bits > scalar->bits)
        scalar = variable->type;
    }
    for (Expr *&part : parts)
      part = build.cast(part, scalar);
    copyTo(names[0],
           build.construct(names[0]->range, types.vec(axes, scalar), parts));
    return;
  }
  if (iteration.isEnumerated) {
    const Iteration::Range &axis = iteration.ranges[0];
    Variable *variable = axisVariable(0, names[1]->name, names[1]->range);
    SourceRange range = names[0]->range;
    Expr *count =
        build.binary(range, range, BinaryOp::Sub,
                     build.variable(range, variable), build.clone(axis.begin));
    if (axis.step)
      count = build.binary(range, range, BinaryOp::FloorDiv, count,
                           build.clone(axis.step));
    Expr *from =
        build.intLiteral(range, iteration.enumerateFrom, types.untypedInt);
    copyTo(names[0], build.binary(range, range, BinaryOp::Add, count, from));
    copyTo(names[1], build.variable(range, variable));
    return;
  }
  for (auto [axis, name] : llvm::enumerate(names)) {
    bool isChanged =
        counts.all.count(name->name) || counts.parts.count(name->name);
    if (isChanged) {
      Variable *variable =
          axisVariable(axis, "." + name->name.str(), name->range);
      copyTo(name, build.variable(name->range, variable));
      continue;
    }
    Variable *variable = axisVariable(axis, name->name, name->range);
    LocalVariable &local =
        declareTyped(name->name, name->range, variable->type);
    local.variable = variable;
    local.isLoopVariable = true;
    assigned.insert(&local);
  }
}

void BodyChecker::checkParallelReads(SourceRange loop) {
  for (auto &[local, range] : kernelReads) {
    auto found = reductions.find(local);
    if (found != reductions.end())
      diags.report(range, diag::ReductionRead, local->name)
          .note(found->second, diag::ReducedHere)
          .send();
  }
  kernelReads.clear(), reductions.clear(), reductionKinds.clear();
}

void BodyChecker::forRanges(const ast::ForStmt *stmt, Iteration &iteration) {
  unsigned axes = iteration.numAxes();
  llvm::SmallVector<const ast::NameExpr *> names = flatNames(stmt->targets);
  unsigned wanted = iteration.isGrouped ? 1 : iteration.isEnumerated ? 2 : axes;
  bool namesFit = names.size() == wanted && (wanted != 0);
  if (!namesFit) {
    auto report = [&] {
      return diags.report(stmt->range, diag::LoopNames, names.size(),
                          size_t(wanted));
    };
    if (names.size() == 1 && axes > 1)
      report()
          .fixIt(
              stmt->iterable->range,
              ("grouped(" + program.sources.text(stmt->iterable->range) + ")")
                  .str())
          .send();
    else
      report().send();
  }
  auto *loop = emit<ForStmt>(stmt->range);
  for (Iteration::Range &axis : iteration.ranges)
    loop->ranges.push_back({axis.begin, axis.end, axis.step});
  loop->field = iteration.field;
  loop->showsProgress = iteration.showsProgress;
  loop->block = iteration.block;
  loop->isParallel = inKernel() && !inParallel() && !iteration.isSerial;
  std::set<const void *> before = assigned;
  bool wasReachable = reachable;
  loops.push_back(loop->isParallel ? LoopKind::Parallel : LoopKind::Sequential);
  if (loop->isParallel)
    ++parallelDepth;
  enter(Scope::Loop, stmt->body, stmt);
  Body *outer = out;
  out = &loop->body;
  if (namesFit) {
    bindLoopNames(stmt, iteration, loop);
  } else {
    for (const ast::NameExpr *name : names) {
      Meaning broken;
      broken.kind = Meaning::Broken;
      scopes.back().names[name->name.str()] = broken;
    }
  }
  checkBody(stmt->body);
  out = outer;
  leave();
  loops.pop_back();
  if (loop->isParallel) {
    --parallelDepth;
    checkParallelReads(stmt->range);
  }
  assigned = std::move(before);
  reachable = wasReachable;
}
