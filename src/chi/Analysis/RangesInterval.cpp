//===- RangesInterval.cpp - Intervals of values, loops included -----------===//
#include "chi/Analysis/Ranges.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace chi;
using namespace chi::analysis;

/// Expressions that are nested deeper are taken as unknown.
static constexpr unsigned kMaxDepth = 60;

Interval Ranges::intervalAt(Value value, Operation *at) {
  return interval(value, scopeAt(at));
}

Interval Ranges::interval(Value value, const Scope *scope) {
  unsigned width = widthOf(value.getType());
  if (width == 0)
    return Interval();
  if (auto constant = constantOf(value))
    return Interval::point(*constant);
  Key key{value, scope};
  for (const Memo &memo : llvm::reverse(memos))
    if (auto it = memo.find(key); it != memo.end())
      return it->second;
  if (depth > kMaxDepth)
    return Interval::full(width);
  ++depth;
  Interval known = refine(transfer(value, scope), value, scope);
  --depth;
  memos.back()[key] = known;
  return known;
}

Interval Ranges::refine(Interval known, Value value, const Scope *scope) {
  Value below = peel(value);
  if (!mentioned.contains(below))
    return known;
  unsigned number = 0;
  for (const Scope *s = scope; s && number < kMaxScopes;
       s = s->parent, ++number) {
    for (const Fact &fact : s->facts) {
      // The other side is taken without guards: that ends the recursion.
      if (fact.small == below) {
        Wide top = fact.large ? interval(fact.large, nullptr).hi : 0;
        top -= fact.gap;
        if (top < known.hi && top >= known.lo)
          known.hi = static_cast<int64_t>(top);
      }
      if (fact.large == below) {
        Wide bottom = fact.small ? interval(fact.small, nullptr).lo : 0;
        bottom += fact.gap;
        if (bottom > known.lo && bottom <= known.hi)
          known.lo = static_cast<int64_t>(bottom);
      }
    }
    for (auto [other, constant] : s->unequal) {
      if (other != below || known.isPoint())
        continue;
      if (known.lo == constant)
        ++known.lo;
      else if (known.hi == constant)
        --known.hi;
    }
  }
  return known;
}

Interval Ranges::transfer(Value value, const Scope *scope) {
  if (auto result = dyn_cast<OpResult>(value))
    return transferOp(result, scope);
  return transferArgument(cast<BlockArgument>(value), scope);
}

/// Does an arith op promise not to wrap as signed?
static bool promisesNoWrap(Operation *op) {
  auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
  return flags && flags.hasNoSignedWrap();
}

/// The interval of a division or remainder of unsigned numbers.
static Interval unsignedQuotient(Interval a, Interval b, unsigned width,
                                 bool isRemainder) {
  if (b.lo <= 0)
    return Interval::full(width);
  if (a.lo >= 0)
    return isRemainder ? floorModulo(a, b, width) : floorDivide(a, b, width);
  if (isRemainder)
    return {0, b.hi - 1};
  Wide largest = (Wide(1) << width) - 1;
  return Interval::wrapping(0, largest / b.lo, width);
}

static Interval shiftLeft(Interval a, Interval by, unsigned width) {
  if (by.lo < 0 || by.hi >= static_cast<int64_t>(width) || by.hi > 62)
    return Interval::full(width);
  return multiply(a, {int64_t(1) << by.lo, int64_t(1) << by.hi}, width);
}

static Interval shiftRight(Interval a, Interval by, unsigned width,
                           bool isSigned) {
  if (by.lo < 0 || by.hi >= static_cast<int64_t>(width))
    return Interval::full(width);
  if (isSigned || a.lo >= 0)
    return {a.lo >= 0 ? a.lo >> by.hi : a.lo >> by.lo,
            a.hi >= 0 ? a.hi >> by.lo : a.hi >> by.hi};
  if (by.lo == 0)
    return Interval::full(width);
  return {0, static_cast<int64_t>(((Wide(1) << width) - 1) >> by.lo)};
}

static Interval absolute(Interval a, unsigned width) {
  Wide low = a.lo > 0 ? a.lo : a.hi < 0 ? -Wide(a.hi) : 0;
  Wide high = std::max(-Wide(a.lo), Wide(a.hi));
  return Interval::wrapping(low, high, width);
}

static Interval minimum(Interval a, Interval b) {
  return {std::min(a.lo, b.lo), std::min(a.hi, b.hi)};
}
static Interval maximum(Interval a, Interval b) {
  return {std::max(a.lo, b.lo), std::max(a.hi, b.hi)};
}

/// Two-operand integer ops; nothing if the op is none that is known.
static std::optional<Interval> transferBinary(Operation *op, Interval a,
                                              Interval b, unsigned w) {
  bool bothPositive = a.lo >= 0 && b.lo >= 0;
  bool noWrap = promisesNoWrap(op);
  return TypeSwitch<Operation *, std::optional<Interval>>(op)
      .Case([&](arith::AddIOp) {
        return noWrap
                   ? Interval::clamped(Wide(a.lo) + b.lo, Wide(a.hi) + b.hi, w)
                   : add(a, b, w);
      })
      .Case([&](arith::SubIOp) {
        return noWrap
                   ? Interval::clamped(Wide(a.lo) - b.hi, Wide(a.hi) - b.lo, w)
                   : subtract(a, b, w);
      })
      .Case([&](arith::MulIOp) { return multiply(a, b, w); })
      .Case([&](arith::DivSIOp) { return truncDivide(a, b, w); })
      .Case([&](arith::FloorDivSIOp) { return floorDivide(a, b, w); })
      .Case([&](arith::RemSIOp) { return truncRemainder(a, b, w); })
      .Case([&](arith::DivUIOp) { return unsignedQuotient(a, b, w, false); })
      .Case([&](arith::RemUIOp) { return unsignedQuotient(a, b, w, true); })
      .Case([&](ir::FloorDivOp div) {
        return div.getIsUnsigned() ? unsignedQuotient(a, b, w, false)
                                   : floorDivide(a, b, w);
      })
      .Case([&](ir::FloorModOp mod) {
        return mod.getIsUnsigned() ? unsignedQuotient(a, b, w, true)
                                   : floorModulo(a, b, w);
      })
      .Case([&](arith::ShLIOp) { return shiftLeft(a, b, w); })
      .Case([&](arith::ShRSIOp) { return shiftRight(a, b, w, true); })
      .Case([&](arith::ShRUIOp) { return shiftRight(a, b, w, false); })
      .Case([&](arith::AndIOp) { return bitAnd(a, b, w); })
      .Case<arith::OrIOp, arith::XOrIOp>([&](auto) { return bitOr(a, b, w); })
      .Case([&](arith::MinSIOp) { return minimum(a, b); })
      .Case([&](arith::MaxSIOp) { return maximum(a, b); })
      .Case([&](arith::MinUIOp) {
        // A number that is negative as signed is large as unsigned.
        if (bothPositive)
          return minimum(a, b);
        if (a.lo >= 0)
          return Interval{0, a.hi};
        return b.lo >= 0 ? Interval{0, b.hi} : Interval::full(w);
      })
      .Case([&](arith::MaxUIOp) {
        return bothPositive ? maximum(a, b) : Interval::full(w);
      })
      .Default([](Operation *) { return std::nullopt; });
}

Interval Ranges::transferCast(Operation *op, unsigned width,
                              const Scope *scope) {
  Interval from = interval(op->getOperand(0), scope);
  unsigned fromWidth = widthOf(op->getOperand(0).getType());
  if (fromWidth == 0)
    return Interval::full(width);
  // The one bit of an i1 is its sign, for index_cast too.
  if (fromWidth == 1 && isa<arith::ExtSIOp, arith::IndexCastOp>(op))
    return {-from.hi, -from.lo};
  if (isa<arith::ExtSIOp>(op))
    return from;
  if (isa<arith::ExtUIOp>(op)) {
    if (from.lo >= 0)
      return from;
    return Interval::wrapping(0, (Wide(1) << fromWidth) - 1, width);
  }
  // A truncation or a cast to or from index.
  if (width == 1)
    return Interval::full(1);
  return Interval::wrapping(from.lo, from.hi, width);
}

Interval Ranges::transferOp(OpResult result, const Scope *scope) {
  Operation *op = result.getOwner();
  unsigned width = widthOf(result.getType());
  Interval full = Interval::full(width);
  if (isa<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::IndexCastOp>(
          op))
    return transferCast(op, width, scope);
  if (auto choice = dyn_cast<arith::SelectOp>(op)) {
    Value condition = choice.getCondition();
    if (auto known = constantOf(condition))
      return interval(*known ? choice.getTrueValue() : choice.getFalseValue(),
                      scope);
    if (!condition.getType().isInteger(1))
      return full;
    // Each nesting doubles the work if both sides are seen with their guard.
    bool isGuarded = choices < 6;
    ++choices;
    Interval known =
        interval(choice.getTrueValue(),
                 isGuarded ? assume(scope, condition, true) : scope)
            .join(
                interval(choice.getFalseValue(),
                         isGuarded ? assume(scope, condition, false) : scope));
    --choices;
    return known;
  }
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    unsigned k = result.getResultNumber();
    scf::YieldOp a = branch.thenYield(), b = branch.elseYield();
    return interval(a.getOperand(k), scopeAt(a))
        .join(interval(b.getOperand(k), scopeAt(b)));
  }
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return loopCarried(loop.getRegionIterArg(result.getResultNumber()), op);
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    scf::ConditionOp end = loop.getConditionOp();
    // The guesses for the loop's values are all that is needed from it.
    if (!loop.getBeforeArguments().empty())
      loopCarried(loop.getBeforeArguments().front(), op);
    return interval(end.getArgs()[result.getResultNumber()],
                    assume(scopeAt(op), end.getCondition(), false));
  }
  if (auto dim = dyn_cast<ir::DimOp>(op)) {
    auto type = cast<ir::FieldType>(fieldBelowCasts(dim.getField()).getType());
    unsigned axis = dim.getAxis();
    if (axis < type.getRank() && !type.isDynamicDim(axis))
      return Interval::wrapping(type.getShape()[axis], type.getShape()[axis],
                                width);
    return {0, full.hi};
  }
  if (auto get = dyn_cast<ir::GetOp>(op))
    return heldBy(get.getSlot(), width);
  if (isa<math::AbsIOp>(op))
    return absolute(interval(op->getOperand(0), scope), width);
  if (op->getNumOperands() == 2 && width > 1 &&
      op->getOperand(0).getType() == result.getType() &&
      op->getOperand(1).getType() == result.getType())
    if (auto known = transferBinary(op, interval(op->getOperand(0), scope),
                                    interval(op->getOperand(1), scope), width))
      return *known;
  return full;
}

Interval Ranges::transferArgument(BlockArgument arg, const Scope *scope) {
  unsigned width = widthOf(arg.getType());
  Interval full = Interval::full(width);
  Operation *parent = arg.getOwner()->getParentOp();
  if (!parent || !arg.getOwner()->isEntryBlock())
    return full;
  unsigned number = arg.getArgNumber();
  if (auto task = dyn_cast<ir::TaskOp>(parent)) {
    const TaskDomain &domain = domainOf(task);
    if (number < domain.captured.size())
      return domain.captured[number];
    number -= domain.captured.size();
    return number < domain.axes.size() ? domain.axes[number].values : full;
  }
  if (auto loop = dyn_cast<scf::ForOp>(parent)) {
    if (number > 0)
      return loopCarried(arg, parent);
    if (loop.getUnsignedCmp())
      return full;
    const Scope *outside = scopeAt(parent);
    Interval from = interval(loop.getLowerBound(), outside);
    Interval to = interval(loop.getUpperBound(), outside);
    return from.lo < to.hi ? Interval{from.lo, to.hi - 1} : full;
  }
  if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
    if (arg.getOwner()->getParent() == &loop.getBefore())
      return loopCarried(arg, parent);
    return interval(loop.getConditionOp().getArgs()[number], scope);
  }
  return full;
}

Interval Ranges::loopCarried(Value value, Operation *loop) {
  if (auto guess = guesses.find(value); guess != guesses.end())
    return guess->second;
  Key key{value, nullptr};
  auto remembered = [&]() -> std::optional<Interval> {
    for (const Memo &memo : llvm::reverse(memos))
      if (auto it = memo.find(key); it != memo.end())
        return it->second;
    return std::nullopt;
  };
  if (auto known = remembered())
    return *known;
  if (auto counted = dyn_cast<scf::ForOp>(loop)) {
    Operation *yield = counted.getBody()->getTerminator();
    solve(loop, counted.getInitArgs(), counted.getRegionIterArgs(), yield,
          yield->getOperands());
  } else {
    auto open = cast<scf::WhileOp>(loop);
    Operation *yield = open.getAfterBody()->getTerminator();
    solve(loop, open.getInits(), open.getBeforeArguments(), yield,
          yield->getOperands());
  }
  return remembered().value_or(Interval::full(widthOf(value.getType())));
}

/// Leaves in `guess` what holds after one more iteration; true if nothing
/// changed.
static bool widen(Interval &guess, Interval after, unsigned width,
                  bool atOnce) {
  if (guess.contains(after))
    return true;
  Interval full = Interval::full(width);
  if (after.lo < guess.lo)
    guess.lo = !atOnce && after.lo >= 0 ? 0 : full.lo;
  if (after.hi > guess.hi)
    guess.hi = full.hi;
  return false;
}

/// A fixpoint over all integers that a loop carries. Widening makes it short:
/// an end that moves goes to 0 or to the end of the type.
void Ranges::solve(Operation *loop, ValueRange inits, ValueRange args,
                   Operation *yield, ValueRange yielded) {
  const Scope *outside = scopeAt(loop);
  SmallVector<unsigned> numbers;
  SmallVector<Interval> first, guess;
  for (auto [k, arg] : llvm::enumerate(args))
    if (widthOf(arg.getType())) {
      numbers.push_back(k);
      first.push_back(interval(inits[k], outside));
    }
  guess = first;
  const Scope *inside = scopeAt(yield);
  SmallVector<Interval> after(numbers.size());
  /// One iteration of the loop under `guess`, into `after`.
  auto iterate = [&] {
    memos.emplace_back();
    for (auto [i, k] : llvm::enumerate(numbers))
      guesses[args[k]] = guess[i];
    for (auto [i, k] : llvm::enumerate(numbers))
      after[i] = interval(yielded[k], inside);
    for (unsigned k : numbers)
      guesses.erase(args[k]);
    memos.pop_back();
  };
  bool isStable = false;
  for (unsigned round = 0; round < 6 && !isStable && rounds > 0; ++round) {
    --rounds;
    iterate();
    isStable = true;
    for (auto [i, k] : llvm::enumerate(numbers))
      isStable &= widen(guess[i], after[i], widthOf(args[k].getType()),
                        /*atOnce=*/round > 2);
  }
  for (auto [i, k] : llvm::enumerate(numbers))
    if (!isStable)
      guess[i] = Interval::full(widthOf(args[k].getType()));
  // Narrows once: the result of one iteration on the stable guess is stable,
  // too, if another iteration stays within it.
  if (isStable && guess != first && rounds > 0) {
    SmallVector<Interval> wide = guess;
    iterate();
    for (auto [i, known] : llvm::enumerate(guess))
      known = first[i].join(after[i]);
    iterate();
    for (unsigned i = 0; i < guess.size(); ++i)
      if (!guess[i].contains(after[i])) {
        guess = wide;
        break;
      }
  }
  for (auto [i, k] : llvm::enumerate(numbers))
    memos.back()[{args[k], nullptr}] = guess[i];
}
