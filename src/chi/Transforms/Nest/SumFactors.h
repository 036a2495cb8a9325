//===- SumFactors.h - What the terms of a sum have in common ----*- C++ -*-===//
#ifndef CHI_TRANSFORMS_NEST_SUMFACTORS_H
#define CHI_TRANSFORMS_NEST_SUMFACTORS_H

#include "chi/Transforms/Nest/Numbering.h"
#include "mlir/IR/IRMapping.h"

namespace chi::nest {

/// A number times values, none of which changes in the loop.
struct Product {
  double number = 1;
  llvm::SmallVector<mlir::Value> factors;

  /// `value` times all of them.
  mlir::Value times(mlir::OpBuilder &b, mlir::Value value) const;
};

/// A value that is added to a sum at the end of a block, so many times.
struct Contribution {
  mlir::Block *block;
  mlir::Value value;
  double times;

  /// `sum` plus `times` times the value.
  mlir::Value addTo(mlir::OpBuilder &b, mlir::Value sum) const;
};

/// The terms that iterations of a loop add to one element.
struct FoldedSum {
  ir::AccumOp accum; ///< the first one in the source
  llvm::SmallVector<mlir::Value> element;
  mlir::IRMapping mapping; ///< of the element
  std::vector<Contribution> contributions;

  /// Adds `value`, or subtracts it if negated, at the end of `block`. Terms
  /// with the same block and value become one, whose `times` counts them.
  void add(mlir::Block *block, Signed value);
};

/// Factors out the common factors of all terms of the sum: numbers, and factors
/// that do not change in the loop.
Product takeOutFactors(FoldedSum &sum, Numbering &numbering,
                       mlir::OpBuilder &b);

} // namespace chi::nest
#endif // CHI_TRANSFORMS_NEST_SUMFACTORS_H
