//===- Schedule.cpp - How the iterations of tasks are carried out ---------===//
#include "chi/Support/Optimisations.h"
#include "chi/Transforms/Schedule/Passes.h"

#include "chi/Analysis/Cost.h"
#include "chi/Analysis/DistributedSums.h"
#include "chi/Analysis/LoopPeeling.h"
#include "chi/Analysis/RowChecks.h"
#include "chi/Dialect/Chi/MemoryOrder.h"
#include "chi/Dialect/Chi/Schedule.h"
#include "chirt/chirt.h"

namespace chi::schedule {
#define GEN_PASS_DEF_SCHEDULEPASS
#include "chi/Transforms/Schedule/Passes.h.inc"
} // namespace chi::schedule

using namespace mlir;
using namespace chi;

/// Up to this many operations of a reduction have a buffer for a block's
/// values.
static constexpr int64_t kMaxBuffers = 8;
/// An iteration of fewer operations feels the buffers of its sums.
static constexpr size_t kShort = 24;
/// The most bytes of the buffers of distributed sums: they stay in the first
/// cache.
static constexpr int64_t kSumBytes = 8192;
/// Shorter chunks of rows are mostly beginnings of loops.
static constexpr int64_t kMinChunk = 64;
/// Operations of an iteration that is worth a second version.
static constexpr size_t kMaxVersioned = 500;

namespace {
/// Decides for one task.
class Scheduler {
public:
  Scheduler(ir::TaskOp task, int64_t lineBytes, OptimisationSet off)
      : task(task), lineBytes(lineBytes), off(off),
        schedule(ir::plainSchedule(task)) {}

  void run();

private:
  void chooseOrder();
  void chooseChunks();
  void chooseTiles();
  void chooseReductions();
  void distributeSums();
  void versionRows();

  std::optional<int64_t> iterations();
  bool isDirect();
  ir::ChunkUnit chooseUnit();
  bool wantsTiles(int64_t edge);
  bool looksEarlier();
  bool isShortIteration();
  bool isBuffered(int64_t reduction);
  bool isWide() { return !task.getWide().empty(); }

  ir::TaskOp task;
  int64_t lineBytes;
  OptimisationSet off;
  ir::Schedule schedule;
};
} // namespace

static bool isWrite(Operation *op) {
  auto access = dyn_cast<ir::FieldAccessOpInterface>(op);
  return access && access.isWrite();
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

/// Can the wide body report another iteration than the first that fails, and
/// do the checks of an iteration give the same result without its writes, after
/// some of them? This holds if written fields are never read, or are written
/// after all checks.
bool Scheduler::looksEarlier() {
  unsigned numChecks = 0;
  bool isOfOther = false; // than the first iteration
  bool isLate = true, hasWrite = false, hasOther = false;
  task.getWide().walk([&](ir::CheckOp check) {
    numChecks += check->getParentOfType<LoopLikeOpInterface>() ? 2 : 1;
    isOfOther |= ir::lanesOf(check.getOk().getType()) || check.getRow();
  });
  if (!isOfOther || numChecks < 2)
    return false;
  task.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    hasOther |= isa<ir::AtomicOp, ir::PrintOp>(op) || ir::callsOther(op);
    hasWrite |= isWrite(op);
    isLate &= !isa<ir::CheckOp>(op) || !hasWrite;
    // In a loop all writes are before a check of the next iteration.
    if (isa<LoopLikeOpInterface>(op))
      op->walk([&](Operation *inner) { hasWrite |= isWrite(inner); });
  });
  if (hasOther)
    return false;
  return isLate || !ir::readsWhatItWrites(task);
}

void Scheduler::chooseOrder() {
  bool asks = ir::mayFail(task);
  task.getBody().walk([&](Operation *op) {
    asks |= isa<ir::AccumOp, ir::AtomicOp, ir::PrintOp>(op);
  });
  schedule.unordered = !asks;
  schedule.overlapLast =
      isWide() && !off.has(Optimisation::LastLaneGroup) && ir::mayRepeat(task);
  schedule.firstFailure = isWide() && looksEarlier();
}

//===----------------------------------------------------------------------===//
// Parts and tiles
//===----------------------------------------------------------------------===//

std::optional<int64_t> Scheduler::iterations() {
  std::optional<int64_t> product = 1;
  for (unsigned axis = 0; axis < task.getRank(); ++axis) {
    auto extent = task.getKnownExtent(axis);
    if (extent == 0)
      return 0;
    int64_t next;
    if (!product || !extent || llvm::MulOverflow(*product, *extent, next))
      product.reset();
    else
      product = next;
  }
  return product;
}

bool Scheduler::isDirect() {
  int64_t cost =
      std::max<int64_t>(task.getCost().value_or(analysis::kUnknownCost), 1);
  auto known = iterations();
  return known && *known <= analysis::kGrain / cost;
}

/// Rows are worth keeping whole where there are many of them for the workers,
/// which the launch may have to find out; a reduction counts iterations,
/// whatever the rows.
ir::ChunkUnit Scheduler::chooseUnit() {
  if (task.getRank() < 2 || !schedule.reductions.empty() ||
      off.has(Optimisation::WholeRows))
    return ir::ChunkUnit::iterations;
  int64_t rows = 1;
  for (unsigned axis = 0; axis + 1 < task.getRank(); ++axis) {
    auto extent = task.getKnownExtent(axis);
    if (!extent)
      return ir::ChunkUnit::many_rows;
    if (llvm::MulOverflow(rows, *extent, rows))
      return ir::ChunkUnit::rows;
  }
  return rows >= ir::kManyRows ? ir::ChunkUnit::rows
                               : ir::ChunkUnit::iterations;
}

void Scheduler::chooseChunks() {
  schedule.direct |= isDirect();
  if (!schedule.reductions.empty() || schedule.tile)
    return;
  auto rows = task.getRows();
  if (rows && (*rows)[0] + 1 < int64_t(task.getRank())) {
    schedule.unit = ir::ChunkUnit::rows;
    schedule.align = (*rows)[1];
    return;
  }
  schedule.unit = chooseUnit();
  if (schedule.unit == ir::ChunkUnit::rows)
    schedule.align = 1;
}

/// Is `value` the variable, plus or minus a term that does not depend on it?
static bool isVariablePlus(Value value, Value variable) {
  if (value == variable)
    return true;
  Operation *op = value.getDefiningOp();
  return isa_and_nonnull<arith::AddIOp, arith::SubIOp, arith::ExtSIOp>(op) &&
         isVariablePlus(op->getOperand(0), variable);
}

/// Does an access walk along memory with the outer variable, and across it
/// with the inner one?
static bool walksAcross(ir::FieldAccessOpInterface access, Value outer,
                        Value inner) {
  std::optional<unsigned> innermost =
      ir::innermostAxis(access.getField().getType());
  if (!innermost || access.getIndices().size() < 2 ||
      !isVariablePlus(access.getIndices()[*innermost], outer))
    return false;
  return llvm::any_of(access.getIndices(), [&](Value index) {
    return isVariablePlus(index, inner);
  });
}

/// Does an access run along memory by the outer of two axes? Then the cache
/// lines of one row serve the next ones, if the domain is tiled.
bool Scheduler::wantsTiles(int64_t edge) {
  // Of several failing checks of a chunk the first one counts: rows keep their
  // order.
  if (task.getRank() != 2 || schedule.unit == ir::ChunkUnit::iterations ||
      ir::mayFail(task) || ir::isOrdered(task) || ir::hasFixedParts(task) ||
      isWide() || !schedule.buffers.empty() || off.has(Optimisation::Tiles))
    return false;
  for (unsigned axis : {0, 1})
    if (auto extent = task.getKnownExtent(axis); extent && *extent < 4 * edge)
      return false;
  Value outer = task.getIndexVariables()[0],
        inner = task.getIndexVariables()[1];
  return task.getBody()
      .walk([&](ir::FieldAccessOpInterface access) {
        return walksAcross(access, outer, inner) ? WalkResult::interrupt()
                                                 : WalkResult::advance();
      })
      .wasInterrupted();
}

void Scheduler::chooseTiles() {
  // A line of 4-byte numbers; more rows than that may meet in one set of the
  // cache.
  int64_t edge = std::max<int64_t>(lineBytes / 4, 2);
  if (!wantsTiles(edge))
    return;
  schedule.tile = ir::TileAttr::get(task.getContext(), 0, 1, edge);
  schedule.unit = ir::ChunkUnit::rows;
  schedule.align = edge;
}

//===----------------------------------------------------------------------===//
// Trees
//===----------------------------------------------------------------------===//

/// A few operations on scalars that lie side by side, and rows that groups of
/// 16 iterations do not cross.
bool Scheduler::isShortIteration() {
  auto row = task.getKnownExtent(task.getRank() - 1);
  if (task.getRank() > 1 && (!row || *row % CHIRT_REDUCTION_LANES != 0))
    return false;
  Block &body = task.getBody().front();
  if (body.getOperations().size() > kShort)
    return false;
  return llvm::none_of(body, [](Operation &op) {
    auto load = dyn_cast<ir::LoadOp>(op);
    return op.getNumRegions() != 0 || isa<math::MathDialect>(op.getDialect()) ||
           isa<func::CallOp, arith::DivFOp, ir::RootOp, ir::CheckOp>(op) ||
           (load && load.getField().getType().getNumComponents() > 1 &&
            !load.getField().getType().getIsSoA());
  });
}

/// Does each of its operations run once in an iteration at most, and are they
/// few?
bool Scheduler::isBuffered(int64_t reduction) {
  if (schedule.reductions[reduction].getOperations() > kMaxBuffers)
    return false;
  WalkResult walked = task.getBody().walk([&](ir::AccumOp op) {
    if (!op.getReduction() || (*op.getReduction())[0] != reduction)
      return WalkResult::advance();
    for (Operation *parent = op->getParentOp(); parent != task;
         parent = parent->getParentOp())
      if (!isa<scf::IfOp>(parent))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return !walked.wasInterrupted();
}

void Scheduler::chooseReductions() {
  if (schedule.reductions.empty())
    return;
  schedule.grouped =
      !isWide() && !off.has(Optimisation::GroupedSums) && isShortIteration();
  // Lanes add to buffers only.
  if (schedule.grouped || (!isWide() && off.has(Optimisation::BufferedSums)))
    return;
  for (auto [number, reduction] : llvm::enumerate(schedule.reductions))
    reduction = ir::ReductionAttr::get(
        task.getContext(), reduction.getOperations(), isBuffered(number));
}

/// Needs to know of the middle of rows.
void Scheduler::distributeSums() {
  if (!schedule.reductions.empty() || schedule.tile ||
      !schedule.buffers.empty() || task.getRows() || ir::mayFail(task) ||
      off.has(Optimisation::DistributedSums))
    return;
  SmallVector<analysis::Simpler> simpler;
  if (schedule.peel)
    simpler = analysis::simplerInMiddle(task, schedule.peel);
  llvm::DenseSet<Value> added;
  int64_t bytes = 0;
  for (analysis::DistributedSum &sum :
       analysis::findDistributedSums(task, simpler))
    for (ir::AccumOp accum : sum)
      if (added.insert(accum.getValue()).second)
        bytes += ir::byteSize(accum.getValue().getType());
  if (bytes)
    schedule.chunk = std::max(kSumBytes / bytes, kMinChunk);
}

/// LLVM makes vectors of a row only if it can count the iterations up to the
/// first that fails a check. It cannot where an index descends.
void Scheduler::versionRows() {
  if (off.has(Optimisation::VersionedRows) || isWide() || schedule.peel ||
      schedule.chunk || task.getRank() == 0 ||
      task.getBody().front().getOperations().size() > kMaxVersioned)
    return;
  auto checks = analysis::findRowChecks(task);
  schedule.versioned = checks && !llvm::all_of(*checks, analysis::isCountable);
}

void Scheduler::run() {
  chooseOrder();
  chooseChunks();
  chooseTiles();
  chooseReductions();
  schedule.noalias = !off.has(Optimisation::NoAlias);
  if (!off.has(Optimisation::LoopPeeling))
    schedule.peel = analysis::findPeeling(task);
  distributeSums();
  versionRows();
  task.setScheduleAttr(schedule.attr(task.getContext()));
}

namespace {
struct SchedulePass : schedule::impl::SchedulePassBase<SchedulePass> {
  using SchedulePassBase::SchedulePassBase;

  void runOnOperation() override {
    int64_t lineBytes = ir::deviceOf(getOperation()).getLineBytes();
    for (auto task : getOperation().getOps<ir::TaskOp>())
      Scheduler(task, lineBytes, OptimisationSet::of(without)).run();
  }
};
} // namespace
