//===- LanesSkew.h - Sums whose operands shift with the index ---*- C++ -*-===//
#ifndef CHI_TRANSFORMS_VECTORIZE_LANESSKEW_H
#define CHI_TRANSFORMS_VECTORIZE_LANESSKEW_H

#include "chi/Transforms/Vectorize/Lanes.h"

namespace chi::vectorize {

// Note [Skewed sums]: in `s[i] += a[t] * b[t + i]` the vectors of neighbours at
// i and i + L load different windows of b at the same t, but the same one if
// the second is L turns behind. So rows that are L iterations apart run the
// loop together with their turns shifted by L from row to row: a window is
// loaded once for all of them, and each row still adds in its own order. In a
// triangle one end of the loop shifts with the rows as well; at the other end
// rows begin, or are done, one after the other.

/// A sum over `t` from a bound to a bound, one of which shifts with the index
/// of the innermost axis as the operands do, while the other is the same for
/// all iterations.
class SkewedSum {
public:
  /// Nothing if `loop` is none. `lanes`: of the innermost axis, ascending.
  static std::optional<SkewedSum> of(ir::TaskOp task, mlir::scf::ForOp loop,
                                     const Divergence &lanes);

  /// The turn of an iteration with the same windows is so much later than that
  /// of its left neighbour: 1 or -1.
  int direction() const { return turn; }
  /// Does the begin of the loop shift, or the end?
  bool shiftsBegin() const { return begins; }
  /// Does the operation of the loop differ between rows?
  bool differs(mlir::Operation *op) const { return !shared.contains(op); }
  /// Steps of an integer along the axis and along the loop; nothing if it is
  /// no sum of them and what is the same everywhere.
  std::optional<std::pair<int64_t, int64_t>> slopesOf(mlir::Value value,
                                                      unsigned depth = 0) const;

private:
  SkewedSum(ir::TaskOp task, mlir::scf::ForOp loop, const Divergence &lanes)
      : index(task.getIndexVariables().back()), loop(loop), lanes(lanes) {}
  mlir::LogicalResult find();
  bool findDirection();
  bool findShift();
  bool isShared(mlir::Operation *op) const;
  bool isSame(mlir::Value value) const;

  mlir::Value index;
  mutable mlir::scf::ForOp loop; ///< handles of MLIR know no const
  const Divergence &lanes;
  int turn = 0;
  bool begins = false;
  llvm::DenseSet<mlir::Operation *> shared;
};

} // namespace chi::vectorize
#endif // CHI_TRANSFORMS_VECTORIZE_LANESSKEW_H
