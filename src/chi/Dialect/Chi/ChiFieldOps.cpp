//===- ChiFieldOps.cpp - Access to fields ---------------------------------===//

#include "chi/Dialect/Chi/ChiDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace chi::ir;

/// Fails if some of the lanes differ in number.
static LogicalResult verifyLanes(Operation *op, ValueRange values,
                                 int64_t &lanes) {
  for (Value value : values) {
    int64_t count = value ? lanesOf(value.getType()) : 0;
    if (count && lanes && count != lanes)
      return op->emitOpError("mixes ")
             << lanes << " lanes with " << count;
    lanes = std::max(lanes, count);
  }
  return success();
}

/// A row starts at one place and has a length.
static LogicalResult verifyRow(FieldAccessOpInterface op, Type value) {
  auto hasLanes = [](Value place) {
    return place && lanesOf(place.getType()) != 0;
  };
  if (!isa<LoadOp, AccumOp>(op.getOperation()))
    return op->emitOpError("is no load or accumulation, but has a row");
  if (llvm::any_of(op.getIndices(), hasLanes) ||
      hasLanes(op.getDynamicComponent()))
    return op->emitOpError("starts a row at several places");
  Value mask = op.getMask();
  if (mask && (!isa<AccumOp>(op.getOperation()) ||
               lanesOf(mask.getType()) != lanesOf(value) ||
               !matchPattern(mask, m_Constant())))
    return op->emitOpError("has a row, but a mask that is not a constant of as "
                           "many lanes on an accumulation");
  if (lanesOf(value) < 2)
    return op->emitOpError("has a row of ") << lanesOf(value) << " lanes";
  return success();
}

/// A mask needs lanes; a value has lanes if, and only if, the place has some
/// or there is a mask.
static LogicalResult verifyAccessLanes(FieldAccessOpInterface op, Type value) {
  int64_t lanes = 0;
  if (op->hasAttr(kRowAttr))
    return verifyRow(op, value);
  if (failed(verifyLanes(op, op.getIndices(), lanes)) ||
      failed(verifyLanes(op, {op.getDynamicComponent(), op.getMask()}, lanes)))
    return failure();
  if (lanesOf(value) != lanes)
    return op->emitOpError("has ") << lanes << " lanes, but its value has "
                                   << lanesOf(value);
  return success();
}

/// What holds of every access: as many indices as axes, a component that
/// exists, and values of the field's scalar type, or lanes of it.
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
  if (failed(verifyAccessLanes(op, value)))
    return failure();
  if (getElementTypeOrSelf(value) != field.getScalar())
    return op->emitOpError(verb)
           << " " << value << ", but the field holds " << field.getScalar();
  return success();
}

LogicalResult LoadOp::verify() {
  return verifyAccess(*this, getResult().getType(), "loads");
}

LogicalResult StoreOp::verify() {
  return verifyAccess(*this, getValue().getType(), "stores");
}

LogicalResult AccumOp::verify() {
  if (failed(verifyAccess(*this, getValue().getType(), "accumulates")))
    return failure();
  bool isFloat = isa<FloatType>(getElementTypeOrSelf(getValue().getType()));
  switch (getKind()) {
  case AccumKind::add:
  case AccumKind::mul:
  case AccumKind::min:
  case AccumKind::max:
    return success();
  default:
    if (isFloat)
      return emitOpError("`")
             << stringifyAccumKind(getKind()) << "` is for integers";
    return success();
  }
}

LogicalResult AtomicOp::verify() {
  Type type = getValue().getType();
  if (failed(verifyAccess(*this, type, "updates with")))
    return failure();
  if (getResult().getType() != type)
    return emitOpError("returns ") << getResult().getType()
                                   << ", but the field holds " << type;
  if ((getKind() == AtomicKind::cas) != static_cast<bool>(getExpected()))
    return emitOpError("`cas`, and it alone, expects a value");
  if (getExpected() && getExpected().getType() != type)
    return emitOpError("expects ") << getExpected().getType()
                                   << ", but the field holds " << type;
  return success();
}

LogicalResult DimOp::verify() {
  int64_t axis = getAxis();
  if (axis < 0 || axis >= getField().getType().getRank())
    return emitOpError("asks for axis ")
           << axis << " of a rank-" << getField().getType().getRank()
           << " field";
  return success();
}

OpFoldResult DimOp::fold(FoldAdaptor adaptor) {
  // A cast only forgets or learns extents: ask the source where it knows more.
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
