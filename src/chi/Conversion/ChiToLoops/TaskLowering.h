//===- TaskLowering.h - One function made from a task -----------*- C++ -*-===//
#ifndef CHI_CONVERSION_CHITOLOOPS_TASKLOWERING_H
#define CHI_CONVERSION_CHITOLOOPS_TASKLOWERING_H

#include "chi/Analysis/DistributedSums.h"
#include "chi/Analysis/RowChecks.h"
#include "chi/Conversion/ChiToLoops/TaskShape.h"
#include "chi/Conversion/Iteration/IterationLowering.h"
#include "llvm/ADT/MapVector.h"

namespace chi::conv {

/// Builds one function of a task: the loops round its iterations. An instance
/// serves one function.
class TaskLowering : public IterationNest {
public:
  /// `mayAlias`: no field is taken to be disjoint from another, and no copies
  /// are privatized. `fast`: float arithmetic may be rewritten.
  TaskLowering(const TaskShape &shape, mlir::OpBuilder &builder, bool mayAlias,
               bool fast)
      : shape(shape), builder(builder), mayAlias(mayAlias),
        code(shape.task, builder, *this,
             fast ? kFastFlags : mlir::arith::FastMathFlags::none) {}

  /// Makes `@t.body` or `@t.may_alias`. Fails with a diagnostic.
  mlir::LogicalResult emitBody(mlir::func::FuncOp function);
  /// Makes `@t.earlier`: the arguments of the body, but it does nothing besides
  /// checking one iteration after the other.
  mlir::LogicalResult emitEarlier(mlir::func::FuncOp function);
  /// Makes `@t.finish(captured …, partials …, blocks)`, which joins the
  /// block results of each reduction and combines them into the target.
  mlir::LogicalResult emitFinish(mlir::func::FuncOp function);

  // Queries of iterations.
  bool isAtomic(ir::AccumOp op) override;
  bool lowerAccess(ir::FieldAccessOpInterface access,
                   const Iteration &iteration) override;
  bool looksBack() const override { return shape.schedule.firstFailure; }
  void lookBack(Emitter &emit, const Iteration &first,
                llvm::ArrayRef<mlir::Value> failed) override;

private:
  // LoopNest.cpp
  void bindArguments(mlir::func::FuncOp function);
  void bindCaptured(llvm::ArrayRef<mlir::Value> arguments, unsigned &next);
  mlir::LogicalResult emitRange(Emitter &emit, mlir::Value begin,
                                mlir::Value end);
  mlir::LogicalResult emitLoops(Emitter &emit, mlir::Value begin,
                                mlir::Value end);
  using IterationAt = llvm::function_ref<Iteration(mlir::Value)>;
  using RowEmitter = llvm::function_ref<mlir::LogicalResult(
      mlir::Value low, mlir::Value high, IterationAt iterationAt)>;
  /// Row by row; `whole`: parts are cut at rows in any case. `row` makes one,
  /// emitRow without it.
  mlir::LogicalResult emitLongRows(Emitter &emit, mlir::Value begin,
                                   mlir::Value end, bool whole = false,
                                   RowEmitter row = nullptr);
  mlir::LogicalResult emitTiles(Emitter &emit, mlir::Value begin,
                                mlir::Value end);
  /// The code from which an iteration is lowered.
  enum class Form {
    One,
    Wide,  ///< the body for several iterations, of which this is the first
    Middle ///< away from the edges of a row
  };
  mlir::LogicalResult emitIteration(Iteration iteration, Form form = Form::One);
  void dropEdges(const mlir::IRMapping &clones);
  /// The left edge, the middle, the right edge; in another order if the
  /// iterations have none.
  mlir::LogicalResult
  emitPeeledRow(Emitter &emit, mlir::Value low, mlir::Value high,
                llvm::function_ref<Iteration(mlir::Value)> iterationAt);
  /// A part of a row, through buffers if there are such.
  mlir::LogicalResult
  emitRow(Emitter &emit, mlir::Value low, mlir::Value high,
          llvm::function_ref<Iteration(mlir::Value)> iterationAt) {
    return storeBuffers.empty() ? emitInnermost(emit, low, high, iterationAt)
                                : emitBufferedRow(emit, low, high, iterationAt);
  }
  void emitEdges(Emitter &emit, std::pair<mlir::Value, mlir::Value> left,
                 std::pair<mlir::Value, mlir::Value> right,
                 llvm::function_ref<void(mlir::Value)> body);
  /// A loop along the innermost axis: groups of lanes where the task is
  /// widened, then one iteration after the other.
  mlir::LogicalResult
  emitInnermost(Emitter &emit, mlir::Value low, mlir::Value high,
                llvm::function_ref<Iteration(mlir::Value)> iterationAt);
  mlir::scf::ForOp
  emitOneByOne(Emitter &emit, mlir::Value low, mlir::Value high,
               llvm::function_ref<Iteration(mlir::Value)> iterationAt,
               mlir::LogicalResult &result);

  // ShortRows.cpp
  mlir::LogicalResult emitRows(Emitter &emit, mlir::Value begin,
                               mlir::Value end);
  mlir::LogicalResult emitRowsOf(Emitter &emit, int64_t length,
                                 mlir::Value begin, mlir::Value end);
  std::optional<unsigned> lengthOfRows();
  mlir::LogicalResult emitCheckedRows(Emitter &emit, mlir::Value begin,
                                      mlir::Value end,
                                      std::optional<int64_t> length);

  // CheckedRows.cpp
  struct Row {
    mlir::Value first; ///< innermost variable of the first iteration
    mlir::Value count; ///< iterations, of type index
  };
  mlir::LogicalResult emitVersions(Emitter &emit,
                                   llvm::ArrayRef<analysis::RowCheck> checks,
                                   Row row, IterationAt iterationAt,
                                   llvm::function_ref<void()> unchecked,
                                   llvm::function_ref<void()> plain);
  mlir::FailureOr<mlir::Value>
  rowHolds(Emitter &emit, llvm::ArrayRef<analysis::RowCheck> checks,
           const Iteration &first, mlir::Value count);
  mlir::Value lastIndex(Emitter &emit, const analysis::RowCheck &check,
                        mlir::Value start, mlir::Value count);
  mlir::Value indexInRow(mlir::Operation *at, const analysis::RowCheck &check,
                         mlir::Value start, mlir::Value variable);
  void dropRowChecks(const mlir::IRMapping &clones, const Iteration &iteration);

  // LaneGroups.cpp
  mlir::LogicalResult emitLaneGroups(
      Emitter &emit, mlir::Value low, mlir::Value high,
      llvm::function_ref<Iteration(mlir::Value)> iterationAt,
      llvm::function_ref<void(mlir::Value)> rest,
      llvm::function_ref<mlir::LogicalResult(Iteration)> group = nullptr);
  mlir::LogicalResult
  emitVectorGroups(Emitter &emit, mlir::Value low, mlir::Value high,
                   llvm::function_ref<Iteration(mlir::Value)> iterationAt,
                   llvm::function_ref<void(mlir::Value)> rest);
  mlir::Value laneGroupStart(Emitter &emit, mlir::Value row, mlir::Value end);
  mlir::LogicalResult emitRowGroups(Emitter &emit, mlir::Value begin,
                                    mlir::Value end);
  llvm::SmallVector<mlir::Value> rowIndices(Emitter &emit, mlir::Value row);
  mlir::Value variable(Emitter &emit, unsigned axis, mlir::Value offset);
  mlir::Type axisType(unsigned axis);
  /// The number of the iteration with these indices.
  mlir::Value numberOf(Emitter &emit, llvm::ArrayRef<mlir::Value> indices);
  bool countsIterations() const {
    return shape.isCounted || shape.isInstrumented || !shape.reductions.empty();
  }

  // Reductions.cpp
  mlir::LogicalResult emitBlocks(Emitter &emit, mlir::Value begin,
                                 mlir::Value end);
  mlir::LogicalResult emitBlock(Emitter &emit, mlir::Value end);
  mlir::LogicalResult emitGroups(Emitter &emit, mlir::Value end);
  void addBuffers(Emitter &emit, unsigned reduction, mlir::Value count);
  void prepareBuffers(Emitter &emit, const Iteration &iteration);
  mlir::Value joinLanes(Emitter &emit, unsigned reduction);
  void accumulateReduction(ir::AccumOp op, const Iteration &iteration);
  void lowerLaneReduction(ir::AccumOp op, const Iteration &iteration);
  /// prepareBuffers for all lanes.
  void prepareLaneBuffers(Emitter &emit, const Iteration &iteration);

  // Choices.cpp
  mlir::Value bytesOfLaunch(Emitter &emit);
  mlir::Value choose(Emitter &emit, chirt_choice choice, mlir::Value usual,
                     mlir::Value bytes);
  mlir::LogicalResult emitTilesOrRows(Emitter &emit, mlir::Value begin,
                                      mlir::Value end);

  // BufferedStores.cpp
  void makeStoreBuffers(Emitter &emit);
  mlir::Value asksToStream(Emitter &emit);
  mlir::LogicalResult emitStreamed(Emitter &emit, mlir::Value begin,
                                   mlir::Value end);
  bool bufferStore(ir::StoreOp op, const Iteration &iteration);
  mlir::FailureOr<mlir::Value>
  bufferedOffset(const BufferedField &field,
                 llvm::ArrayRef<mlir::Value> indices);
  mlir::FailureOr<mlir::Value> skewOf(Emitter &emit, const Iteration &first);
  mlir::LogicalResult
  fillStoreBuffers(Emitter &emit, mlir::Value low, mlir::Value count,
                   mlir::Value offset,
                   llvm::function_ref<Iteration(mlir::Value)> iterationAt);
  mlir::LogicalResult fetchRowEnds(Emitter &emit, const Iteration &first,
                                   const Iteration &last);
  void wrapStoreBuffers(Emitter &emit, mlir::Value skew);
  mlir::LogicalResult flushRow(Emitter &emit, llvm::ArrayRef<mlir::Value> at,
                               mlir::Value source, mlir::Value count);
  mlir::LogicalResult
  emitBufferedRow(Emitter &emit, mlir::Value low, mlir::Value high,
                  llvm::function_ref<Iteration(mlir::Value)> iterationAt);
  mlir::LogicalResult emitBufferedTiles(Emitter &emit, mlir::Value begin,
                                        mlir::Value end);
  mlir::LogicalResult fetchAhead(Emitter &emit,
                                 llvm::ArrayRef<mlir::Value> indices);
  mlir::LogicalResult emitBufferedTile(Emitter &emit,
                                       llvm::ArrayRef<mlir::Value> offsets,
                                       mlir::Value rows, mlir::Value columns);
  mlir::LogicalResult flushTile(Emitter &emit,
                                llvm::ArrayRef<mlir::Value> offsets,
                                mlir::Value rows, mlir::Value columns);

  // PackedLoads.cpp
  void makePackBuffers(Emitter &emit);
  void dropPackBuffers(Emitter &emit);
  mlir::LogicalResult packColumn(Emitter &emit, const Iteration &first);
  bool lowerPacked(ir::LoadOp op);
  mlir::LogicalResult emitPanels(
      Emitter &emit, mlir::Value from, mlir::Value to,
      llvm::SmallVectorImpl<mlir::Value> &outer,
      llvm::function_ref<void(mlir::Value, mlir::Value, mlir::Value)> alone);

  // DistributedSums.cpp
  void makeSumBuffers(Emitter &emit);
  mlir::LogicalResult
  emitDistributed(Emitter &emit, mlir::Value low, mlir::Value high, Form form,
                  llvm::function_ref<Iteration(mlir::Value)> iterationAt);
  mlir::Value bufferOffset(Emitter &emit, const Iteration &iteration);
  void gatherSums(const mlir::IRMapping &clones, const Iteration &iteration);
  void addBuffered(const mlir::IRMapping &clones, const Iteration &iteration,
                   Form form);

  const TaskShape &shape;
  mlir::OpBuilder &builder;
  bool mayAlias;
  bool onlyChecks = false;
  IterationLowering code;
  llvm::SmallVector<mlir::Value> from, extent; ///< index
  /// In the middle of a row.
  llvm::SmallVector<analysis::Simpler> simpler;
  /// In a row whose checks hold: what their indices are in the first iteration.
  llvm::SmallVector<std::pair<analysis::RowCheck, mlir::Value>> rowStarts;
  mlir::Value rowFirst; ///< innermost variable of that iteration
  llvm::SmallVector<mlir::Value> partials; ///< block results, one a reduction
  llvm::SmallVector<mlir::Value> lanes; ///< 16 sums of a block, one a reduction
  /// For each reduction one buffer for each operation: the terms of a block's
  /// iterations.
  llvm::SmallVector<llvm::SmallVector<mlir::Value>> buffers;
  mlir::Value blockStart; ///< number of the block's first iteration
  llvm::SmallVector<mlir::Value>
      storeBuffers; ///< buffers, one a buffered field
  mlir::Value past; ///< i32: do buffers go past the caches?
  llvm::SmallVector<mlir::Value> packMemory, packBuffers; ///< of packed loads
  /// Accumulations that have loops of their own.
  std::vector<analysis::DistributedSum> distributed;
  llvm::MapVector<mlir::Value, mlir::Value> sumBuffers; ///< by what is added
  /// In such loops: the first iteration of the chunk, and whose loop it is
  /// (null: the one that fills buffers).
  mlir::Value sumStart;
  const analysis::DistributedSum *sumNow = nullptr;
  /// Elements of a row that the buffers hold; the same if rows repeat so that
  /// they need be computed once only, else 0.
  int64_t bufferLength = 0, bufferPeriod = 0;
};

/// Replaces a launch by calls; the functions of its task exist. `isEntry`: in
/// the entry of the task.
void lowerLaunch(ir::LaunchOp launch, const TaskShape &shape, bool isEntry);

/// `@t` + suffix.
std::string functionName(const TaskShape &shape, llvm::StringRef suffix);
/// Makes `@t.chunk` (or `@t.may_alias.chunk`), which unpacks and calls `body`.
mlir::func::FuncOp emitChunk(const TaskShape &shape, mlir::func::FuncOp body,
                             bool mayAlias);

} // namespace chi::conv
#endif // CHI_CONVERSION_CHITOLOOPS_TASKLOWERING_H
