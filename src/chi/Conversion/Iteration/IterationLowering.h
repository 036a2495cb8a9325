//===- IterationLowering.h - The code of one iteration ----------*- C++ -*-===//
// An iteration is lowered in the same way for each target: the layout of
// fields, accesses, arithmetic, random numbers, checks. The code around it (the
// loops of a processor, the grid of a device) belongs to the target, which
// overrides parts of the lowering here. No operation of the LLVM dialect is
// made: docs/design/0026-iteration-lowering.md.
//===----------------------------------------------------------------------===//
#ifndef CHI_CONVERSION_ITERATION_ITERATIONLOWERING_H
#define CHI_CONVERSION_ITERATION_ITERATIONLOWERING_H

#include "chi/Conversion/Layout.h"
#include "chi/Conversion/ValueOps.h"
#include "mlir/IR/IRMapping.h"

namespace chi::conv {

/// The values that identify an iteration.
struct Iteration {
  llvm::SmallVector<mlir::Value> indices; ///< in the task's integer types
  /// In the flattened domain, an index; null where the task does not use it.
  mlir::Value number = {};
  // For the nest itself.
  mlir::Value lane = {}; ///< number mod 16, if the task has reductions
  mlir::Value position =
      {}; ///< element of the buffers of buffered stores, if any
};

/// The code around an iteration.
class IterationNest {
public:
  /// Is an accumulation that `lowerAccess` leaves lowered to an atomic
  /// operation (ir::isAtomic)?
  virtual bool isAtomic(ir::AccumOp op) = 0;

  /// Replaces an access in a target's own way: by one of a buffer, of a partial
  /// sum, of a copy. False, without changes, if it is one of the field's
  /// memory.
  virtual bool lowerAccess(ir::FieldAccessOpInterface access,
                           const Iteration &iteration) {
    return false;
  }

  /// Several iterations run together here, so that when a check fails, an
  /// earlier iteration may fail at a later check. Does the nest handle those?
  virtual bool looksBack() const { return false; }
  /// Looks at the iterations from `first` to before that with the indices
  /// `failed`.
  virtual void lookBack(Emitter &emit, const Iteration &first,
                        llvm::ArrayRef<mlir::Value> failed) {}

protected:
  ~IterationNest() = default;
};

/// Lowers the code of one task's iterations. What it leaves of the chi dialect
/// is each target's own: `chi.check` and `chi.record_access` (how a failure is
/// recorded), `chi.print`, `chi.to_int`, `chi.overflow`.
class IterationLowering {
public:
  IterationLowering(ir::TaskOp task, mlir::OpBuilder &builder,
                    IterationNest &nest, mlir::arith::FastMathFlags flags)
      : task(task), builder(builder), nest(nest), flags(flags) {}

  /// Maps a captured value to its lowered value, in both bodies of the task.
  void bind(mlir::BlockArgument captured, mlir::Value scalar);
  /// Sets the memory and extents of a captured field.
  void bind(mlir::BlockArgument captured, const FieldView &view);
  /// Sets the seed of random numbers, an i64.
  void bindSeed(mlir::Value value) { seed = value; }

  /// The captured scalars, to be mapped on.
  const mlir::IRMapping &captured() const { return scalars; }
  /// The view of a captured field, below casts. It must have been bound.
  const FieldView &viewOf(mlir::Value field);

  /// Inserts a lowered copy of `body`, one of the task's, at the builder's
  /// place. `edit` may change the copy before it is lowered; its mapping gives
  /// the copy of each value.
  mlir::LogicalResult
  emit(const Iteration &iteration, mlir::Region &body,
       llvm::function_ref<void(const mlir::IRMapping &)> edit = nullptr);
  /// Replaces one operation of such a copy.
  mlir::LogicalResult lower(mlir::Operation *op, const Iteration &iteration);
  /// Recomputes the indices of an access at the builder's place, and the offset
  /// of a component there. Fails if they use values that are not mapped.
  mlir::FailureOr<mlir::Value> offsetAt(ir::FieldAccessOpInterface access,
                                        mlir::IRMapping mapping,
                                        int64_t component);
  /// Recomputes values of the body at the builder's place. Fails if an
  /// operation that they need has no lowering.
  mlir::LogicalResult computeAt(mlir::ValueRange values,
                                mlir::IRMapping mapping,
                                llvm::SmallVectorImpl<mlir::Value> &results);

  /// Adds the terms of all iterations to the element of `op`, whose address
  /// they share. Does nothing where that is outside of the field: then no
  /// iteration executed the accumulation, or a check of it failed.
  mlir::LogicalResult addSumOfAll(ir::AccumOp op, mlir::Value sum);

private:
  // Access.cpp
  mlir::Value offsetOf(Emitter &emit, ir::FieldAccessOpInterface access);
  void recordAccess(ir::FieldAccessOpInterface access,
                    const Iteration &iteration);
  void lowerLoad(ir::LoadOp op);
  void separateComponents(ir::FieldAccessOpInterface access,
                          mlir::Operation *lowered);
  void lowerStore(ir::StoreOp op);
  void lowerAccum(ir::AccumOp op);
  void lowerAtomic(ir::AtomicOp op);
  void lowerDim(ir::DimOp op);
  void accumAtomically(Emitter &emit, ir::AccumOp op, mlir::Value value,
                       mlir::Value offset);

  mlir::FailureOr<mlir::Value> isInside(Emitter &emit, ir::AccumOp op);

  // Checks.cpp
  void lowerCheck(ir::CheckOp op, const Iteration &iteration);
  void lowerLaneCheck(ir::CheckOp op, const Iteration &iteration);
  void tellIteration(ir::CheckOp op, const Iteration &iteration);
  llvm::SmallVector<mlir::Value> indicesOf(Emitter &emit, ir::CheckOp op,
                                           llvm::ArrayRef<mlir::Value> first);

  // Lanes.cpp
  /// Lowers an access of several lanes; false if it is of one.
  bool lowerLanes(mlir::Operation *op);
  /// One of a run of accumulations whose lanes may touch one element
  /// (LaneSums.cpp).
  void lowerLaneSum(ir::AccumOp op);
  void accumLanesAtomically(Emitter &emit, ir::AccumOp op, int64_t lanes);

  // IterationLowering.cpp
  mlir::Block::iterator cloneBody(mlir::Region &body, mlir::IRMapping &mapping,
                                  mlir::Operation *&end);
  mlir::LogicalResult lowerSlice(llvm::ArrayRef<mlir::Operation *> work,
                                 llvm::ArrayRef<mlir::Operation *> casts);
  void collectWork(mlir::Block::iterator at, mlir::Operation *end,
                   llvm::SmallVectorImpl<mlir::Operation *> &work);

  ir::TaskOp task;
  mlir::OpBuilder &builder;
  IterationNest &nest;
  mlir::arith::FastMathFlags flags;
  mlir::IRMapping scalars;
  llvm::DenseMap<mlir::Value, FieldView> views;
  /// Of a field's elements, one for each scalar; empty where there is no alias
  /// information.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Attribute>>
      componentScopes;
  mlir::Value seed;
  llvm::SmallVector<ir::AccumOp> laneSums; ///< of the run so far
};

/// An accumulation of several lanes to data-dependent places of a private copy.
bool isLaneSum(mlir::Operation *op);

/// Updates an element of a flat memref as an accumulation of a kind does, and
/// gives its old value.
mlir::Value emitAtomic(Emitter &emit, ir::AccumKind kind, mlir::Value value,
                       mlir::Value data, mlir::Value offset);

/// Philox 4x32-10 (Salmon et al., SC 2011): words 0 and 1 of the block.
mlir::Value emitPhilox(Emitter &emit, llvm::ArrayRef<mlir::Value> counter,
                       mlir::Value keyLow, mlir::Value keyHigh);

/// The bits of a draw that has a number. Counter: iteration (low word), draw
/// with the high bits of the iteration, ordinal, launch index.
mlir::Value emitRandom(Emitter &emit, ir::RandomOp op, mlir::Value seed);

} // namespace chi::conv
#endif // CHI_CONVERSION_ITERATION_ITERATIONLOWERING_H
