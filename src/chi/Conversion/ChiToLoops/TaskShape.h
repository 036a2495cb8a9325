//===- TaskShape.h - What a task and its launches agree on ------*- C++ -*-===//
#ifndef CHI_CONVERSION_CHITOLOOPS_TASKSHAPE_H
#define CHI_CONVERSION_CHITOLOOPS_TASKSHAPE_H

#include "chi/Conversion/Layout.h"
#include "chi/Support/Optimisations.h"

namespace chi::conv {

/// One scalar of a field that all iterations add to: a `strategy(tree)`.
struct TreeTarget {
  mutable ir::AccumOp first; ///< one of the accumulations to it
  mlir::Type scalar;         ///< as in memory
  /// No operation stands in a loop of its iteration.
  bool isBuffered = true;
  /// One for each operation: does it stand under a condition?
  llvm::SmallVector<bool> isConditional;
};

/// A field with `strategy(privatized)` accumulations.
struct PrivatizedField {
  unsigned captured; ///< number of the captured argument
  ir::AccumKind kind;
  int64_t perIteration; ///< estimate of accumulations in one iteration
};

/// What a buffer of buffered stores (their `buffer`) stands for: the elements
/// of a field, or one component of them where components lie apart.
struct BufferedField {
  mutable ir::StoreOp first; ///< one of the stores
  int64_t scalars;           ///< that one iteration stores
  bool isStreamed;           ///< past the caches
  int64_t elementBytes() const;
};

/// Iterations of a tree's block, and of its interleaved sums (Num.5).
inline constexpr int64_t kTreeBlock = CHIRT_TREE_BLOCK;
inline constexpr int64_t kTreeLanes = CHIRT_TREE_LANES;

/// Rows and columns of a tile: 16 columns of f32 are a line of the cache, and
/// more than 16 rows may meet in one set of it.
inline constexpr int64_t kTile = 16;

/// Facts about a task that fix the arguments of its functions. The functions
/// are `@t.body` (a part of the iterations), `@t.chunk` (what the run time
/// calls), `@t.may_alias` and `@t.may_alias.chunk` (for fields that overlap,
/// and where private copies are refused), and `@t.finish` (the end of the
/// trees).
struct TaskShape {
  mutable ir::TaskOp task; ///< handles of MLIR know no const
  OptimisationSet off;     ///< what is left out
  /// Start and extent of each axis, where known.
  llvm::SmallVector<std::optional<int64_t>> from, extent;
  bool draws = false;          ///< has chi.random
  bool isCounted = false;      ///< has chi.iteration
  bool mayFail = false;        ///< has chi.check, or calls, or is watched
  bool isInstrumented = false; ///< --check=races looks at its accesses
  /// Something tells in which order one thread takes the iterations: sums of
  /// floats, prints, the first check that fails.
  bool isOrdered = false;
  bool wholeRows = false; ///< parts are cut at ends of the innermost axis
  /// Some access runs along memory by the outer of two axes: the domain is
  /// walked in tiles, so that what one row brings into the cache serves the
  /// next ones. Implies wholeRows.
  bool isTiled = false;
  llvm::SmallVector<BufferedField> buffered;
  int64_t l1Bytes = 0; ///< of the processor
  /// Axes (outer, inner) of tiles of buffered stores, tileEdge iterations along
  /// both; its `tile`. Implies wholeRows.
  std::optional<std::pair<unsigned, unsigned>> tile;
  int64_t tileEdge = 0;
  llvm::SmallVector<ir::LoadOp> prefetched;     ///< with a tile
  int64_t period = 0;                           ///< 0: rows do not repeat
  mutable llvm::SmallVector<ir::LoadOp> packed; ///< by their numbers
  int64_t strip = 0; ///< rows of one, if any is packed
  /// The wide body does `rows` neighbours along `rowsAxis`, which is counted
  /// fastest of the outer axes then. If not 1, implies wholeRows.
  int64_t rows = 1;
  unsigned rowsAxis = 0;
  /// Iterations may be done twice, one after the other.
  bool mayRepeat = false;
  /// When a check of the wide body fails, `@t.earlier` looks for an iteration
  /// before it that fails at a later check.
  bool looksEarlier = false;
  llvm::SmallVector<TreeTarget> trees;
  /// An iteration is so short that a tree's buffers would be felt.
  bool isShort = false;
  llvm::SmallVector<PrivatizedField> privatized;
  /// Pairs of captured fields, one of them written, that may overlap.
  llvm::SmallVector<std::pair<unsigned, unsigned>> mayOverlap;

  unsigned rank() const { return from.size(); }
  bool needsMayAlias() const {
    return !privatized.empty() || !mayOverlap.empty();
  }
  bool isPrivatized(unsigned captured) const;
  /// May another captured field be the same as this one?
  bool hasAlias(unsigned captured) const;
  /// Number of iterations, where known.
  std::optional<int64_t> iterations() const;
  /// Which tree an accumulation belongs to.
  unsigned treeOf(ir::AccumOp op) const;

  /// Types of what stands for the captured values: a flat memref and the
  /// dynamic extents of a field, a scalar itself.
  llvm::SmallVector<mlir::Type> capturedTypes() const;
  /// Then: unknown starts and extents, seed, partial sums.
  llvm::SmallVector<mlir::Type> argumentTypes() const;
  /// Those with bounds: begin and end, if the rank is not 0.
  llvm::SmallVector<mlir::Type> bodyTypes() const;
};

/// Looks at a task and all its launches; numbers its trees and buffers.
TaskShape shapeOf(ir::TaskOp task, llvm::ArrayRef<ir::LaunchOp> launches,
                  OptimisationSet off);

/// The names of the loop's variables as one text: "i, j".
std::string axesText(ir::TaskOp task);
/// The captured field, below casts, that an access goes to; null if none.
mlir::BlockArgument rootOf(mlir::Value field);

/// The flat memref of a field's data.
mlir::MemRefType flatType(mlir::Type scalar);

} // namespace chi::conv
#endif // CHI_CONVERSION_CHITOLOOPS_TASKSHAPE_H
