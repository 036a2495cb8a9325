//===- RangesProof.cpp - Linear sums and proofs about them ----------------===//
#include "chi/Analysis/Ranges.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"

#include <numeric>
#include <utility>

using namespace mlir;
using namespace chi;
using namespace chi::analysis;

/// Facts that one proof may chain, and sums that it may look at.
static constexpr unsigned kMaxChain = 5;
static constexpr int kMaxSteps = 250;

Linear Ranges::linearAt(Value value, Operation *at) {
  return linear(value, scopeAt(at));
}
bool Ranges::provesNonNegative(const Linear &sum, Operation *at) {
  return proveFromScratch(sum, scopeAt(at));
}
bool Ranges::provesTrue(Value condition, Operation *at) {
  return proveIs(condition, true, scopeAt(at), 0);
}
Interval Ranges::intervalAt(Symbol symbol, Operation *at) {
  return intervalOf(symbol, scopeAt(at));
}

//===----------------------------------------------------------------------===//
// Values as sums
//===----------------------------------------------------------------------===//

Linear Ranges::linear(Value value, const Scope *scope) {
  Interval known = interval(value, scope);
  if (known.isPoint())
    return Linear(known.lo);
  Linear itself(Symbol{peel(value)});
  if (depth > 60)
    return itself;
  Key key{value, scope};
  if (auto it = linears.find(key); it != linears.end())
    return it->second;
  ++depth;
  std::optional<Linear> sum;
  if (Operation *op = value.getDefiningOp())
    sum = linearOp(op, value, scope);
  else
    sum = linearArgument(cast<BlockArgument>(value), scope);
  --depth;
  Linear result = sum.value_or(itself);
  // Within a proof of no wrap-around less is tried: that is not the last word.
  if (!inWrapProof)
    linears.try_emplace(key, result);
  return result;
}

std::optional<Linear> Ranges::linearArgument(BlockArgument arg,
                                             const Scope *scope) {
  Operation *parent = arg.getOwner()->getParentOp();
  if (!parent || !arg.getOwner()->isEntryBlock())
    return std::nullopt;
  if (auto task = dyn_cast<ir::TaskOp>(parent)) {
    const TaskDomain &domain = domainOf(task);
    if (arg.getArgNumber() < domain.aliases.size())
      return domain.aliases[arg.getArgNumber()];
    return std::nullopt;
  }
  if (auto loop = dyn_cast<scf::WhileOp>(parent))
    if (arg.getOwner()->getParent() == &loop.getAfter())
      return linear(loop.getConditionOp().getArgs()[arg.getArgNumber()], scope);
  return std::nullopt;
}

std::optional<Linear> Ranges::linearOp(Operation *op, Value value,
                                       const Scope *scope) {
  if (isa<arith::AddIOp>(op))
    return exactSum(op, 1, scope);
  if (isa<arith::SubIOp>(op))
    return exactSum(op, -1, scope);
  if (isa<arith::MulIOp, arith::ShLIOp>(op))
    return exactProduct(op, scope);
  if (isa<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::IndexCastOp>(
          op))
    return exactCast(op, scope);
  if (auto dim = dyn_cast<ir::DimOp>(op))
    return Linear(Symbol{fieldBelowCasts(dim.getField()),
                         static_cast<int>(dim.getAxis())});
  return std::nullopt;
}

std::optional<Linear> Ranges::exactCast(Operation *op, const Scope *scope) {
  Value from = op->getOperand(0);
  unsigned fromWidth = widthOf(from.getType());
  unsigned width = widthOf(op->getResult(0).getType());
  if (fromWidth <= 1 || width <= 1)
    return std::nullopt;
  Interval known = interval(from, scope);
  if (isa<arith::ExtUIOp>(op) && known.lo < 0)
    return std::nullopt;
  if (width < fromWidth && !fits(known.lo, known.hi, width))
    return std::nullopt;
  return linear(from, scope);
}

bool Ranges::staysIn(const Linear &sum, unsigned width, const Scope *scope) {
  if (inWrapProof)
    return false;
  inWrapProof = true;
  llvm::scope_exit done([&] { inWrapProof = false; });
  int stepsBefore = std::exchange(steps, kMaxSteps);
  llvm::scope_exit restore([&] { steps = stepsBefore; });
  Interval full = Interval::full(width);
  auto above = sum.plus(Linear(full.lo), -1);
  auto below = Linear(full.hi).plus(sum, -1);
  return above && below && prove(*above, scope, 3) && prove(*below, scope, 3);
}

bool Ranges::sumStays(Value a, Value b, int64_t sign, unsigned width,
                      const Scope *scope, bool thorough) {
  Interval x = interval(a, scope), y = interval(b, scope);
  Wide lo = Wide(x.lo) + (sign > 0 ? Wide(y.lo) : -Wide(y.hi));
  Wide hi = Wide(x.hi) + (sign > 0 ? Wide(y.hi) : -Wide(y.lo));
  if (fits(lo, hi, width))
    return true;
  if (!thorough)
    return false;
  auto sum = linear(a, scope).plus(linear(b, scope), sign);
  return sum && staysIn(*sum, width, scope);
}

bool Ranges::productStays(Value a, Value b, unsigned width, const Scope *scope,
                          bool thorough) {
  Interval x = interval(a, scope), y = interval(b, scope);
  Wide corners[] = {Wide(x.lo) * y.lo, Wide(x.lo) * y.hi, Wide(x.hi) * y.lo,
                    Wide(x.hi) * y.hi};
  auto [lo, hi] = std::minmax_element(std::begin(corners), std::end(corners));
  if (fits(*lo, *hi, width))
    return true;
  if (!thorough)
    return false;
  if (!y.isPoint())
    std::swap(x, y), std::swap(a, b);
  if (!y.isPoint())
    return false;
  auto product = linear(a, scope).times(y.lo);
  return product && staysIn(*product, width, scope);
}

/// Has an op the promise that its signed result does not wrap?
static bool hasNoWrapFlag(Operation *op) {
  auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
  return flags && flags.hasNoSignedWrap();
}

std::optional<Linear> Ranges::exactSum(Operation *op, int64_t sign,
                                       const Scope *scope) {
  Value a = op->getOperand(0), b = op->getOperand(1);
  unsigned width = widthOf(a.getType());
  if (width <= 1 ||
      (!hasNoWrapFlag(op) && !sumStays(a, b, sign, width, scope, isNear())))
    return std::nullopt;
  return linear(a, scope).plus(linear(b, scope), sign);
}

std::optional<Linear> Ranges::exactProduct(Operation *op, const Scope *scope) {
  Value a = op->getOperand(0), b = op->getOperand(1);
  unsigned width = widthOf(a.getType());
  if (width <= 1)
    return std::nullopt;
  Interval by = interval(b, scope);
  if (isa<arith::ShLIOp>(op)) {
    Interval x = interval(a, scope);
    if (!by.isPoint() || by.lo < 0 || by.lo >= width || by.lo > 62)
      return std::nullopt;
    int64_t factor = int64_t(1) << by.lo;
    if (!fits(Wide(x.lo) * factor, Wide(x.hi) * factor, width))
      return std::nullopt;
    return linear(a, scope).times(factor);
  }
  if (!hasNoWrapFlag(op) && !productStays(a, b, width, scope, isNear()))
    return std::nullopt;
  if (by.isPoint())
    return linear(a, scope).times(by.lo);
  if (Interval other = interval(a, scope); other.isPoint())
    return linear(b, scope).times(other.lo);
  return std::nullopt;
}

bool Ranges::neverWraps(Operation *op, bool thorough) {
  unsigned width = widthOf(op->getResult(0).getType());
  if (width <= 1 || op->getNumOperands() != 2) // arith.trunci has one
    return false;
  const Scope *scope = scopeAt(op);
  Value a = op->getOperand(0), b = op->getOperand(1);
  if (isa<arith::AddIOp>(op))
    return sumStays(a, b, 1, width, scope, thorough);
  if (isa<arith::SubIOp>(op))
    return sumStays(a, b, -1, width, scope, thorough);
  if (isa<arith::MulIOp>(op))
    return productStays(a, b, width, scope, thorough);
  if (isa<arith::ShLIOp>(op)) {
    Interval x = interval(a, scope), by = interval(b, scope);
    if (by.lo < 0 || by.hi >= width || by.hi > 62)
      return false;
    Wide factor = Wide(1) << by.hi;
    return fits(Wide(x.lo) * factor, Wide(x.hi) * factor, width);
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Proofs
//===----------------------------------------------------------------------===//

bool Ranges::proveFromScratch(const Linear &sum, const Scope *scope) {
  // Short proofs first: most are of one or two facts.
  for (unsigned chain = 0; chain <= kMaxChain; chain += chain < 2 ? 1 : 3) {
    steps = kMaxSteps;
    if (prove(sum, scope, chain))
      return true;
  }
  return false;
}

bool Ranges::prove(const Linear &sum, const Scope *scope, unsigned chain) {
  if (--steps < 0)
    return false;
  Wide least = sum.getConstant();
  for (const Linear::Term &term : sum.getTerms()) {
    Interval range = intervalOf(term.symbol, scope);
    Wide part = Wide(term.factor) * (term.factor > 0 ? range.lo : range.hi);
    // Products of 64-bit numbers fit, but not the sum of any number of them.
    if (__builtin_add_overflow(least, part, &least))
      return false;
  }
  if (least >= 0)
    return true;
  if (chain == 0 || sum.isConstant())
    return false;
  return proveByFacts(sum, scope, chain);
}

bool Ranges::proveByFacts(const Linear &sum, const Scope *scope,
                          unsigned chain) {
  // The outermost first: an inner fact is taken apart by means of outer ones,
  // and in this order that does not nest deeply.
  SmallVector<const Scope *, 16> scopes;
  for (const Scope *s = scope; s && scopes.size() < kMaxScopes; s = s->parent)
    scopes.push_back(s);
  std::reverse(scopes.begin(), scopes.end());
  for (const Scope *s : scopes)
    (void)inequalitiesOf(*s);
  for (const Linear::Term &term : sum.getTerms()) {
    SmallVector<Linear> facts;
    factsOfSymbol(term.symbol, scope, facts);
    for (const Linear &fact : facts)
      if (proveByFact(sum, fact, term.symbol, scope, chain))
        return true;
    for (const Scope *s : scopes)
      for (const Linear &fact : inequalitiesOf(*s))
        if (proveByFact(sum, fact, term.symbol, scope, chain))
          return true;
  }
  for (const Linear::Term &term : sum.getTerms())
    if (proveByCases(sum, term.symbol, scope, chain))
      return true;
  return false;
}

bool Ranges::proveByFact(const Linear &sum, const Linear &fact, Symbol symbol,
                         const Scope *scope, unsigned chain) {
  int64_t inSum = sum.factorOf(symbol), inFact = fact.factorOf(symbol);
  if (inFact == 0 || (inSum > 0) != (inFact > 0) || inSum == INT64_MIN ||
      inFact == INT64_MIN)
    return false;
  // m · sum = k · fact + rest, where the rest is without the symbol.
  int64_t common = std::gcd(inSum, inFact);
  int64_t m = std::abs(inFact) / common, k = std::abs(inSum) / common;
  auto scaled = sum.times(m);
  if (!scaled)
    return false;
  auto rest = scaled->plus(fact, -k);
  return rest && prove(*rest, scope, chain - 1);
}

ArrayRef<Linear> Ranges::inequalitiesOf(const Scope &scope) {
  if (scope.hasInequalities)
    return scope.inequalities;
  // Set first: a proof of a fact must not use that fact. Facts are kept, so
  // they are computed as outside of any proof.
  scope.hasInequalities = true;
  bool wasInWrapProof = std::exchange(inWrapProof, false);
  int stepsBefore = std::exchange(steps, kMaxSteps);
  SmallVector<Linear, 2> sums;
  auto addSum = [&](const Linear &small, const Linear &large, int64_t gap) {
    auto sum = large.plus(small, -1);
    if (sum)
      sum = sum->plus(Linear(gap), -1);
    if (sum && !sum->isConstant() && !llvm::is_contained(sums, *sum))
      sums.push_back(*sum);
  };
  for (const Fact &fact : scope.facts) {
    auto taken = [&](Value value) {
      return value ? linear(value, scope.parent) : Linear(0);
    };
    // Also without expansion of the values: another fact may be about these
    // very values.
    auto whole = [](Value value) {
      return value ? Linear(Symbol{value}) : Linear(0);
    };
    addSum(taken(fact.small), taken(fact.large), fact.gap);
    addSum(whole(fact.small), whole(fact.large), fact.gap);
  }
  scope.inequalities = std::move(sums);
  inWrapProof = wasInWrapProof;
  steps = stepsBefore;
  return scope.inequalities;
}

void Ranges::factsOfQuotient(Symbol symbol, Value dividend, int64_t divisor,
                             const Scope *scope,
                             SmallVectorImpl<Linear> &facts) {
  // divisor · q <= dividend <= divisor · q + divisor - 1
  auto rest = linear(dividend, scope).plus(Linear(symbol), -divisor);
  if (!rest)
    return;
  facts.push_back(*rest);
  if (auto above = Linear(divisor - 1).plus(*rest, -1))
    facts.push_back(*above);
}

void Ranges::factsOfRemainder(Symbol symbol, Value divisor, const Scope *scope,
                              SmallVectorImpl<Linear> &facts) {
  Linear by = linear(divisor, scope);
  auto positive = by.plusConstant(-1);
  if (!positive || !prove(*positive, scope, 1))
    return;
  facts.push_back(Linear(symbol));
  if (auto above = positive->plus(Linear(symbol), -1))
    facts.push_back(*above);
}

void Ranges::factsOfSymbol(Symbol symbol, const Scope *scope,
                           SmallVectorImpl<Linear> &facts) {
  if (symbol.isExtent())
    return;
  Linear itself(symbol);
  auto atLeast = [&](const std::optional<Linear> &low) {
    if (auto fact = low ? itself.plus(*low, -1) : std::nullopt)
      facts.push_back(*fact);
  };
  auto atMost = [&](const std::optional<Linear> &high, int64_t gap) {
    auto fact = high ? high->plus(itself, -1) : std::nullopt;
    if (fact)
      fact = fact->plusConstant(-gap);
    if (fact)
      facts.push_back(*fact);
  };
  if (auto arg = dyn_cast<BlockArgument>(symbol.value)) {
    Operation *parent = arg.getOwner()->getParentOp();
    if (auto task = dyn_cast_or_null<ir::TaskOp>(parent)) {
      const TaskDomain &domain = domainOf(task);
      unsigned captured = domain.captured.size();
      // A wide body may have one more.
      if (arg.getArgNumber() >= captured &&
          arg.getArgNumber() - captured < domain.axes.size()) {
        const auto &axis = domain.axes[arg.getArgNumber() - captured];
        atLeast(axis.from);
        atMost(axis.to, 1);
        for (const Linear &from : axis.moreFrom)
          atLeast(from);
        for (const Linear &to : axis.moreTo)
          atMost(to, 1);
      }
    } else if (auto loop = dyn_cast_or_null<scf::ForOp>(parent)) {
      if (arg == loop.getInductionVar() && !loop.getUnsignedCmp()) {
        const Scope *outside = scopeAt(loop);
        atLeast(linear(loop.getLowerBound(), outside));
        atMost(linear(loop.getUpperBound(), outside), 1);
      }
    }
    return;
  }
  Operation *op = symbol.value.getDefiningOp();
  auto divisorOf = [&]() -> int64_t {
    Interval by = interval(op->getOperand(1), scope);
    return by.isPoint() && by.lo > 0 ? by.lo : 0;
  };
  auto isPositive = [&] { return interval(op->getOperand(0), scope).lo >= 0; };
  if (auto div = dyn_cast<ir::FloorDivOp>(op)) {
    if (int64_t by = divisorOf(); by && (!div.getIsUnsigned() || isPositive()))
      factsOfQuotient(symbol, div.getLhs(), by, scope, facts);
  } else if (isa<arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp>(op)) {
    if (int64_t by = divisorOf();
        by && (isa<arith::FloorDivSIOp>(op) || isPositive()))
      factsOfQuotient(symbol, op->getOperand(0), by, scope, facts);
  } else if (isa<arith::ShRSIOp, arith::ShRUIOp>(op)) {
    Interval by = interval(op->getOperand(1), scope);
    if (by.isPoint() && by.lo >= 0 && by.lo < 62 &&
        (isa<arith::ShRSIOp>(op) || isPositive()))
      factsOfQuotient(symbol, op->getOperand(0), int64_t(1) << by.lo, scope,
                      facts);
  } else if (auto mod = dyn_cast<ir::FloorModOp>(op)) {
    if (!mod.getIsUnsigned() || isPositive())
      factsOfRemainder(symbol, mod.getRhs(), scope, facts);
  } else if (isa<arith::RemSIOp, arith::RemUIOp>(op)) {
    if (isPositive())
      factsOfRemainder(symbol, op->getOperand(1), scope, facts);
  } else if (isa<arith::MinSIOp>(op)) {
    for (Value operand : op->getOperands())
      atMost(linear(operand, scope), 0);
  } else if (isa<arith::MaxSIOp>(op)) {
    for (Value operand : op->getOperands())
      atLeast(linear(operand, scope));
  }
}

bool Ranges::proveByCases(const Linear &sum, Symbol symbol, const Scope *scope,
                          unsigned chain) {
  Operation *op = symbol.isExtent() ? nullptr : symbol.value.getDefiningOp();
  if (!op)
    return false;
  auto holdsWith = [&](Value value, const Scope *there) {
    auto with = sum.substitute(symbol, linear(value, there));
    return with && prove(*with, there, chain - 1);
  };
  if (isa<arith::MinSIOp, arith::MaxSIOp>(op))
    return holdsWith(op->getOperand(0), scope) &&
           holdsWith(op->getOperand(1), scope);
  if (auto choice = dyn_cast<arith::SelectOp>(op)) {
    Value condition = choice.getCondition();
    return condition.getType().isInteger(1) &&
           holdsWith(choice.getTrueValue(), assume(scope, condition, true)) &&
           holdsWith(choice.getFalseValue(), assume(scope, condition, false));
  }
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    unsigned k = cast<OpResult>(symbol.value).getResultNumber();
    Value condition = branch.getCondition();
    return holdsWith(branch.thenYield().getOperand(k),
                     assume(scope, condition, true)) &&
           holdsWith(branch.elseYield().getOperand(k),
                     assume(scope, condition, false));
  }
  return false;
}

bool Ranges::proveLess(Value small, Value large, int64_t gap,
                       const Scope *scope) {
  auto sum = linear(large, scope).plus(linear(small, scope), -1);
  if (sum)
    sum = sum->plus(Linear(gap), -1);
  return sum && proveFromScratch(*sum, scope);
}

bool Ranges::proveComparison(arith::CmpIOp compare, bool truth,
                             const Scope *scope) {
  using Predicate = arith::CmpIPredicate;
  Value a = compare.getLhs(), b = compare.getRhs();
  if (widthOf(a.getType()) <= 1)
    return false;
  Predicate predicate = compare.getPredicate();
  if (!truth)
    predicate = arith::invertPredicate(predicate);
  auto isNonNegative = [&](Value value) {
    return proveFromScratch(linear(value, scope), scope);
  };
  switch (predicate) {
  case Predicate::slt:
    return proveLess(a, b, 1, scope);
  case Predicate::sle:
    return proveLess(a, b, 0, scope);
  case Predicate::sgt:
    return proveLess(b, a, 1, scope);
  case Predicate::sge:
    return proveLess(b, a, 0, scope);
  case Predicate::ult:
    return isNonNegative(a) && proveLess(a, b, 1, scope);
  case Predicate::ule:
    return isNonNegative(a) && proveLess(a, b, 0, scope);
  case Predicate::ugt:
    return isNonNegative(b) && proveLess(b, a, 1, scope);
  case Predicate::uge:
    return isNonNegative(b) && proveLess(b, a, 0, scope);
  case Predicate::eq:
    return proveLess(a, b, 0, scope) && proveLess(b, a, 0, scope);
  case Predicate::ne:
    if (auto constant = constantOf(b))
      for (const Scope *s = scope; s; s = s->parent)
        if (llvm::is_contained(s->unequal, std::pair(peel(a), *constant)))
          return true;
    return proveLess(a, b, 1, scope) || proveLess(b, a, 1, scope);
  }
  return false;
}

bool Ranges::proveIs(Value condition, bool truth, const Scope *scope,
                     unsigned nesting) {
  if (auto constant = constantOf(condition))
    return bool(*constant) == truth;
  Operation *op = condition.getDefiningOp();
  if (!op || nesting > 16 || !condition.getType().isInteger(1))
    return false;
  auto is = [&](Value part, bool partTruth, const Scope *there) {
    return proveIs(part, partTruth, there, nesting + 1);
  };
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return proveComparison(compare, truth, scope);
  if (isa<arith::AndIOp, arith::OrIOp>(op)) {
    Value a = op->getOperand(0), b = op->getOperand(1);
    if (isa<arith::AndIOp>(op) == truth)
      return is(a, truth, scope) && is(b, truth, scope);
    return is(a, truth, scope) || is(b, truth, assume(scope, a, !truth));
  }
  if (auto negation = dyn_cast<arith::XOrIOp>(op)) {
    auto other = constantOf(negation.getRhs());
    return other && is(negation.getLhs(), truth != bool(*other), scope);
  }
  if (auto overflow = dyn_cast<ir::OverflowOp>(op)) {
    unsigned width = widthOf(overflow.getLhs().getType());
    Value a = overflow.getLhs(), b = overflow.getRhs();
    if (truth || width <= 1)
      return false;
    switch (overflow.getKind()) {
    case ir::OverflowKind::add:
      return sumStays(a, b, 1, width, scope, true);
    case ir::OverflowKind::sub:
      return sumStays(a, b, -1, width, scope, true);
    case ir::OverflowKind::mul:
      return productStays(a, b, width, scope, true);
    }
  }
  Value onTrue, onFalse, guard;
  if (auto choice = dyn_cast<arith::SelectOp>(op)) {
    guard = choice.getCondition();
    onTrue = choice.getTrueValue();
    onFalse = choice.getFalseValue();
  } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
    unsigned k = cast<OpResult>(condition).getResultNumber();
    guard = branch.getCondition();
    onTrue = branch.thenYield().getOperand(k);
    onFalse = branch.elseYield().getOperand(k);
  }
  return guard && guard.getType().isInteger(1) &&
         is(onTrue, truth, assume(scope, guard, true)) &&
         is(onFalse, truth, assume(scope, guard, false));
}
