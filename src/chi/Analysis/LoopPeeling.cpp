//===- LoopPeeling.cpp - The middle of a row, without its edges -----------===//

#include "chi/Analysis/LoopPeeling.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace chi;
using namespace chi::analysis;
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
  unsigned operand; ///< which one depends on the variable
  int64_t bound;    ///< the other one
};

/// The offset from the variable: a constant, or the variable of a serial loop
/// from a constant to a constant (the window of a stencil).
struct Offsets {
  int64_t least, greatest;
};

class LoopPeeler {
public:
  /// For iterations of the innermost axis from `from` to below `to`.
  LoopPeeler(ir::TaskOp task, int64_t from, int64_t to)
      : task(task), variable(task.getIndexVariables().back()), from(from),
        to(to), low(from), high(to) {}

  /// Narrows the middle; false if there is none.
  bool findMiddle();
  /// The operations that are simpler in all iterations, if all of these are in
  /// the middle now.
  SmallVector<Simpler> simplify();
  int64_t getLow() const { return low; }
  int64_t getHigh() const { return high; }

private:
  /// The variable plus an offset. `exact`: in the middle; otherwise also
  /// through operations that may turn out to be simple there.
  std::optional<Offsets> offsetsOf(Value value, bool exact);
  std::optional<Offsets> offsetsOfSum(Operation *op, bool exact);
  /// Nothing if a sum may wrap in some iteration of the row.
  std::optional<Offsets> unlessWrapped(Offsets offsets, Type type) const;
  static std::optional<Candidate> candidate(Operation *op);
  /// Values of the sum from which on the operation behaves otherwise.
  static SmallVector<int64_t, 2> thresholds(const Candidate &c);
  /// Is each iteration of the middle on one side of each threshold?
  bool isUniform(const Candidate &c, Offsets offsets) const;
  void moveEdges(const Candidate &c, Offsets offsets);
  void simplify(const Candidate &c);

  ir::TaskOp task;
  Value variable;
  int64_t from, to;  ///< of the variable
  int64_t low, high; ///< of the middle
  SmallVector<Simpler> simpler;
  DenseMap<Value, Offsets> exactOffsets;
};
} // namespace

std::optional<Candidate> LoopPeeler::candidate(Operation *op) {
  if (!isa<ir::FloorModOp, arith::MaxSIOp, arith::MinSIOp, arith::CmpIOp>(op))
    return std::nullopt;
  auto mod = dyn_cast<ir::FloorModOp>(op);
  if (mod && mod.getIsUnsigned())
    return std::nullopt;
  // Thresholds less offsets stay within 64 bits.
  auto bound = [&](unsigned side) {
    auto constant = getConstantIntValue(op->getOperand(side));
    return constant && llvm::isInt<62>(*constant) ? constant : std::nullopt;
  };
  auto right = bound(1);
  if (right && (!mod || *right > 0))
    return Candidate{op, 0, *right};
  auto left = bound(0);
  if (left && !mod && !isa<arith::CmpIOp>(op))
    return Candidate{op, 1, *left};
  return std::nullopt;
}

/// The values of a constant, or of the variable of a loop of constant bounds.
static std::optional<Offsets> windowOf(Value value) {
  if (auto constant = getConstantIntValue(value))
    return Offsets{*constant, *constant};
  if (auto wider = value.getDefiningOp<arith::ExtSIOp>())
    return windowOf(wider.getIn());
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument)
    return std::nullopt;
  auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
  if (!loop || loop.getInductionVar() != value || loop.getUnsignedCmp())
    return std::nullopt;
  auto first = getConstantIntValue(loop.getLowerBound());
  auto end = getConstantIntValue(loop.getUpperBound());
  if (!first || !end || *first >= *end)
    return std::nullopt;
  return Offsets{*first, *end - 1};
}

std::optional<Offsets> LoopPeeler::unlessWrapped(Offsets offsets,
                                                 Type type) const {
  constexpr int64_t kMaxOffset = 1 << 20;
  if (offsets.least < -kMaxOffset || offsets.greatest > kMaxOffset)
    return std::nullopt;
  unsigned bits = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  auto least = llvm::checkedAdd(from, std::min<int64_t>(offsets.least, 0));
  auto greatest =
      llvm::checkedAdd(to - 1, std::max<int64_t>(offsets.greatest, 0));
  if (!least || !greatest || !llvm::isIntN(bits, *least) ||
      !llvm::isIntN(bits, *greatest))
    return std::nullopt;
  return offsets;
}

std::optional<Offsets> LoopPeeler::offsetsOfSum(Operation *op, bool exact) {
  bool isSum = isa<arith::AddIOp>(op);
  for (unsigned side : {0u, 1u}) {
    if (side == 1 && !isSum)
      break;
    // Asked first: sums of sums of sums would be entered on both sides.
    auto added = windowOf(op->getOperand(1 - side));
    auto base = added ? offsetsOf(op->getOperand(side), exact) : std::nullopt;
    if (!base)
      continue;
    if (!isSum)
      added = Offsets{-added->greatest, -added->least};
    return unlessWrapped(
        {base->least + added->least, base->greatest + added->greatest},
        op->getResult(0).getType());
  }
  return std::nullopt;
}

std::optional<Offsets> LoopPeeler::offsetsOf(Value value, bool exact) {
  if (value == variable)
    return Offsets{0, 0};
  if (auto known = exactOffsets.find(value); known != exactOffsets.end())
    return known->second;
  Operation *op = value.getDefiningOp();
  if (!op)
    return std::nullopt;
  if (isa<arith::AddIOp, arith::SubIOp>(op))
    return offsetsOfSum(op, exact);
  if (auto wider = dyn_cast<arith::ExtSIOp>(op))
    return offsetsOf(wider.getIn(), exact);
  if (exact || isa<arith::CmpIOp>(op))
    return std::nullopt;
  if (auto c = candidate(op))
    return offsetsOf(op->getOperand(c->operand), exact);
  return std::nullopt;
}

SmallVector<int64_t, 2> LoopPeeler::thresholds(const Candidate &c) {
  if (isa<ir::FloorModOp>(c.op))
    return {0, c.bound};
  if (isa<arith::MaxSIOp>(c.op))
    return {c.bound};
  if (isa<arith::MinSIOp>(c.op))
    return {c.bound + 1};
  switch (cast<arith::CmpIOp>(c.op).getPredicate()) {
  case CmpIPredicate::slt:
  case CmpIPredicate::sge:
    return {c.bound};
  case CmpIPredicate::sle:
  case CmpIPredicate::sgt:
    return {c.bound + 1};
  case CmpIPredicate::eq:
  case CmpIPredicate::ne:
    return {c.bound, c.bound + 1};
  case CmpIPredicate::ult:
  case CmpIPredicate::uge:
    return {0, c.bound};
  case CmpIPredicate::ule:
  case CmpIPredicate::ugt:
    return {0, c.bound + 1};
  }
  llvm_unreachable("all predicates are listed");
}

bool LoopPeeler::isUniform(const Candidate &c, Offsets offsets) const {
  return llvm::all_of(thresholds(c), [&](int64_t at) {
    return low + offsets.least >= at || high - 1 + offsets.greatest < at;
  });
}

/// Whether the iterations from `begin` to `end` are few enough, and some. The
/// two may be further apart than an int64_t counts.
static bool isEdge(int64_t begin, int64_t end) {
  return end > begin && uint64_t(end) - uint64_t(begin) <= uint64_t(kMaxEdge);
}

/// From at - least on all sums have reached a threshold, before
/// at - greatest none.
void LoopPeeler::moveEdges(const Candidate &c, Offsets offsets) {
  for (int64_t threshold : thresholds(c))
    for (int64_t at :
         {threshold - offsets.least, threshold - offsets.greatest}) {
      if (isEdge(from, at))
        low = std::max(low, at);
      else if (isEdge(at, to))
        high = std::min(high, at);
    }
}

/// Records the simplified form of the operation in the middle, if it has one
/// there.
void LoopPeeler::simplify(const Candidate &c) {
  auto offsets = offsetsOf(c.op->getOperand(c.operand), /*exact=*/true);
  if (!offsets || !isUniform(c, *offsets))
    return;
  int64_t value = low + offsets->least; // valid for all of the middle
  Value result = c.op->getResult(0);
  if (auto compare = dyn_cast<arith::CmpIOp>(c.op)) {
    APInt left(64, value, true), right(64, c.bound, true);
    bool holds = arith::applyCmpPredicate(compare.getPredicate(), left, right);
    simpler.push_back({c.op, std::nullopt, holds ? 1 : 0});
    return;
  }
  bool isSum = isa<ir::FloorModOp>(c.op)   ? value >= 0 && value < c.bound
               : isa<arith::MaxSIOp>(c.op) ? value >= c.bound
                                           : value <= c.bound;
  if (isSum) {
    simpler.push_back({c.op, c.operand, 0});
    exactOffsets[result] = *offsets;
  } else if (!isa<ir::FloorModOp>(c.op)) {
    simpler.push_back({c.op, std::nullopt, c.bound});
  }
}

bool LoopPeeler::findMiddle() {
  unsigned size = 0;
  auto isLarge = task.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (++size > kMaxOps)
      return WalkResult::interrupt();
    auto c = candidate(op);
    auto offsets = c ? offsetsOf(op->getOperand(c->operand), /*exact=*/false)
                     : std::nullopt;
    if (offsets)
      moveEdges(*c, *offsets);
    return WalkResult::advance();
  });
  bool hasEdges = low > from || high < to;
  return !isLarge.wasInterrupted() && hasEdges && high - low >= kMinMiddle;
}

SmallVector<Simpler> LoopPeeler::simplify() {
  task.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto c = candidate(op))
      simplify(*c);
  });
  return std::move(simpler);
}

SmallVector<Simpler> analysis::simplerInMiddle(ir::TaskOp task,
                                               ir::PeelAttr peel) {
  return LoopPeeler(task, peel.getLow(), peel.getHigh()).simplify();
}

ir::PeelAttr analysis::findPeeling(ir::TaskOp task) {
  unsigned inner = task.getRank() - 1;
  if (task.getRank() == 0)
    return nullptr;
  auto from = task.getKnownStart(inner), extent = task.getKnownExtent(inner);
  auto to = from && extent ? llvm::checkedAdd(*from, *extent) : std::nullopt;
  if (!to)
    return nullptr;
  LoopPeeler peeler(task, *from, *to);
  if (!peeler.findMiddle())
    return nullptr;
  auto peel =
      ir::PeelAttr::get(task.getContext(), peeler.getLow(), peeler.getHigh());
  return simplerInMiddle(task, peel).empty() ? nullptr : peel;
}
