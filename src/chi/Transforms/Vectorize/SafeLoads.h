//===- SafeLoads.h - Loads that need no guard -------------------*- C++ -*-===//
#ifndef CHI_TRANSFORMS_VECTORIZE_SAFELOADS_H
#define CHI_TRANSFORMS_VECTORIZE_SAFELOADS_H

#include "chi/Analysis/Ranges.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseSet.h"

namespace chi::vectorize {

/// Which loads and index operations below branches of a task are right without
/// the guard: they lie within their fields, divide by no zero and do not wrap
/// in each iteration that comes to the branch.
///
/// Facts are found before anything changes (`find`), and hold for operations
/// that are moved before their branch afterwards.
class SafeLoads {
public:
  explicit SafeLoads(std::optional<analysis::Ranges> &ranges)
      : ranges(ranges) {}

  /// Inspects the operations of `branch`, for it and each branch around it.
  void find(mlir::scf::IfOp branch);
  /// May a load, or the remainder of an index, precede the branch?
  bool isSafe(mlir::Operation *op, mlir::scf::IfOp branch) const {
    return safe.contains({op, branch});
  }
  /// Does an index operation keep its promise not to wrap there?
  bool isExact(mlir::Operation *op, mlir::scf::IfOp branch) const {
    return exact.contains({op, branch});
  }

private:
  /// An integer's bounds, as sums of values that are known before a branch.
  struct Bounds {
    analysis::Linear least, most;
  };

  std::optional<Bounds> boundsOf(mlir::Value value, mlir::scf::IfOp branch);
  std::optional<Bounds> ofSum(mlir::Operation *op, mlir::scf::IfOp branch);
  std::optional<Bounds> ofRemainder(mlir::Operation *op,
                                    mlir::scf::IfOp branch);
  bool liesWithin(ir::LoadOp load, mlir::scf::IfOp branch);
  bool isAtMost(const analysis::Linear &small, const analysis::Linear &large,
                mlir::Operation *at);

  using AccessSite = std::pair<mlir::Operation *, mlir::Operation *>;
  llvm::DenseSet<AccessSite> safe, exact;
  std::optional<analysis::Ranges> &ranges;
};

} // namespace chi::vectorize
#endif // CHI_TRANSFORMS_VECTORIZE_SAFELOADS_H
