//===- SlotBuilder.h - Short words for slots and constants ------*- C++ -*-===//
#ifndef CHI_TRANSFORMS_OUTLINE_SLOTBUILDER_H
#define CHI_TRANSFORMS_OUTLINE_SLOTBUILDER_H

#include "chi/Dialect/Chi/ChiDialect.h"
#include "mlir/IR/Builders.h"

namespace chi::outline {

/// Makes an undefined slot that holds a `type`.
inline mlir::Value makeSlot(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::Type type, llvm::StringRef name) {
  auto local = ir::LocalType::get(builder.getContext(), {}, type);
  return ir::LocalOp::create(builder, loc, local, name);
}

/// Reads a slot without indices.
inline mlir::Value getSlot(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value slot) {
  mlir::Type type = llvm::cast<ir::LocalType>(slot.getType()).getScalar();
  return ir::GetOp::create(builder, loc, type, slot, mlir::ValueRange());
}

/// Writes a slot without indices.
inline void setSlot(mlir::OpBuilder &builder, mlir::Location loc,
                    mlir::Value slot, mlir::Value value) {
  ir::SetOp::create(builder, loc, value, slot, mlir::ValueRange());
}

/// A constant of an integer or index type.
inline mlir::Value makeInt(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Type type, int64_t value) {
  return mlir::arith::ConstantOp::create(builder, loc,
                                         builder.getIntegerAttr(type, value));
}

/// A constant of type i1.
inline mlir::Value makeBool(mlir::OpBuilder &builder, mlir::Location loc,
                            bool value) {
  return mlir::arith::ConstantOp::create(builder, loc,
                                         builder.getBoolAttr(value));
}

/// Zero of a scalar type; null for a field or a text.
inline mlir::Value makeZero(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::Type type) {
  if (type.isIntOrFloat())
    return mlir::arith::ConstantOp::create(builder, loc,
                                           builder.getZeroAttr(type));
  return ir::NullOp::create(builder, loc, type);
}

} // namespace chi::outline
#endif // CHI_TRANSFORMS_OUTLINE_SLOTBUILDER_H
