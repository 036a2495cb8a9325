//===- SumFactors.cpp - What the terms of a sum have in common ------------===//
#include "chi/Transforms/Nest/SumFactors.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace chi;
using namespace chi::nest;

static Value number(OpBuilder &b, Location loc, Type type, double value) {
  return arith::ConstantOp::create(b, loc, b.getFloatAttr(type, value));
}

Value Product::times(OpBuilder &b, Value value) const {
  Location loc = value.getLoc();
  for (Value factor : factors)
    value = arith::MulFOp::create(b, loc, value, factor);
  if (number == 1)
    return value;
  return arith::MulFOp::create(b, loc, value,
                               ::number(b, loc, value.getType(), number));
}

Value Contribution::addTo(OpBuilder &b, Value sum) const {
  Location loc = value.getLoc();
  if (times == -1)
    return arith::SubFOp::create(b, loc, sum, value);
  Value term = value;
  if (times != 1)
    term = arith::MulFOp::create(b, loc, value,
                                 number(b, loc, value.getType(), times));
  return arith::AddFOp::create(b, loc, sum, term);
}

void FoldedSum::add(Block *block, Signed value) {
  double times = value.isNegated ? -1 : 1;
  for (Contribution &each : contributions)
    if (each.block == block && each.value == value.value) {
      each.times += times;
      return;
    }
  contributions.push_back({block, value.value, times});
}

//===----------------------------------------------------------------------===//
// Factors
//===----------------------------------------------------------------------===//

namespace {
/// A value as a product of what does not change in the loop, and a rest.
struct Split {
  Product common;
  Value rest; ///< null: one
};

/// Writes rests at the end of one block.
class Factorer {
public:
  Factorer(Numbering &numbering, OpBuilder &b) : numbering(numbering), b(b) {}

  Split split(Value value);

private:
  Split splitNew(Value value);
  Split product(Split a, Split b);
  Value one(Value like) { return number(b, like.getLoc(), like.getType(), 1); }

  Numbering &numbering;
  OpBuilder &b;
  DenseMap<Value, Split> known;
};
} // namespace

Split Factorer::product(Split a, Split c) {
  Split result{a.common, a.rest};
  result.common.number *= c.common.number;
  llvm::append_range(result.common.factors, c.common.factors);
  if (!a.rest)
    result.rest = c.rest;
  else if (c.rest)
    result.rest = numbering.make<arith::MulFOp>(a.rest, c.rest);
  return result;
}

Split Factorer::split(Value value) {
  if (auto it = known.find(value); it != known.end())
    return it->second;
  Split made = splitNew(value);
  return known[value] = made;
}

Split Factorer::splitNew(Value value) {
  APFloat constant(0.0);
  if (matchPattern(value, m_ConstantFloat(&constant)) && !constant.isZero())
    return {{constant.convertToDouble(), {}}, {}};
  if (numbering.isOutside(value))
    return {{1, {value}}, {}};
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<arith::MulFOp>(op))
    return product(split(op->getOperand(0)), split(op->getOperand(1)));
  if (isa_and_nonnull<arith::NegFOp>(op)) {
    Split inner = split(op->getOperand(0));
    inner.common.number = -inner.common.number;
    return inner;
  }
  if (isa_and_nonnull<arith::AddFOp>(op) &&
      op->getOperand(0) == op->getOperand(1)) {
    Split inner = split(op->getOperand(0));
    inner.common.number *= 2;
    return inner;
  }
  if (isa_and_nonnull<arith::DivFOp>(op)) {
    Split above = split(op->getOperand(0));
    if (above.rest == op->getOperand(0))
      return {{}, value};
    Value rest = above.rest ? above.rest : one(value);
    above.rest = numbering.make<arith::DivFOp>(rest, op->getOperand(1));
    return above;
  }
  return {{}, value};
}

/// Factors have an order: that in which they were found.
static bool areEqual(const Product &a, const Product &b) {
  return std::abs(a.number) == std::abs(b.number) && a.factors == b.factors;
}

Product nest::takeOutFactors(FoldedSum &sum, Numbering &numbering,
                             OpBuilder &b) {
  llvm::erase_if(sum.contributions,
                 [](const Contribution &each) { return each.times == 0; });
  std::vector<Contribution> terms;
  Product common;
  for (const Contribution &each : sum.contributions) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(each.block->getTerminator());
    Split split = Factorer(numbering, b).split(each.value);
    split.common.number *= each.times;
    if (terms.empty())
      common = split.common;
    if (!areEqual(common, split.common) || !split.rest)
      return {}; // the terms stay as they are
    terms.push_back({each.block, split.rest,
                     split.common.number == common.number ? 1.0 : -1.0});
  }
  sum.contributions = terms;
  return terms.empty() ? Product() : common;
}
