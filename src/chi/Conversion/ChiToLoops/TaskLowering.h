//===- TaskLowering.h - One function made from a task -----------*- C++ -*-===//
#ifndef CHI_CONVERSION_CHITOLOOPS_TASKLOWERING_H
#define CHI_CONVERSION_CHITOLOOPS_TASKLOWERING_H

#include "chi/Conversion/ChiToLoops/RowSplit.h"
#include "chi/Conversion/ChiToLoops/TaskShape.h"
#include "chi/Conversion/ValueOps.h"
#include "mlir/IR/IRMapping.h"

namespace chi::conv {

/// What an iteration knows of itself.
struct Iteration {
  llvm::SmallVector<mlir::Value> indices; ///< in the task's integer types
  mlir::Value number;                     ///< in the flattened domain, an index
  mlir::Value lane; ///< number mod 16, if the task has trees
};

/// Builds one function of a task. An instance serves one function.
class TaskLowering {
public:
  /// `safe`: no field is taken to be apart from another, and no copies are
  /// private. `fast`: float arithmetic may be rewritten.
  TaskLowering(const TaskShape &shape, mlir::OpBuilder &builder, bool safe,
               bool fast)
      : shape(shape), builder(builder), safe(safe), fast(fast) {}

  /// Makes `@t.body` or `@t.safe`. Fails with a diagnostic.
  mlir::LogicalResult emitBody(mlir::func::FuncOp function);
  /// Makes `@t.finish(captured …, partials …, blocks)`, which joins the
  /// block results of each tree and combines them into the target.
  mlir::LogicalResult emitFinish(mlir::func::FuncOp function);

private:
  // LoopNest.cpp
  void bindArguments(mlir::func::FuncOp function);
  void bindCaptured(llvm::ArrayRef<mlir::Value> arguments, unsigned &next);
  mlir::LogicalResult emitRange(Emitter &emit, mlir::Value begin,
                                mlir::Value end);
  mlir::LogicalResult emitLoops(Emitter &emit, mlir::Value begin,
                                mlir::Value end);
  mlir::LogicalResult emitRows(Emitter &emit, mlir::Value begin,
                               mlir::Value end);
  mlir::LogicalResult emitTiles(Emitter &emit, mlir::Value begin,
                                mlir::Value end);
  /// Which code an iteration is made of.
  enum class Form {
    One,
    Wide,  ///< the body for several iterations, of which this is the first
    Middle ///< away from the edges of a row
  };
  mlir::LogicalResult emitIteration(Iteration iteration, Form form = Form::One);
  /// The left edge, the middle, the right edge; in another order if the
  /// iterations have none.
  mlir::LogicalResult
  emitSplitRow(Emitter &emit, mlir::Value low, mlir::Value high,
               llvm::function_ref<Iteration(mlir::Value)> iterationAt);
  void emitEdges(Emitter &emit, std::pair<mlir::Value, mlir::Value> left,
                 std::pair<mlir::Value, mlir::Value> right,
                 llvm::function_ref<void(mlir::Value)> body);
  /// A loop along the innermost axis: groups of lanes where the task is
  /// widened, then one iteration after the other.
  mlir::LogicalResult
  emitInnermost(Emitter &emit, mlir::Value low, mlir::Value high,
                llvm::function_ref<Iteration(mlir::Value)> iterationAt);
  llvm::SmallVector<mlir::Value> rowIndices(Emitter &emit, mlir::Value row);
  mlir::Value variable(Emitter &emit, unsigned axis, mlir::Value place);
  mlir::Type axisType(unsigned axis);
  bool countsIterations() const {
    return shape.draws || shape.isWatched || !shape.trees.empty();
  }

  // Reductions.cpp
  mlir::LogicalResult emitBlocks(Emitter &emit, mlir::Value begin,
                                 mlir::Value end);
  mlir::LogicalResult emitBlock(Emitter &emit, mlir::Value end);
  mlir::LogicalResult emitGroups(Emitter &emit, mlir::Value end);
  void addBuffers(Emitter &emit, unsigned tree, mlir::Value count);
  void prepareBuffers(Emitter &emit, const Iteration &iteration);
  mlir::Value joinLanes(Emitter &emit, unsigned tree);
  void accumulateTree(ir::AccumOp op, const Iteration &iteration);
  mlir::FailureOr<mlir::Value> targetOffset(ir::AccumOp op);

  // Access.cpp
  mlir::LogicalResult lower(mlir::Operation *op, const Iteration &iteration);
  const FieldView &viewOf(mlir::Value field);
  mlir::Value offsetOf(Emitter &emit, ir::FieldAccessOpInterface access);
  void lowerLoad(ir::LoadOp op);
  void lowerStore(ir::StoreOp op);
  void lowerAccum(ir::AccumOp op, const Iteration &iteration);
  void lowerAtomic(ir::AtomicOp op);
  void lowerDim(ir::DimOp op);
  void lowerCheck(ir::CheckOp op, const Iteration &iteration);
  void accumAtomically(Emitter &emit, ir::AccumOp op, mlir::Value value,
                       mlir::Value offset);

  // Lanes.cpp
  /// Lowers an operation on lanes; false if it has none.
  bool lowerLanes(mlir::Operation *op, const Iteration &iteration);
  void lowerLaneTree(ir::AccumOp op, const Iteration &iteration);
  /// prepareBuffers for all lanes.
  void prepareLaneBuffers(Emitter &emit, const Iteration &iteration);
  void accumLanesAtomically(Emitter &emit, ir::AccumOp op, int64_t lanes);
  void lowerLaneCheck(ir::CheckOp op, const Iteration &iteration);

  // Watch.cpp
  void watchAccess(ir::FieldAccessOpInterface access,
                   const Iteration &iteration);

  // Random.cpp
  void lowerRandom(ir::RandomOp op, const Iteration &iteration);

  mlir::arith::FastMathFlags flags() const {
    return fast ? kFastFlags : mlir::arith::FastMathFlags::none;
  }

  const TaskShape &shape;
  mlir::OpBuilder &builder;
  bool safe, fast;
  mlir::IRMapping scalars; ///< captured scalars of the task
  llvm::DenseMap<mlir::Value, FieldView> views;
  llvm::SmallVector<mlir::Value> from, extent; ///< index
  mlir::Value seed, ordinal, pass;
  std::optional<RowSplit> split;
  llvm::SmallVector<mlir::Value> partials; ///< block results, one a tree
  llvm::SmallVector<mlir::Value> lanes;    ///< 16 sums of a block, one a tree
  /// For each tree one buffer an operation: what a block's iterations add.
  llvm::SmallVector<llvm::SmallVector<mlir::Value>> buffers;
  mlir::Value blockStart; ///< number of the block's first iteration
};

/// Philox 4x32-10 (Salmon et al., SC 2011): words 0 and 1 of the block.
mlir::Value emitPhilox(Emitter &emit, llvm::ArrayRef<mlir::Value> counter,
                       mlir::Value keyLow, mlir::Value keyHigh);

/// The number of this call of a kernel among those that draw, taken once at
/// the entry of its control function.
mlir::Value ordinalOf(Emitter &emit, mlir::func::FuncOp control);

/// Replaces a launch by calls; the functions of its task exist.
mlir::LogicalResult lowerLaunch(ir::LaunchOp launch, const TaskShape &shape);

/// `@t` + suffix.
std::string functionName(const TaskShape &shape, llvm::StringRef suffix);
/// Makes `@t.chunk` (or `@t.safe.chunk`), which unpacks and calls `body`.
mlir::func::FuncOp emitChunk(const TaskShape &shape, mlir::func::FuncOp body,
                             bool safe);

} // namespace chi::conv
#endif // CHI_CONVERSION_CHITOLOOPS_TASKLOWERING_H
