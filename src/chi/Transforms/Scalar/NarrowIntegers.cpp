//===- NarrowIntegers.cpp - Sums of bytes in lanes of bytes ---------------===//
// `u[i - 1] + u[i] + u[i + 1] == 3` is a sum of 32 bits by the rules of types.
// A register holds four times as many bytes. What the comparison needs of the
// sum they can say, too: whether it is 3, also where all sums from 255 on are
// 255. Adding with that limit is an instruction of every vector unit.
#include "chi/Transforms/Scalar/Passes.h"

#include "chi/Analysis/Ranges.h"
#include "llvm/ADT/SetVector.h"

namespace chi::scalar {
#define GEN_PASS_DEF_NARROWINTEGERSPASS
#include "chi/Transforms/Scalar/Passes.h.inc"
} // namespace chi::scalar

using namespace mlir;
using namespace chi;
using namespace chi::analysis;

/// Operations that are looked at for one comparison.
static constexpr unsigned kMaxOps = 64;

namespace {
/// Integers of one width without other users: from extensions and constants to
/// comparisons and truncations.
struct Group {
  llvm::SetVector<Operation *> inner, sinks;
  SmallVector<Operation *> extensions;
  unsigned width = 0;
};

/// The meaning of narrow integers: `bits` of them, read as signed or not.
struct Form {
  unsigned bits;
  bool isSigned;

  int64_t least() const { return isSigned ? -(int64_t(1) << (bits - 1)) : 0; }
  int64_t most() const {
    return (int64_t(1) << (isSigned ? bits - 1 : bits)) - 1;
  }
  bool holds(Interval values) const {
    return least() <= values.lo && values.hi <= most();
  }
};

/// The groups of one block.
class Narrower {
public:
  Narrower(Block &block, std::optional<Ranges> &ranges)
      : block(block), ranges(ranges) {}
  void run();

private:
  bool collect(Operation *sink, Group &group);
  bool addInner(Operation *op, Group &group);
  std::optional<Form> formOf(const Group &group);
  bool isRight(const Group &group, Form form);
  bool isRightOp(Operation *op, Form form);
  bool isRightSink(Operation *op, Form form);
  void rewrite(const Group &group, Form form);
  Value narrow(OpBuilder &b, Value value, Form form);
  Value rebuild(OpBuilder &b, Operation *op, Form form);
  void rebuildSink(Operation *op, Form form);

  Block &block;
  std::optional<Ranges> &ranges; ///< made on first use
  DenseMap<Value, Value> narrowed;
};
} // namespace

static bool isInner(Operation *op) {
  return isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::MinSIOp,
             arith::MaxSIOp, arith::SelectOp>(op);
}
static bool isSink(Operation *op) {
  return isa<arith::CmpIOp, arith::TruncIOp>(op);
}

/// The operands that are integers of a group: not the condition of a choice.
static ValueRange integersOf(Operation *op) {
  return isa<arith::SelectOp>(op) ? op->getOperands().drop_front()
                                  : op->getOperands();
}

bool Narrower::addInner(Operation *op, Group &group) {
  if (op->getBlock() != &block || !isInner(op))
    return false;
  group.inner.insert(op);
  for (OpOperand &use : op->getResult(0).getUses()) {
    Operation *user = use.getOwner();
    if (user->getBlock() != &block)
      return false;
    if (isSink(user))
      group.sinks.insert(user);
    else if (isInner(user))
      group.inner.insert(user);
    else
      return false;
  }
  return true;
}

bool Narrower::collect(Operation *sink, Group &group) {
  group.sinks.insert(sink);
  group.width = widthOf(sink->getOperand(0).getType());
  size_t nextInner = 0, nextSink = 0;
  auto addOperands = [&](Operation *op) {
    for (Value operand : integersOf(op)) {
      Operation *made = operand.getDefiningOp();
      if (!made)
        return false;
      if (isa<arith::ExtUIOp, arith::ExtSIOp>(made))
        group.extensions.push_back(made);
      else if (!constantOf(operand))
        group.inner.insert(made);
    }
    return true;
  };
  while (nextInner < group.inner.size() || nextSink < group.sinks.size()) {
    bool isOfSinks = nextSink < group.sinks.size();
    Operation *op =
        isOfSinks ? group.sinks[nextSink++] : group.inner[nextInner++];
    if (group.inner.size() + group.sinks.size() > kMaxOps ||
        (!isOfSinks && !addInner(op, group)) || !addOperands(op))
      return false;
  }
  return !group.inner.empty() && !group.extensions.empty();
}

/// Does an operation on narrow operands give the narrow form of its result?
/// That is the result, or, unsigned, the largest number for all above it.
bool Narrower::isRightOp(Operation *op, Form form) {
  Interval result = ranges->intervalAt(op->getResult(0), op);
  bool isWhole = form.holds(result);
  // Truncated bits stay truncated in sums, and the rest is still the larger of
  // two.
  if (!isWhole &&
      (form.isSigned || result.lo < 0 || isa<arith::SubIOp, arith::MulIOp>(op)))
    return false;
  for (Value operand : integersOf(op)) {
    Interval values = ranges->intervalAt(operand, op);
    bool fitsWhole = form.holds(values);
    if (!fitsWhole && (constantOf(operand) || form.isSigned || values.lo < 0 ||
                       isa<arith::SubIOp, arith::MulIOp>(op)))
      return false;
  }
  return !isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op) ||
         ranges->neverWraps(op, /*thorough=*/false);
}

bool Narrower::isRightSink(Operation *op, Form form) {
  bool areWhole = llvm::all_of(op->getOperands(), [&](Value operand) {
    return form.holds(ranges->intervalAt(operand, op));
  });
  auto compare = dyn_cast<arith::CmpIOp>(op);
  if (!compare)
    return areWhole && widthOf(op->getResult(0).getType()) <= form.bits;
  if (areWhole || form.isSigned)
    return areWhole;
  // The largest number represents all above it; every other one itself.
  bool isBelow = false;
  for (Value operand : op->getOperands()) {
    auto constant = constantOf(operand);
    isBelow |= constant && *constant >= 0 && *constant < form.most();
    if (ranges->intervalAt(operand, op).lo < 0)
      return false;
  }
  return isBelow;
}

bool Narrower::isRight(const Group &group, Form form) {
  auto isRightLeaf = [&](Operation *op) {
    unsigned from = widthOf(op->getOperand(0).getType());
    if (isa<arith::ExtUIOp>(op))
      return form.isSigned ? from < form.bits : from <= form.bits;
    return form.isSigned && from > 1 && from <= form.bits;
  };
  return llvm::all_of(group.extensions, isRightLeaf) &&
         llvm::all_of(group.inner,
                      [&](Operation *op) { return isRightOp(op, form); }) &&
         llvm::all_of(group.sinks,
                      [&](Operation *op) { return isRightSink(op, form); });
}

std::optional<Form> Narrower::formOf(const Group &group) {
  if (!ranges)
    ranges.emplace(block.getParentOp()->getParentOfType<ModuleOp>());
  for (unsigned bits : {8, 16})
    for (bool isSigned : {false, true})
      if (bits < group.width && isRight(group, {bits, isSigned}))
        return Form{bits, isSigned};
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

Value Narrower::narrow(OpBuilder &b, Value value, Form form) {
  if (Value known = narrowed.lookup(value))
    return known;
  Type type = b.getIntegerType(form.bits);
  if (auto constant = constantOf(value)) {
    APInt number(form.bits, *constant, /*isSigned=*/true,
                 /*implicitTrunc=*/true);
    return arith::ConstantOp::create(b, value.getLoc(),
                                     b.getIntegerAttr(type, number));
  }
  Operation *op = value.getDefiningOp();
  Value from = op->getOperand(0);
  if (from.getType() == type)
    return from;
  // There, since it may be used again before this place.
  OpBuilder there(op);
  Location loc = op->getLoc();
  return narrowed[value] =
             isa<arith::ExtUIOp>(op)
                 ? Value(arith::ExtUIOp::create(there, loc, type, from))
                 : arith::ExtSIOp::create(there, loc, type, from);
}

Value Narrower::rebuild(OpBuilder &b, Operation *op, Form form) {
  Location loc = op->getLoc();
  ValueRange integers = integersOf(op);
  Value left = narrow(b, integers[0], form);
  Value right = narrow(b, integers[1], form);
  if (isa<arith::SubIOp>(op))
    return arith::SubIOp::create(b, loc, left, right);
  if (isa<arith::MulIOp>(op))
    return arith::MulIOp::create(b, loc, left, right);
  if (isa<arith::SelectOp>(op))
    return arith::SelectOp::create(b, loc, op->getOperand(0), left, right);
  if (isa<arith::MinSIOp>(op))
    return form.isSigned ? Value(arith::MinSIOp::create(b, loc, left, right))
                         : arith::MinUIOp::create(b, loc, left, right);
  if (isa<arith::MaxSIOp>(op))
    return form.isSigned ? Value(arith::MaxSIOp::create(b, loc, left, right))
                         : arith::MaxUIOp::create(b, loc, left, right);
  if (!form.holds(ranges->intervalAt(op->getResult(0), op))) {
    // What still fits beside the first. LLVM knows this form of the sum.
    Value ones =
        arith::ConstantOp::create(b, loc, b.getIntegerAttr(left.getType(), -1));
    Value room = arith::XOrIOp::create(b, loc, left, ones);
    right = arith::MinUIOp::create(b, loc, right, room);
  }
  return arith::AddIOp::create(b, loc, left, right);
}

void Narrower::rebuildSink(Operation *op, Form form) {
  OpBuilder b(op);
  Location loc = op->getLoc();
  Value left = narrow(b, op->getOperand(0), form), result;
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    using P = arith::CmpIPredicate;
    P predicate = compare.getPredicate();
    // The signed ones precede the unsigned ones, in the same order.
    if (!form.isSigned && predicate >= P::slt && predicate <= P::sge)
      predicate = P(unsigned(predicate) + unsigned(P::ult) - unsigned(P::slt));
    Value right = narrow(b, compare.getRhs(), form);
    result = arith::CmpIOp::create(b, loc, predicate, left, right);
  } else {
    Type type = op->getResult(0).getType();
    result = left.getType() == type
                 ? left
                 : Value(arith::TruncIOp::create(b, loc, type, left));
  }
  op->getResult(0).replaceAllUsesWith(result);
}

void Narrower::rewrite(const Group &group, Form form) {
  SmallVector<Operation *> inner;
  for (Operation &op : block)
    if (group.inner.contains(&op))
      inner.push_back(&op);
  for (Operation *op : inner) {
    OpBuilder b(op);
    narrowed[op->getResult(0)] = rebuild(b, op, form);
  }
  for (Operation *op : group.sinks)
    rebuildSink(op, form);
  // Ranges of these are invalid once others take their addresses.
  ranges.reset();
  narrowed.clear();
  for (Operation *op : group.sinks)
    op->erase();
  for (Operation *op : llvm::reverse(inner))
    op->erase();
  for (Operation *op : llvm::SetVector<Operation *>(group.extensions.begin(),
                                                    group.extensions.end()))
    if (op->use_empty())
      op->erase();
}

void Narrower::run() {
  DenseSet<Operation *> seen;
  SmallVector<Operation *> compares;
  for (auto compare : block.getOps<arith::CmpIOp>())
    if (widthOf(compare.getLhs().getType()) > 8)
      compares.push_back(compare);
  for (Operation *compare : compares) {
    if (!seen.insert(compare).second)
      continue;
    Group group;
    bool isGroup = collect(compare, group);
    seen.insert(group.sinks.begin(), group.sinks.end());
    if (!isGroup)
      continue;
    if (auto form = formOf(group))
      rewrite(group, *form);
  }
}

/// Is it the body of a loop that LLVM may widen? A byte alone is no cheaper
/// than a word, and a sum with a limit takes longer.
static bool isWidened(Block &block) {
  if (!isa<ir::TaskOp, scf::ForOp>(block.getParentOp()))
    return false;
  return llvm::all_of(block, [](Operation &op) {
    return op.getNumRegions() == 0 &&
           (isa<ir::LoadOp, ir::StoreOp, ir::AccumOp, scf::YieldOp, ir::NextOp>(
                op) ||
            isMemoryEffectFree(&op));
  });
}

namespace {
struct NarrowIntegersPass
    : scalar::impl::NarrowIntegersPassBase<NarrowIntegersPass> {
  using NarrowIntegersPassBase::NarrowIntegersPassBase;

  void runOnOperation() override {
    std::optional<Ranges> ranges;
    for (auto task : getOperation().getOps<ir::TaskOp>()) {
      if (!task.getWide().empty() || task.getRank() == 0)
        continue;
      task.getBody().walk([&](Block *block) {
        if (isWidened(*block))
          Narrower(*block, ranges).run();
      });
    }
  }
};
} // namespace
