//===- PacksScatter.cpp - Common factors of added packs -------------------===//
// A particle adds to packs of its neighbours a weight of the pack, times
// weights along the pack, times a sum of what all packs share and of what some
// do. The weights along the pack are the same in all of them: multiplied into
// the terms of the sums, of which there are fewer than packs, they are
// multiplied less often, and each pack needs one more fused multiply-add.
#include "chi/Transforms/SLP/SLP.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace chi;
using namespace chi::slp;

namespace {
/// The addend of a pack: `common`, which all packs share, times scalars, times
/// the sum of the terms (one, if there are none).
struct FactoredPack {
  ir::AccumOp op;
  SmallVector<Value> scalars;
  SmallVector<VectorProduct> terms;
};

/// Packs of one length.
class PackFactorer {
public:
  PackFactorer(SmallVector<ir::AccumOp> packs, OpBuilder &builder)
      : builder(builder), loc(packs.front().getLoc()),
        type(cast<VectorType>(packs.front().getValue().getType())),
        common{APFloat::getOne(semantics()), {}} {
    for (ir::AccumOp pack : packs)
      this->packs.push_back({pack, {}, {}});
  }
  void run();

private:
  bool split();
  bool splitRest(FactoredPack &pack, ArrayRef<Value> rest);
  bool pays();
  void write(FactoredPack &pack);
  Value sumOf(FactoredPack &pack);
  Value ofTerm(const VectorProduct &term);
  Value withCommon(const VectorProduct &term);
  Value spread(Value scalar);
  Value number(const APFloat &value);
  Value multiply(Value left, Value right);
  Value add(Value left, Value right);

  const llvm::fltSemantics &semantics() {
    return cast<FloatType>(type.getElementType()).getFloatSemantics();
  }

  OpBuilder &builder;
  Location loc;
  VectorType type;
  arith::FastMathFlags flags = arith::FastMathFlags::none;
  SmallVector<FactoredPack> packs;
  VectorProduct common;
  Value ofCommon;
  using Key = std::vector<void *>;
  std::map<Key, unsigned> uses; ///< packs that have a term
  std::map<Key, Value> scaled;  ///< vectors of terms, times the common factors
  llvm::DenseMap<std::pair<Value, Value>, Value> products, sums;
  llvm::DenseMap<Value, Value> spreads;
};
} // namespace

/// The factors of a term, or those of them that are vectors.
static std::vector<void *> keyOf(const VectorProduct &term,
                                 bool onlyVectors = false) {
  std::vector<void *> key;
  for (Value factor : term.factors)
    if (!onlyVectors || isa<VectorType>(factor.getType()))
      key.push_back(factor.getAsOpaquePointer());
  return key;
}

/// The terms of a sum, as far as they may be added in another order.
static void termsOf(Value value, SmallVectorImpl<VectorProduct> &terms) {
  constexpr size_t kMostTerms = 8;
  auto sum = value.getDefiningOp<arith::AddFOp>();
  if (!sum || terms.size() >= kMostTerms ||
      !arith::bitEnumContainsAll(sum.getFastmath(),
                                 arith::FastMathFlags::reassoc))
    return terms.push_back(factorsOf(value));
  termsOf(sum.getLhs(), terms);
  termsOf(sum.getRhs(), terms);
}

/// Finds the common factors of all packs, and the rest of each pack. False if
/// the rest of one is more than scalars and a sum.
bool PackFactorer::split() {
  SmallVector<VectorProduct> all;
  for (FactoredPack &pack : packs)
    all.push_back(factorsOf(pack.op.getValue()));
  for (Value factor : all.front().factors)
    if (isa<VectorType>(factor.getType()) &&
        !llvm::is_contained(common.factors, factor) &&
        llvm::all_of(all, [&](const VectorProduct &each) {
          return llvm::is_contained(each.factors, factor);
        }))
      common.factors.push_back(factor);
  common.constant = all.front().constant;
  if (common.factors.empty() ||
      !llvm::all_of(all, [&](const VectorProduct &each) {
        return each.constant.bitwiseIsEqual(common.constant);
      }))
    return false;
  for (auto [pack, product] : llvm::zip(packs, all)) {
    for (Value factor : common.factors)
      product.factors.erase(llvm::find(product.factors, factor));
    if (!splitRest(pack, product.factors))
      return false;
  }
  return true;
}

bool PackFactorer::splitRest(FactoredPack &pack, ArrayRef<Value> rest) {
  for (Value factor : rest) {
    if (!isa<VectorType>(factor.getType())) {
      pack.scalars.push_back(factor);
      continue;
    }
    if (!pack.terms.empty())
      return false;
    termsOf(factor, pack.terms);
  }
  return true;
}

/// Are there fewer products with the common factors than packs, which have one
/// each?
bool PackFactorer::pays() {
  for (FactoredPack &pack : packs) {
    for (VectorProduct &term : pack.terms) {
      scaled[keyOf(term, /*onlyVectors=*/true)];
      ++uses[keyOf(term)];
    }
    if (pack.terms.empty())
      scaled[{}];
  }
  return scaled.size() < packs.size();
}

Value PackFactorer::spread(Value scalar) {
  Value &known = spreads[scalar];
  return known
             ? known
             : known = vector::BroadcastOp::create(builder, loc, type, scalar);
}

Value PackFactorer::number(const APFloat &value) {
  return arith::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(
          type, builder.getFloatAttr(type.getElementType(), value)));
}

Value PackFactorer::multiply(Value left, Value right) {
  Value &known = products[{left, right}];
  return known
             ? known
             : known = arith::MulFOp::create(builder, loc, left, right, flags);
}

/// Keeps LLVM from factoring the product out again.
Value PackFactorer::add(Value left, Value right) {
  Value &known = sums[{left, right}];
  return known ? known
               : known = arith::AddFOp::create(
                     builder, loc, left, right,
                     flags & ~arith::FastMathFlags::reassoc);
}

/// The vectors of a term, times the common factors: once for all packs.
Value PackFactorer::withCommon(const VectorProduct &term) {
  Value &known = scaled[keyOf(term, /*onlyVectors=*/true)];
  if (known)
    return known;
  if (!ofCommon) {
    for (Value factor : common.factors)
      ofCommon = ofCommon ? multiply(ofCommon, factor) : factor;
    if (!common.constant.isExactlyValue(1.0))
      ofCommon = multiply(ofCommon, number(common.constant));
  }
  known = ofCommon;
  for (Value factor : term.factors)
    if (isa<VectorType>(factor.getType()))
      known = multiply(known, factor);
  return known;
}

Value PackFactorer::ofTerm(const VectorProduct &term) {
  Value result = withCommon(term);
  if (!term.constant.isExactlyValue(1.0))
    result = multiply(result, number(term.constant));
  Value scalar;
  for (Value factor : term.factors)
    if (!isa<VectorType>(factor.getType()))
      scalar = scalar ? multiply(scalar, factor) : factor;
  return scalar ? multiply(result, spread(scalar)) : result;
}

/// The terms of most packs come first, so that they are added once.
Value PackFactorer::sumOf(FactoredPack &pack) {
  SmallVector<const VectorProduct *> order;
  for (const VectorProduct &term : pack.terms)
    order.push_back(&term);
  llvm::sort(order, [&](const VectorProduct *a, const VectorProduct *b) {
    unsigned left = uses[keyOf(*a)], right = uses[keyOf(*b)];
    return left != right ? left > right : a < b;
  });
  Value result;
  for (const VectorProduct *term : order) {
    Value next = ofTerm(*term);
    result = result ? add(result, next) : next;
  }
  return result ? result : withCommon({APFloat::getOne(semantics()), {}});
}

void PackFactorer::write(FactoredPack &pack) {
  builder.setInsertionPoint(pack.op);
  Value result = sumOf(pack), scalar;
  for (Value factor : pack.scalars)
    scalar = scalar ? multiply(scalar, factor) : factor;
  if (scalar)
    result = multiply(spread(scalar), result);
  pack.op.getValueMutable().assign(result);
}

void PackFactorer::run() {
  auto product = packs.front().op.getValue().getDefiningOp<arith::MulFOp>();
  if (!product || !split() || !pays())
    return;
  flags = product.getFastmath();
  for (FactoredPack &pack : packs)
    write(pack);
}

void slp::factorPacks(ArrayRef<ir::AccumOp> packs, OpBuilder &builder) {
  constexpr size_t kFewPacks = 3;
  llvm::MapVector<std::pair<Value, Type>, SmallVector<ir::AccumOp>> groups;
  for (ir::AccumOp pack : packs)
    if (pack.getKind() == ir::AccumKind::add &&
        isa<FloatType>(getElementTypeOrSelf(pack.getValue().getType())))
      groups[{pack.getField(), pack.getValue().getType()}].push_back(pack);
  for (auto &[key, group] : groups)
    if (group.size() >= kFewPacks)
      PackFactorer(group, builder).run();
}
