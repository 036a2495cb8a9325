//===- Sampler.cpp - Single iterations of a task, followed exactly --------===//
#include "chi/Analysis/Sampler.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace chi;
using namespace chi::analysis;

/// Iterations of a loop that are followed; the rest is left out.
static constexpr int64_t kMaxIterations = 16;

Sampler::Sampler(ir::TaskOp task, Ranges &ranges) : task(task), ranges(ranges) {
  task.walk([&](ir::FieldAccessOpInterface access) {
    if (access.isWrite())
      written.push_back(fieldBelowCasts(access.getField()));
  });
}

bool Sampler::run(unsigned number, ArrayRef<Linear> indices,
                  std::vector<Touch> &into) {
  if (budget <= 0)
    return false;
  values.clear();
  touches = &into;
  iteration = number;
  const TaskDomain &domain = ranges.domainOf(task);
  for (auto [k, captured] : llvm::enumerate(task.getCaptured())) {
    if (!widthOf(captured.getType()))
      continue;
    if (domain.captured[k].isPoint())
      set(captured, Linear(domain.captured[k].lo));
    else if (domain.aliases[k])
      set(captured, domain.aliases[k]);
    else
      set(captured, Linear(Symbol{captured}));
  }
  for (auto [index, value] : llvm::zip(task.getIndexVariables(), indices))
    set(index, value);
  execute(task.getBody().front());
  return budget > 0;
}

Sampler::Known Sampler::get(Value value) {
  if (auto constant = constantOf(value))
    return Linear(*constant);
  auto it = values.find(value);
  return it == values.end() ? std::nullopt : it->second;
}

std::optional<bool> Sampler::isTrue(Value condition) {
  Known known = get(condition);
  if (!known || !known->isConstant())
    return std::nullopt;
  return known->getConstant() != 0;
}

void Sampler::execute(Block &block) {
  for (Operation &op : block) {
    if (--budget <= 0)
      return;
    execute(op);
  }
}

void Sampler::execute(Operation &op) {
  if (auto access = dyn_cast<ir::FieldAccessOpInterface>(op))
    return executeAccess(access);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return executeIf(branch);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return executeFor(loop);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return executeWhile(loop);
  if (op.getNumResults() == 1 && widthOf(op.getResult(0).getType()))
    set(op.getResult(0), evaluate(op));
}

void Sampler::executeAccess(ir::FieldAccessOpInterface access) {
  Touch touch{access, iteration, {}};
  for (Value index : access.getIndices()) {
    Known known = get(index);
    if (!known)
      return;
    touch.index.push_back(*known);
  }
  if (auto store = dyn_cast<ir::StoreOp>(access.getOperation())) {
    Hashes hashes;
    touch.valueHash = hashOf(store.getValue(), hashes);
  }
  touches->push_back(std::move(touch));
}

uint64_t Sampler::hashOf(Value value, Hashes &hashes) {
  if (Known known = get(value))
    return known->hash() | 1;
  if (auto it = hashes.known.find(value); it != hashes.known.end())
    return it->second;
  auto arg = dyn_cast<BlockArgument>(value);
  if (arg)
    return arg.getOwner()->getParentOp() == task
               ? uint64_t(llvm::hash_value(value.getAsOpaquePointer())) | 1
               : 0;
  Operation *op = value.getDefiningOp();
  auto load = dyn_cast<ir::LoadOp>(op);
  bool isPure = op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
                !isa<ir::IterationOp>(op);
  bool isSteady =
      load && !llvm::is_contained(written, fieldBelowCasts(load.getField()));
  if ((!isPure && !isSteady) || hashes.nesting > 100 || --budget <= 0)
    return 0;
  ++hashes.nesting;
  uint64_t hash =
      llvm::hash_combine(op->getName().getAsOpaquePointer(),
                         op->getPropertiesAsAttribute().getAsOpaquePointer(),
                         cast<OpResult>(value).getResultNumber());
  for (Value operand : op->getOperands()) {
    uint64_t part = hashOf(operand, hashes);
    hash = part ? uint64_t(llvm::hash_combine(hash, part)) | 1 : 0;
    if (!hash)
      break;
  }
  --hashes.nesting;
  return hashes.known[value] = hash;
}

void Sampler::executeIf(scf::IfOp branch) {
  auto condition = isTrue(branch.getCondition());
  // In a loop they may be known from an earlier iteration.
  for (Value result : branch.getResults())
    set(result, std::nullopt);
  if (!condition)
    return;
  Region &taken = *condition ? branch.getThenRegion() : branch.getElseRegion();
  if (taken.empty())
    return;
  execute(taken.front());
  Operation *yield = taken.front().getTerminator();
  for (auto [result, value] :
       llvm::zip(branch.getResults(), yield->getOperands()))
    set(result, get(value));
}

void Sampler::executeFor(scf::ForOp loop) {
  Known from = get(loop.getLowerBound()), to = get(loop.getUpperBound());
  Known step = get(loop.getStep());
  for (Value result : loop.getResults())
    set(result, std::nullopt);
  if (!from || !to || !step || !step->isConstant() || loop.getUnsignedCmp())
    return;
  auto length = to->plus(*from, -1);
  int64_t by = step->getConstant();
  if (!length || !length->isConstant() || by <= 0)
    return;
  SmallVector<Known, 4> carried;
  for (Value init : loop.getInitArgs())
    carried.push_back(get(init));
  int64_t at = 0, tripCount = 0;
  for (; at < length->getConstant() && tripCount < kMaxIterations;
       ++tripCount) {
    set(loop.getInductionVar(), from->plusConstant(at));
    for (auto [arg, known] : llvm::zip(loop.getRegionIterArgs(), carried))
      set(arg, known);
    execute(*loop.getBody());
    if (budget <= 0)
      return;
    Operation *yield = loop.getBody()->getTerminator();
    for (auto [known, value] : llvm::zip(carried, yield->getOperands()))
      known = get(value);
    if (llvm::AddOverflow(at, by, at))
      at = INT64_MAX;
  }
  if (at < length->getConstant())
    return;
  for (auto [result, known] : llvm::zip(loop.getResults(), carried))
    set(result, known);
}

void Sampler::executeWhile(scf::WhileOp loop) {
  SmallVector<Known, 4> carried;
  for (Value init : loop.getInits())
    carried.push_back(get(init));
  for (Value result : loop.getResults())
    set(result, std::nullopt);
  scf::ConditionOp end = loop.getConditionOp();
  for (int64_t iteration = 0; iteration < kMaxIterations; ++iteration) {
    for (auto [arg, known] : llvm::zip(loop.getBeforeArguments(), carried))
      set(arg, known);
    execute(*loop.getBeforeBody());
    auto goesOn = isTrue(end.getCondition());
    if (!goesOn || budget <= 0)
      return;
    SmallVector<Known, 4> passed;
    for (Value value : end.getArgs())
      passed.push_back(get(value));
    ValueRange targets = *goesOn ? ValueRange(loop.getAfterArguments())
                                 : ValueRange(loop.getResults());
    for (auto [target, known] : llvm::zip(targets, passed))
      set(target, known);
    if (!*goesOn)
      return;
    execute(*loop.getAfterBody());
    if (budget <= 0)
      return;
    Operation *yield = loop.getAfterBody()->getTerminator();
    for (auto [known, value] : llvm::zip(carried, yield->getOperands()))
      known = get(value);
  }
}

/// Cuts a number to the width of its type.
static int64_t wrapped(int64_t value, unsigned width) {
  if (width >= 64)
    return value;
  uint64_t mask = (uint64_t(1) << width) - 1;
  uint64_t bits = static_cast<uint64_t>(value) & mask;
  if (width > 1 && (bits >> (width - 1)) != 0)
    bits |= ~mask;
  return static_cast<int64_t>(bits);
}

Sampler::Known Sampler::compare(arith::CmpIOp op, const Linear &a,
                                const Linear &b) {
  using Predicate = arith::CmpIPredicate;
  auto difference = a.plus(b, -1);
  if (!difference || !difference->isConstant())
    return std::nullopt;
  int64_t d = difference->getConstant();
  // A truth value, 0 or 1 here, is 0 or -1 as signed: the order is turned.
  Wide s = op.getLhs().getType().isInteger(1) ? -Wide(d) : Wide(d);
  auto truth = [](bool value) { return Linear(value ? 1 : 0); };
  switch (op.getPredicate()) {
  case Predicate::eq:
    return truth(d == 0);
  case Predicate::ne:
    return truth(d != 0);
  case Predicate::slt:
    return truth(s < 0);
  case Predicate::sle:
    return truth(s <= 0);
  case Predicate::sgt:
    return truth(s > 0);
  case Predicate::sge:
    return truth(s >= 0);
  default:
    break;
  }
  // Unsigned: as signed where no sign is set.
  if (!a.isConstant() || !b.isConstant() || a.getConstant() < 0 ||
      b.getConstant() < 0)
    return std::nullopt;
  switch (op.getPredicate()) {
  case Predicate::ult:
    return truth(d < 0);
  case Predicate::ule:
    return truth(d <= 0);
  case Predicate::ugt:
    return truth(d > 0);
  default:
    return truth(d >= 0);
  }
}

Sampler::Known Sampler::evaluateBinary(Operation &op, const Linear &a,
                                       const Linear &b) {
  if (auto cmp = dyn_cast<arith::CmpIOp>(op))
    return compare(cmp, a, b);
  unsigned width = widthOf(op.getResult(0).getType());
  if (!a.isConstant() || !b.isConstant()) {
    if (isa<arith::AddIOp, arith::SubIOp>(op))
      return a.plus(b, isa<arith::AddIOp>(op) ? 1 : -1);
    if (isa<arith::MulIOp>(op) && (a.isConstant() || b.isConstant()))
      return a.isConstant() ? b.times(a.getConstant())
                            : a.times(b.getConstant());
    return std::nullopt;
  }
  // The interval of two points is the result, or full where it is undefined.
  // The unsigned number of a value that is negative as signed is left out.
  auto x = Interval::point(a.getConstant());
  auto y = Interval::point(b.getConstant());
  int64_t p = x.lo, q = y.lo;
  bool bothPositive = p >= 0 && q >= 0;
  auto ofPoint = [&](Interval known) -> Known {
    return known.isPoint() ? Known(Linear(wrapped(known.lo, width)))
                           : std::nullopt;
  };
  auto ofWide = [&](Wide value) -> Known {
    return Linear(wrapped(static_cast<int64_t>(value), width));
  };
  return TypeSwitch<Operation *, Known>(&op)
      .Case([&](arith::AddIOp) { return ofWide(Wide(p) + q); })
      .Case([&](arith::SubIOp) { return ofWide(Wide(p) - q); })
      .Case([&](arith::MulIOp) { return ofWide(Wide(p) * q); })
      .Case([&](ir::FloorDivOp div) -> Known {
        return !div.getIsUnsigned() || bothPositive
                   ? ofPoint(floorDivide(x, y, width))
                   : std::nullopt;
      })
      .Case([&](ir::FloorModOp mod) -> Known {
        if (q == 0 || (mod.getIsUnsigned() && !bothPositive))
          return std::nullopt;
        Wide rest = Wide(p) % q;
        return ofWide(rest != 0 && (rest < 0) != (q < 0) ? rest + q : rest);
      })
      .Case<arith::DivSIOp, arith::DivUIOp>([&](auto div) -> Known {
        return isa<arith::DivSIOp>(div) || bothPositive
                   ? ofPoint(truncDivide(x, y, width))
                   : std::nullopt;
      })
      .Case<arith::RemSIOp, arith::RemUIOp>([&](auto rem) -> Known {
        if (q == 0 || (isa<arith::RemUIOp>(rem) && !bothPositive))
          return std::nullopt;
        return ofWide(Wide(p) % q);
      })
      .Case([&](arith::AndIOp) { return ofWide(p & q); })
      .Case([&](arith::OrIOp) { return ofWide(p | q); })
      .Case([&](arith::XOrIOp) { return ofWide(p ^ q); })
      .Case([&](arith::MinSIOp) { return ofWide(std::min(p, q)); })
      .Case([&](arith::MaxSIOp) { return ofWide(std::max(p, q)); })
      .Case<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(
          [&](auto shift) -> Known {
            if (q < 0 || q >= static_cast<int64_t>(width))
              return std::nullopt;
            if (isa<arith::ShLIOp>(shift))
              return ofWide(
                  static_cast<int64_t>(static_cast<uint64_t>(p) << q));
            if (isa<arith::ShRUIOp>(shift) && p < 0)
              return std::nullopt;
            return ofWide(p >> q);
          })
      .Default([](Operation *) { return std::nullopt; });
}

Sampler::Known Sampler::evaluate(Operation &op) {
  if (auto choice = dyn_cast<arith::SelectOp>(op)) {
    auto condition = isTrue(choice.getCondition());
    if (!condition)
      return std::nullopt;
    return get(*condition ? choice.getTrueValue() : choice.getFalseValue());
  }
  if (auto dim = dyn_cast<ir::DimOp>(op))
    return ranges.linearAt(dim, dim);
  if (isa<arith::AndIOp, arith::OrIOp>(op) &&
      op.getResult(0).getType().isInteger(1)) {
    // One side may decide alone.
    bool decides = isa<arith::OrIOp>(op);
    for (Value side : op.getOperands())
      if (isTrue(side) == std::optional(decides))
        return Linear(decides ? 1 : 0);
  }
  if (op.getNumOperands() == 1) {
    Known from = get(op.getOperand(0));
    unsigned fromWidth = widthOf(op.getOperand(0).getType());
    if (!from || !fromWidth)
      return std::nullopt;
    bool isConstant = from->isConstant();
    if (isa<arith::ExtSIOp, arith::IndexCastOp>(op) && fromWidth <= 1)
      return std::nullopt;
    unsigned width = widthOf(op.getResult(0).getType());
    if (isa<arith::ExtSIOp, arith::IndexCastOp>(op) && width >= fromWidth)
      return from;
    if (isa<arith::ExtUIOp>(op))
      return isConstant && from->getConstant() >= 0 ? from : std::nullopt;
    if (isa<arith::TruncIOp, arith::IndexCastOp>(op) && isConstant)
      return Linear(wrapped(from->getConstant(), width));
    return std::nullopt;
  }
  if (op.getNumOperands() != 2)
    return std::nullopt;
  Known a = get(op.getOperand(0)), b = get(op.getOperand(1));
  if (!a || !b)
    return std::nullopt;
  return evaluateBinary(op, *a, *b);
}
