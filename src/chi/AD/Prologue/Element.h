//===- Element.h - The scalar of a field that an access names --*- C++ -*-===//
#ifndef CHI_AD_PROLOGUE_ELEMENT_H
#define CHI_AD_PROLOGUE_ELEMENT_H

#include "chi/Dialect/Chi/ChiDialect.h"
#include "mlir/IR/Builders.h"

namespace chi::ad::prologue {

/// Where an access is, to do another one there, of its field or of one like it.
class Element {
public:
  /// `valueOf`: maps an index to its value at the other access.
  Element(ir::FieldAccessOpInterface access,
          llvm::function_ref<mlir::Value(mlir::Value)> valueOf);
  explicit Element(ir::FieldAccessOpInterface access)
      : Element(access, [](mlir::Value value) { return value; }) {}

  /// Loads the element of `field`.
  mlir::Value load(mlir::OpBuilder &b, mlir::Value field) const;
  /// Stores to the element of `field`.
  ir::StoreOp store(mlir::OpBuilder &b, mlir::Value value,
                    mlir::Value field) const;
  /// Accumulates into the element of `field` by `kind`.
  void accumulate(mlir::OpBuilder &b, ir::AccumKind kind, mlir::Value value,
                  mlir::Value field) const;

private:
  template <typename Op> Op named(Op op) const;

  mlir::Location loc;
  llvm::SmallVector<mlir::Value> indices;
  mlir::Value dynamic;
  mlir::IntegerAttr component;
  mlir::StringAttr fieldName;
  mlir::IntegerAttr unsignedAxes;
};

/// The field of adjoints or tangents that belongs to `field` in a task, which
/// is an argument of the task, or that in another type. `known` holds those of
/// arguments, and takes those that are made.
mlir::Value companionOf(mlir::OpBuilder &b, ir::TaskOp task, mlir::Value field,
                        llvm::DenseMap<mlir::Value, mlir::Value> &known);

/// `field` with elements of another scalar.
ir::FieldType withScalar(ir::FieldType field, mlir::Type scalar);

} // namespace chi::ad::prologue
#endif // CHI_AD_PROLOGUE_ELEMENT_H
