//===- ChiValueOps.cpp - Locals, arithmetic, checks, text -----------------===//

#include "chi/Dialect/Chi/ChiDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace chi::ir;

//===----------------------------------------------------------------------===//
// Locals
//===----------------------------------------------------------------------===//

static LogicalResult verifyLocalAccess(Operation *op, LocalType local,
                                       size_t numIndices, Type value) {
  if (numIndices != local.getShape().size())
    return op->emitOpError("indexes a rank-")
           << local.getShape().size() << " local with " << numIndices
           << " indices";
  if (value != local.getScalar())
    return op->emitOpError("has ")
           << value << ", but the local holds " << local.getScalar();
  return success();
}

LogicalResult GetOp::verify() {
  return verifyLocalAccess(*this, cast<LocalType>(getSlot().getType()),
                           getIndices().size(), getResult().getType());
}

LogicalResult SetOp::verify() {
  return verifyLocalAccess(*this, cast<LocalType>(getSlot().getType()),
                           getIndices().size(), getValue().getType());
}

LogicalResult ScratchOp::verify() {
  if (getSlot().getType().isScratch())
    return success();
  return emitOpError("allocates growing memory of static extent: ")
         << getSlot().getType();
}

LogicalResult ReserveOp::verify() {
  if (getSlot().getType().isScratch())
    return success();
  return emitOpError("reserves memory in a local that does not grow: ")
         << getSlot().getType();
}

//===----------------------------------------------------------------------===//
// Integer arithmetic
//===----------------------------------------------------------------------===//

/// The integer of a constant operand, or nothing.
static std::optional<APInt> constantInt(Attribute attribute) {
  if (auto integer = dyn_cast_or_null<IntegerAttr>(attribute))
    return integer.getValue();
  return std::nullopt;
}

/// Rounds down; INT_MIN // -1 wraps. `rhs` is not zero.
static APInt floorDiv(const APInt &lhs, const APInt &rhs, bool isUnsigned) {
  if (isUnsigned)
    return lhs.udiv(rhs);
  APInt quotient = lhs.sdiv(rhs);
  APInt rest = lhs - quotient * rhs;
  if (!rest.isZero() && rest.isNegative() != rhs.isNegative())
    --quotient;
  return quotient;
}

/// A division may not move above the check of its divisor.
static Speculation::Speculatability divides(Value rhs) {
  return matchPattern(rhs, m_NonZero()) ? Speculation::Speculatable
                                        : Speculation::NotSpeculatable;
}

Speculation::Speculatability FloorDivOp::getSpeculatability() {
  return divides(getRhs());
}

Speculation::Speculatability FloorModOp::getSpeculatability() {
  return divides(getRhs());
}

OpFoldResult FloorDivOp::fold(FoldAdaptor adaptor) {
  std::optional<APInt> rhs = constantInt(adaptor.getRhs());
  if (!rhs || rhs->isZero())
    return {};
  if (rhs->isOne() && rhs->getBitWidth() > 1)
    return getLhs();
  if (std::optional<APInt> lhs = constantInt(adaptor.getLhs()))
    return IntegerAttr::get(getType(), floorDiv(*lhs, *rhs, getIsUnsigned()));
  return {};
}

OpFoldResult FloorModOp::fold(FoldAdaptor adaptor) {
  std::optional<APInt> rhs = constantInt(adaptor.getRhs());
  if (!rhs || rhs->isZero())
    return {};
  if (rhs->isOne() && rhs->getBitWidth() > 1)
    return IntegerAttr::get(getType(), 0);
  if (std::optional<APInt> lhs = constantInt(adaptor.getLhs()))
    return IntegerAttr::get(
        getType(), *lhs - floorDiv(*lhs, *rhs, getIsUnsigned()) * *rhs);
  return {};
}

/// base ** exponent by squaring, wrapping.
static APInt intPower(APInt base, APInt exponent) {
  APInt result(base.getBitWidth(), 1);
  for (; !exponent.isZero(); exponent.lshrInPlace(1)) {
    if (exponent[0])
      result *= base;
    base *= base;
  }
  return result;
}

OpFoldResult IPowOp::fold(FoldAdaptor adaptor) {
  std::optional<APInt> rhs = constantInt(adaptor.getRhs());
  if (!rhs || (!getIsUnsigned() && rhs->isNegative()))
    return {};
  if (rhs->isZero())
    return IntegerAttr::get(getType(), APInt(rhs->getBitWidth(), 1));
  if (rhs->isOne())
    return getLhs();
  if (std::optional<APInt> lhs = constantInt(adaptor.getLhs()))
    return IntegerAttr::get(getType(), intPower(*lhs, *rhs));
  return {};
}

/// A small constant exponent becomes products: x ** 5 = x * (x²)².
LogicalResult IPowOp::canonicalize(IPowOp op, PatternRewriter &rewriter) {
  APInt exponent;
  if (!matchPattern(op.getRhs(), m_ConstantInt(&exponent)) ||
      exponent.isNegative() || exponent.ult(2) || exponent.ugt(64))
    return failure();
  Value base = op.getLhs(), result;
  for (uint64_t rest = exponent.getZExtValue(); rest; rest >>= 1) {
    if (rest & 1)
      result = !result
                   ? base
                   : arith::MulIOp::create(rewriter, op.getLoc(), result, base);
    if (rest > 1)
      base = arith::MulIOp::create(rewriter, op.getLoc(), base, base);
  }
  rewriter.replaceOp(op, result);
  return success();
}

/// Towards zero; past the range the nearest integer, 0 of a NaN.
static APInt saturated(const APFloat &value, unsigned width, bool isUnsigned) {
  APSInt result(width, isUnsigned);
  bool isExact;
  // NaN becomes zero and what does not fit the nearest number.
  (void)value.convertToInteger(result, APFloat::rmTowardZero, &isExact);
  return result;
}

OpFoldResult ToIntOp::fold(FoldAdaptor adaptor) {
  auto value = dyn_cast_or_null<FloatAttr>(adaptor.getOperand());
  auto type = dyn_cast<IntegerType>(getType());
  if (!value || !type)
    return {};
  return IntegerAttr::get(
      type, saturated(value.getValue(), type.getWidth(), getIsUnsigned()));
}

LogicalResult ToIntOp::verify() {
  int64_t from = lanesOf(getOperand().getType()), to = lanesOf(getType());
  if (from != to)
    return emitOpError("makes ") << to << " lanes of " << from;
  return success();
}

namespace {
struct Evaluated {
  APInt value;
  bool overflows;
};
} // namespace

static Evaluated evaluate(OverflowKind kind, const APInt &lhs,
                          const APInt &rhs) {
  bool overflows = false;
  APInt value = kind == OverflowKind::add   ? lhs.sadd_ov(rhs, overflows)
                : kind == OverflowKind::sub ? lhs.ssub_ov(rhs, overflows)
                                            : lhs.smul_ov(rhs, overflows);
  return {value, overflows};
}

OpFoldResult OverflowOp::fold(FoldAdaptor adaptor) {
  std::optional<APInt> lhs = constantInt(adaptor.getLhs());
  std::optional<APInt> rhs = constantInt(adaptor.getRhs());
  Type type = IntegerType::get(getContext(), 1);
  if (rhs && (rhs->isZero() || (getKind() == OverflowKind::mul &&
                                rhs->isOne() && rhs->getBitWidth() > 1)))
    return IntegerAttr::get(type, 0);
  if (!lhs || !rhs)
    return {};
  return IntegerAttr::get(type, evaluate(getKind(), *lhs, *rhs).overflows);
}

OpFoldResult CheckedOp::fold(FoldAdaptor adaptor) {
  std::optional<APInt> lhs = constantInt(adaptor.getLhs());
  std::optional<APInt> rhs = constantInt(adaptor.getRhs());
  bool isMul = getKind() == OverflowKind::mul;
  if (rhs && !isMul && rhs->isZero())
    return getLhs();
  if (!lhs || !rhs)
    return {};
  Evaluated known = evaluate(getKind(), *lhs, *rhs);
  if (known.overflows)
    return {};
  return IntegerAttr::get(getType(), known.value);
}

//===----------------------------------------------------------------------===//
// Random numbers, checks, text
//===----------------------------------------------------------------------===//

// A draw that has no number yet advances the stream of its iteration, so it
// may be neither dropped nor moved over another one.
void RandomOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  if (getDraw())
    return;
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}

LogicalResult RandomOp::verify() {
  bool isNumbered = getLoop().has_value();
  for (Value operand :
       {getOrdinal(), getLaunchIndex(), getIteration(), getDraw()})
    if (bool(operand) != isNumbered)
      return emitOpError("has only some of the operands of its number");
  return success();
}

LogicalResult IterationOp::verify() {
  if (!(*this)->getParentOfType<TaskOp>() &&
      !(*this)->getParentOfType<ParallelOp>())
    return emitOpError("is not in a parallel loop");
  return success();
}

LogicalResult CheckOp::verify() {
  int64_t lanes = lanesOf(getOk().getType());
  auto fits = [&](Value value) {
    int64_t count = lanesOf(value.getType());
    return count == 0 || count == lanes;
  };
  if ((getMask() && !lanesOf(getOk().getType())) ||
      (getMask() && !fits(getMask())) || !llvm::all_of(getValues(), fits))
    return emitOpError("has a condition of ")
           << lanes << " lanes, but other lanes in its values or mask";
  return success();
}

LogicalResult CheckOp::canonicalize(CheckOp op, PatternRewriter &rewriter) {
  if (!matchPattern(op.getOk(), m_One()))
    return failure();
  rewriter.eraseOp(op);
  return success();
}

/// Each part is a text or a dictionary that takes `count` values.
static LogicalResult verifyParts(Operation *op, ArrayAttr parts,
                                 ValueRange values) {
  size_t taken = 0, numValues = values.size();
  for (Attribute part : parts) {
    if (isa<StringAttr>(part))
      continue;
    auto value = dyn_cast<DictionaryAttr>(part);
    if (!value)
      return op->emitOpError("has a part that is neither a text nor a value: ")
             << part;
    auto type = value.getAs<StringAttr>("type");
    auto shape = value.getAs<DenseI64ArrayAttr>("shape");
    if (!type || !shape)
      return op->emitOpError("has a value without `type` or `shape`: ") << part;
    size_t count = 1;
    for (int64_t extent : shape.asArrayRef())
      count *= extent;
    bool isNumber = type.getValue() == "str" && taken < numValues &&
                    values[taken].getType().isInteger();
    if (isNumber && !value.getAs<ArrayAttr>(kTextsAttr))
      return op->emitOpError("has the number of a str without `texts`: ")
             << part;
    taken += count;
  }
  if (taken != numValues)
    return op->emitOpError("has parts for ")
           << taken << " values, but is given " << numValues;
  return success();
}

LogicalResult PrintOp::verify() {
  return verifyParts(*this, getParts(), getValues());
}

LogicalResult FormatOp::verify() {
  return verifyParts(*this, getParts(), getValues());
}
