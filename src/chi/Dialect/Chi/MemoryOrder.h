//===- MemoryOrder.h - How fields lie in memory -----------------*- C++ -*-===//
// What passes may ask of a field's layout. They do not read the order itself,
// so that a layout with other rules (a tree of sparse levels) answers here.
//===----------------------------------------------------------------------===//
#ifndef CHI_DIALECT_CHI_MEMORYORDER_H
#define CHI_DIALECT_CHI_MEMORYORDER_H

#include "chi/Dialect/Chi/ChiDialect.h"
#include "mlir/IR/TypeUtilities.h"

namespace chi::ir {

/// Bytes in memory of a scalar, or of one in a vector: a bool is a byte.
inline int64_t byteSize(mlir::Type type) {
  return (mlir::getElementTypeOrSelf(type).getIntOrFloatBitWidth() + 7) / 8;
}

/// `order = ?`: only the handle of the field knows its strides, which are
/// positive. Nothing is known of neighbours in memory, of axes or components.
inline bool isStrided(FieldType field) {
  return field.getOrder().size() == 1 &&
         mlir::ShapedType::isDynamic(field.getOrder().front());
}

/// The axis whose neighbours lie side by side: of an SoA field its scalars, of
/// an AoS field its elements. Nothing if the field has no axes, or is strided.
inline std::optional<unsigned> innermostAxis(FieldType field) {
  if (field.getRank() == 0 || isStrided(field))
    return std::nullopt;
  return field.getOrder().empty() ? unsigned(field.getRank()) - 1
                                  : unsigned(field.getOrder().back());
}

/// The axes as they lie in memory, the innermost one last. Of a strided field:
/// as they are numbered.
inline llvm::SmallVector<int64_t> memoryOrder(FieldType field) {
  if (!field.getOrder().empty() && !isStrided(field))
    return llvm::to_vector(field.getOrder());
  return llvm::to_vector(llvm::seq<int64_t>(0, field.getRank()));
}

/// Do the components of an element lie side by side?
inline bool hasAdjacentComponents(FieldType field) {
  return field.getNumComponents() == 1 ||
         (!field.getIsSoA() && !isStrided(field));
}

/// Strides that the handle of a strided field has: of its axes, and of its
/// components if there are several. None of any other field.
inline unsigned numStrides(FieldType field) {
  return isStrided(field) ? unsigned(field.getRank()) +
                                (field.getNumComponents() > 1 ? 1 : 0)
                          : 0;
}

/// May the elements of two fields that share memory have different indices?
/// Other fields are whole allocations: two that share an element are one.
inline bool mayBeShifted(FieldType a, FieldType b) {
  return isStrided(a) || isStrided(b);
}

} // namespace chi::ir
#endif // CHI_DIALECT_CHI_MEMORYORDER_H
