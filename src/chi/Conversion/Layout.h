//===- Layout.h - Where the scalars of a field lie --------------*- C++ -*-===//
// The one place that computes addresses. The rest of the compiler asks these
// questions of a layout, and no others:
//
// - Here, from stage `loops` on: what a field is as values (FieldView), and
//   where a scalar lies in its memory (scalarOffset).
// - In Dialect/Chi/MemoryOrder.h, before: which neighbours lie side by side
//   (innermostAxis, hasAdjacentComponents), in which order a nest should visit
//   the axes (memoryOrder), and whether two fields may share elements of
//   different indices (mayBeShifted). A layout that knows nothing answers
//   "none", "false", the order of the numbers, and "true"; passes then neither
//   vectorise along memory nor copy as a whole.
// - Of the run time: the handle (chirt_field), whose copies are acquired before
//   a launch.
//
// Two kinds of layouts answer today: whole fields in the order of their type,
// which cost no run-time number but extents; and strided fields, views, whose
// strides (and on a device the offset in the memory of their base) are
// arguments.
//
// What a tree of sparse levels would implement:
//
// - FieldView: in place of `strides`, for each level the address of its table
//   (of pointers, masks or lengths) as a memref, bound where `extents` are
//   (TaskLowering::bindCaptured, TaskKernel::fieldView, hostView). Logical
//   indices and extents stay what they are.
// - scalarOffset for a load: descends the levels by the bits of the indices
// that
//   belong to each; where a cell is inactive, the offset of one element of the
//   neutral value that the memory begins with. So a load needs no branch.
// - scalarOffset for a store, accumulation or atomic operation: the same behind
//   a call that activates the cell. It needs the kind of the access
//   (FieldAccessOpInterface::getAccessKind), and the offset may not be moved
//   before a check that guards the access. A loop that is known to stay in one
//   leaf keeps that leaf's offset: an operation of the dialect between
//   `simplified` and `loops`, so that LICM moves it.
// - MemoryOrder.h: innermostAxis is that of the leaves if they are dense, but a
//   contiguous access may not cross the end of a leaf; until accesses state
//   their alignment to leaves, nothing.
// - elementsOf: the number of places of the whole index space. Nothing that
//   copies a field as a whole (private copies, buffers, saves of tapes) may use
//   it for a reduction: these go leaf by leaf in the run time.
// - A topology version in the handle, beside `current`: kernels that run over
//   active cells (domain = active) take a list of leaves that is made again
//   when the version changes.
//===----------------------------------------------------------------------===//
#ifndef CHI_CONVERSION_LAYOUT_H
#define CHI_CONVERSION_LAYOUT_H

#include "chi/Conversion/Emitter.h"
#include "chi/Conversion/RuntimeTypes.h"
#include "chi/Dialect/Chi/MemoryOrder.h"

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
  /// `index`: of a strided field ir::numStrides of them, in scalars.
  llvm::SmallVector<mlir::Value> strides = {};
  /// `index`: scalars of `data` before the first element; null: none.
  mlir::Value offset = {};
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
/// Reads the stride of an axis as i64; that of the components is of the axis
/// behind the last one.
mlir::Value loadStride(Emitter &emit, mlir::Value handle, ir::FieldType type,
                       int64_t axis);

} // namespace chi::conv
#endif // CHI_CONVERSION_LAYOUT_H
