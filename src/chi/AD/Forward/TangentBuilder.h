//===- TangentBuilder.h - The tangent task of one task ----------*- C++ -*-===//
#ifndef CHI_AD_FORWARD_TANGENTBUILDER_H
#define CHI_AD_FORWARD_TANGENTBUILDER_H

#include "chi/AD/Activity/Activity.h"
#include "chi/AD/Prologue/SharedUpdates.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace chi::ad::forward {

/// Writes the tangent task of a task after it: a copy of the task with a
/// tangent for each active value. Tangents of values are values, those of
/// elements are in fields, those of local arrays in local arrays.
class TangentBuilder {
public:
  TangentBuilder(ir::TaskOp primal, const prologue::SharedUpdates &updates,
                 const activity::Activity &activity);

  /// Builds the tangent task, named `name`.
  ir::TaskOp build(llvm::StringRef name);

private:
  void makeTask(llvm::StringRef name);
  /// The tangent of a value of the primal; null: zero.
  mlir::Value tangentOf(mlir::Value value) const {
    return tangents.lookup(value);
  }
  mlir::Value tangentOrZero(mlir::Value value);
  mlir::Value tangentField(mlir::Value field);
  llvm::SmallVector<mlir::Value> mapped(mlir::ValueRange values) const;

  void visit(mlir::Block &block);
  void visit(mlir::Operation *op);
  void visitAccess(ir::FieldAccessOpInterface access);
  void visitLocal(mlir::Operation *op);
  void visitArray(mlir::Operation *op);
  void visitResult(mlir::Operation *op);
  mlir::Value tangentByRules(mlir::Operation *op);

  // Flow.cpp
  llvm::SmallVector<unsigned> activeOf(mlir::ValueRange some,
                                       mlir::ValueRange others) const;
  void addTangents(llvm::ArrayRef<unsigned> numbers, mlir::ValueRange of,
                   llvm::SmallVectorImpl<mlir::Value> &values);
  void setTangents(llvm::ArrayRef<unsigned> numbers, mlir::ValueRange of,
                   mlir::ValueRange values);
  void visitBranch(mlir::scf::IfOp branch);
  void visitFor(mlir::scf::ForOp loop);
  void visitWhile(mlir::scf::WhileOp loop);

  ir::TaskOp primal, task;
  const prologue::SharedUpdates &updates;
  const activity::Activity &activity;
  mlir::OpBuilder b;
  mlir::Location loc;
  /// The counterpart of a value of the primal.
  mlir::IRMapping map;
  /// The tangents of values, local arrays and fields of the primal.
  llvm::DenseMap<mlir::Value, mlir::Value> tangents, arrays, fields;
};

} // namespace chi::ad::forward
#endif // CHI_AD_FORWARD_TANGENTBUILDER_H
