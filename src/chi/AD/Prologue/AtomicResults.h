//===- AtomicResults.h - Results that depend on the order -------*- C++ -*-===//
#ifndef CHI_AD_PROLOGUE_ATOMICRESULTS_H
#define CHI_AD_PROLOGUE_ATOMICRESULTS_H

#include "chi/AD/Activity/Activity.h"
#include "chi/AD/Plan/Slice.h"
#include "chi/AD/Prologue/Workspace.h"
#include "mlir/IR/Builders.h"

namespace chi::ad::prologue {

/// An atomic operation whose result is kept, and where.
struct KeptResult {
  unsigned number; ///< of the operation in its task
  /// Places for results of each iteration; 0: as many as the counter finds.
  int64_t perIteration = 0;
  unsigned starts = 0;  ///< where they begin: the number of a captured field
  unsigned results = 0; ///< the number of a captured field

  /// Whether the number of results of an iteration is known only at run time.
  bool isCounted() const { return perIteration == 0; }
};

/// The atomic operations of a task, whose results depend on the order of its
/// iterations. The backward pass does not execute them again: the *recorder*, a
/// copy of the primal that also keeps results, runs instead of the primal.
/// Where the number of results of an iteration is not bounded by constants, the
/// *counter* runs before the recorder; it counts by a slice of the primal. See
/// docs/design/0038-results-of-atomics.md.
class AtomicResults {
public:
  /// `copy`: a copy of `primal`, in which loads and plain updates take the
  /// place of the operations.
  AtomicResults(ir::TaskOp primal, ir::TaskOp copy, Workspace &workspace);

  /// Makes recorder and counter if they are needed. Fails, with an error at its
  /// place, where the number of results cannot be known before. `passive`:
  /// numbers of captured values; gets those of results of passive fields.
  llvm::LogicalResult prepare(llvm::BitVector &passive);
  /// Fails, with an error at its place, where a value that has a derivative
  /// goes through an atomic operation. `activity`: of the copy.
  llvm::LogicalResult checkActivity(const activity::Activity &activity) const;

  /// The recorder first; none if nothing is kept.
  llvm::ArrayRef<ir::TaskOp> getTasks() const { return tasks; }

private:
  /// The replacements of operations on floats.
  struct OfFloats {
    mlir::Location loc;
    mlir::Value result; ///< as it was recorded; may be null
    ir::StoreOp store;  ///< of `exchange` and `cas`
  };

  llvm::LogicalResult findOffsets(unsigned number);
  void addFields(llvm::BitVector &passive);
  void makeRecorder();
  void makeCounter(mlir::ArrayRef<mlir::Value> counters);
  mlir::SmallVector<mlir::Value> replace();
  void replace(ir::AtomicOp atomic, mlir::Value result);
  void addChecks(plan::Slice &slice, ir::TaskOp counter) const;

  ir::TaskOp primal, copy;
  Workspace &workspace;
  llvm::SmallVector<ir::AtomicOp> atomics; ///< of the copy, in their order
  llvm::SmallVector<KeptResult> kept;
  llvm::SmallVector<OfFloats> ofFloats;
  llvm::SmallVector<ir::TaskOp> tasks;
  unsigned numCounted = 0;
};

} // namespace chi::ad::prologue
#endif // CHI_AD_PROLOGUE_ATOMICRESULTS_H
