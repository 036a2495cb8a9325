//===- Schedule.cpp - How the iterations of a task are carried out --------===//

#include "chi/Dialect/Chi/Schedule.h"
#include "chi/Dialect/Chi/MemoryOrder.h"
#include "chirt/chirt.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace chi::ir;

//===----------------------------------------------------------------------===//
// To write on
//===----------------------------------------------------------------------===//

template <typename T> static SmallVector<T> listOf(ArrayAttr list) {
  return list ? SmallVector<T>(list.getAsRange<T>()) : SmallVector<T>();
}

Schedule Schedule::of(ScheduleAttr attr) {
  Schedule result;
  if (!attr)
    return result;
  result.unit = attr.getUnit();
  result.align = attr.getAlign();
  result.direct = attr.getDirect();
  result.unordered = attr.getUnordered();
  result.noalias = attr.getNoalias();
  if (attr.getMayAlias())
    llvm::append_range(result.mayAlias, attr.getMayAlias().asArrayRef());
  result.peel = attr.getPeel();
  result.tile = attr.getTile();
  for (BufferAttr buffer : listOf<BufferAttr>(attr.getBuffers()))
    result.buffers.push_back(buffer.getValue());
  result.chunk = attr.getChunk();
  result.line = attr.getLine();
  result.period = attr.getPeriod();
  result.reductions = listOf<ReductionAttr>(attr.getReductions());
  result.grouped = attr.getGrouped();
  result.privatized = listOf<PrivatizedAttr>(attr.getPrivatized());
  result.panel = attr.getPanel();
  result.overlapLast = attr.getOverlapLast();
  result.firstFailure = attr.getFirstFailure();
  result.versioned = attr.getVersioned();
  return result;
}

ScheduleAttr Schedule::attr(MLIRContext *context) const {
  auto list = [&](const auto &values) -> ArrayAttr {
    if (values.empty())
      return nullptr;
    return ArrayAttr::get(context,
                          SmallVector<Attribute>(values.begin(), values.end()));
  };
  auto pairs =
      mayAlias.empty() ? nullptr : DenseI64ArrayAttr::get(context, mayAlias);
  auto modes = llvm::map_to_vector(
      buffers, [&](Buffer each) { return BufferAttr::get(context, each); });
  return ScheduleAttr::get(context, unit, align, direct, unordered, noalias,
                           pairs, peel, tile, list(modes), chunk, line, period,
                           list(reductions), grouped, list(privatized), panel,
                           overlapLast, firstFailure, versioned);
}

//===----------------------------------------------------------------------===//
// Requirements of the body
//===----------------------------------------------------------------------===//

BlockArgument chi::ir::capturedField(Value field) {
  while (auto cast = field.getDefiningOp<CastFieldOp>())
    field = cast.getField();
  return dyn_cast<BlockArgument>(field);
}

bool chi::ir::callsOther(Operation *op) {
  auto call = dyn_cast<func::CallOp>(op);
  return call && !call.getCallee().starts_with("chi.cold.");
}

bool chi::ir::mayFail(TaskOp task) {
  WalkResult walked = task.getBody().walk([](Operation *op) {
    auto access = dyn_cast<FieldAccessOpInterface>(op);
    bool may = isa<CheckOp>(op) || callsOther(op) ||
               (access && access.getRaceKindAttr());
    return may ? WalkResult::interrupt() : WalkResult::advance();
  });
  return walked.wasInterrupted();
}

bool chi::ir::readsWhatItWrites(TaskOp task) {
  // Captured fields; null for a value that is none.
  DenseSet<Value> read, written;
  task.getBody().walk([&](FieldAccessOpInterface access) {
    (access.isWrite() ? written : read)
        .insert(capturedField(access.getField()));
  });
  return llvm::any_of(written,
                      [&](Value field) { return read.contains(field); });
}

bool chi::ir::mayRepeat(TaskOp task) {
  WalkResult walked = task.getBody().walk([](Operation *op) {
    return isa<AccumOp, AtomicOp, IterationOp, PrintOp>(op)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return !walked.wasInterrupted() && !readsWhatItWrites(task);
}

/// Pairs of captured fields that iterations touch, one of them written, and
/// that may be one.
static SmallVector<int64_t> pairsThatMayAlias(TaskOp task) {
  DenseMap<unsigned, bool> written; // fields that are accessed at all
  task.walk([&](FieldAccessOpInterface access) {
    if (BlockArgument root = capturedField(access.getField()))
      written[root.getArgNumber()] |= access.isWrite();
  });
  SmallVector<int64_t> pairs;
  unsigned size = task.getNumCaptured();
  for (unsigned a = 0; a < size; ++a)
    for (unsigned b = a + 1; b < size; ++b) {
      auto left = written.find(a), right = written.find(b);
      if (left == written.end() || right == written.end() ||
          (!left->second && !right->second) || !task.mayAlias(a, b))
        continue;
      pairs.append({a, b});
    }
  return pairs;
}

bool chi::ir::hasScratch(TaskOp task) {
  return task.walk([](ScratchOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

int64_t chi::ir::bytesOfAccesses(TaskOp task) {
  int64_t bytes = 0;
  task.getBody().walk([&](FieldAccessOpInterface access) {
    FieldType field = access.getField().getType();
    bytes += byteSize(field.getScalar());
  });
  return bytes;
}

/// How often an operation runs in an iteration; unknown loops count 8.
static int64_t timesInIteration(Operation *op, Operation *task) {
  int64_t times = 1;
  for (op = op->getParentOp(); op && op != task; op = op->getParentOp()) {
    auto loop = dyn_cast<scf::ForOp>(op);
    if (!loop)
      continue;
    auto from = getConstantIntValue(loop.getLowerBound());
    auto to = getConstantIntValue(loop.getUpperBound());
    times *= from && to ? std::max<int64_t>(*to - *from, 1) : 8;
    times = std::min<int64_t>(times, 1 << 20);
  }
  return times;
}

static void addPrivatized(TaskOp task, Schedule &schedule, AccumOp op) {
  BlockArgument root = capturedField(op.getField());
  if (!root)
    return;
  MLIRContext *context = task.getContext();
  int64_t times = timesInIteration(op, task), number = root.getArgNumber();
  for (PrivatizedAttr &known : schedule.privatized)
    if (known.getArgument() == number) {
      known = PrivatizedAttr::get(context, number, known.getCount() + times);
      return;
    }
  schedule.privatized.push_back(PrivatizedAttr::get(context, number, times));
}

static bool sameValue(Value a, Value b) {
  if (a == b)
    return true;
  auto left = getConstantIntValue(a), right = getConstantIntValue(b);
  return left && right && *left == *right;
}

/// Do two accumulations go to one scalar, in one way?
static bool sameTarget(AccumOp a, AccumOp b) {
  if (a.getField() != b.getField() || a.getComponent() != b.getComponent() ||
      a.getKind() != b.getKind() ||
      a.getIndices().size() != b.getIndices().size())
    return false;
  if (!a.getDynamic() != !b.getDynamic() ||
      (a.getDynamic() && !sameValue(a.getDynamic(), b.getDynamic())))
    return false;
  return llvm::all_of(llvm::zip(a.getIndices(), b.getIndices()), [](auto pair) {
    return sameValue(std::get<0>(pair), std::get<1>(pair));
  });
}

/// A wide body has the same accumulations in the same order.
static void numberWideReductions(TaskOp task) {
  SmallVector<AccumOp> known;
  task.getBody().walk([&](AccumOp op) {
    if (op.getReduction())
      known.push_back(op);
  });
  size_t next = 0;
  task.getWide().walk([&](AccumOp op) {
    if (op.getStrategy() != AccumStrategy::deterministic)
      return;
    assert(next < known.size() && "chi-lanes keeps accumulations");
    op.setReductionAttr(known[next++].getReductionAttr());
  });
}

int64_t ReductionNumbers::numberOf(AccumOp op) {
  if (auto numbers = op.getReduction()) {
    auto [known, isNew] = numbered.try_emplace((*numbers)[0], count);
    count += isNew;
    return known->second;
  }
  auto &others = byField[{op.getField(), op.getComponent()}];
  for (auto &[other, number] : others)
    if (sameTarget(other, op))
      return number;
  others.push_back({op, count});
  return count++;
}

void chi::ir::numberElementReductions(TaskOp task) {
  ReductionNumbers numbers;
  auto eachReduction = [&](function_ref<void(AccumOp)> body) {
    task.getBody().walk([&](AccumOp op) {
      if (op.getStrategy() == AccumStrategy::deterministic)
        body(op);
    });
  };
  eachReduction([](AccumOp op) { op.removeReductionAttr(); });
  eachReduction([&](AccumOp op) {
    int64_t number = numbers.numberOf(op);
    int64_t numbers[] = {number, 0};
    if (!op.getIndices().empty() || op.getDynamic())
      op.setReduction(numbers);
  });
}

static void numberReductions(TaskOp task, Schedule &schedule) {
  if (task.getRank() == 0)
    return;
  ReductionNumbers numbers;
  SmallVector<int64_t> operations;
  task.getBody().walk([&](AccumOp op) {
    if (op.getStrategy() != AccumStrategy::deterministic)
      return;
    int64_t number = numbers.numberOf(op);
    operations.resize(std::max<size_t>(operations.size(), number + 1));
    int64_t numbers[] = {number, operations[number]++};
    op.setReduction(numbers);
  });
  // Lanes add to buffers only.
  bool isBuffered = !task.getWide().empty();
  for (int64_t count : operations)
    schedule.reductions.push_back(
        ReductionAttr::get(task.getContext(), count, isBuffered));
  if (!operations.empty())
    schedule.align = CHIRT_REDUCTION_BLOCK;
  numberWideReductions(task);
}

/// The number of the rows of an outer axis that a wide body does together;
/// nothing if it has none, or vectors side by side.
static std::optional<int64_t> outerRowsOf(TaskOp task) {
  std::optional<ArrayRef<int64_t>> rows = task.getRows();
  if (!rows || (*rows)[0] + 1 == int64_t(task.getRank()))
    return std::nullopt;
  return (*rows)[1];
}

Schedule chi::ir::plainSchedule(TaskOp task) {
  Schedule decided = Schedule::of(task.getScheduleAttr()), schedule;
  schedule.buffers = decided.buffers;
  schedule.tile = decided.tile;
  schedule.chunk = decided.chunk;
  schedule.line = decided.line;
  schedule.period = decided.period;
  schedule.panel = decided.panel;
  schedule.mayAlias = pairsThatMayAlias(task);
  schedule.direct = isOrdered(task);
  task.getBody().walk([&](AccumOp op) {
    if (op.getStrategy() == AccumStrategy::privatized)
      addPrivatized(task, schedule, op);
  });
  numberReductions(task, schedule);
  if (decided.tile) {
    schedule.unit = decided.unit;
    schedule.align = decided.align;
  }
  if (auto rows = outerRowsOf(task)) {
    schedule.unit = ChunkUnit::rows;
    schedule.align = *rows;
  } else if (!task.getWide().empty()) {
    int64_t vectors = task.getRows() ? (*task.getRows())[1] : 1;
    schedule.align =
        std::max<int64_t>(schedule.align, *task.getLanes() * vectors);
  }
  return schedule;
}

//===----------------------------------------------------------------------===//
// Verifier
//===----------------------------------------------------------------------===//

static LogicalResult verifyAxes(TaskOp task, ScheduleAttr schedule) {
  int64_t rank = task.getRank();
  if (schedule.getUnit() != ChunkUnit::iterations && rank < 2)
    return task.emitOpError("is split at rows, but has ") << rank << " axes";
  if (schedule.getPeel() && rank == 0)
    return task.emitOpError("has rows to peel, but no axis");
  bool isWide = !task.getWide().empty();
  if ((schedule.getTile() || schedule.getBuffers()) && isWide)
    return task.emitOpError(
        "has tiles or buffers, which a wide body does not support");
  if ((schedule.getOverlapLast() || schedule.getFirstFailure()) && !isWide)
    return task.emitOpError(
        "has `overlapLast` or `firstFailure`, but no wide body");
  if (schedule.getVersioned() && (isWide || schedule.getPeel() || rank == 0))
    return task.emitOpError(
        "has versions of rows that are wide, peeled or missing");
  auto rows = outerRowsOf(task);
  if (rows && (schedule.getUnit() != ChunkUnit::rows ||
               schedule.getAlign() % *rows != 0))
    return task.emitOpError("is split within the rows of its wide body");
  TileAttr tile = schedule.getTile();
  if (!tile)
    return success();
  if (std::max(tile.getOuter(), tile.getInner()) >= rank)
    return task.emitOpError("has tiles along an axis that does not exist");
  if (!schedule.getBuffers() &&
      (rank != 2 || tile.getOuter() != 0 || tile.getInner() != 1))
    return task.emitOpError("has tiles without buffers, which must be along "
                            "the first and the second of two axes");
  return success();
}

static LogicalResult verifyAliases(TaskOp task, ScheduleAttr schedule) {
  ArrayRef<int64_t> listed;
  if (schedule.getMayAlias())
    listed = schedule.getMayAlias().asArrayRef();
  auto isField = [&](int64_t number) {
    return number >= 0 && number < int64_t(task.getNumCaptured()) &&
           isa<FieldType>(task.getCaptured()[number].getType());
  };
  for (int64_t number : listed)
    if (!isField(number))
      return task.emitOpError("lists argument ")
             << number << " in `mayAlias`, but it is not a field";
  SmallVector<int64_t> pairs = pairsThatMayAlias(task);
  for (size_t k = 0; k < pairs.size(); k += 2) {
    bool isListed = false;
    for (size_t n = 0; n + 1 < listed.size(); n += 2)
      isListed |= listed[n] == pairs[k] && listed[n + 1] == pairs[k + 1];
    if (!isListed)
      return task.emitOpError("has a schedule that assumes arguments ")
             << pairs[k] << " and " << pairs[k + 1]
             << " to be distinct fields, which no fact states";
  }
  return success();
}

/// Groups do not cross rows, and a buffer has room for one value of an
/// iteration.
static LogicalResult verifyReductions(TaskOp task, ScheduleAttr schedule) {
  unsigned rank = task.getRank();
  auto row = rank ? task.getKnownExtent(rank - 1) : std::nullopt;
  if (schedule.getGrouped() &&
      (!task.getWide().empty() ||
       (rank > 1 && (!row || *row % CHIRT_REDUCTION_LANES != 0))))
    return task.emitOpError("has groups that do not divide its rows");
  auto reductions = listOf<ReductionAttr>(schedule.getReductions());
  WalkResult walked = task.getBody().walk([&](AccumOp op) {
    auto numbers = op.getReduction();
    if (!numbers || uint64_t((*numbers)[0]) >= reductions.size())
      return WalkResult::advance();
    bool isInLoop = op->getParentOfType<LoopLikeOpInterface>() != nullptr;
    bool isBuffered = reductions[(*numbers)[0]].getBuffered();
    if (isBuffered ? !isInLoop : task.getWide().empty())
      return WalkResult::advance();
    op.emitOpError(isBuffered ? "adds several times to a buffer for one value"
                              : "has lanes, which can only add to buffers");
    return WalkResult::interrupt();
  });
  return failure(walked.wasInterrupted());
}

/// The numbers of buffers and reductions on operations are those of the
/// schedule.
static LogicalResult verifyNumbers(TaskOp task, ScheduleAttr schedule) {
  auto reductions = listOf<ReductionAttr>(schedule.getReductions());
  auto privatized = listOf<PrivatizedAttr>(schedule.getPrivatized());
  int64_t numBuffers = schedule.getBuffers() ? schedule.getBuffers().size() : 0;
  SmallVector<int64_t> stores(numBuffers);
  auto isOutsideRange = [&](AccumOp op) {
    if (op.getStrategy() == AccumStrategy::privatized) {
      BlockArgument root = capturedField(op.getField());
      return llvm::none_of(privatized, [&](PrivatizedAttr each) {
        return root && each.getArgument() == root.getArgNumber();
      });
    }
    if (op.getStrategy() != AccumStrategy::deterministic || task.getRank() == 0)
      return false;
    auto numbers = op.getReduction();
    return !numbers || uint64_t((*numbers)[0]) >= reductions.size() ||
           (*numbers)[1] < 0 ||
           (*numbers)[1] >= reductions[(*numbers)[0]].getOperations();
  };
  WalkResult walked = task.walk([&](Operation *op) {
    auto accum = dyn_cast<AccumOp>(op);
    if (accum && isOutsideRange(accum)) {
      accum.emitOpError(
          "belongs to a reduction or to private copies that are not "
          "in the schedule of its task");
      return WalkResult::interrupt();
    }
    auto store = dyn_cast<StoreOp>(op);
    if (!store || !store.getBuffer())
      return WalkResult::advance();
    if (*store.getBuffer() >= uint64_t(numBuffers)) {
      store.emitOpError("has buffer ")
          << *store.getBuffer() << " of " << numBuffers;
      return WalkResult::interrupt();
    }
    ++stores[*store.getBuffer()];
    return WalkResult::advance();
  });
  if (walked.wasInterrupted())
    return failure();
  if (llvm::is_contained(stores, 0))
    return task.emitOpError("has a buffer without stores");
  return success();
}

/// Nothing may require an order of iterations that run in any order.
static LogicalResult verifyOrder(TaskOp task, ScheduleAttr schedule) {
  if (!schedule.getUnordered())
    return success();
  WalkResult walked = task.getBody().walk([&](Operation *op) {
    if (!isa<AccumOp, AtomicOp, PrintOp, CheckOp>(op))
      return WalkResult::advance();
    op->emitOpError("depends on the order of iterations, but the schedule of "
                    "its task is unordered");
    return WalkResult::interrupt();
  });
  return failure(walked.wasInterrupted());
}

static LogicalResult verifyPanel(TaskOp task, ScheduleAttr schedule) {
  int64_t panel = schedule.getPanel();
  if (panel == 0)
    return success();
  auto rows = outerRowsOf(task);
  if (!rows || panel < 1 || panel % *rows != 0)
    return task.emitOpError("has a panel that is not a multiple of its rows");
  return success();
}

LogicalResult chi::ir::verifySchedule(TaskOp task) {
  ScheduleAttr schedule = task.getScheduleAttr();
  if (!schedule)
    return success();
  return success(succeeded(verifyAxes(task, schedule)) &&
                 succeeded(verifyPanel(task, schedule)) &&
                 succeeded(verifyAliases(task, schedule)) &&
                 succeeded(verifyNumbers(task, schedule)) &&
                 succeeded(verifyReductions(task, schedule)) &&
                 succeeded(verifyOrder(task, schedule)));
}
