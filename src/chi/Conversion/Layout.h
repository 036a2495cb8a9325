//===- Layout.h - Where the scalars of a field lie --------------*- C++ -*-===//
#ifndef CHI_CONVERSION_LAYOUT_H
#define CHI_CONVERSION_LAYOUT_H

#include "chi/Conversion/Emitter.h"
#include "chi/Conversion/RuntimeTypes.h"
#include "chi/Dialect/Chi/Scalars.h"

namespace chi::conv {

/// How a scalar lies in memory: a bool is a byte.
mlir::Type memoryType(mlir::Type scalar);
using ir::byteSize;
/// Converts a scalar to its form in memory: a bool is extended to a byte.
mlir::Value toMemory(Emitter &emit, mlir::Value value);
/// Converts a scalar in memory to its form as a value of type `scalar`.
mlir::Value fromMemory(Emitter &emit, mlir::Value value, mlir::Type scalar);

/// A field where its memory and extents are known as values.
struct FieldView {
  ir::FieldType type;
  mlir::Value data; ///< flat memref, or a pointer in host code
  llvm::SmallVector<mlir::Value> extents; ///< `index`, one an axis
};

/// Number of elements, as an index.
mlir::Value elementsOf(Emitter &emit, const FieldView &field);

/// Offset in scalars from the start of the field's memory. `dynamic` may be
/// null; it is added to `component`.
mlir::Value scalarOffset(Emitter &emit, const FieldView &field,
                         mlir::ValueRange indices, mlir::Value dynamic,
                         int64_t component);

/// Reads `field->data`; `handle` is a pointer.
mlir::Value loadData(Emitter &emit, mlir::Value handle);
/// Reads `field->current` as i32: which copies of the elements are.
mlir::Value loadCurrent(Emitter &emit, mlir::Value handle);
/// Reads `field->extents[axis]` as i64.
mlir::Value loadExtent(Emitter &emit, mlir::Value handle, int64_t axis);

} // namespace chi::conv
#endif // CHI_CONVERSION_LAYOUT_H
