//===- RowSplit.cpp - The middle of a row, without its edges --------------===//

#include "chi/Conversion/ChiToLoops/RowSplit.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv;
using arith::CmpIPredicate;

/// Edges are at most this wide, and an iteration that is written three times
/// has at most so many operations.
static constexpr int64_t kMaxEdge = 8;
static constexpr unsigned kMaxOps = 500;
/// A middle of fewer iterations is not worth the code.
static constexpr int64_t kMinMiddle = 32;

namespace {
/// One operation of (variable + offset) and a constant.
struct Candidate {
  Operation *op;
  unsigned operand; ///< which one hangs on the variable
  int64_t bound;    ///< the other one
};

class RowSplitter {
public:
  explicit RowSplitter(const TaskShape &shape) : shape(shape) {}
  std::optional<RowSplit> run();

private:
  /// The variable plus what? `exact`: in the middle; else also through
  /// operations that may turn out to be simple there.
  std::optional<int64_t> offsetOf(Value value, bool exact);
  std::optional<int64_t> offsetOfSum(Operation *op, bool exact);
  static std::optional<Candidate> candidate(Operation *op);
  /// Values of the variable from which on the operation behaves otherwise.
  static SmallVector<int64_t, 2> breaks(const Candidate &c, int64_t offset);
  void simplify(const Candidate &c);

  const TaskShape &shape;
  Value variable;
  RowSplit split;
  DenseMap<Value, int64_t> exactOffsets;
};
} // namespace

std::optional<Candidate> RowSplitter::candidate(Operation *op) {
  if (!isa<ir::FloorModOp, arith::MaxSIOp, arith::MinSIOp, arith::CmpIOp>(op))
    return std::nullopt;
  auto mod = dyn_cast<ir::FloorModOp>(op);
  if (mod && mod.getIsUnsigned())
    return std::nullopt;
  auto right = constantOf(op->getOperand(1));
  if (right && (!mod || *right > 0))
    return Candidate{op, 0, *right};
  auto left = constantOf(op->getOperand(0));
  if (left && !mod && !isa<arith::CmpIOp>(op))
    return Candidate{op, 1, *left};
  return std::nullopt;
}

std::optional<int64_t> RowSplitter::offsetOfSum(Operation *op, bool exact) {
  auto constant = constantOf(op->getOperand(1));
  auto base = offsetOf(op->getOperand(0), exact);
  if (!constant || !base || std::abs(*constant) > (1 << 20))
    return std::nullopt;
  return isa<arith::AddIOp>(op) ? *base + *constant : *base - *constant;
}

std::optional<int64_t> RowSplitter::offsetOf(Value value, bool exact) {
  if (value == variable)
    return 0;
  if (auto known = exactOffsets.find(value); known != exactOffsets.end())
    return known->second;
  Operation *op = value.getDefiningOp();
  if (!op)
    return std::nullopt;
  if (isa<arith::AddIOp, arith::SubIOp>(op))
    return offsetOfSum(op, exact);
  if (auto wider = dyn_cast<arith::ExtSIOp>(op))
    return offsetOf(wider.getIn(), exact);
  if (exact || isa<arith::CmpIOp>(op))
    return std::nullopt;
  if (auto c = candidate(op))
    return offsetOf(op->getOperand(c->operand), exact);
  return std::nullopt;
}

SmallVector<int64_t, 2> RowSplitter::breaks(const Candidate &c,
                                            int64_t offset) {
  int64_t at = c.bound - offset; // where the sum reaches the bound
  if (isa<ir::FloorModOp>(c.op))
    return {-offset, at};
  if (isa<arith::MaxSIOp>(c.op))
    return {at};
  if (isa<arith::MinSIOp>(c.op))
    return {at + 1};
  switch (cast<arith::CmpIOp>(c.op).getPredicate()) {
  case CmpIPredicate::slt:
  case CmpIPredicate::sge:
    return {at};
  case CmpIPredicate::sle:
  case CmpIPredicate::sgt:
    return {at + 1};
  case CmpIPredicate::eq:
  case CmpIPredicate::ne:
    return {at, at + 1};
  case CmpIPredicate::ult:
  case CmpIPredicate::uge:
    return {-offset, at};
  case CmpIPredicate::ule:
  case CmpIPredicate::ugt:
    return {-offset, at + 1};
  }
  llvm_unreachable("all predicates are listed");
}

/// Records what the operation is in the middle, if it is one thing there.
void RowSplitter::simplify(const Candidate &c) {
  auto offset = offsetOf(c.op->getOperand(c.operand), /*exact=*/true);
  if (!offset)
    return;
  for (int64_t at : breaks(c, *offset))
    if (at > split.low && at < split.high)
      return;
  int64_t value = split.low + *offset; // stands for all of the middle
  Value result = c.op->getResult(0);
  if (auto compare = dyn_cast<arith::CmpIOp>(c.op)) {
    APInt left(64, value, true), right(64, c.bound, true);
    bool holds = arith::applyCmpPredicate(compare.getPredicate(), left, right);
    split.simpler.push_back({c.op, std::nullopt, holds ? 1 : 0});
    return;
  }
  bool isSum = isa<ir::FloorModOp>(c.op)   ? value >= 0 && value < c.bound
               : isa<arith::MaxSIOp>(c.op) ? value >= c.bound
                                           : value <= c.bound;
  if (isSum) {
    split.simpler.push_back({c.op, c.operand, 0});
    exactOffsets[result] = *offset;
  } else if (!isa<ir::FloorModOp>(c.op)) {
    split.simpler.push_back({c.op, std::nullopt, c.bound});
  }
}

std::optional<RowSplit> RowSplitter::run() {
  unsigned inner = shape.rank() - 1;
  if (shape.rank() == 0 || !shape.from[inner] || !shape.extent[inner])
    return std::nullopt;
  int64_t from = *shape.from[inner], to = from + *shape.extent[inner];
  variable = shape.task.getIndexVariables()[inner];
  split.low = from;
  split.high = to;
  SmallVector<Candidate> candidates;
  unsigned size = 0;
  shape.task.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    ++size;
    auto c = candidate(op);
    if (!c)
      return;
    auto offset = offsetOf(op->getOperand(c->operand), /*exact=*/false);
    if (!offset)
      return;
    candidates.push_back(*c);
    for (int64_t at : breaks(*c, *offset)) {
      if (at > from && at - from <= kMaxEdge)
        split.low = std::max(split.low, at);
      else if (at < to && to - at <= kMaxEdge)
        split.high = std::min(split.high, at);
    }
  });
  bool hasEdges = split.low > from || split.high < to;
  if (!hasEdges || size > kMaxOps || split.high - split.low < kMinMiddle)
    return std::nullopt;
  for (const Candidate &c : candidates)
    simplify(c);
  if (split.simpler.empty())
    return std::nullopt;
  return split;
}

std::optional<RowSplit> chi::conv::findRowSplit(const TaskShape &shape) {
  return RowSplitter(shape).run();
}

void RowSplit::apply(OpBuilder &builder, const IRMapping &clones) const {
  OpBuilder::InsertionGuard guard(builder);
  for (const Simpler &simple : simpler) {
    Value result = clones.lookup(simple.op->getResult(0));
    Operation *clone = result.getDefiningOp();
    builder.setInsertionPoint(clone);
    Value value = simple.operand
                      ? clone->getOperand(*simple.operand)
                      : Emitter(builder, clone)
                            .constant(result.getType(), simple.constant);
    result.replaceAllUsesWith(value);
    clone->erase();
  }
}
