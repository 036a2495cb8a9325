//===- BufferStores.cpp - Which stores gather in buffers ------------------===//
// Two reasons to store into a small buffer first. A field that no cache holds
// is best written in whole lines past the caches. And where the loads of a task
// walk along one axis but its stores along another, each of the two walks along
// its own axis if a tile of the iterations is kept in between.
//
// The decisions go to the task's schedule; the loops and buffers are made by
// ChiToLoops (BufferedStores.cpp).
#include "chi/Dialect/Chi/MemoryOrder.h"
#include "chi/Support/Optimisations.h"
#include "chi/Transforms/Schedule/Passes.h"
#include "chi/Transforms/Schedule/RowPeriod.h"

#include "chi/Analysis/AccessMaps.h"
#include "chi/Dialect/Chi/Schedule.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include <numeric>

namespace chi::schedule {
#define GEN_PASS_DEF_BUFFERSTORESPASS
#include "chi/Transforms/Schedule/Passes.h.inc"
} // namespace chi::schedule

using namespace mlir;
using namespace chi;
using namespace chi::analysis;

/// An iteration that takes longer than this for each byte that it stores (in
/// 1/16 ns, as the cost) does not wait for memory.
static constexpr int64_t kMaxCostOfByte = 24;
/// Tiles need this many iterations along both axes.
static constexpr int64_t kMinTiled = 256;
/// More buffers than this do not fit in the first cache.
static constexpr size_t kMaxStores = 32;
/// Iterations of a row that a buffer holds, and of one that repeats.
static constexpr int64_t kMaxChunk = 1024, kMinChunk = 64, kRepeated = 256;
/// Operations of an iteration that are worth the proof that rows repeat.
static constexpr size_t kMaxOps = 400;

namespace {
/// The operands of a value.
struct Origin {
  uint32_t axes; ///< that it depends on, a bit each
  /// Arithmetic of captured values and loop variables, which may be computed
  /// again elsewhere.
  bool isComputed;
};

/// Decides for one task.
class StoreBuffering {
public:
  StoreBuffering(ir::TaskOp task, Ranges &ranges, ir::DeviceAttr device,
                 OptimisationSet off)
      : task(task), ranges(ranges), maps(task, ranges), device(device),
        off(off) {}

  /// Numbers stores, and begins the task's schedule.
  void run();

private:
  using Stores = SmallVector<const Access *>;

  bool isPlainTask();
  bool gatherStores();
  bool isWhole(ArrayRef<const Access *> accesses);
  void findOrigins();
  Origin originOf(Value value) {
    // Arguments of blocks inside: of loops, mostly.
    auto known = origins.find(value);
    return known == origins.end() ? Origin{~0u, false} : known->second;
  }
  bool dependsOn(Value value, unsigned axis) {
    return originOf(value).axes >> axis & 1;
  }
  /// Does an index grow by one along `axis`, and do its other terms not depend
  /// on `axes`?
  bool growsWith(const Access &access, unsigned index, unsigned axis,
                 ArrayRef<unsigned> axes);
  bool staysAlong(const Access &access, unsigned index,
                  ArrayRef<unsigned> axes);
  std::optional<unsigned> axisAlong(const Access &access);
  bool spans(const Access &access, unsigned axis) {
    return llvm::any_of(access.op.getIndices(),
                        [&](Value index) { return dependsOn(index, axis); });
  }
  static unsigned innermostIndex(ir::FieldType field);
  std::optional<int64_t> extentOf(unsigned axis);

  bool isRow(const Access &store);
  bool isTiled(const Access &store, unsigned outer, unsigned inner);
  void numberBuffers(ir::Schedule &schedule, bool isStreamed);
  void setTile(ir::Schedule &schedule, unsigned outer, unsigned inner);
  void setChunks(ir::Schedule &schedule, int64_t period);
  std::optional<std::pair<unsigned, unsigned>> findTile();
  std::optional<Wide> touchedBytes();
  bool mayExceedCache();
  bool exceedsSecondCache();
  bool paysInRows();
  std::optional<int64_t> findPeriod();

  ir::TaskOp task;
  Ranges &ranges;
  AccessMaps maps;
  ir::DeviceAttr device;
  OptimisationSet off;
  Stores stores;
  SmallVector<int64_t> elementBytes; ///< one iteration's in each buffer
  DenseMap<Value, Origin> origins;
  bool isAll = true; ///< no other operation of the task has an effect
};
} // namespace

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

unsigned StoreBuffering::innermostIndex(ir::FieldType field) {
  return *ir::innermostAxis(field);
}

std::optional<int64_t> StoreBuffering::extentOf(unsigned axis) {
  Interval values = ranges.domainOf(task).axes[axis].values;
  if (values.lo > values.hi)
    return 0;
  // Unknown values are wide.
  Wide extent = Wide(values.hi) - values.lo + 1;
  if (extent > (Wide(1) << 31))
    return std::nullopt;
  return static_cast<int64_t>(extent);
}

/// Looks at each value of the body once, operands first.
void StoreBuffering::findOrigins() {
  for (BlockArgument value : task.getCaptured())
    origins[value] = {0, true};
  for (auto [axis, variable] : llvm::enumerate(task.getIndexVariables()))
    origins[variable] = {uint32_t(1) << axis, true};
  task.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    // Results of loops and branches are not followed.
    Origin origin{0, op->getNumRegions() == 0 && isPure(op)};
    if (op->getNumRegions() != 0)
      origin.axes = ~0u;
    for (Value operand : op->getOperands()) {
      Origin from = originOf(operand);
      origin.axes |= from.axes;
      origin.isComputed &= from.isComputed;
    }
    for (Value result : op->getResults())
      origins[result] = origin;
  });
}

bool StoreBuffering::staysAlong(const Access &access, unsigned index,
                                ArrayRef<unsigned> axes) {
  Value value = access.op.getIndices()[index];
  return llvm::none_of(axes,
                       [&](unsigned axis) { return dependsOn(value, axis); });
}

bool StoreBuffering::growsWith(const Access &access, unsigned index,
                               unsigned axis, ArrayRef<unsigned> axes) {
  auto variables = task.getIndexVariables();
  const Linear &sum = access.index[index];
  if (sum.factorOf({variables[axis]}) != 1)
    return false;
  for (const Linear::Term &term : sum.getTerms()) {
    if (term.symbol.isExtent() || term.symbol.value == Value(variables[axis]))
      continue;
    if (llvm::any_of(axes, [&](unsigned other) {
          return dependsOn(term.symbol.value, other);
        }))
      return false;
  }
  return true;
}

/// The only axis along which an access walks through neighbours in memory.
std::optional<unsigned> StoreBuffering::axisAlong(const Access &access) {
  ir::FieldType field = access.op.getField().getType();
  if (!ir::innermostAxis(field))
    return std::nullopt;
  unsigned innermost = innermostIndex(field);
  std::optional<unsigned> found;
  for (unsigned axis = 0; axis < task.getRank(); ++axis) {
    if (staysAlong(access, innermost, {axis}))
      continue;
    if (found || !growsWith(access, innermost, axis, {axis}))
      return std::nullopt;
    found = axis;
  }
  return found;
}

/// Only its checks depend on the order of iterations.
bool StoreBuffering::isPlainTask() {
  if (task.getRank() == 0 || !task.getWide().empty())
    return false;
  WalkResult walked = task.getBody().walk([&](Operation *op) {
    auto access = dyn_cast<ir::FieldAccessOpInterface>(op);
    if (access && access.getRaceKindAttr())
      return WalkResult::interrupt();
    if (isa<ir::AccumOp, ir::AtomicOp, ir::IterationOp, ir::CheckOp,
            ir::PrintOp, func::CallOp>(op))
      isAll = false;
    return WalkResult::advance();
  });
  return !walked.wasInterrupted();
}

/// Are these all accesses of a field, and do they store each of its scalars (of
/// one component, if components lie apart) once in each iteration?
bool StoreBuffering::isWhole(ArrayRef<const Access *> accesses) {
  ir::FieldType field = accesses.front()->op.getField().getType();
  if (!ir::innermostAxis(field) ||
      field.getScalar().getIntOrFloatBitWidth() > 64)
    return false;
  llvm::SmallDenseSet<int64_t> components;
  for (const Access *access : accesses) {
    Operation *op = access->op;
    if (access->op.getAccessKind() != ir::AccessKind::store ||
        op->getParentOp() != task || ir::lanesOf(op->getOperand(0).getType()) ||
        !access->component || !components.insert(*access->component).second ||
        !llvm::equal(access->op.getIndices(),
                     accesses.front()->op.getIndices()) ||
        !llvm::all_of(access->op.getIndices(),
                      [&](Value index) { return originOf(index).isComputed; }))
      return false;
  }
  return field.getIsSoA() ||
         static_cast<int64_t>(components.size()) == field.getNumComponents();
}

/// False if the task writes in another way too.
bool StoreBuffering::gatherStores() {
  llvm::MapVector<Value, Stores> byField;
  for (const Access &access : maps.getAccesses())
    byField[access.field].push_back(&access);
  bool areAll = true;
  for (auto &[field, accesses] : byField) {
    if (llvm::all_of(accesses, [](const Access *access) {
          return access->op.getAccessKind() == ir::AccessKind::load;
        }))
      continue;
    if (isWhole(accesses))
      stores.append(accesses);
    else
      areAll = false;
  }
  return areAll;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// Does a store walk along memory with `outer`, and across it with `inner`?
bool StoreBuffering::isTiled(const Access &store, unsigned outer,
                             unsigned inner) {
  ir::FieldType field = store.op.getField().getType();
  if (field.getNumComponents() > 1 && !field.getIsSoA())
    return false;
  unsigned along = innermostIndex(field), across = 0;
  for (unsigned index = 0; index < store.index.size(); ++index) {
    if (index == along) {
      if (!growsWith(store, index, outer, {outer, inner}))
        return false;
    } else if (growsWith(store, index, inner, {outer, inner})) {
      ++across;
    } else if (!staysAlong(store, index, {outer, inner})) {
      return false;
    }
  }
  return across == 1;
}

/// The axes (outer, inner) of tiles, if the stores walk along memory with the
/// one and most loads with another.
std::optional<std::pair<unsigned, unsigned>> StoreBuffering::findTile() {
  unsigned rank = task.getRank();
  if (rank < 2 || !isAll || stores.empty())
    return std::nullopt;
  auto outer = axisAlong(*stores.front());
  if (!outer)
    return std::nullopt;
  // Loads along one axis that stay along the other, as `table[i]`, do not
  // count: they are served by the cache either way.
  SmallVector<unsigned> loads(rank, 0);
  for (const Access &access : maps.getAccesses()) {
    auto axis = axisAlong(access);
    if (access.op.getAccessKind() == ir::AccessKind::load && axis &&
        spans(access, *outer) &&
        (*axis != *outer || access.op.getIndices().size() > 1))
      ++loads[*axis];
  }
  unsigned inner = *outer == rank - 1 ? 0 : rank - 1;
  for (unsigned axis = 0; axis < rank; ++axis)
    if (axis != *outer && loads[axis] > loads[inner])
      inner = axis;
  // Stores along the innermost axis are in tiles for the sake of loads only.
  bool isNeeded = *outer != rank - 1 || loads[inner] != 0;
  if (!isNeeded || loads[inner] < loads[*outer])
    return std::nullopt;
  for (unsigned axis : {0u, *outer, inner}) {
    auto extent = extentOf(axis);
    bool isTiledAxis = axis == *outer || axis == inner;
    if (extent && *extent < (isTiledAxis ? kMinTiled : 16))
      return std::nullopt;
  }
  for (const Access *store : stores)
    if (!isTiled(*store, *outer, inner))
      return std::nullopt;
  return std::pair(*outer, inner);
}

/// Four lines along both axes, but not more than fits in the first cache,
/// beside what is read; loads along `inner` are asked for ahead.
void StoreBuffering::setTile(ir::Schedule &schedule, unsigned outer,
                             unsigned inner) {
  int64_t bytes = 0, edge = kMinChunk;
  for (int64_t element : elementBytes) {
    bytes += element;
    edge = std::min(edge, 4 * device.getLineBytes() / element);
  }
  while (edge > 16 && edge * edge * bytes > device.getL1Bytes() / 4 * 3)
    edge /= 2;
  schedule.tile = ir::TileAttr::get(task.getContext(), outer, inner, edge);
  schedule.unit = ir::ChunkUnit::slices;
  schedule.align = outer == 0 || inner == 0 ? edge : 1;
  for (const Access &access : maps.getAccesses())
    if (access.op.getAccessKind() == ir::AccessKind::load && access.component &&
        access.op->getParentOp() == task && axisAlong(access) == inner &&
        llvm::all_of(access.op.getIndices(),
                     [&](Value index) { return originOf(index).isComputed; }))
      cast<ir::LoadOp>(access.op.getOperation()).setPrefetch(true);
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

bool StoreBuffering::isRow(const Access &store) {
  ir::FieldType field = store.op.getField().getType();
  unsigned inner = task.getRank() - 1, along = innermostIndex(field);
  for (unsigned index = 0; index < store.index.size(); ++index)
    if (index == along ? !growsWith(store, index, inner, {inner})
                       : !staysAlong(store, index, {inner}))
      return false;
  return true;
}

/// Bytes of the fields that a launch touches, at most; nothing if that is not
/// known.
std::optional<Wide> StoreBuffering::touchedBytes() {
  llvm::SmallDenseSet<Value> seen;
  Wide sum = 0;
  for (const Access &access : maps.getAccesses()) {
    if (!seen.insert(access.field).second)
      continue;
    auto type = cast<ir::FieldType>(access.field.getType());
    auto count = type.getNumElements();
    if (!count)
      return std::nullopt;
    sum +=
        Wide(*count) * type.getNumComponents() * ir::byteSize(type.getScalar());
  }
  Wide iterations = ir::bytesOfAccesses(task);
  for (unsigned axis = 0; axis < task.getRank(); ++axis) {
    auto extent = extentOf(axis);
    if (!extent)
      return sum;
    iterations = std::min<Wide>(iterations * *extent, Wide(1) << 62);
  }
  return std::min(sum, iterations);
}

/// May a launch touch more memory than the caches of a machine that runs it?
/// This is tested at each launch. Not if a machine with much smaller caches
/// holds it.
bool StoreBuffering::mayExceedCache() {
  constexpr int64_t kLess = 4;
  auto bytes = touchedBytes();
  return !bytes || *bytes > device.getCacheBytes() / kLess;
}

/// Otherwise repeated rows are not worth a buffer.
bool StoreBuffering::exceedsSecondCache() {
  auto bytes = touchedBytes();
  return !bytes || *bytes > device.getL2Bytes();
}

/// Is the task one that waits for memory?
bool StoreBuffering::paysInRows() {
  int64_t bytes = 0;
  for (const Access *store : stores)
    bytes += ir::byteSize(store->op.getField().getType().getScalar());
  if (bytes == 0 ||
      int64_t(task.getCost().value_or(0)) > kMaxCostOfByte * bytes)
    return false;
  auto row = extentOf(task.getRank() - 1);
  return !row || *row * bytes >= ir::kMinStreamedRow;
}

//===----------------------------------------------------------------------===//
// Rows that repeat
//===----------------------------------------------------------------------===//

/// After how many iterations of a row the stored values are there again.
std::optional<int64_t> StoreBuffering::findPeriod() {
  if (!isAll || task.getBody().front().getOperations().size() > kMaxOps)
    return std::nullopt;
  unsigned inner = task.getRank() - 1;
  auto period = schedule::periodOfDivisors(
      task, [&](Value value) { return dependsOn(value, inner); });
  auto row = extentOf(inner);
  if (!period || !row || *row < 8 * *period)
    return std::nullopt;
  DenseSet<Value> written;
  SmallVector<Value> values;
  for (const Access *store : stores) {
    written.insert(store->field);
    values.push_back(store->op->getOperand(0));
  }
  if (!schedule::repeatAfter(task, *period, values, written))
    return std::nullopt;
  return period;
}

/// Pieces of a power of two from 64 iterations on end where lines do, whatever
/// the size of elements; half of the first cache is left to what is read. Of
/// rows that repeat little is computed: whole periods, if these are not long.
void StoreBuffering::setChunks(ir::Schedule &schedule, int64_t period) {
  int64_t bytes =
      std::accumulate(elementBytes.begin(), elementBytes.end(), int64_t(0));
  int64_t length = kMaxChunk;
  while (length > kMinChunk && length * bytes > device.getL1Bytes() / 2)
    length /= 2;
  int64_t unit = period ? std::lcm(kMinChunk, period) : length + 1;
  if (unit <= length) {
    schedule.period = period;
    length = std::max(kRepeated / unit * unit, unit);
  }
  schedule.chunk = length;
}

/// One buffer for a field, or for each component where they lie apart.
void StoreBuffering::numberBuffers(ir::Schedule &schedule, bool isStreamed) {
  DenseSet<Operation *> chosen;
  for (const Access *store : stores)
    chosen.insert(store->op);
  SmallVector<std::pair<Value, int64_t>> keys;
  task.getBody().walk([&](ir::StoreOp store) {
    if (!chosen.contains(store))
      return;
    ir::FieldType type = store.getField().getType();
    std::pair<Value, int64_t> key(fieldBelowCasts(store.getField()),
                                  type.getIsSoA() ? store.getComponent() : 0);
    auto known = llvm::find(keys, key);
    store.setBuffer(known - keys.begin());
    if (known != keys.end())
      return;
    keys.push_back(key);
    int64_t scalars = type.getIsSoA() ? 1 : type.getNumComponents();
    elementBytes.push_back(scalars * ir::byteSize(type.getScalar()));
  });
  schedule.buffers.assign(keys.size(), isStreamed ? ir::Buffer::streaming
                                                  : ir::Buffer::plain);
  schedule.line = device.getLineBytes();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

void StoreBuffering::run() {
  if (!isPlainTask())
    return;
  findOrigins();
  bool areAll = gatherStores();
  if (stores.empty() || stores.size() > kMaxStores)
    return;
  bool tiles = areAll && !off.has(Optimisation::Tiles);
  auto tile = tiles ? findTile() : std::nullopt;
  bool isLarge = mayExceedCache() && !off.has(Optimisation::StreamingStores);
  int64_t period = 0;
  if (!tile) {
    if (!exceedsSecondCache() || !paysInRows())
      return;
    size_t before = stores.size();
    llvm::erase_if(stores, [&](const Access *store) { return !isRow(*store); });
    bool repeats = areAll && !off.has(Optimisation::RowPeriod);
    if (repeats && stores.size() == before)
      period = findPeriod().value_or(0);
    if (!isLarge && !period)
      return;
  }
  if (stores.empty())
    return;
  ir::Schedule schedule;
  numberBuffers(schedule, isLarge);
  if (tile)
    setTile(schedule, tile->first, tile->second);
  else
    setChunks(schedule, period);
  task.setScheduleAttr(schedule.attr(task.getContext()));
  // With what the body asks for besides.
  task.setScheduleAttr(ir::plainSchedule(task).attr(task.getContext()));
}

namespace {
struct BufferStoresPass
    : schedule::impl::BufferStoresPassBase<BufferStoresPass> {
  using BufferStoresPassBase::BufferStoresPassBase;

  void runOnOperation() override {
    Ranges ranges(getOperation());
    ir::DeviceAttr device = ir::deviceOf(getOperation());
    for (auto task : getOperation().getOps<ir::TaskOp>())
      if (!ir::hasScratch(task))
        StoreBuffering(task, ranges, device, OptimisationSet::of(without))
            .run();
  }
};
} // namespace
