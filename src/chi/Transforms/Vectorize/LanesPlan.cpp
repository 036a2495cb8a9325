//===- LanesPlan.cpp - How many iterations share a loop's iteration -------===//
// Note [Blocks of iterations]: a loop such as `s += a[i, k] * b[k, j]` is
// bound by its loads if one iteration runs it, or one vector of iterations. If
// G vectors of neighbours j and R rows i run it together, they share: R x G
// products need R + G loads (K. Goto and R. van de Geijn, "Anatomy of
// high-performance matrix multiplication", 2008). The plan takes the G and R
// for which one iteration costs least by the counts of this file.
#include "chi/Transforms/Vectorize/Lanes.h"
#include "chi/Transforms/Vectorize/LanesElements.h"
#include "chi/Transforms/Vectorize/LanesSkew.h"

#include "chi/Dialect/Chi/MemoryOrder.h"
#include "chi/Dialect/Chi/Schedule.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace chi;
using namespace chi::vectorize;

// Costs of vector operations, in half cycles.
static constexpr int64_t kOperation = 2;
static constexpr int64_t kDivision = 16;
/// One element for all lanes.
static constexpr int64_t kBroadcast = 2;
/// Neighbours; every other load crosses a line of the cache.
static constexpr int64_t kLoad = 3;
static constexpr int64_t kReverse = 2;
/// A shuffle of two registers: a scalar of an element in memory takes one for
/// each further scalar of the element (LanesElements.cpp).
static constexpr int64_t kShuffle = 2;
/// From one sum to the next in a chain.
static constexpr int64_t kLatency = 8;

static constexpr int64_t kMaxLanes = 64;
static constexpr int64_t kMaxRows = 8;
/// Rows that no block takes run one by one, and cost as many times more.
static constexpr int64_t kAlone = 4;
/// Blocks of rows of which the workers can share the work.
static constexpr int64_t kMinBlocks = 16;

static int64_t tripCountIfConstant(scf::ForOp loop) {
  APInt from, to, step;
  if (!matchPattern(loop.getLowerBound(), m_ConstantInt(&from)) ||
      !matchPattern(loop.getUpperBound(), m_ConstantInt(&to)) ||
      !matchPattern(loop.getStep(), m_ConstantInt(&step)))
    return -1;
  APInt length = to.sgt(from) ? to - from : APInt(to.getBitWidth(), 0);
  return length.udiv(step).getLimitedValue(INT32_MAX) +
         (length.urem(step) != 0);
}

bool vectorize::isUnrolled(scf::ForOp loop) {
  constexpr int64_t kUnrolled = 8;
  int64_t tripCount = tripCountIfConstant(loop);
  return tripCount >= 0 && tripCount <= kUnrolled;
}

/// A multiplication that becomes one operation with the sum that takes it.
static bool isFused(Operation *op) {
  auto contracts = [](Operation *each) {
    auto fast = dyn_cast<arith::ArithFastMathInterface>(each);
    auto flags = fast ? fast.getFastMathFlagsAttr() : nullptr;
    return flags && arith::bitEnumContainsAll(flags.getValue(),
                                              arith::FastMathFlags::contract);
  };
  if (!isa<arith::MulFOp>(op) || !op->hasOneUse() || !contracts(op))
    return false;
  Operation *user = *op->user_begin();
  return isa<arith::AddFOp, arith::SubFOp>(user) && contracts(user);
}

static int64_t costOfOperation(Operation *op) {
  if (op->hasTrait<OpTrait::ConstantLike>() || isFused(op))
    return 0;
  if (isa<arith::DivFOp, arith::RemFOp, arith::DivSIOp, arith::DivUIOp,
          arith::RemSIOp, arith::RemUIOp, ir::FloorDivOp, ir::FloorModOp,
          ir::RootOp, math::SqrtOp>(op))
    return kDivision;
  return kOperation;
}

namespace {
/// Operations and loads of one iteration, by how they are shared: [varies
/// between lanes][varies between rows].
struct Counts {
  int64_t arithmetic[2][2] = {}, loads[2][2] = {}, carried[2][2] = {};
  int64_t sharedVectors = 0;         ///< loads of lanes that all rows share
  int64_t reversed = 0, forward = 0; ///< loads of lanes, by their direction

  int64_t of(const int64_t (&what)[2][2], int64_t groups, int64_t rows) const {
    return what[0][0] + rows * what[0][1] +
           groups * (what[1][0] + rows * what[1][1]);
  }
  /// Half cycles of an iteration for one vector of iterations, in 1/16.
  int64_t cost(int64_t groups, int64_t rows) const;
  int64_t registers(int64_t groups, int64_t rows) const;
};

/// Counts one iteration of a hot loop: of all axes at once, or of one of the
/// rows.
class TripCounter {
public:
  /// `direction`: -1 if lanes count backwards. `rows` or `vectors`, if any,
  /// describe what the rows share.
  TripCounter(scf::ForOp loop, const Divergence &lanes, int direction,
              const Divergence *rows, const SkewedSum *vectors = nullptr)
      : loop(loop), lanes(lanes), direction(direction), rows(rows),
        vectors(vectors) {}

  /// Fails where lanes are apart in memory, or something cannot be counted.
  LogicalResult count();
  Counts counts;

  /// For the loop widened along itself: half cycles, in 1/16.
  int64_t costAlong() const;

private:
  LogicalResult count(Block &block, int64_t times);
  LogicalResult countAccess(ir::FieldAccessOpInterface access, int64_t times);
  bool rowsDiffer(Operation *op) const {
    if (vectors)
      return vectors->differs(op);
    return rows && llvm::any_of(op->getOperands(), [&](Value operand) {
             return rows->isVarying(operand);
           });
  }

  scf::ForOp loop;
  const Divergence &lanes;
  int direction;
  const Divergence *rows;
  const SkewedSum *vectors;
  int64_t along = 0, loadsAlong = 0;
};
} // namespace

/// Registers of the sums, their shared operands, and about half of the
/// intermediate values.
int64_t Counts::registers(int64_t groups, int64_t rows) const {
  constexpr int64_t kMostBetween = 6;
  int64_t sums = of(carried, groups, rows);
  int64_t between = of(arithmetic, groups, rows) / kOperation - sums;
  return sums + groups * sharedVectors + 2 +
         std::clamp<int64_t>(between / 2, 0, kMostBetween * groups * rows);
}

int64_t Counts::cost(int64_t groups, int64_t rows) const {
  int64_t compute = of(arithmetic, groups, rows);
  int64_t memory = of(loads, groups, rows);
  int64_t chain = of(carried, 1, 1) ? kLatency : 0;
  // Work other than the bottleneck adds a little.
  int64_t all =
      std::max({compute, memory, chain}) * 4 + std::min(compute, memory);
  return 4 * all / (groups * rows);
}

/// Lanes touch one element, or neighbours.
LogicalResult TripCounter::countAccess(ir::FieldAccessOpInterface access,
                                       int64_t times) {
  ir::FieldType field = access.getField().getType();
  Value dynamic = access.getDynamicComponent();
  if (dynamic && lanes.isVarying(dynamic))
    return failure();
  std::optional<unsigned> last = ir::innermostAxis(field);
  // Scalars of an element between one lane's and the next's.
  int64_t apart =
      ir::hasAdjacentComponents(field) ? field.getNumComponents() - 1 : 0;
  if (apart >= kMaxComponents)
    return failure();
  int step = 0;
  bool isInvariant = !dynamic || loop.isDefinedOutsideOfLoop(dynamic);
  for (auto [axis, index] : llvm::enumerate(access.getIndices())) {
    isInvariant &= loop.isDefinedOutsideOfLoop(index);
    if (!lanes.isVarying(index))
      continue;
    step = direction * lanes.stepOf(index);
    if (axis != last || step == 0 || (apart && (dynamic || step < 0)))
      return failure();
  }
  bool differs = rowsDiffer(access);
  int64_t one = step == 0  ? kBroadcast
                : step > 0 ? kLoad + kShuffle * apart
                           : kLoad + kReverse;
  counts.loads[step != 0][differs] += times * one;
  counts.sharedVectors += step && !differs ? times : 0;
  counts.reversed += step < 0 ? times : 0;
  counts.forward += step > 0 ? times : 0;
  loadsAlong += isInvariant ? 0 : times * kLoad;
  return success();
}

LogicalResult TripCounter::count(Block &block, int64_t times) {
  for (Operation &op : block.without_terminator()) {
    if (auto access = dyn_cast<ir::FieldAccessOpInterface>(op)) {
      if (failed(countAccess(access, times)))
        return failure();
      continue;
    }
    if (auto inner = dyn_cast<scf::ForOp>(op)) {
      if (!isUnrolled(inner) || lanes.isDivergent(inner) ||
          lanes.hasNonUniformBounds(inner) ||
          failed(count(*inner.getBody(), times * tripCountIfConstant(inner))))
        return failure();
      continue;
    }
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      for (Region *side : branch.getRegions())
        if (!side->empty() && failed(count(side->front(), times)))
          return failure();
      continue;
    }
    if (op.getNumRegions() || isa<ir::CheckOp>(op))
      return failure();
    bool differs = llvm::any_of(op.getResults(), [&](Value result) {
      return lanes.isVarying(result) && !lanes.stepOf(result);
    });
    bool isFloat = llvm::any_of(op.getResultTypes(), llvm::IsaPred<FloatType>);
    if (differs || isFloat)
      counts.arithmetic[differs][rowsDiffer(&op)] +=
          times * costOfOperation(&op);
    if (differs || isFloat)
      along += times * costOfOperation(&op);
  }
  return success();
}

LogicalResult TripCounter::count() {
  for (Value argument : loop.getRegionIterArgs())
    counts.carried[lanes.isVarying(argument)]
                  [vectors || (rows && rows->isVarying(argument))] += 1;
  return count(*loop.getBody(), 1);
}

int64_t TripCounter::costAlong() const {
  return 16 * std::max(along, loadsAlong) + 4 * std::min(along, loadsAlong);
}

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

namespace {
class Planner {
public:
  Planner(ir::TaskOp task, const Divergence &lanes, ir::DeviceAttr device,
          ArrayRef<std::optional<int64_t>> extents)
      : task(task), lanes(lanes), device(device), extents(extents) {}
  std::optional<LanePlan> plan();

private:
  bool findHotLoops();
  LogicalResult chooseDirection();
  int64_t lanesOfVector();
  bool hasOnlyPlainSums();
  void tryRows(unsigned axis);
  void trySkewed();
  void tryVectors(ArrayRef<Counts> all, int64_t vectors);
  void tryBlock(ArrayRef<Counts> all, unsigned axis, int64_t groups,
                int64_t rows);

  ir::TaskOp task;
  const Divergence &lanes;
  ir::DeviceAttr device;
  ArrayRef<std::optional<int64_t>> extents;
  SmallVector<scf::ForOp> hot;
  int64_t vectorLanes = 0, bestCost = INT64_MAX;
  int direction = 1;     ///< of lanes along the innermost axis
  bool isFree = false;   ///< nothing tells iterations apart
  bool hasBands = false; ///< loops that neither begin nor end together
  bool repeats = false;  ///< some iterations may be done twice
  LanePlan best{0};
};
} // namespace

/// The loops that contain no long one. Other passes widen other loops, and
/// divergent ones.
bool Planner::findHotLoops() {
  return !task.getBody()
              .walk([&](Operation *op) {
                if (isa<scf::WhileOp>(op) || lanes.isDivergent(op))
                  return isa<scf::IfOp>(op) ? WalkResult::advance()
                                            : WalkResult::interrupt();
                auto loop = dyn_cast<scf::ForOp>(op);
                if (!loop || isUnrolled(loop))
                  return WalkResult::advance();
                bool isInner = true;
                loop.getBody()->walk(
                    [&](scf::ForOp inner) { isInner &= isUnrolled(inner); });
                if (isInner)
                  hot.push_back(loop);
                return WalkResult::advance();
              })
              .wasInterrupted() &&
         !hot.empty();
}

/// Values that only address memory of lanes are kept as scalars.
int64_t Planner::lanesOfVector() {
  int64_t bytes = 2;
  for (scf::ForOp loop : hot)
    loop.walk([&](Operation *op) {
      for (Value result : op->getResults())
        if (lanes.isVarying(result) && !lanes.stepOf(result))
          bytes = std::max(bytes, ir::byteSize(result.getType()));
    });
  return device.getVectorBytes() / bytes;
}

void Planner::tryBlock(ArrayRef<Counts> all, unsigned axis, int64_t groups,
                       int64_t rows) {
  int64_t registers = device.getVectorRegisters(), cost = 0;
  for (const Counts &counts : all) {
    if (groups * rows > 1 && counts.registers(groups, rows) > registers)
      return;
    cost += counts.cost(groups, rows);
  }
  int64_t width = groups * vectorLanes;
  std::optional<int64_t> row = extents.back();
  // A row of unknown length may be short, and so may be a band, in which as
  // many iterations more as there are lanes have masks.
  if (width > kMaxLanes || (groups > 2 && (!row || hasBands)) ||
      (row && *row < width))
    return;
  if (row && *row % width)
    cost = cost * llvm::alignTo(*row, width) / *row;
  if (rows > 1 && extents[axis]) {
    int64_t extent = *extents[axis], rest = extent % rows, others = 1;
    for (auto [other, length] : llvm::enumerate(extents.drop_back()))
      others *= other == axis ? 1 : std::min<int64_t>(length.value_or(64), 64);
    if (extent / rows * others < kMinBlocks)
      return;
    // The last block ends with the rows, or leaves some over.
    cost = cost *
           (repeats ? llvm::alignTo(extent, rows)
                    : extent - rest + kAlone * rest) /
           extent;
  }
  if (cost >= bestCost)
    return;
  bestCost = cost;
  best = {width, axis, rows, direction < 0};
}

void Planner::tryRows(unsigned axis) {
  Divergence rows(task, axis);
  SmallVector<Counts> all;
  for (scf::ForOp loop : hot) {
    TripCounter counter(loop, lanes, direction, &rows);
    // Where rows go different ways, they go one by one.
    for (Operation *op = loop; op != task; op = op->getParentOp())
      if (rows.isDivergent(op) || rows.hasNonUniformBounds(op))
        return;
    if (failed(counter.count()))
      return;
    all.push_back(counter.counts);
  }
  for (int64_t groups : {1, 2, 4})
    for (int64_t count = 2; count <= kMaxRows; ++count)
      if (extents[axis] || llvm::isPowerOf2_64(count))
        tryBlock(all, axis, groups, count);
}

/// Rows are renumbered and divided differently, so nothing may depend on the
/// numbers of iterations.
bool Planner::hasOnlyPlainSums() {
  return !task.getBody()
              .walk([](ir::AccumOp accum) {
                return accum.getStrategy() == ir::AccumStrategy::plain
                           ? WalkResult::advance()
                           : WalkResult::interrupt();
              })
              .wasInterrupted();
}

/// Rows that share the windows of skewed sums, side by side along the innermost
/// axis.
void Planner::tryVectors(ArrayRef<Counts> all, int64_t vectors) {
  int64_t cost = 0, group = vectors * vectorLanes;
  for (const Counts &counts : all) {
    if (counts.registers(1, vectors) > device.getVectorRegisters())
      return;
    cost += counts.cost(1, vectors);
  }
  // In the stairs a part of the rows runs.
  if (std::optional<int64_t> row = extents.back()) {
    if (*row < group)
      return;
    int64_t stairs = group - vectorLanes;
    cost = cost * (llvm::alignTo(*row, vectorLanes) + stairs / 4) / *row;
  }
  if (cost >= bestCost)
    return;
  bestCost = cost;
  best = {vectorLanes, unsigned(task.getRank() - 1), vectors, direction < 0};
}

void Planner::trySkewed() {
  SmallVector<Counts> all;
  for (scf::ForOp loop : hot) {
    std::optional<SkewedSum> sum = SkewedSum::of(task, loop, lanes);
    if (!sum)
      return;
    TripCounter counter(loop, lanes, direction, nullptr, &*sum);
    if (failed(counter.count()))
      return;
    all.push_back(counter.counts);
  }
  for (int64_t vectors = 2; vectors <= kMaxRows; vectors *= 2)
    tryVectors(all, vectors);
}

/// Reverses the lanes if more loads in the loops descend than ascend (a
/// convolution): then only the values that are stored after them are reversed.
/// Not where checks or the numbers of sums distinguish lanes.
LogicalResult Planner::chooseDirection() {
  int64_t rising = 0;
  for (scf::ForOp loop : hot) {
    TripCounter counter(loop, lanes, direction, nullptr);
    if (failed(counter.count()))
      return failure();
    rising += counter.counts.forward - counter.counts.reversed;
  }
  isFree = !task.getBody()
                .walk([](Operation *op) {
                  auto accum = dyn_cast<ir::AccumOp>(op);
                  return isa<ir::CheckOp>(op) ||
                                 (accum && accum.getStrategy() !=
                                               ir::AccumStrategy::plain)
                             ? WalkResult::interrupt()
                             : WalkResult::advance();
                })
                .wasInterrupted();
  if (isFree && rising < 0)
    direction = -1;
  return success();
}

std::optional<LanePlan> Planner::plan() {
  if (!findHotLoops())
    return std::nullopt;
  vectorLanes = lanesOfVector();
  if (vectorLanes < 2 || failed(chooseDirection()))
    return std::nullopt;
  repeats = ir::mayRepeat(task);
  SmallVector<Counts> all;
  int64_t along = 0;
  bool isLeft = true;
  for (scf::ForOp loop : hot) {
    TripCounter counter(loop, lanes, direction, nullptr);
    if (failed(counter.count()))
      return std::nullopt;
    all.push_back(counter.counts);
    along += counter.costAlong();
    isLeft &= isLeftToLLVM(loop);
    hasBands |= lanes.isVarying(loop.getLowerBound()) &&
                lanes.isVarying(loop.getUpperBound());
  }
  for (int64_t groups : {1, 2, 4})
    tryBlock(all, 0, groups, 1);
  if (task.getRank() > 1 && hasOnlyPlainSums())
    for (unsigned axis = 0; axis + 1 < task.getRank(); ++axis)
      tryRows(axis);
  if (isFree)
    trySkewed();
  // It should pay clearly: sums along the loop have no rest of a row.
  if (bestCost == INT64_MAX || (isLeft && bestCost * 5 > along * 4))
    return std::nullopt;
  return best;
}

std::optional<LanePlan>
vectorize::planBlock(ir::TaskOp task, const Divergence &divergence,
                     ir::DeviceAttr device,
                     ArrayRef<std::optional<int64_t>> extents) {
  return Planner(task, divergence, device, extents).plan();
}
