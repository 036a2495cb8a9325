//===- PackLoads.cpp - What the rows of a sum share, packed ---------------===//
// K. Goto and R. van de Geijn, "Anatomy of high-performance matrix
// multiplication", ACM TOMS 34(3), 2008: the loads of one column of lane groups
// are scattered in memory, often in a few sets of the cache; packed they stay
// in the second cache for all rows of a panel.
#include "chi/Transforms/Schedule/Passes.h"

#include "chi/Analysis/Ranges.h"
#include "chi/Dialect/Chi/MemoryOrder.h"
#include "chi/Dialect/Chi/Schedule.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace chi::schedule {
#define GEN_PASS_DEF_PACKLOADSPASS
#include "chi/Transforms/Schedule/Passes.h.inc"
} // namespace chi::schedule

using namespace mlir;
using namespace chi;
using analysis::fieldBelowCasts;

/// Fewer iterations of the sum are in the first cache anyway.
static constexpr int64_t kMinSum = 64;
/// So many groups of rows pay for packing.
static constexpr int64_t kMinGroups = 8;
static constexpr unsigned kMaxPacked = 4;

namespace {
/// Finds the loads of one task.
class LoadPacker {
public:
  LoadPacker(ir::TaskOp task, ir::DeviceAttr device)
      : task(task), device(device) {}
  void run();

private:
  bool isReorderable();
  bool isShared(ir::LoadOp load, scf::ForOp sum);
  bool isSharedValue(Value value, scf::ForOp sum);
  void findLoads(scf::ForOp sum);
  int64_t bytesOfRow(scf::ForOp sum);

  Value rowVariable() {
    auto variables = task.getWide().getArguments().take_back(task.getRank());
    return variables[(*task.getRows())[0]];
  }

  ir::TaskOp task;
  ir::DeviceAttr device;
  DenseSet<Value> written;
  SmallVector<ir::LoadOp> loads;
};
} // namespace

/// May the iterations run in any order? True if they contain loads and stores
/// only.
bool LoadPacker::isReorderable() {
  WalkResult walked = task.getWide().walk([&](Operation *op) {
    if (isa<ir::CheckOp, ir::PrintOp, ir::AccumOp, ir::AtomicOp, func::CallOp>(
            op))
      return WalkResult::interrupt();
    if (auto store = dyn_cast<ir::StoreOp>(op))
      written.insert(fieldBelowCasts(store.getField()));
    return WalkResult::advance();
  });
  return !walked.wasInterrupted();
}

/// Is the value the same for all rows, whatever was summed before?
bool LoadPacker::isSharedValue(Value value, scf::ForOp sum) {
  if (value == rowVariable())
    return false;
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner()->getParentOp() == task ||
           argument == sum.getInductionVar();
  Operation *op = value.getDefiningOp();
  return op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
         !isa<ir::IterationOp>(op) &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return isSharedValue(operand, sum);
         });
}

bool LoadPacker::isShared(ir::LoadOp load, scf::ForOp sum) {
  return ir::lanesOf(load.getResult().getType()) && !load.getMask() &&
         load.getInbounds() &&
         !written.contains(fieldBelowCasts(load.getField())) &&
         llvm::all_of(load->getOperands(), [&](Value operand) {
           return isSharedValue(operand, sum);
         });
}

/// The iterations of a sum, where they are a constant.
static int64_t lengthOf(scf::ForOp sum) {
  auto trips = sum.getStaticTripCount();
  auto step = getConstantIntValue(sum.getStep());
  return trips && step == 1 ? trips->getSExtValue() : 0;
}

/// Loads of one sum that fit together in half of the second cache.
void LoadPacker::findLoads(scf::ForOp sum) {
  int64_t length = lengthOf(sum), lanes = *task.getLanes();
  if (length < kMinSum)
    return;
  int64_t bytes = 0;
  SmallVector<ir::LoadOp> found;
  for (auto load : sum.getOps<ir::LoadOp>())
    if (isShared(load, sum)) {
      found.push_back(load);
      bytes += length * lanes * ir::byteSize(load.getResult().getType());
    }
  if (bytes <= device.getL2Bytes() && found.size() <= kMaxPacked)
    loads.append(found);
}

/// The loads of one row of its own in the sum.
int64_t LoadPacker::bytesOfRow(scf::ForOp sum) {
  int64_t bytes = 0;
  for (auto load : sum.getOps<ir::LoadOp>())
    if (!isShared(load, sum))
      bytes += ir::byteSize(load.getResult().getType());
  return std::max<int64_t>(bytes / (*task.getRows())[1], 1) * lengthOf(sum);
}

static bool hasTile(ir::TaskOp task) {
  ir::ScheduleAttr schedule = task.getScheduleAttr();
  return schedule && schedule.getTile();
}

void LoadPacker::run() {
  if (task.getWide().empty() || !task.getRows() || hasTile(task) ||
      (*task.getRows())[0] + 1 == int64_t(task.getRank()) || !isReorderable())
    return;
  scf::ForOp sum;
  for (auto loop : task.getWide().front().getOps<scf::ForOp>()) {
    if (sum)
      return;
    sum = loop;
  }
  if (!sum)
    return;
  findLoads(sum);
  if (loads.empty())
    return;
  Builder b(task.getContext());
  for (auto [number, load] : llvm::enumerate(loads))
    load.setPackedAttr(b.getI64IntegerAttr(number));
  // The rows of a panel stay in the last cache, which others use as well.
  int64_t group = (*task.getRows())[1];
  int64_t rows = device.getCacheBytes() / 8 / bytesOfRow(sum);
  ir::Schedule schedule = ir::plainSchedule(task);
  schedule.panel = std::max(rows / group, kMinGroups) * group;
  task.setScheduleAttr(schedule.attr(task.getContext()));
}

namespace {
struct PackLoadsPass : schedule::impl::PackLoadsPassBase<PackLoadsPass> {
  using PackLoadsPassBase::PackLoadsPassBase;

  void runOnOperation() override {
    ir::DeviceAttr device = ir::deviceOf(getOperation());
    for (auto task : getOperation().getOps<ir::TaskOp>())
      LoadPacker(task, device).run();
  }
};
} // namespace
