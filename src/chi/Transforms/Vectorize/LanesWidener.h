//===- LanesWidener.h - A task's body for W iterations ----------*- C++ -*-===//
#ifndef CHI_TRANSFORMS_VECTORIZE_LANESWIDENER_H
#define CHI_TRANSFORMS_VECTORIZE_LANESWIDENER_H

#include "chi/Transforms/Vectorize/Lanes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

namespace chi::vectorize {

/// Writes the wide body; one instance serves one task.
class Widener {
public:
  Widener(ir::TaskOp task, const Divergence &divergence, int64_t lanes)
      : b(task.getContext()), divergence(divergence), lanes(lanes) {}

  /// Writes the body of `source` with one iteration a lane into the region
  /// `wide` of `task`, which is empty before and has the same arguments.
  void run(ir::TaskOp task, ir::TaskOp source);

private:
  mlir::VectorType lanesOf(mlir::Type scalar) {
    return mlir::VectorType::get({lanes}, scalar);
  }
  mlir::Type typeOf(mlir::Value old) {
    return divergence.isVarying(old) ? lanesOf(old.getType()) : old.getType();
  }
  bool isVarying(mlir::Value old) { return divergence.isVarying(old); }
  mlir::Value constant(mlir::Type type, int64_t value);
  /// The counterpart of a value of the source: a scalar if it is uniform.
  mlir::Value wide(mlir::Value old) {
    return isVarying(old) ? vectors.lookup(old) : scalars.lookup(old);
  }
  /// The same as a vector in any case.
  mlir::Value vector(mlir::Value old) { return spread(wide(old)); }
  mlir::Value spread(mlir::Value value);
  void bind(mlir::Value old, mlir::Value now) {
    if (isVarying(old))
      vectors[old] = spread(now);
    else
      scalars.map(old, now);
  }
  void bindStep(mlir::Value old, mlir::Value first);
  mlir::Value bound(mlir::Value old, bool isLeast);
  mlir::Value boundOfOperand(mlir::Value old, bool isLeast);

  mlir::Value both(mlir::Value left, mlir::Value right);
  mlir::Value without(mlir::Value left, mlir::Value right);
  mlir::Value any(mlir::Value mask);
  /// Live lanes as a vector.
  mlir::Value live() {
    return mask ? mask : constant(lanesOf(b.getI1Type()), 1);
  }

  void visit(mlir::Block &block);
  void visit(mlir::Operation *op);
  void visitElementwise(mlir::Operation *op);
  void visitSerial(mlir::Operation *op);
  void visitAccess(mlir::Operation *op);
  void visitCheck(ir::CheckOp op);
  void visitIf(mlir::scf::IfOp op);
  void visitDivergentIf(mlir::scf::IfOp op);
  llvm::SmallVector<mlir::Value>
  visitSide(mlir::Region &side, mlir::Value sideMask, mlir::scf::IfOp op);
  void visitFor(mlir::scf::ForOp op);
  void visitNonUniform(mlir::scf::ForOp op);
  llvm::SmallVector<mlir::Value>
  visitIterations(mlir::scf::ForOp op, mlir::Value from, mlir::Value to,
                  bool entered, bool left, mlir::ValueRange inits);
  llvm::SmallVector<mlir::Value> visitIteration(mlir::scf::ForOp op,
                                                mlir::ValueRange carried);
  void visitWhile(mlir::scf::WhileOp op);
  void visitDivergentWhile(mlir::scf::WhileOp op);
  llvm::SmallVector<mlir::Value> yielded(mlir::Operation *terminator,
                                         unsigned skip, mlir::ValueRange like);

  mlir::OpBuilder b;
  mlir::Location loc = b.getUnknownLoc();
  const Divergence &divergence;
  int64_t lanes;
  mlir::IRMapping scalars;
  llvm::DenseMap<mlir::Value, mlir::Value> vectors;
  llvm::DenseMap<mlir::Value, mlir::Value>
      firsts;       ///< of values with a step: the first lane's
  mlir::Value mask; ///< live lanes; null: all
};

} // namespace chi::vectorize
#endif // CHI_TRANSFORMS_VECTORIZE_LANESWIDENER_H
