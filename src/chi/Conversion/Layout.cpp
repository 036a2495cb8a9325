//===- Layout.cpp - Where the scalars of a field lie ----------------------===//

#include "chi/Conversion/Layout.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv;

Type chi::conv::memoryType(Type scalar) {
  return scalar.isInteger(1) ? IntegerType::get(scalar.getContext(), 8)
                             : scalar;
}

Value chi::conv::toMemory(Emitter &emit, Value value) {
  if (!value.getType().isInteger(1))
    return value;
  return emit.builder.createOrFold<arith::ExtUIOp>(
      emit.loc, emit.builder.getI8Type(), value);
}

Value chi::conv::fromMemory(Emitter &emit, Value value, Type scalar) {
  return scalar.isInteger(1) ? emit.cast(value, scalar) : value;
}

Value chi::conv::elementsOf(Emitter &emit, const FieldView &field) {
  if (std::optional<int64_t> count = field.type.getNumElements())
    return emit.index(*count);
  Value count = emit.index(1);
  for (Value extent : field.extents)
    count = emit.mul(count, extent);
  return count;
}

/// Where the handle knows the strides alone.
static Value stridedOffset(Emitter &emit, const FieldView &field,
                           ValueRange indices, Value dynamic,
                           int64_t component) {
  Value offset = field.offset ? field.offset : emit.index(0);
  for (auto [index, stride] : llvm::zip(indices, field.strides))
    offset = emit.add(offset, emit.mul(emit.toIndex(index), stride));
  if (field.type.getNumComponents() == 1 && !dynamic)
    return offset;
  Value part = emit.index(component);
  if (dynamic)
    part = emit.add(emit.toIndex(dynamic), part);
  // One component alone has no stride, and the number 0.
  if (field.type.getNumComponents() == 1)
    return emit.add(offset, part);
  return emit.add(offset, emit.mul(part, field.strides.back()));
}

Value chi::conv::scalarOffset(Emitter &emit, const FieldView &field,
                              ValueRange indices, Value dynamic,
                              int64_t component) {
  if (ir::isStrided(field.type))
    return stridedOffset(emit, field, indices, dynamic, component);
  Value element;
  for (int64_t axis : ir::memoryOrder(field.type)) {
    Value position = emit.toIndex(indices[axis]);
    element = element
                  ? emit.add(emit.mul(element, field.extents[axis]), position)
                  : position;
  }
  if (!element)
    element = emit.index(0);
  int64_t components = field.type.getNumComponents();
  if (components == 1 && !dynamic)
    return element;
  Value part = emit.index(component);
  if (dynamic)
    part = emit.add(emit.toIndex(dynamic), part);
  if (field.type.getIsSoA())
    return emit.add(emit.mul(part, elementsOf(emit, field)), element);
  return emit.add(emit.mul(element, emit.index(components)), part);
}

Value chi::conv::loadData(Emitter &emit, Value handle) {
  return emit.load(emit.ptrType(), handle);
}

Value chi::conv::loadCurrent(Emitter &emit, Value handle) {
  LLVM::LLVMStructType field = llvmTypeOf(emit.context(), RuntimeStruct::Field);
  return emit.load(emit.builder.getI32Type(),
                   emit.member(handle, field, kFieldCurrent));
}

/// Reads a number of an array in the handle.
static Value loadElement(Emitter &emit, Value handle, int32_t member,
                         int64_t number) {
  Value address = LLVM::GEPOp::create(
      emit.builder, emit.loc, emit.ptrType(),
      llvmTypeOf(emit.context(), RuntimeStruct::Field), handle,
      ArrayRef<LLVM::GEPArg>{0, member, static_cast<int32_t>(number)},
      LLVM::GEPNoWrapFlags::inbounds);
  return emit.load(emit.builder.getI64Type(), address);
}

Value chi::conv::loadExtent(Emitter &emit, Value handle, int64_t axis) {
  return loadElement(emit, handle, kFieldExtents, axis);
}

Value chi::conv::loadStride(Emitter &emit, Value handle, ir::FieldType type,
                            int64_t axis) {
  if (axis < type.getRank())
    return loadElement(emit, handle, kFieldStrides, axis);
  LLVM::LLVMStructType field = llvmTypeOf(emit.context(), RuntimeStruct::Field);
  return emit.load(emit.builder.getI64Type(),
                   emit.member(handle, field, kFieldComponentStride));
}
