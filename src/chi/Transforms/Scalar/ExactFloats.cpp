//===- ExactFloats.cpp - Floats that are integers -------------------------===//
// A program that traces back from the middle of a cell computes
// `floor((i + 0.5) - 0.5)`: the index itself, which no later stage would see.
// Such floats are followed here as an integer plus a constant, for as long as
// every value on the way has an exact float. This is no matter of fast-math:
// an operation whose true result is a float gives that float.
#include "chi/Transforms/Scalar/Passes.h"

#include "chi/Analysis/Ranges.h"

namespace chi::scalar {
#define GEN_PASS_DEF_EXACTFLOATSPASS
#include "chi/Transforms/Scalar/Passes.h.inc"
} // namespace chi::scalar

using namespace mlir;
using namespace chi;
using namespace chi::analysis;

/// Constants are multiples of 2^-20.
static constexpr unsigned kFraction = 20;
static constexpr int64_t kOne = int64_t(1) << kFraction;
/// Integers and constants are not larger: sums of them fit.
static constexpr int64_t kMost = int64_t(1) << 40;

namespace {
/// A float that equals `base + offset`; where that is zero, its sign is plus.
struct Exact {
  Value base;
  Interval range;     ///< of the base
  int64_t offset = 0; ///< times 2^-20

  bool isWhole() const { return offset % kOne == 0; }
  Wide least() const { return Wide(range.lo) * kOne + offset; }
  Wide most() const { return Wide(range.hi) * kOne + offset; }
};

/// Follows the floats of tasks.
class Follower {
public:
  explicit Follower(ModuleOp module) : module(module) {}
  /// Returns how many operations were replaced.
  unsigned run();

private:
  void visit(Operation *op);
  std::optional<Exact> known(Value value) const;
  /// For an operation's float result.
  std::optional<Exact> valueOf(Operation *op);
  std::optional<Exact> ofInteger(Value integer, Operation *at);
  std::optional<Exact> ofSum(Operation *op) const;
  /// An integer that replaces a conversion.
  Value integerFor(Operation *op);
  /// The replacement of an operation, newly made or existing.
  Value replacementFor(Operation *op, const Exact &exact);

  ModuleOp module;
  std::optional<Ranges> ranges; ///< made on first use
  DenseMap<Value, Exact> values;
  /// Erased at the end: `ranges` remembers operations.
  SmallVector<Operation *> dead;
};
} // namespace

/// A constant in units of 2^-20, if it is one.
static std::optional<int64_t> fixedConstant(Value value) {
  FloatAttr attr;
  if (!matchPattern(value, m_Constant(&attr)))
    return std::nullopt;
  double scaled = attr.getValueAsDouble() * double(kOne);
  if (!(std::abs(scaled) < double(kMost)) || scaled != std::floor(scaled))
    return std::nullopt;
  return static_cast<int64_t>(scaled);
}

/// Has every value of `exact` a float of that type?
static bool hasFloats(const Exact &exact, Type type) {
  auto floatType = dyn_cast<FloatType>(type);
  if (!floatType)
    return false;
  unsigned bits = floatType.getFPMantissaWidth();
  unsigned zeros =
      exact.offset == 0
          ? kFraction
          : std::min<unsigned>(llvm::countr_zero(uint64_t(exact.offset)),
                               kFraction);
  // Multiples of 2^(zeros - 20), of at most `bits` digits.
  Wide largest = Wide(1) << (bits + zeros);
  return exact.least() >= -largest && exact.most() <= largest;
}

std::optional<Exact> Follower::known(Value value) const {
  auto it = values.find(value);
  return it == values.end() ? std::nullopt : std::optional(it->second);
}

std::optional<Exact> Follower::ofInteger(Value integer, Operation *at) {
  auto type = dyn_cast<IntegerType>(integer.getType());
  if (!type || type.getWidth() < 8)
    return std::nullopt;
  Exact exact{integer, {}, 0};
  // b + c and b are one base, so that their difference is seen.
  if (auto sum = integer.getDefiningOp<arith::AddIOp>())
    if (auto constant = constantOf(sum.getRhs());
        constant && std::abs(*constant) < (1 << 20) &&
        bitEnumContainsAll(sum.getOverflowFlags(),
                           arith::IntegerOverflowFlags::nsw)) {
      exact.base = sum.getLhs();
      exact.offset = *constant * kOne;
    }
  if (!ranges)
    ranges.emplace(module);
  exact.range = ranges->intervalAt(exact.base, at);
  if (exact.range.lo < -kMost || exact.range.hi > kMost)
    return std::nullopt;
  return exact;
}

std::optional<Exact> Follower::ofSum(Operation *op) const {
  auto left = known(op->getOperand(0)), right = known(op->getOperand(1));
  auto plus = [](Exact exact, int64_t constant) -> std::optional<Exact> {
    exact.offset += constant;
    if (std::abs(exact.offset) >= kMost)
      return std::nullopt;
    return exact;
  };
  bool isSum = isa<arith::AddFOp>(op);
  if (auto constant = fixedConstant(op->getOperand(1)); constant && left)
    return plus(*left, isSum ? *constant : -*constant);
  if (auto constant = fixedConstant(op->getOperand(0));
      constant && right && isSum)
    return plus(*right, *constant);
  return std::nullopt;
}

std::optional<Exact> Follower::valueOf(Operation *op) {
  std::optional<Exact> exact;
  if (isa<arith::SIToFPOp>(op)) {
    exact = ofInteger(op->getOperand(0), op);
  } else if (isa<arith::AddFOp, arith::SubFOp>(op)) {
    exact = ofSum(op);
  } else if (isa<math::FloorOp, math::CeilOp>(op)) {
    exact = known(op->getOperand(0));
    if (exact && isa<math::CeilOp>(op)) {
      // Values between -1 and 0 become a zero with a minus sign.
      if (!exact->isWhole() && exact->least() < 0 && exact->most() > -kOne)
        return std::nullopt;
      exact->offset += kOne - 1;
    }
    if (exact)
      exact->offset &= ~(kOne - 1);
  }
  if (!exact || !hasFloats(*exact, op->getResult(0).getType()))
    return std::nullopt;
  return exact;
}

/// Rounds to zero, as the conversion does, if it is known on which side of
/// zero that is.
static std::optional<int64_t> wholeOffset(const Exact &exact) {
  if (exact.isWhole())
    return exact.offset / kOne;
  int64_t down = exact.offset >> kFraction;
  if (exact.least() >= 0)
    return down;
  return exact.most() <= 0 ? std::optional(down + 1) : std::nullopt;
}

Value Follower::integerFor(Operation *op) {
  auto exact = known(op->getOperand(0));
  auto type = dyn_cast<IntegerType>(op->getResult(0).getType());
  if (!exact || !type)
    return nullptr;
  auto offset = wholeOffset(*exact);
  unsigned width = type.getWidth();
  Interval range = exact->range;
  if (!offset || !fits(range.lo, range.hi, width) ||
      !fits(Wide(range.lo) + *offset, Wide(range.hi) + *offset, width) ||
      !fits(*offset, *offset, width) ||
      (cast<ir::ToIntOp>(op).getIsUnsigned() && Wide(range.lo) + *offset < 0))
    return nullptr;
  OpBuilder b(op);
  Location loc = op->getLoc();
  Value base = exact->base;
  unsigned have = base.getType().getIntOrFloatBitWidth();
  if (have < width)
    base = arith::ExtSIOp::create(b, loc, type, base);
  else if (have > width)
    base = arith::TruncIOp::create(b, loc, type, base);
  if (*offset == 0)
    return base;
  Value constant =
      arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, *offset));
  return arith::AddIOp::create(b, loc, base, constant,
                               arith::IntegerOverflowFlags::nsw);
}

/// `base + 0` is the conversion of the base, and the difference of two with
/// one base a constant.
Value Follower::replacementFor(Operation *op, const Exact &exact) {
  if (exact.offset != 0 || isa<arith::SIToFPOp>(op))
    return nullptr;
  OpBuilder b(op);
  return arith::SIToFPOp::create(b, op->getLoc(), op->getResult(0).getType(),
                                 exact.base);
}

static Value constantDifference(Operation *op, const std::optional<Exact> &left,
                                const std::optional<Exact> &right) {
  if (!left || !right || left->base != right->base)
    return nullptr;
  Type type = op->getResult(0).getType();
  // The difference of two floats is exact if it is a float.
  Exact difference{left->base, Interval::point(0),
                   left->offset - right->offset};
  if (!hasFloats(difference, type))
    return nullptr;
  OpBuilder b(op);
  double value = double(difference.offset) / double(kOne);
  return arith::ConstantOp::create(b, op->getLoc(),
                                   b.getFloatAttr(type, value));
}

void Follower::visit(Operation *op) {
  if (op->getNumResults() != 1)
    return;
  Value replacement;
  if (isa<ir::ToIntOp>(op))
    replacement = integerFor(op);
  else if (isa<arith::SubFOp>(op))
    replacement = constantDifference(op, known(op->getOperand(0)),
                                     known(op->getOperand(1)));
  if (!replacement)
    if (auto exact = valueOf(op)) {
      values[op->getResult(0)] = *exact;
      replacement = replacementFor(op, *exact);
      if (replacement)
        values[replacement] = *exact;
    }
  if (!replacement)
    return;
  op->getResult(0).replaceAllUsesWith(replacement);
  dead.push_back(op);
}

unsigned Follower::run() {
  for (auto task : module.getOps<ir::TaskOp>())
    task.walk<WalkOrder::PreOrder>([&](Operation *op) { visit(op); });
  ranges.reset();
  for (Operation *op : llvm::reverse(dead))
    op->erase();
  return dead.size();
}

namespace {
struct ExactFloatsPass : scalar::impl::ExactFloatsPassBase<ExactFloatsPass> {
  void runOnOperation() override { Follower(getOperation()).run(); }
};
} // namespace
