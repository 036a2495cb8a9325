//===- Dependence.h - Which index variables a value depends on --*- C++ -*-===//
#ifndef CHI_ANALYSIS_DEPENDENCE_H
#define CHI_ANALYSIS_DEPENDENCE_H

#include "chi/Dialect/Chi/ChiDialect.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace chi::analysis {

/// Index variables of a task, as bits; all for what may differ between any two
/// iterations.
using AxisMask = uint32_t;
inline constexpr AxisMask kAllAxes = ~AxisMask(0);

/// Follows values of a task back to its index variables.
class Dependence {
public:
  explicit Dependence(ir::TaskOp task);

  /// The index variables that `value` may depend on. A random number, the
  /// result of an atomic operation and a load from a field that the task writes
  /// depend on all. Nothing if the value is too deep to be followed.
  std::optional<AxisMask> axesOf(mlir::Value value);

private:
  /// Follows `value` with the known dependences of its operands.
  AxisMask visit(mlir::Value value);
  AxisMask visitOp(mlir::Operation *op);

  ir::TaskOp task;
  /// Fields that the task writes.
  llvm::SmallVector<mlir::Value, 4> written;
  llvm::DenseMap<mlir::Value, AxisMask> axes;
  /// Values followed in this round, values known for good, and whether the
  /// round found anything new.
  llvm::DenseSet<mlir::Value> followed, done;
  bool isNew = false;
  unsigned nesting = 0;
  bool wasTooDeep = false;
};

} // namespace chi::analysis
#endif // CHI_ANALYSIS_DEPENDENCE_H
