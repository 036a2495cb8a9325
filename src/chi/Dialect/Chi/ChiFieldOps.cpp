//===- ChiFieldOps.cpp - Access to fields ---------------------------------===//

#include "chi/Dialect/Chi/Accumulations.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace chi::ir;

/// Fails if some of the lanes differ in number.
static LogicalResult verifyLanes(Operation *op, ValueRange values,
                                 int64_t &lanes) {
  for (Value value : values) {
    int64_t count = value ? lanesOf(value.getType()) : 0;
    if (count && lanes && count != lanes)
      return op->emitOpError("mixes ") << lanes << " lanes with " << count;
    lanes = std::max(lanes, count);
  }
  return success();
}

/// Contiguous lanes start at one place, and there are several.
static LogicalResult verifyContiguous(FieldAccessOpInterface op, Type value) {
  auto hasLanes = [](Value number) {
    return number && lanesOf(number.getType()) != 0;
  };
  if (!isa<LoadOp, StoreOp, AccumOp>(op.getOperation()))
    return op->emitOpError(
        "is contiguous, but not a load, store or accumulation");
  if (llvm::any_of(op.getIndices(), hasLanes) ||
      hasLanes(op.getDynamicComponent()))
    return op->emitOpError("is contiguous, but has indices with lanes");
  Value mask = op.getMask();
  if (mask && (!isa<AccumOp>(op.getOperation()) ||
               lanesOf(mask.getType()) != lanesOf(value) ||
               !matchPattern(mask, m_Constant())))
    return op->emitOpError(
        "is contiguous, but has a mask that is not a constant "
        "of as many lanes on an accumulation");
  if (lanesOf(value) < 2)
    return op->emitOpError("is contiguous, but has ")
           << lanesOf(value) << " lanes";
  return success();
}

/// A mask needs lanes; a value has lanes if, and only if, the place has some
/// or there is a mask.
static LogicalResult verifyAccessLanes(FieldAccessOpInterface op, Type value) {
  int64_t lanes = 0;
  if (op.getContiguous())
    return verifyContiguous(op, value);
  if (failed(verifyLanes(op, op.getIndices(), lanes)) ||
      failed(verifyLanes(op, {op.getDynamicComponent(), op.getMask()}, lanes)))
    return failure();
  if (lanesOf(value) != lanes)
    return op->emitOpError("has ")
           << lanes << " lanes, but its value has " << lanesOf(value);
  return success();
}

/// The attributes of an access refer to axes that it has.
static LogicalResult verifyAxes(FieldAccessOpInterface op) {
  int64_t rank = op.getIndices().size();
  if (IntegerAttr axes = op.getUnsignedAxesAttr())
    if (axes.getInt() < 0 || axes.getInt() >> rank != 0)
      return op->emitOpError("has unsigned axes past its ") << rank;
  IntegerAttr unit = op.getUnitAxisAttr();
  if (unit && (unit.getInt() < 0 || unit.getInt() >= rank ||
               !lanesOf(op.getIndices()[unit.getInt()].getType())))
    return op->emitOpError("has unit axis ")
           << unit.getInt() << ", whose index has no lanes";
  if (op.getReversed() && !unit)
    return op->emitOpError("is reversed, but has no unit axis");
  return success();
}

/// Every access has as many indices as axes, a component that exists, and
/// values of the field's scalar type, or lanes of it.
static LogicalResult verifyAccess(FieldAccessOpInterface op, Type value,
                                  StringRef verb) {
  FieldType field = op.getField().getType();
  if (static_cast<int64_t>(op.getIndices().size()) != field.getRank())
    return op->emitOpError("indexes a rank-")
           << field.getRank() << " field with " << op.getIndices().size()
           << " indices";
  if (static_cast<int64_t>(op.getComponent()) >= field.getNumComponents())
    return op->emitOpError("names component ")
           << op.getComponent() << " of an element of "
           << field.getNumComponents();
  if (failed(verifyAccessLanes(op, value)) || failed(verifyAxes(op)))
    return failure();
  if (getElementTypeOrSelf(value) != field.getScalar())
    return op->emitOpError(verb)
           << " " << value << ", but the field holds " << field.getScalar();
  return success();
}

LogicalResult LoadOp::verify() {
  if (failed(verifyAccess(*this, getResult().getType(), "loads")))
    return failure();
  if (!getPackedAttr())
    return success();
  auto loop = dyn_cast<scf::ForOp>((*this)->getParentOp());
  if (!loop || !loop.getStaticTripCount() || !lanesOf(getResult().getType()))
    return emitOpError("is packed, but does not load lanes in a counted loop");
  return success();
}

LogicalResult StoreOp::verify() {
  return verifyAccess(*this, getValue().getType(), "stores");
}

LogicalResult AccumOp::verify() {
  if (failed(verifyAccess(*this, getValue().getType(), "accumulates")))
    return failure();
  if (getReduction() && (getStrategy() != AccumStrategy::deterministic ||
                         getReduction()->size() != 2))
    return emitOpError("has a `reduction` that is not two numbers, or another "
                       "strategy than `deterministic`");
  if (isa<FloatType>(getElementTypeOrSelf(getValue().getType())) &&
      !hasFloats(getKind()))
    return emitOpError("`")
           << stringifyAccumKind(getKind()) << "` is for integers";
  return success();
}

LogicalResult AtomicOp::verify() {
  Type type = getValue().getType();
  if (failed(verifyAccess(*this, type, "updates with")))
    return failure();
  if (getResult().getType() != type)
    return emitOpError("returns ")
           << getResult().getType() << ", but the field holds " << type;
  if ((getKind() == AtomicKind::cas) != static_cast<bool>(getExpected()))
    return emitOpError(
        "requires an expected value for `cas`, and for no other kind");
  if (getExpected() && getExpected().getType() != type)
    return emitOpError("expects ")
           << getExpected().getType() << ", but the field holds " << type;
  return success();
}

// The two enumerations have the same numbers, except for those of sub and mul.
std::optional<AccumKind> chi::ir::accumKindOf(AtomicKind kind) {
  switch (kind) {
  case AtomicKind::exchange:
  case AtomicKind::cas:
  case AtomicKind::load:
    return std::nullopt;
  case AtomicKind::sub:
    return AccumKind::add;
  default:
    return static_cast<AccumKind>(kind);
  }
}

/// An update whose result is unused is an accumulation, which can be executed
/// in better ways than one by one.
LogicalResult AtomicOp::canonicalize(AtomicOp op, PatternRewriter &rewriter) {
  std::optional<AccumKind> kind = accumKindOf(op.getKind());
  if (!kind || !op.use_empty())
    return failure();
  Value value = op.getValue();
  if (op.getKind() == AtomicKind::sub)
    value = negated(rewriter, op.getLoc(), value);
  auto accum = AccumOp::create(
      rewriter, op.getLoc(), AccumKindAttr::get(op.getContext(), *kind), value,
      op.getField(), op.getIndices(), op.getDynamic(), op.getComponentAttr(),
      op.getInboundsAttr(),
      // Atomic, as before, until a strategy is chosen.
      AccumStrategyAttr::get(op.getContext(), AccumStrategy::atomic));
  if (Value mask = op.getMask())
    accum.getMaskMutable().assign(mask);
  accum.setFieldNameAttr(op.getFieldNameAttr());
  accum.setUnsignedAxesAttr(op.getUnsignedAxesAttr());
  rewriter.eraseOp(op);
  return success();
}

LogicalResult DimOp::verify() {
  int64_t axis = getAxis();
  if (axis < 0 || axis >= getField().getType().getRank())
    return emitOpError("queries axis ")
           << axis << " of a rank-" << getField().getType().getRank()
           << " field";
  return success();
}

OpFoldResult DimOp::fold(FoldAdaptor adaptor) {
  // A cast only forgets or adds extents: use the source where its type has
  // more.
  if (auto cast = getField().getDefiningOp<CastFieldOp>())
    if (getField().getType().isDynamicDim(getAxis())) {
      getFieldMutable().assign(cast.getField());
      return getResult();
    }
  FieldType field = getField().getType();
  if (field.isDynamicDim(getAxis()))
    return {};
  return IntegerAttr::get(getType(), field.getShape()[getAxis()]);
}
