//===- PacksMoments.cpp - Sums that are moments of other sums -------------===//
// A particle that gathers a velocity gathers its gradient, too: each term once
// more, times `o - f`, where o is the neighbour's number along an axis. With m
// for the one in the middle, that is (m - f) times the first sum, and terms
// that are added, subtracted or left out: sums instead of products.
//
// m - f is one of the weights that the program computes, and the step from it
// to another no more than two of them: so no digits are lost that the program
// has.
#include "chi/Transforms/SLP/SLP.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace chi;
using namespace chi::slp;

namespace {
/// scale * (lane `lane` of `variable`) + offset, the lane -1 for scalars.
struct Affine {
  Value variable;
  int64_t lane;
  APFloat scale, offset;

  void negate() { scale.changeSign(), offset.changeSign(); }
  void multiply(const APFloat &by) {
    scale.multiply(by, APFloat::rmNearestTiesToEven);
    offset.multiply(by, APFloat::rmNearestTiesToEven);
  }
  void add(const APFloat &number) {
    offset.add(number, APFloat::rmNearestTiesToEven);
  }
};
} // namespace

/// The number that a lane of a value is, or a scalar.
static std::optional<APFloat> numberAt(Value value, int64_t lane) {
  APFloat number(0.0);
  if (matchPattern(value, m_ConstantFloat(&number)))
    return number;
  DenseFPElementsAttr lanes;
  if (lane < 0 || !matchPattern(value, m_Constant(&lanes)))
    return std::nullopt;
  return lanes.getValues<APFloat>()[lane];
}

static bool mayReassociate(Operation *op) {
  auto fast = dyn_cast<arith::ArithFastMathInterface>(op);
  return fast &&
         arith::bitEnumContainsAll(fast.getFastMathFlagsAttr().getValue(),
                                   arith::FastMathFlags::reassoc);
}

static Affine affineOf(Value value, int64_t lane = -1, unsigned depth = 0) {
  constexpr unsigned kDeepest = 6;
  Type scalar = getElementTypeOrSelf(value.getType());
  const llvm::fltSemantics &kind = cast<FloatType>(scalar).getFloatSemantics();
  Affine itself{value, lane, APFloat::getOne(kind), APFloat::getZero(kind)};
  if (auto extract = value.getDefiningOp<vector::ExtractOp>();
      extract && extract.getStaticPosition().size() == 1 &&
      extract.getDynamicPosition().empty())
    return affineOf(extract.getSource(), extract.getStaticPosition()[0],
                    depth + 1);
  Operation *op = value.getDefiningOp();
  if (!op || depth > kDeepest || !mayReassociate(op))
    return itself;
  if (isa<arith::NegFOp>(op)) {
    Affine inner = affineOf(op->getOperand(0), lane, depth + 1);
    inner.negate();
    return inner;
  }
  if (!isa<arith::AddFOp, arith::SubFOp, arith::MulFOp>(op))
    return itself;
  auto left = numberAt(op->getOperand(0), lane);
  auto right = numberAt(op->getOperand(1), lane);
  if (bool(left) == bool(right))
    return itself;
  Affine inner = affineOf(op->getOperand(left ? 1 : 0), lane, depth + 1);
  APFloat number = left ? *left : *right;
  if (isa<arith::MulFOp>(op)) {
    inner.multiply(number);
    return inner;
  }
  if (isa<arith::SubFOp>(op)) {
    if (left)
      inner.negate();
    else
      number.changeSign();
  }
  inner.add(number);
  return inner;
}

/// The one factor that the first product has and the second has not; null if
/// that is not all that they differ by.
static Value factorMore(const VectorProduct &product, const VectorProduct &of) {
  if (!product.constant.bitwiseIsEqual(of.constant) ||
      product.factors.size() != of.factors.size() + 1)
    return {};
  SmallVector<Value> more(product.factors);
  for (Value factor : of.factors) {
    auto *same = llvm::find(more, factor);
    if (same == more.end())
      return {};
    more.erase(same);
  }
  return isa<VectorType>(more.front().getType()) ? Value() : more.front();
}

/// The weights in ascending order of their offsets, one of each.
static SmallVector<std::pair<APFloat, Value>>
offsetsOf(ArrayRef<std::pair<APFloat, Value>> weights) {
  SmallVector<std::pair<APFloat, Value>> offsets;
  for (const auto &[offset, value] : weights)
    if (llvm::none_of(offsets,
                      [&](const auto &known) { return known.first == offset; }))
      offsets.push_back({offset, value});
  llvm::sort(offsets,
             [](const auto &a, const auto &b) { return a.first < b.first; });
  return offsets;
}

std::optional<Moment> slp::momentOf(ArrayRef<VectorProduct> terms,
                                    ArrayRef<VectorProduct> of) {
  if (terms.empty() || terms.size() != of.size())
    return std::nullopt;
  SmallVector<std::pair<APFloat, Value>> weights;
  std::optional<Affine> first;
  for (auto [term, other] : llvm::zip(terms, of)) {
    Value weight = factorMore(term, other);
    if (!weight)
      return std::nullopt;
    Affine affine = affineOf(weight);
    if (!first)
      first = affine;
    if (affine.variable != first->variable || affine.lane != first->lane ||
        !affine.scale.bitwiseIsEqual(first->scale) || !affine.offset.isFinite())
      return std::nullopt;
    weights.push_back({affine.offset, weight});
  }
  auto offsets = offsetsOf(weights);
  if (offsets.size() < 2 || offsets.size() > 3)
    return std::nullopt;
  auto [middle, value] = offsets[offsets.size() - 2];
  APFloat step = offsets.back().first - middle;
  if (!step.isNormal() ||
      (offsets.size() == 3 && middle - offsets.front().first != step))
    return std::nullopt;
  Moment moment{value, step, {}};
  for (const auto &[offset, weight] : weights)
    moment.signs.push_back(offset == middle ? 0 : offset < middle ? -1 : 1);
  return moment;
}
