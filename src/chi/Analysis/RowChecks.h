//===- RowChecks.h - Bounds checks of whole rows ----------------*- C++ -*-===//
#ifndef CHI_ANALYSIS_ROWCHECKS_H
#define CHI_ANALYSIS_ROWCHECKS_H

#include "chi/Dialect/Chi/ChiDialect.h"

namespace chi::analysis {

/// `0 <= index < limit` for each iteration of a row.
struct RowCheck {
  ir::CheckOp check;
  mlir::Value index; ///< of the body
  mlir::Value limit; ///< the same for the whole row
  /// By how much the index grows from iteration to iteration, in the arithmetic
  /// of its type, which wraps. At most 2^20 on either side of zero for indices
  /// of 32 bits, else -1, 0 or 1.
  int64_t stride;
};

/// The conditions that the checks of a body require for a row (the iterations
/// along the innermost axis). Nothing if some check is of another kind, or its
/// index depends on the row in another way or on a loaded value: such a check
/// is made in each iteration.
std::optional<llvm::SmallVector<RowCheck>> findRowChecks(ir::TaskOp task);

/// Can LLVM count the iterations up to the first that fails the check? It then
/// makes vectors of the row although the check may leave it.
bool isCountable(const RowCheck &check);

} // namespace chi::analysis
#endif // CHI_ANALYSIS_ROWCHECKS_H
