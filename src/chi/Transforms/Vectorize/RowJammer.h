//===- RowJammer.h - Unroll and jam of an axis ------------------*- C++ -*-===//
#ifndef CHI_TRANSFORMS_VECTORIZE_ROWJAMMER_H
#define CHI_TRANSFORMS_VECTORIZE_ROWJAMMER_H

#include "chi/Transforms/Vectorize/LanesSkew.h"
#include "mlir/IR/IRMapping.h"

namespace chi::vectorize {

/// Rewrites the body of one task for several rows.
class RowJammer {
public:
  RowJammer(ir::TaskOp task, unsigned axis, int64_t rows)
      : b(task.getContext()), task(task), axis(axis), divergence(task, axis),
        maps(rows) {
    findTouched();
  }
  /// For rows that are neighbours (jamRows).
  void run();
  /// For rows of the innermost axis that are `lanes` apart, of which some may
  /// not exist (jamVectors).
  void runSkewed(int64_t lanes);

private:
  void findTouched();
  mlir::Block *createBody();
  void finish(mlir::Block &old);
  void visit(mlir::Block &block);
  void visitFor(mlir::scf::ForOp op);
  void visitIf(mlir::scf::IfOp op);
  void cloneForAll(mlir::Operation &op);
  void cloneForEach(mlir::Operation &op);
  void cloneIfPresent(mlir::Operation &op, int64_t row);

  /// Values of all rows, those that rows share once.
  llvm::SmallVector<mlir::Value> copiesOf(mlir::ValueRange values,
                                          mlir::ValueRange like);
  void bind(mlir::ValueRange olds, mlir::ValueRange copies);

  // LanesSkewRows.cpp
  /// Where a skewed sum begins and ends. Its turns are counted in 64 bits, as
  /// those of the first row.
  struct Turns {
    mlir::scf::ForOp loop;
    const SkewedSum &sum;
    mlir::Value low = {}, high = {};  ///< of the first row
    mlir::Value begin = {}, end = {}; ///< all rows run, if all exist
    mlir::Value stairs[2] = {};       ///< some rows run: begin and end
    /// The row that runs in all turns of the stairs; null: the first.
    mlir::Value leader = {};
    llvm::SmallVector<mlir::Value> ends = {}; ///< of each row in the stairs
  };
  mlir::Value number(mlir::Type type, int64_t value);
  mlir::Value shifted(mlir::Value value, mlir::Value by, int64_t times);
  mlir::Value present(int64_t row, mlir::Value value, int64_t otherwise);
  void findTurns(Turns &turns);
  void findEnds(Turns &turns);
  void visitSkewed(mlir::scf::ForOp op, const SkewedSum &sum);
  mlir::Value mapTurn(const Turns &turns, mlir::IRMapping &map,
                      mlir::Value turn, mlir::Value by);
  void cloneTurn(const Turns &turns, mlir::Operation &op, mlir::IRMapping &map,
                 mlir::Value own);
  llvm::SmallVector<mlir::Value>
  emitTurns(mlir::Value from, mlir::Value to, mlir::ValueRange carried,
            llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value,
                                                              mlir::ValueRange)>
                body);
  llvm::SmallVector<mlir::Value>
  emitTogether(const Turns &turns, mlir::Value turn, mlir::ValueRange carried);
  llvm::SmallVector<mlir::Value>
  emitStairs(const Turns &turns, mlir::Value turn, mlir::ValueRange carried);
  void emitShared(const Turns &turns, mlir::Value turn);
  void emitRow(const Turns &turns, int64_t row, mlir::Value turn,
               llvm::MutableArrayRef<mlir::Value> next);
  void mapLeader(const Turns &turns, mlir::Operation &op,
                 mlir::IRMapping &leader);

  mlir::OpBuilder b;
  ir::TaskOp task;
  unsigned axis;
  Divergence divergence;
  /// Operations that differ between rows, or hold such ones.
  llvm::DenseSet<mlir::Operation *> touched;
  llvm::SmallVector<mlir::IRMapping> maps; ///< one for each row
  int64_t distance = 1;                    ///< from row to row
  mlir::Value count; ///< rows that exist, an i64; null: all
  llvm::DenseMap<mlir::Operation *, SkewedSum> skewed;
};

} // namespace chi::vectorize
#endif // CHI_TRANSFORMS_VECTORIZE_ROWJAMMER_H
