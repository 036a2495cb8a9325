//===- TaskShape.h - What a task says of itself -----------------*- C++ -*-===//
#ifndef CHI_CONVERSION_CHITOLOOPS_TASKSHAPE_H
#define CHI_CONVERSION_CHITOLOOPS_TASKSHAPE_H

#include "chi/Conversion/Layout.h"
#include "chi/Dialect/Chi/Schedule.h"

namespace chi::conv {

/// One scalar of a field that all iterations add to: a
/// `strategy(deterministic)`.
struct ReductionTarget {
  mutable ir::AccumOp first; ///< one of the accumulations to it
  mlir::Type scalar;         ///< as in memory
  bool isBuffered = false;
  /// For each operation: is it under a condition?
  llvm::SmallVector<bool> isConditional;
};

/// A field with `strategy(privatized)` accumulations.
struct PrivatizedField {
  unsigned captured; ///< number of the captured argument
  ir::AccumKind kind;
  int64_t perIteration; ///< estimate of accumulations in one iteration
};

/// The target of a buffer of buffered stores (their `buffer`): the elements of
/// a field, or one component of them where components are stored separately.
struct BufferedField {
  mutable ir::StoreOp first; ///< one of the stores
  int64_t scalars;           ///< that one iteration stores
  bool isStreamed;           ///< past the caches
  /// The bytes that one iteration stores to the buffer.
  int64_t elementBytes() const;
};

/// Iterations of a reduction's block, and of its interleaved sums (Num.5).
inline constexpr int64_t kReductionBlock = CHIRT_REDUCTION_BLOCK;
inline constexpr int64_t kReductionLanes = CHIRT_REDUCTION_LANES;

/// A task as described by its attributes and its body: the arguments of its
/// functions, and the meaning of the schedule's numbers. It makes no decisions.
struct TaskShape {
  mutable ir::TaskOp task; ///< handles of MLIR know no const
  ir::Schedule schedule;   ///< plain if the task has none
  /// Start and extent of each axis, where known.
  llvm::SmallVector<std::optional<int64_t>> from, extent;
  bool draws = false;          ///< has chi.random
  bool isCounted = false;      ///< has chi.iteration
  bool mayFail = false;        ///< has chi.check, or calls, or records accesses
  bool isInstrumented = false; ///< --check=races looks at its accesses
  bool isStrict = false;       ///< the order of its sums is kept
  llvm::SmallVector<BufferedField> buffered;
  llvm::SmallVector<ir::LoadOp> prefetched;     ///< with a tile
  mutable llvm::SmallVector<ir::LoadOp> packed; ///< by their numbers
  /// The wide body does `rows` neighbours along `rowsAxis`, which is counted
  /// fastest of the outer axes then.
  int64_t rows = 1;
  unsigned rowsAxis = 0;
  /// Or so many vectors of neighbours, of which some may not exist.
  int64_t vectors = 1;
  llvm::SmallVector<ReductionTarget> reductions;
  llvm::SmallVector<PrivatizedField> privatized;
  /// Of the task's code, if launches measure choices that it has.
  std::optional<uint64_t> hash;

  /// The number of axes of the domain.
  unsigned rank() const { return from.size(); }
  /// Are parts cut at ends of the innermost axis?
  bool hasWholeRows() const {
    return schedule.unit == ir::ChunkUnit::rows ||
           schedule.unit == ir::ChunkUnit::slices;
  }
  /// Is it carried out in parts, by several threads?
  bool hasChunks() const { return rank() != 0 && !schedule.direct; }
  /// Copies are made, or refused, where there are parts.
  bool needsMayAlias() const {
    return (hasChunks() && !privatized.empty()) || !schedule.mayAlias.empty();
  }
  /// Whether the captured field has private copies for threads.
  bool isPrivatized(unsigned captured) const;
  /// Does one worker take the iterations in their order, where fields are one?
  bool isOrderedIfSame() const;
  /// Do up to 16 threads get private copies wherever there is memory?
  bool hasCopies() const;
  /// May another captured field be the same as this one?
  bool hasAlias(unsigned captured) const;

  /// Types of the lowered captured values: a flat memref, the dynamic extents
  /// and the strides (ir::numStrides) of a field, a scalar itself.
  llvm::SmallVector<mlir::Type> capturedTypes() const;
  /// Then: unknown starts and extents, seed, partial sums.
  llvm::SmallVector<mlir::Type> argumentTypes() const;
  /// Those with bounds: begin and end, if the rank is not 0.
  llvm::SmallVector<mlir::Type> bodyTypes() const;
};

/// Computes the shape from the attributes and the body of a task.
TaskShape shapeOf(ir::TaskOp task);

/// Whether the schedule has a choice that launches may measure: it runs in
/// parts, and stores past the caches or has tiles.
bool hasChoices(const TaskShape &shape);
/// A hash of the task's code without its places in the source: the same in all
/// programs.
uint64_t hashOf(ir::TaskOp task);

/// The names of the loop's variables as one text: "i, j".
std::string axesText(ir::TaskOp task);
/// Attaches to a function of the task the names that messages of its failures
/// need: the kernel's and those of its axes.
void setMessageNames(mlir::Operation *function, ir::TaskOp task);

/// The flat memref of a field's data.
mlir::MemRefType flatType(mlir::Type scalar);

} // namespace chi::conv
#endif // CHI_CONVERSION_CHITOLOOPS_TASKSHAPE_H
