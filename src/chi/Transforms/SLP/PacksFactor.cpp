//===- PacksFactor.cpp - Sums of products with common factors -------------===//
// The sums that a particle takes over its neighbours (a velocity, the gradient
// of it) weigh the same packs by the same weights, and by factors of their own.
// As the program writes it, each sum multiplies again: the weights come first
// in one product and last in the other. Here the common factors of several sums
// are multiplied first, so that their product is computed once, and the common
// factors of the terms of one sum are multiplied once, after the sum. A sum
// whose terms are those of another one times `o[k] - f` is computed from that
// other sum.
//
// Sums are written as short chains that are added at the end, and say so: the
// terms of a particle wait for memory, and then a long chain for each other.
#include "chi/Transforms/SLP/SLP.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace chi;
using namespace chi::slp;

namespace {
using Product = VectorProduct;

class SumFactorer {
public:
  SumFactorer(ArrayRef<VectorSum> sums, OpBuilder &builder)
      : sums(sums), builder(builder) {}
  void run();

private:
  struct Factored {
    Product common;
    SmallVector<Product> terms;
    /// For a first moment: the terms of the sum that it is a moment of.
    std::optional<Moment> moment = {};
  };
  /// A sum, and the sum of its terms times -1, 0 or 1; null for none.
  struct SignedSum {
    Value sum, weighted;
    bool isNegated = false;
  };
  Factored factor(const VectorSum &sum);
  void findMoments(MutableArrayRef<Factored> all);
  void write(const VectorSum &sum, Factored &factored);
  Value sharedBy(ArrayRef<Product> terms);
  Product takeOut(Value shared, MutableArrayRef<Product> terms);
  SignedSum sumOf(MutableArrayRef<Product> terms, ArrayRef<int> signs);
  SignedSum addSigned(ArrayRef<SignedSum> parts);
  Value scaled(const SignedSum &sums, const Moment &moment);
  Value addAll(ArrayRef<Value> values);
  void sortFactors(SmallVector<Value> &factors);
  Value multiply(const Product &product);
  template <typename Op> Value make(Value left, Value right);
  Value spread(Value scalar);

  ArrayRef<VectorSum> sums;
  OpBuilder &builder;
  llvm::MapVector<Value, unsigned> numSums; ///< that contain a factor
  arith::AddFOp root;                       ///< of the sum that is written
  llvm::DenseMap<std::tuple<StringRef, Value, Value>, Value> made;
  llvm::DenseMap<std::pair<Value, Type>, Value> spreads;
};
} // namespace

static bool hasFlag(Operation *op, arith::FastMathFlags flag) {
  auto fast = dyn_cast<arith::ArithFastMathInterface>(op);
  auto flags = fast ? fast.getFastMathFlagsAttr() : nullptr;
  return flags && arith::bitEnumContainsAll(flags.getValue(), flag);
}

/// The number that a scalar is, or all lanes are.
static std::optional<APFloat> numberOf(Value value) {
  if (auto spread = value.getDefiningOp<vector::BroadcastOp>())
    value = spread.getSource();
  APFloat number(0.0);
  if (!matchPattern(value, m_ConstantFloat(&number)))
    return std::nullopt;
  return number;
}

/// A product that is worth taking apart: of scalars, that of two weights, but
/// not one that is a part of a single weight.
static bool isProduct(arith::MulFOp op) {
  return isa<VectorType>(op.getType()) ||
         (op.getLhs() != op.getRhs() && !numberOf(op.getLhs()) &&
          !numberOf(op.getRhs()));
}

VectorProduct slp::factorsOf(Value value) {
  constexpr size_t kMostFactors = 16;
  Type scalar = cast<VectorType>(value.getType()).getElementType();
  const llvm::fltSemantics &kind = cast<FloatType>(scalar).getFloatSemantics();
  Product result{APFloat::getOne(kind), {}};
  SmallVector<Value> open{value};
  while (!open.empty()) {
    Value each = open.pop_back_val();
    Operation *op = each.getDefiningOp();
    bool isFree = op && hasFlag(op, arith::FastMathFlags::reassoc);
    if (auto number = numberOf(each)) {
      result.constant.multiply(*number, APFloat::rmNearestTiesToEven);
    } else if (auto spread = each.getDefiningOp<vector::BroadcastOp>();
               spread && isa<FloatType>(spread.getSourceType())) {
      open.push_back(spread.getSource());
    } else if (isFree && isa<arith::MulFOp>(op) &&
               isProduct(cast<arith::MulFOp>(op))) {
      open.push_back(op->getOperand(1));
      open.push_back(op->getOperand(0));
    } else if (auto number = isFree && isa<arith::DivFOp>(op) &&
                                     hasFlag(op, arith::FastMathFlags::arcp)
                                 ? numberOf(op->getOperand(1))
                                 : std::nullopt) {
      result.constant.divide(*number, APFloat::rmNearestTiesToEven);
      open.push_back(op->getOperand(0));
    } else {
      result.factors.push_back(each);
    }
    if (result.factors.size() > kMostFactors)
      return {APFloat::getOne(kind), {value}};
  }
  if (!result.constant.isFiniteNonZero())
    return {APFloat::getOne(kind), {value}};
  return result;
}

/// Splits the common factors of all terms of a sum from their own.
SumFactorer::Factored SumFactorer::factor(const VectorSum &sum) {
  SmallVector<Product> terms = llvm::map_to_vector(sum.terms, factorsOf);
  Product common{terms.front().constant, {}};
  APFloat one = APFloat::getOne(common.constant.getSemantics());
  if (llvm::all_of(terms, [&](const Product &term) {
        return term.constant.bitwiseIsEqual(common.constant);
      }))
    for (Product &term : terms)
      term.constant = one;
  else
    common.constant = one;
  for (Value factor : SmallVector<Value>(terms.front().factors)) {
    if (!llvm::all_of(terms, [&](const Product &term) {
          return llvm::is_contained(term.factors, factor);
        }))
      continue;
    common.factors.push_back(factor);
    for (Product &term : terms)
      term.factors.erase(llvm::find(term.factors, factor));
  }
  return {std::move(common), std::move(terms)};
}

/// Scalars first, then vectors; among each those in more sums first; otherwise
/// in the order of appearance.
void SumFactorer::sortFactors(SmallVector<Value> &factors) {
  llvm::sort(factors, [&](Value a, Value b) {
    bool isVector = isa<VectorType>(a.getType());
    if (isVector != isa<VectorType>(b.getType()))
      return !isVector;
    auto *left = numSums.find(a), *right = numSums.find(b);
    return left->second != right->second ? left->second > right->second
                                         : left < right;
  });
}

/// The operation on two values, unless it exists already.
template <typename Op> Value SumFactorer::make(Value left, Value right) {
  constexpr bool isProduct = std::is_same_v<Op, arith::MulFOp>;
  Value &known = made[{Op::getOperationName(), left, right}];
  if (known &&
      known.getDefiningOp()->isBeforeInBlock(&*builder.getInsertionPoint()))
    return known;
  arith::FastMathFlags flags = root.getFastmath();
  if (!isProduct) // keeps the chains
    flags = flags & ~arith::FastMathFlags::reassoc;
  return known = Op::create(builder, root.getLoc(), left, right, flags);
}

Value SumFactorer::spread(Value scalar) {
  Value &known = spreads[{scalar, root.getType()}];
  if (known &&
      known.getDefiningOp()->isBeforeInBlock(&*builder.getInsertionPoint()))
    return known;
  return known = vector::BroadcastOp::create(builder, root.getLoc(),
                                             root.getType(), scalar);
}

/// Scalars are multiplied as such. Null for the number one.
Value SumFactorer::multiply(const Product &term) {
  Value scalar, result;
  for (Value factor : term.factors) {
    Value &part = isa<VectorType>(factor.getType()) ? result : scalar;
    part = part ? make<arith::MulFOp>(part, factor) : factor;
  }
  if (!term.constant.isExactlyValue(1.0)) {
    auto type = cast<VectorType>(root.getType()).getElementType();
    Value constant = arith::ConstantOp::create(
        builder, root.getLoc(), builder.getFloatAttr(type, term.constant));
    scalar = scalar ? make<arith::MulFOp>(scalar, constant) : constant;
  }
  if (!scalar)
    return result;
  Value lanes = spread(scalar);
  return result ? make<arith::MulFOp>(result, lanes) : lanes;
}

/// The factor that most terms have, if several do and each has more; of equals
/// the one that was seen first.
Value SumFactorer::sharedBy(ArrayRef<Product> terms) {
  llvm::MapVector<Value, unsigned> count;
  for (const Product &term : terms)
    if (term.factors.size() > 1)
      for (Value factor : term.factors)
        ++count[factor];
  Value best;
  for (auto [factor, times] : count)
    if (times > 1 &&
        (!best || times > count[best] ||
         (times == count[best] && numSums.find(factor) < numSums.find(best))))
      best = factor;
  return best;
}

/// Takes a factor, and every scalar that all of the terms have, out of them.
Product SumFactorer::takeOut(Value shared, MutableArrayRef<Product> terms) {
  Product out{APFloat::getOne(terms.front().constant.getSemantics()), {}};
  auto take = [&](Value factor) {
    out.factors.push_back(factor);
    for (Product &term : terms)
      term.factors.erase(llvm::find(term.factors, factor));
  };
  take(shared);
  for (Value factor : SmallVector<Value>(terms.front().factors))
    if (!isa<VectorType>(factor.getType()) &&
        llvm::all_of(terms, [&](const Product &term) {
          return term.factors.size() > 1 &&
                 llvm::is_contained(term.factors, factor);
        }))
      take(factor);
  sortFactors(out.factors);
  return out;
}

Value SumFactorer::addAll(ArrayRef<Value> values) {
  constexpr size_t kChain = 3;
  if (values.size() == 1)
    return values.front();
  SmallVector<Value> chains;
  for (size_t k = 0; k < values.size(); ++k)
    if (k % kChain == 0)
      chains.push_back(values[k]);
    else
      chains.back() = make<arith::AddFOp>(chains.back(), values[k]);
  return addAll(chains);
}

/// The sums of the parts. What all weigh alike is not added again.
SumFactorer::SignedSum SumFactorer::addSigned(ArrayRef<SignedSum> parts) {
  SmallVector<Value> values, plus, minus;
  for (const SignedSum &part : parts) {
    values.push_back(part.sum);
    if (part.weighted)
      (part.isNegated ? minus : plus).push_back(part.weighted);
  }
  SignedSum result{addAll(values), {}};
  if (plus == values || minus == values)
    return {result.sum, result.sum, minus == values};
  if (plus.empty() && minus.empty())
    return result;
  result.isNegated = plus.empty();
  result.weighted = addAll(plus.empty() ? minus : plus);
  if (!plus.empty() && !minus.empty())
    result.weighted = make<arith::SubFOp>(result.weighted, addAll(minus));
  return result;
}

/// `signs`: the weights of the terms in the second sum; empty if there is none.
SumFactorer::SignedSum SumFactorer::sumOf(MutableArrayRef<Product> terms,
                                          ArrayRef<int> signs) {
  SmallVector<SignedSum> parts;
  SmallVector<Product> left(terms);
  SmallVector<int> weights(signs);
  weights.resize(left.size());
  while (Value shared = sharedBy(left)) {
    SmallVector<Product> with, without;
    SmallVector<int> weightsWith, weightsWithout;
    for (auto [term, weight] : llvm::zip(left, weights)) {
      bool has =
          term.factors.size() > 1 && llvm::is_contained(term.factors, shared);
      (has ? with : without).push_back(std::move(term));
      (has ? weightsWith : weightsWithout).push_back(weight);
    }
    Product out = takeOut(shared, with);
    SignedSum inner = sumOf(with, weightsWith);
    Value factor = multiply(out);
    if (inner.weighted)
      inner.weighted = make<arith::MulFOp>(inner.weighted, factor);
    inner.sum = make<arith::MulFOp>(inner.sum, factor);
    parts.push_back(inner);
    left = std::move(without);
    weights = std::move(weightsWithout);
  }
  for (auto [term, weight] : llvm::zip(left, weights)) {
    sortFactors(term.factors);
    Value value = multiply(term);
    parts.push_back({value, weight ? value : Value(), weight < 0});
  }
  return addSigned(parts);
}

/// A moment, in units of its step.
Value SumFactorer::scaled(const SignedSum &sums, const Moment &moment) {
  APFloat unit = APFloat::getOne(moment.step.getSemantics());
  unit.divide(moment.step, APFloat::rmNearestTiesToEven);
  Value rest = make<arith::MulFOp>(sums.sum, multiply({unit, {moment.middle}}));
  return sums.isNegated ? make<arith::SubFOp>(rest, sums.weighted)
                        : make<arith::AddFOp>(rest, sums.weighted);
}

void SumFactorer::write(const VectorSum &sum, Factored &factored) {
  root = sum.total.getDefiningOp<arith::AddFOp>();
  builder.setInsertionPointAfter(root);
  const std::optional<Moment> &moment = factored.moment;
  SignedSum sums =
      sumOf(factored.terms, moment ? ArrayRef(moment->signs) : ArrayRef<int>());
  Value total = moment ? scaled(sums, *moment) : sums.sum;
  if (Value common = multiply(factored.common))
    total = make<arith::MulFOp>(total, common);
  root.getResult().replaceAllUsesWith(total);
}

/// Finds sums that are moments of other ones, which are none.
void SumFactorer::findMoments(MutableArrayRef<Factored> all) {
  for (Factored &sum : all)
    for (Factored &other : all) {
      if (&sum == &other || other.moment || sum.moment)
        continue;
      if (auto moment = slp::momentOf(sum.terms, other.terms)) {
        sum.terms = other.terms;
        sum.common.constant.multiply(moment->step,
                                     APFloat::rmNearestTiesToEven);
        sum.moment = std::move(moment);
      }
    }
}

void SumFactorer::run() {
  SmallVector<Factored, 0> all;
  for (const VectorSum &sum : sums) {
    Factored factored = factor(sum);
    // Terms without factors of their own: a sum of ones.
    if (llvm::any_of(factored.terms,
                     [](const Product &term) { return term.factors.empty(); }))
      factored.terms.clear();
    llvm::SmallPtrSet<void *, 32> seen;
    for (const Product &term : factored.terms)
      for (Value factor : term.factors)
        numSums[factor] += seen.insert(factor.getAsOpaquePointer()).second;
    all.push_back(std::move(factored));
  }
  findMoments(all);
  for (auto [sum, factored] : llvm::zip(sums, all))
    if (!factored.terms.empty())
      write(sum, factored);
}

void slp::factorSums(ArrayRef<VectorSum> sums, OpBuilder &builder) {
  SumFactorer(sums, builder).run();
}
