//===- Element.cpp - The scalar of a field that an access names -----------===//
#include "chi/AD/Prologue/Element.h"

using namespace mlir;
using namespace chi;
using namespace chi::ad::prologue;

Element::Element(ir::FieldAccessOpInterface access,
                 function_ref<Value(Value)> valueOf)
    : loc(access.getLoc()), fieldName(access.getFieldNameAttr()),
      unsignedAxes(access.getUnsignedAxesAttr()) {
  Builder b(access.getContext());
  component = b.getI64IntegerAttr(access.getComponent());
  for (Value index : access.getIndices())
    indices.push_back(valueOf(index));
  if (Value number = access.getDynamicComponent())
    dynamic = valueOf(number);
}

template <typename Op> Op Element::named(Op op) const {
  ir::FieldAccessOpInterface made = op;
  made.setFieldNameAttr(fieldName);
  made.setUnsignedAxesAttr(unsignedAxes);
  return op;
}

Value Element::load(OpBuilder &b, Value field) const {
  auto type = cast<ir::FieldType>(field.getType());
  return named(ir::LoadOp::create(b, loc, type.getScalar(), field, indices,
                                  dynamic, component, b.getUnitAttr()));
}

ir::StoreOp Element::store(OpBuilder &b, Value value, Value field) const {
  return named(ir::StoreOp::create(b, loc, value, field, indices, dynamic,
                                   component, b.getUnitAttr()));
}

void Element::accumulate(OpBuilder &b, ir::AccumKind kind, Value value,
                         Value field) const {
  named(ir::AccumOp::create(
      b, loc, ir::AccumKindAttr::get(b.getContext(), kind), value, field,
      indices, dynamic, component, b.getUnitAttr(), ir::AccumStrategyAttr()));
}

ir::FieldType chi::ad::prologue::withScalar(ir::FieldType field, Type scalar) {
  MLIRContext *context = field.getContext();
  Type element = scalar;
  if (auto vec = dyn_cast<ir::VecType>(field.getElement()))
    element = ir::VecType::get(context, vec.getSize(), scalar);
  else if (auto mat = dyn_cast<ir::MatType>(field.getElement()))
    element =
        ir::MatType::get(context, mat.getRows(), mat.getColumns(), scalar);
  return ir::FieldType::get(context, field.getShape(), element,
                            field.getIsSoA(), field.getOrder());
}

Value chi::ad::prologue::companionOf(OpBuilder &b, ir::TaskOp task, Value field,
                                     DenseMap<Value, Value> &known) {
  if (Value made = known.lookup(field))
    return made;
  auto cast = field.getDefiningOp<ir::CastFieldOp>();
  Value inner = companionOf(b, task, cast.getField(), known);
  auto from = mlir::cast<ir::FieldType>(inner.getType());
  auto type = ir::FieldType::get(
      b.getContext(), mlir::cast<ir::FieldType>(field.getType()).getShape(),
      from.getElement(), from.getIsSoA(), from.getOrder());
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&task.getBody().front());
  Value made = ir::CastFieldOp::create(b, field.getLoc(), type, inner);
  known[field] = made;
  return made;
}
