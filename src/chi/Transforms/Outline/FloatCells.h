//===- FloatCells.h - Floats that a kernel holds live in cells --*- C++ -*-===//
#ifndef CHI_TRANSFORMS_OUTLINE_FLOATCELLS_H
#define CHI_TRANSFORMS_OUTLINE_FLOATCELLS_H

#include "chi/Dialect/Chi/ChiDialect.h"
#include "mlir/IR/Builders.h"

namespace chi::outline {

/// Control code computes integers and conditions; a float that it holds is a
/// cell, which tasks compute and read. A *value cell* stands for one SSA value:
/// only what defines the value stores it, so a load of it may be made again
/// wherever the value could be used.
class FloatCells {
public:
  /// `loops`: the operations with a parallel loop inside, these included.
  FloatCells(ir::KernelOp kernel, mlir::DenseSet<mlir::Operation *> &loops)
      : kernel(kernel), loops(loops), builder(kernel.getContext()) {}

  /// Values that loops and conditions of control code carry from one task to
  /// another become cells; loads of cells are next to their users.
  void run();

  /// Whether an operation of control code has to become part of a task because
  /// it computes with floats.
  bool isForTask(mlir::Operation *op) const;
  /// A load of a value cell.
  bool isValueLoad(mlir::Operation *op) const;
  /// Makes a cell for a value at the entry of the kernel.
  mlir::Value makeValueCell(mlir::Location loc, mlir::Type scalar);

private:
  mlir::Value loadCell(mlir::Location loc, mlir::Value cell);
  void storeCell(mlir::Location loc, mlir::Value value, mlir::Value cell);
  void demote(mlir::scf::ForOp op);
  void demote(mlir::scf::IfOp op);
  void demote(mlir::scf::WhileOp op);
  llvm::SmallVector<mlir::Value> cellsOfInits(mlir::scf::WhileOp op);
  llvm::SmallVector<mlir::Value>
  cellsOfConditions(mlir::scf::WhileOp op,
                    llvm::ArrayRef<mlir::Value> initCells);
  void replace(mlir::Operation *old, mlir::Operation *made);
  void findControl();
  void sinkLoads();
  bool sinkLoad(ir::LoadOp load, mlir::OpOperand &use);
  bool isControlUse(mlir::OpOperand &use) const;

  ir::KernelOp kernel;
  mlir::DenseSet<mlir::Operation *> &loops;
  mlir::OpBuilder builder;
  mlir::DenseSet<mlir::Value> valueCells;
  mlir::DenseSet<mlir::Operation *> control; ///< comparisons that it needs
};

} // namespace chi::outline
#endif // CHI_TRANSFORMS_OUTLINE_FLOATCELLS_H
