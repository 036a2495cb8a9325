//===- RowsScatter.cpp - Common factors of added rows ---------------------===//
// A particle adds to rows of its neighbours a weight of the row, times weights
// along the row, times a sum of what all rows share and of what some do. The
// weights along the row are the same in all of them: multiplied into the terms
// of the sums, of which there are fewer than rows, they are multiplied less
// often, and each row needs one more fused multiply-add.
#include "chi/Transforms/SLP/Rows.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace chi;
using namespace chi::slp;

namespace {
/// The addend of a row: `common`, which all rows share, times scalars, times
/// the sum of the terms (one, if there are none).
struct FactoredRow {
  ir::AccumOp op;
  SmallVector<Value> scalars;
  SmallVector<VectorProduct> terms;
};

/// Rows of one length.
class RowFactorer {
public:
  RowFactorer(SmallVector<ir::AccumOp> rows, OpBuilder &builder)
      : builder(builder), loc(rows.front().getLoc()),
        type(cast<VectorType>(rows.front().getValue().getType())),
        common{APFloat::getOne(semantics()), {}} {
    for (ir::AccumOp row : rows)
      this->rows.push_back({row, {}, {}});
  }
  void run();

private:
  bool split();
  bool splitRest(FactoredRow &row, ArrayRef<Value> rest);
  bool pays();
  void write(FactoredRow &row);
  Value sumOf(FactoredRow &row);
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
  SmallVector<FactoredRow> rows;
  VectorProduct common;
  Value ofCommon;
  using Key = std::vector<void *>;
  std::map<Key, unsigned> uses; ///< rows that have a term
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

/// Finds the common factors of all rows, and the rest of each row. False if the
/// rest of one is more than scalars and a sum.
bool RowFactorer::split() {
  SmallVector<VectorProduct> all;
  for (FactoredRow &row : rows)
    all.push_back(factorsOf(row.op.getValue()));
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
  for (auto [row, product] : llvm::zip(rows, all)) {
    for (Value factor : common.factors)
      product.factors.erase(llvm::find(product.factors, factor));
    if (!splitRest(row, product.factors))
      return false;
  }
  return true;
}

bool RowFactorer::splitRest(FactoredRow &row, ArrayRef<Value> rest) {
  for (Value factor : rest) {
    if (!isa<VectorType>(factor.getType())) {
      row.scalars.push_back(factor);
      continue;
    }
    if (!row.terms.empty())
      return false;
    termsOf(factor, row.terms);
  }
  return true;
}

/// Are there fewer products with the common factors than rows, which have one
/// each?
bool RowFactorer::pays() {
  for (FactoredRow &row : rows) {
    for (VectorProduct &term : row.terms) {
      scaled[keyOf(term, /*onlyVectors=*/true)];
      ++uses[keyOf(term)];
    }
    if (row.terms.empty())
      scaled[{}];
  }
  return scaled.size() < rows.size();
}

Value RowFactorer::spread(Value scalar) {
  Value &known = spreads[scalar];
  return known
             ? known
             : known = vector::BroadcastOp::create(builder, loc, type, scalar);
}

Value RowFactorer::number(const APFloat &value) {
  return arith::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(
          type, builder.getFloatAttr(type.getElementType(), value)));
}

Value RowFactorer::multiply(Value left, Value right) {
  Value &known = products[{left, right}];
  return known
             ? known
             : known = arith::MulFOp::create(builder, loc, left, right, flags);
}

/// Keeps LLVM from factoring the product out again.
Value RowFactorer::add(Value left, Value right) {
  Value &known = sums[{left, right}];
  return known ? known
               : known = arith::AddFOp::create(
                     builder, loc, left, right,
                     flags & ~arith::FastMathFlags::reassoc);
}

/// The vectors of a term, times the common factors: once for all rows.
Value RowFactorer::withCommon(const VectorProduct &term) {
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

Value RowFactorer::ofTerm(const VectorProduct &term) {
  Value result = withCommon(term);
  if (!term.constant.isExactlyValue(1.0))
    result = multiply(result, number(term.constant));
  Value scalar;
  for (Value factor : term.factors)
    if (!isa<VectorType>(factor.getType()))
      scalar = scalar ? multiply(scalar, factor) : factor;
  return scalar ? multiply(result, spread(scalar)) : result;
}

/// The terms of most rows come first, so that they are added once.
Value RowFactorer::sumOf(FactoredRow &row) {
  SmallVector<const VectorProduct *> order;
  for (const VectorProduct &term : row.terms)
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

void RowFactorer::write(FactoredRow &row) {
  builder.setInsertionPoint(row.op);
  Value result = sumOf(row), scalar;
  for (Value factor : row.scalars)
    scalar = scalar ? multiply(scalar, factor) : factor;
  if (scalar)
    result = multiply(spread(scalar), result);
  row.op.getValueMutable().assign(result);
}

void RowFactorer::run() {
  auto product = rows.front().op.getValue().getDefiningOp<arith::MulFOp>();
  if (!product || !split() || !pays())
    return;
  flags = product.getFastmath();
  for (FactoredRow &row : rows)
    write(row);
}

void slp::factorRows(ArrayRef<ir::AccumOp> rows, OpBuilder &builder) {
  constexpr size_t kFewRows = 3;
  llvm::MapVector<std::pair<Value, Type>, SmallVector<ir::AccumOp>> groups;
  for (ir::AccumOp row : rows)
    if (row.getKind() == ir::AccumKind::add &&
        isa<FloatType>(getElementTypeOrSelf(row.getValue().getType())))
      groups[{row.getField(), row.getValue().getType()}].push_back(row);
  for (auto &[key, group] : groups)
    if (group.size() >= kFewRows)
      RowFactorer(group, builder).run();
}
