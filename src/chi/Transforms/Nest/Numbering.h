//===- Numbering.h - Write each value once, up to its sign ------*- C++ -*-===//
#ifndef CHI_TRANSFORMS_NEST_NUMBERING_H
#define CHI_TRANSFORMS_NEST_NUMBERING_H

#include "chi/Dialect/Chi/ChiDialect.h"
#include "mlir/IR/Builders.h"

namespace chi::nest {

/// A value, or minus it.
struct Signed {
  mlir::Value value;
  bool isNegated = false;
};

/// Value numbering for code that is written into a loop: an expression that
/// exists already is not written again, and for floats `b - a` is minus
/// `a - b`, through products, sums and selects. All of that is exact except for
/// the sign of a zero. Loop-invariant expressions are written before the loop.
///
/// Operations have one result and no region. Loads are taken to be of fields
/// that nothing writes.
class Numbering {
public:
  /// Writes at the builder's place. `hoistsLoads`: loads that run in each
  /// iteration of the loop may move before it.
  Numbering(mlir::OpBuilder &builder, mlir::scf::ForOp loop, bool hoistsLoads)
      : builder(builder), loop(loop), hoistsLoads(hoistsLoads) {}

  /// The result of `op` for these operands.
  Signed write(mlir::Operation *op, llvm::ArrayRef<Signed> operands);
  /// The value, with its sign.
  mlir::Value plain(Signed value);
  /// An operation of two floats.
  template <typename Op> mlir::Value make(mlir::Value a, mlir::Value b) {
    mlir::OpBuilder apart(builder.getContext());
    return insert(Op::create(apart, a.getLoc(), a, b));
  }

  /// Is it the same in all iterations of the loop?
  bool isOutside(mlir::Value value);

private:
  std::optional<Signed> writeSigned(mlir::Operation *op,
                                    llvm::ArrayRef<Signed> operands);
  Signed sum(Signed a, Signed b);
  mlir::Value copy(mlir::Operation *op, llvm::ArrayRef<mlir::Value> operands);
  mlir::Value insert(mlir::Operation *made);
  mlir::Operation *find(mlir::Operation *made);
  bool isVisible(mlir::Operation *known);
  bool canMoveOut(mlir::Operation *made);

  mlir::OpBuilder &builder;
  mlir::scf::ForOp loop;
  bool hoistsLoads;
  llvm::SmallVector<mlir::Operation *> written;
};

/// Is it the constant 0.0?
bool isZero(mlir::Value value);

} // namespace chi::nest
#endif // CHI_TRANSFORMS_NEST_NUMBERING_H
