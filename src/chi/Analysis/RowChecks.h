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
  /// Does the index grow by one from iteration to iteration (in the arithmetic
  /// of its type, which wraps), or is it the same for all?
  bool counts;
};

/// The conditions that the checks of a body require for a row (the iterations
/// along the innermost axis). Nothing if some check is of another kind, or its
/// index depends on the row in another way or on a loaded value: such a check
/// is made in each iteration.
std::optional<llvm::SmallVector<RowCheck>> findRowChecks(ir::TaskOp task);

} // namespace chi::analysis
#endif // CHI_ANALYSIS_ROWCHECKS_H
